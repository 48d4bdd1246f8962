/**
 * What the host knows of a medium that is no page of a unique: the screens. Everything that crosses is plain data and
 * promises, so that host and medium may live in different threads. Marks, displays and the companion are the medium's alone.
 */
import type { Said } from './stamp.js'

/** Whoever sends to a screen: an agent or a program that has the operator’s token. */
export interface Sender {
  /** What is theirs hangs on it: whoever says the same is the same. */
  readonly key: string
  /** Named to the person where a question is about them. */
  readonly name: string
}

/** One that can be sent to now. */
export interface MediumLine {
  /** Its party, such as `screen#d1`. */
  readonly name: string
  readonly title: string
}

/** A command, with its envelope’s id: what becomes of it later refers to that. */
export interface MediumCommand {
  readonly id: string
  /** As `nameOf` says it. */
  readonly to: string
  readonly type: string
  readonly data: Readonly<Record<string, unknown>>
  readonly re?: string
  readonly sender: Sender
}

/** What became of it. `ignored`: why nothing did. Whatever else there is to say comes with it. */
export interface MediumAnswer {
  readonly ignored?: string
  readonly [field: string]: unknown
}

export interface Medium {
  list(): Promise<readonly MediumLine[]>
  /** Carries a command out. Rejects with `LipError`. */
  send(command: MediumCommand): Promise<MediumAnswer>
  /** What a sender has there now. Rejects with `LipError`. */
  state(to: string, sender: Sender): Promise<Readonly<Record<string, unknown>>>
  /** Somebody listens, or will: what happens there is told from now on. */
  listen(): void
  /** While a sender is known to be there, what is theirs stays; with the end of it, it goes. */
  present(key: string, isThere: boolean): void
  /** Tells what goes with the end, and lets go of everything. */
  stop(): Promise<void>
}

/** What happened there, to be stamped and queued. */
export type Tell = (from: string, said: Said) => void

export type MakeMedium = (tell: Tell) => Medium

const SCREEN = /^(?:screen#)?(d\d{1,9})$/

/** The party that is meant by `screen#d1`, or `d1` alone; null: no screen. */
export function screenNamed(name: unknown): string | null {
  const [, display] = (typeof name === 'string' && SCREEN.exec(name)) || []
  return display === undefined ? null : `screen#${display}`
}

/** What to call a screen by, where a name that is none may have meant one; empty where it did not. */
export function screenHint(name: string): string {
  if (!/^(?:screen|display|entity|companion|d\d)/i.test(name)) return ''
  const display = /#?d(\d{1,9})$/.exec(name)?.[1] ?? '1'
  return `; a screen, and the companion on it, is screen#d${display}`
}

/** The display that a party is about. */
export function displayOf(party: string): number {
  return Number(party.slice(party.indexOf('#d') + 2))
}
