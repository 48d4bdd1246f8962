import { readFileSync } from 'node:fs'
import type { Rect } from '../../protocol/overlay/geometry.js'

/** A question of the evaluation; its form is told in `queries/README.md`. */
export interface Asked {
  readonly words: string
  /** Ids of which any is right. Empty: there is no such thing. */
  readonly right: readonly string[]
  /** They fit equally: to say so is right, to choose one is wrong. */
  readonly ambiguous: boolean
  /** The control shows no text of its own. */
  readonly mute: boolean
}

/** Where the controls of a screen are, in logical points; the first rectangle is the control, others its own labels. */
export type Truth = Readonly<Record<string, readonly Rect[]>>

const folder = new URL('../../../tests/grounding-eval/queries/', import.meta.url)

export function readQueries(screen: string): readonly Asked[] {
  const lines = readFileSync(new URL(`${screen}.txt`, folder), 'utf8').split('\n')
  return lines.filter((line) => line.trim() !== '').map(asked)
}

function asked(line: string): Asked {
  const [words, target, flag] = line.split('|').map((part) => part.trim())
  if (!words || !target || (flag !== undefined && flag !== 'mute')) throw new Error(`not a query: ${line}`)
  const right = target === '-' ? [] : target.split(/[,/]/).map((id) => id.trim())
  return { words, right, ambiguous: target.includes(','), mute: flag === 'mute' }
}

/** Every id that is asked for is somewhere on the screen: a slip in a file would count as a fault of a resolver. */
export function checkQueries(screen: string, asked: readonly Asked[], truth: Truth): void {
  const unknown = asked.flatMap(({ right }) => right).filter((id) => truth[id] === undefined)
  if (unknown.length > 0)
    throw new Error(`${screen}: no control is called ${[...new Set(unknown)].join(', ')}`)
}
