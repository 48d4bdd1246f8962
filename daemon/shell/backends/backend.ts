/** What a session needs of a shell, whichever it is. */
import type { SessionKind } from '../../../protocol/shell/schema.js'
import type { OutputName } from '../command.js'
import type { Fifos } from '../fifos.js'

export interface Backend {
  readonly kind: SessionKind
  /** The program, or null where it is not there. */
  find(): string | null
  /** Starts the shell; rejects when that does not work. */
  start(options: ShellOptions): Promise<Shell>
}

export interface ShellOptions {
  readonly program: string
  readonly cwd: string
  readonly env: NodeJS.ProcessEnv
  readonly fifos: Fifos
  /** A private folder for what is too long to be sent. */
  readonly folder: string
  /** Told once, when the shell is gone. */
  readonly onExit: (end: ShellEnd) => void
  /** Told of bytes that came from the background after their command had ended. */
  readonly onLate: (bytes: number) => void
}

/** How a shell ended: by itself with a code, or by a signal. */
export interface ShellEnd {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
}

export interface Run {
  readonly id: string
  readonly text: string
  readonly input: string | null
  output(name: OutputName, bytes: Buffer): void
}

/** `exitCode` is the command's; `shell` is set when the shell ended with it. */
export interface RunEnd {
  readonly exitCode: number
  readonly shell: ShellEnd | null
  /** What read keys where there is no terminal, and was therefore ended. */
  readonly hungUp?: readonly { readonly pid: number; readonly name: string }[]
}

export interface Shell {
  readonly pid: number
  /** Runs one command; one at a time. Resolves when it has ended and its output is complete. */
  run(run: Run): Promise<RunEnd>
  /** Lets an idle shell go: its commands have an end. */
  leave(): void
}
