/** What the strips on the sides of a core say of it when it does not tell itself: it is plain, or like other places. */
import { ASKED, type Field } from './field.js'
import { isJoined } from './joined.js'
import { BLOCK } from './pixels.js'
import { type States, weigh } from './states.js'
import type { Side, Strip } from './strips.js'

/** So much of the evidence on each side must agree. */
const SIDE_AGREES = 0.8

/** What speaks against a side counts only if it has this much weight beside what tells in the core. */
const OPPOSED = 0.3

/** The weight of what is two or three lines above or below a core. */
const CLOSE = 0.14

/** So many strips that changed are more than a caret or a letter, at scale 1; it grows with both sides of one. */
const MANY = 4

/** What is asked of the sides: whether what they belong to is where it was, or where it should be after a move. */
export interface Question {
  readonly wanted: 'stays' | 'there'
  readonly states: States
  /** What the core shows is to be seen in both places. */
  readonly mayBeEither: boolean
}

/** What the strips on one side of a core say of it. */
interface Judgement {
  readonly side: Side
  /** How much there is that tells. */
  readonly weight: number
  /** What tells there agrees. */
  readonly tells: boolean
  readonly opposes: boolean
  /** What tells within a few lines is against it. */
  readonly opposesClosely: boolean
  /** Nothing there is against it, be it telling or not; and there is something. */
  readonly fits: boolean
}

/**
 * Whether the sides of a core say yes. Something detailed (a button in each row) goes with what is in its own lines. A
 * plain place goes with what is close to it on two sides at least: beside a pane it may belong to either.
 */
export function sidesAgree(field: Field, question: Question): boolean {
  if (question.wanted === 'there' && areOwnLinesHidden(field, question.states)) return false
  const core = judge(field, 'core', question)
  const left = judge(field, 'left', question)
  const right = judge(field, 'right', question)
  // A scrollbar in the same lines does not outweigh what little tells in the core.
  const heard = core.tells ? OPPOSED * core.weight : 0
  const isBetween = left.fits && right.fits
  if (core.tells || ((left.tells || right.tells) && (isBetween || areJoined(field, question, left, right)))) {
    if (isOpposed([core, left, right], heard)) return false
    return isBetween || ![judge(field, 'above', question), judge(field, 'below', question)].some(isClosely)
  }
  if (question.wanted === 'stays' && field.isCoreDetailed && hasChangedInColumn(field)) return false
  const [above, below] = [judge(field, 'above', question), judge(field, 'below', question)]
  const all = [core, left, right, above, below]
  if (!all.some(({ tells }) => tells) || isOpposed(all, heard)) return false
  return (
    field.isCoreDetailed ||
    all.filter(({ fits }) => fits).length >= 2 ||
    areJoined(field, question, above, below)
  )
}

/** Whether much has changed beyond explanation above and below a core, or in its lines: it may be another row by now. */
export function isAmongChanges(field: Field, states: States): boolean {
  const [, top, , height] = field.core
  const many = MANY * field.scale ** 2
  let [count, highest, lowest] = [0, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const strip of field.changed()) {
    if (states(strip) !== 'not') continue
    count++
    highest = Math.min(highest, strip.y)
    lowest = Math.max(lowest, strip.y + BLOCK)
    if (count >= many && highest < top + height && lowest > top) return true
  }
  return false
}

/** Whether much has changed above or below. */
function hasChangedInColumn(field: Field): boolean {
  let count = 0
  for (const { side } of field.changed()) {
    if (side === 'above' || side === 'below') count++
    if (count >= MANY * field.scale ** 2) return true
  }
  return false
}

/** Whether what is in the core's own lines has gone out of sight, as far as it tells. */
function areOwnLinesHidden(field: Field, states: States): boolean {
  const own = (['core', 'left', 'right'] as const).flatMap((side) => field.telling(side))
  const moving = own.map(states).filter((state) => state !== 'stays' && state !== 'both')
  return moving.length > 0 && moving.every((state) => state === 'hidden')
}

/** Whether a core belongs with what tells on one of the sides: they are joined, and what lies between them agrees. */
function areJoined(field: Field, question: Question, ...sides: readonly Judgement[]): boolean {
  return sides.some(
    ({ tells, side }) => tells && isJoined(field, side) && isAllOneBefore(field, side, question),
  )
}

/** Whether what is nearer on one side than what tells there, and does not tell itself, agrees. */
function isAllOneBefore(field: Field, side: Side, question: Question): boolean {
  const [telling] = field.telling(side)
  const nearer = field.strips.filter(
    (strip) => strip.side === side && telling && strip.weight > telling.weight,
  )
  return agree(
    nearer.filter((strip) => isHeard(strip, question)),
    question,
  )
}

function isOpposed(sides: readonly Judgement[], heard: number): boolean {
  return sides.some(({ opposes, weight }) => opposes && weight >= heard)
}

function isClosely({ opposesClosely }: Judgement): boolean {
  return opposesClosely
}

function judge(field: Field, side: Side, question: Question): Judgement {
  const { states, wanted } = question
  const counts = (strip: Strip) => isHeard(strip, question)
  const agreed = (strips: readonly Strip[]) => agree(strips, question)
  const told = field.telling(side).filter(counts)
  const near = nearest(field, side, counts)
  const agrees = told.length > 0 && agreed(told)
  return {
    side,
    weight: weigh(told, states),
    tells: agrees && weigh(told, states, wanted) > 0,
    opposes: (told.length > 0 && !agrees) || (wanted === 'stays' && !mayStay(field, side, near, question)),
    opposesClosely: !agreed(told.filter(({ weight }) => weight >= CLOSE)),
    fits: near.length > 0 && agreed(near),
  }
}

/** Whether what is near on one side, telling or not, lets a core have stayed. */
function mayStay(field: Field, side: Side, near: readonly Strip[], question: Question): boolean {
  // A caret in the core is one thing, what is found elsewhere now another.
  const { states } = question
  if (side === 'core') return weigh(near, states, 'there') <= (1 - SIDE_AGREES) * weigh(near, states)
  const isBeside = side === 'left' || side === 'right'
  return (isBeside && !field.isCoreDetailed) || agree(near, question)
}

/** Whether a strip has a say. What stands still is another pane's where what is asked about cannot have stayed. */
function isHeard(strip: Strip, { states, mayBeEither }: Question): boolean {
  const state = states(strip)
  return state !== 'hidden' && (mayBeEither || state !== 'stays')
}

function agree(strips: readonly Strip[], { states, wanted }: Question): boolean {
  return weigh(strips, states, wanted, 'both') >= SIDE_AGREES * weigh(strips, states)
}

/** The nearest strips on one side that count, telling or not. */
function nearest(field: Field, side: Side, counts: (strip: Strip) => boolean): Strip[] {
  const found: Strip[] = []
  for (const strip of field.strips) {
    if (strip.side === side && counts(strip)) found.push(strip)
    if (found.length === ASKED) break
  }
  return found
}
