import { Field } from './field.js'
import type { Fingerprint } from './fingerprint.js'
import type { Pair } from './pair.js'
import { BLOCK, type PixelArea } from './pixels.js'
import type { Shift } from './shifts.js'
import { isAmongChanges, sidesAgree } from './sides.js'
import { fitsInSight } from './sight.js'
import { remembering, type State, type States, weigh } from './states.js'
import { holdsStrip, isAlikeStrip, STEP, type Strip, WIDTH } from './strips.js'

/** So much of the telling evidence in the core must agree. */
const CORE_AGREES = 0.6

/** So much around a core must have stayed for what changed in it not to matter. */
const ALL_STAYS = 0.95

/** So much around a core that itself tells must have moved with it. */
const COMES_ALONG = 0.35

/** So much around a core that itself tells may have changed beyond explanation when it stayed. */
const UNEXPLAINED = 0.75

/** So many telling strips at least must have moved: one alone is a coincidence. */
const FEWEST = 2

/** So much may contradict a move, for each strip that tells of it. */
const CONTRADICTED = 0.2

/** What lies in and around a core, and whether that speaks for its having stayed, or for a move. */
export class Evidence {
  readonly field: Field

  constructor(
    private readonly pair: Pair,
    private readonly print: Fingerprint,
  ) {
    this.field = new Field(pair, print.core, print.scale)
  }

  /** Whether there is something to be seen, and the core is too much like other places to tell where it is. */
  isRepetitive(): boolean {
    return this.field.strips.length > 0 && this.field.inside(this.print.core) === null
  }

  /** Whether it stayed where it was, however much else moved by one of `shifts`. */
  saysStayed(shifts: readonly Shift[]): boolean {
    const states = remembering((strip) => {
      if (strip.stays) return 'stays'
      return shifts.some((shift) => this.#isThere(strip, shift)) ? 'there' : 'not'
    })
    const { field } = this
    const inside = field.inside(this.print.core)
    if (!inside) {
      return (
        sidesAgree(field, { states, wanted: 'stays', mayBeEither: true }) && !isAmongChanges(field, states)
      )
    }
    const { around } = field
    if (weigh(inside, states, 'stays') >= CORE_AGREES * weigh(inside, states)) {
      return weigh(around, states, 'not') <= UNEXPLAINED * weigh(around, states)
    }
    // A field that is typed into.
    return around.length > 0 && weigh(around, states, 'stays') >= ALL_STAYS * weigh(around, states)
  }

  /**
   * Whether it moved by `shift`; `part` is the part of the core that was recognised there, and `mayHaveStayed` whether it
   * could as well be where it was.
   */
  saysMoved(shift: Shift, part: PixelArea, mayHaveStayed: boolean): boolean {
    const found = remembering((strip) => this.#found(strip, shift))
    const states: States = (strip) => {
      const state = found(strip)
      if (!strip.stays) return state
      return state === 'there' ? 'both' : 'stays'
    }
    const told = this.field.told.map(states)
    const there = told.filter((state) => state === 'there').length
    const not = told.filter((state) => state === 'not').length
    return (
      there >= Math.max(FEWEST, not) &&
      this.#agrees(states, part, mayHaveStayed) &&
      // A few contradictions may be something that changes by itself.
      this.#contradictions(found) <= Math.floor(there * CONTRADICTED)
    )
  }

  /** How much tells of a move by `shift`. */
  support(shift: Shift): number {
    return this.field.told.filter((strip) => !strip.stays && this.#isThere(strip, shift)).length
  }

  /** Whether the core, as far as it is in `part`, agrees with a move, and what is around it does too. */
  #agrees(states: States, part: PixelArea, mayHaveStayed: boolean): boolean {
    const inside = this.field.inside(part)
    if (!inside) return sidesAgree(this.field, { states, wanted: 'there', mayBeEither: mayHaveStayed })
    const there = weigh(inside, states, 'there')
    if (there === 0 || there < CORE_AGREES * weigh(inside, states, 'there', 'not', 'stays')) return false
    const { around } = this.field
    const others: State[] = mayHaveStayed ? ['there', 'not', 'stays'] : ['there', 'not']
    return weigh(around, states, 'there') >= COMES_ALONG * weigh(around, states, ...others)
  }

  /**
   * How much does not fit in the midst of what does: a row that is not the row it should be, among rows that are alike
   * everywhere, shows that it is all a look-alike.
   */
  #contradictions(found: States): number {
    const { lineStep, strips } = this.field
    return strips.filter((strip) => {
      if (strip.isUntouched || found(strip) !== 'not' || strip.stays) return false
      return this.#isBetween(strip, STEP, 0, found) || this.#isBetween(strip, 0, lineStep, found)
    }).length
  }

<<<<<<< HEAD
  /**
   * What is around a core that does not tell itself. Something detailed (a button in each row) goes with what is in its
   * own lines. A plain place goes with what is close to it on two sides at least: beside a pane it may belong to either.
   */
  #saysElsewhere(states: States, wanted: 'stays' | 'there', mayBeEither: boolean): boolean {
    const isDetailed = this.#isDetailed
    const judge = (side: Side) => this.#judge(side, states, wanted, mayBeEither)
    const [core, left, right, above, below] = (['core', 'left', 'right', 'above', 'below'] as const).map(
      judge,
    ) as [Judgement, Judgement, Judgement, Judgement, Judgement]
    const isSaid = (sides: readonly Judgement[], isEnough: boolean, heard = 0) =>
      isEnough &&
      sides.some(({ tells }) => tells) &&
      !sides.some(({ opposes, weight }) => opposes && weight >= heard)
    const isJoined = (...sides: Judgement[]) =>
      sides.some(({ tells, side }) => tells && this.#isConnected(side))
    const all = [core, left, right, above, below]
    // A scrollbar in the same lines does not outweigh what little tells in the core.
    const heard = core.tells ? OPPOSED * core.weight : 0
    const ownLines = [core, left, right]
    if (wanted === 'there' && this.#areOwnLinesHidden(states)) return false
    const isBetween = left.fits && right.fits
    if (core.tells || ((left.tells || right.tells) && (isBetween || isJoined(left, right)))) {
      const isFree = (left.fits && right.fits) || (!above.opposesClosely && !below.opposesClosely)
      return isFree && isSaid(ownLines, true, heard)
    }
    if (wanted === 'stays' && isDetailed && this.#hasChangedInColumn()) return false
    const fits = all.filter(({ fits }) => fits).length
    return isSaid(all, isDetailed || fits >= 2 || isJoined(above, below), heard)
  }

  /** Whether there is something to be seen in the core itself. */
  get #isDetailed(): boolean {
    return this.#strips.some(({ inCore }) => inCore)
  }

  /** Whether the core and the nearest strip that tells on that side lie on one ground, with no line between them. */
  #isConnected(side: Side): boolean {
    const [nearest] = this.#telling().get(side) ?? []
    if (!nearest) return false
    const [left, top, width, height] = this.core
    const isBeside = side === 'left' || side === 'right'
    // Around the core, which may be a button with a ground of its own.
    const ground = groundOf(this.before, [
      left - BLOCK * 2,
      top - BLOCK,
      width + BLOCK * 4,
      height + BLOCK * 2,
    ])
    if (groundOf(this.before, [nearest.x, nearest.y, WIDTH, BLOCK]) !== ground) return false
    const from = isBeside ? [nearest.x + WIDTH, left + width] : [nearest.y + BLOCK, top + height]
    const to = isBeside ? [left, nearest.x] : [top, nearest.y]
    const before = side === 'left' || side === 'above'
    const [start, end] = before ? [from[0], to[0]] : [from[1], to[1]]
    const { data, width: wide, height: high } = this.before
    // Longer than a button is high: a line that ends before does not divide.
    const [first, last] = isBeside
      ? [Math.max(0, top - LINE), Math.min(high, top + height + LINE)]
      : [Math.max(0, left - LINE), Math.min(wide, left + width + LINE)]
    for (let line = start as number; line < (end as number); line++) {
      const at = (across: number) => data[isBeside ? across * wide + line : line * wide + across] as number
      const color = at(first)
      if (color === ground) continue
      let across = first + 1
      while (across < last && at(across) === color) across++
      if (across === last) return false
    }
    return true
  }

  /** Whether what is in the core's own lines has gone out of sight, as far as it tells. */
  #areOwnLinesHidden(states: States): boolean {
    const own = (['core', 'left', 'right'] as const).flatMap((side) => this.#telling().get(side) ?? [])
    const moving = own.filter((strip) => states(strip) !== 'stays' && states(strip) !== 'both')
    return moving.length > 0 && moving.every((strip) => states(strip) === 'hidden')
  }

  /** Whether much has changed above or below. */
  #hasChangedInColumn(): boolean {
    return this.changed.filter(({ side }) => side === 'above' || side === 'below').length >= MANY
  }

  /** Whether much has changed beyond explanation above and below a place, or beside it: it may be another row by now. */
  #isBesideChange(states: States): boolean {
    const [, top, , height] = this.core
    const lines = this.changed.filter((strip) => states(strip) === 'not').map(({ y }) => y)
    return lines.length >= MANY && Math.min(...lines) < top + height && Math.max(...lines) + BLOCK > top
  }

  /** What the strips on one side of a core that does not tell say of it. */
  #judge(side: Side, states: States, wanted: 'stays' | 'there', mayBeEither: boolean): Judgement {
    // What else stands still is another pane's where this cannot have stayed.
    const counts = (strip: Strip) => {
      const state = states(strip)
      return state !== 'hidden' && (mayBeEither || state !== 'stays')
    }
    const told = (this.#telling().get(side) ?? []).filter(counts)
    const near = this.#strips.filter((strip) => strip.side === side && counts(strip)).slice(0, ASKED)
    const isBeside = side === 'left' || side === 'right'
    const all = weigh(told, states)
    const agreed = (strips: readonly Strip[]) =>
      weigh(strips, states, wanted, 'both') >= SIDE_AGREES * weigh(strips, states)
    const agrees = told.length > 0 && agreed(told)
    // A caret in the core is one thing, what is found elsewhere now another.
    const hasLeft = weigh(near, states, 'there') > (1 - SIDE_AGREES) * weigh(near, states)
    return {
      side,
      weight: all,
      tells: agrees && weigh(told, states, wanted) > 0,
      opposes:
        (told.length > 0 && !agrees) ||
        (wanted === 'stays' &&
          (side === 'core' ? hasLeft : (this.#isDetailed || !isBeside) && !agreed(near))),
      opposesClosely: !agreed(told.filter(({ weight }) => weight >= CLOSE)),
      fits: near.length > 0 && agreed(near),
=======
  /** Whether strips on both sides of one, one or two steps away, are where they should be. */
  #isBetween({ x, y }: Strip, dx: number, dy: number, found: States): boolean {
    const isThere = (steps: number) => {
      const strip = this.field.at(x + steps * dx, y + steps * dy)
      return strip !== undefined && found(strip) === 'there' && !strip.stays
>>>>>>> measure
    }
    return (isThere(-1) || isThere(-2)) && (isThere(1) || isThere(2))
  }

  #isThere({ x, y }: Strip, [dx, dy]: Shift): boolean {
    const { before, after } = this.pair
    return holdsStrip(after, x + dx, y + dy) && isAlikeStrip(before, x, y, after, x + dx, y + dy)
  }

  /** Where a strip is that should be `shift` from where it was. */
  #found(strip: Strip, shift: Shift): 'there' | 'hidden' | 'not' {
    const { before, after } = this.pair
    const { x, y } = strip
    const [toX, toY] = [x + shift[0], y + shift[1]]
    if (!holdsStrip(after, toX, toY)) return 'hidden'
    if (this.#isThere(strip, shift)) return 'there'
    if (!holdsStrip(before, toX, toY)) return 'not'
    for (let part = 0; part < WIDTH; part += BLOCK) {
      if (!fitsInSight(before, after, [x + part, y], [toX + part, toY])) return 'not'
    }
    return 'hidden'
  }
}
<<<<<<< HEAD

function sideOf(x: number, y: number, [left, top, width, height]: PixelArea): Side {
  const [midX, midY] = [x + WIDTH / 2, y + BLOCK / 2]
  if (midY >= top && midY < top + height) return midX < left + width / 2 ? 'left' : 'right'
  if (midX <= left - ASIDE || midX >= left + width + ASIDE) return 'apart'
  return midY < top ? 'above' : 'below'
}

function memo(state: States): States {
  const known = new Map<Strip, State>()
  return (strip) => {
    const before = known.get(strip)
    if (before !== undefined) return before
    const now = state(strip)
    known.set(strip, now)
    return now
  }
}

function weigh(strips: readonly Strip[], states: States, ...wanted: readonly State[]): number {
  let sum = 0
  for (const strip of strips) if (wanted.length === 0 || wanted.includes(states(strip))) sum += strip.weight
  return sum
}

/** Whether a strip lies in an area: all its lines, and half its width. */
function isIn(x: number, y: number, [left, top, width, height]: PixelArea): boolean {
  const middle = x + WIDTH / 2
  return middle >= left && middle <= left + width && y >= top && y + BLOCK <= top + height
}

/**
 * Whether a strip is found nowhere else along its line and column. Each half must be, so far as there is something in it: a
 * row that reaches under a header looks like no other, and is all the same a row among its like.
 */
function isUnique(picture: Pixels, { x, y }: Strip): boolean {
  const { data, width, height } = picture
  for (const top of [y, y + HALF]) {
    const probe = probeOf(picture, [x, top, WIDTH, HALF])
    if (!probe) continue
    for (let other = 0; other + HALF <= height; other++) {
      if (other === top || !mayBe(probe, data, other * width + x)) continue
      if (isEqualArea(picture, x, top, x, other)) return false
    }
    for (let other = 0; other + WIDTH <= width; other++) {
      if (other === x || !mayBe(probe, data, top * width + other)) continue
      if (isEqualArea(picture, x, top, other, top)) return false
    }
  }
  return true
}

function isEqualArea({ data, width }: Pixels, ax: number, ay: number, bx: number, by: number): boolean {
  for (let row = 0; row < HALF; row++) {
    const [a, b] = [(ay + row) * width + ax, (by + row) * width + bx]
    for (let column = 0; column < WIDTH; column++) if (data[a + column] !== data[b + column]) return false
  }
  return true
}

function holdsStrip(picture: Pixels, x: number, y: number): boolean {
  return holds(picture, x, y) && x + WIDTH <= picture.width
}

function isDetailedStrip(picture: Pixels, x: number, y: number): boolean {
  for (let dx = 0; dx < WIDTH; dx += BLOCK) if (isDetailed(picture, x + dx, y)) return true
  return false
}

function isAlikeStrip(
  a: Pixels,
  ax: number,
  ay: number,
  b: Pixels,
  bx: number,
  by: number,
  inverse = false,
): boolean {
  for (let dx = 0; dx < WIDTH; dx += BLOCK) {
    // Selected text is on another ground, also where there is no text.
    const areBlank = inverse && isPlain(a, ax + dx, ay) && isPlain(b, bx + dx, by)
    if (!areBlank && !isAlike(a, ax + dx, ay, b, bx + dx, by, inverse)) return false
  }
  return true
}

/** What holds every pixel between two lines that differs, or null when there is none. */
function changedArea(before: Pixels, after: Pixels, from: number, to: number): PixelArea | null {
  if (before.width !== after.width || before.height !== after.height)
    return [0, 0, before.width, before.height]
  const { width } = before
  let [left, top, right, bottom] = [width, -1, 0, 0]
  for (let y = Math.max(0, Math.floor(from)); y < Math.min(before.height, to); y++) {
    const row = y * width
    let x = 0
    while (x < width && before.data[row + x] === after.data[row + x]) x++
    if (x === width) continue
    let end = width - 1
    while (before.data[row + end] === after.data[row + end]) end--
    left = Math.min(left, x)
    right = Math.max(right, end + 1)
    if (top < 0) top = y
    bottom = y + 1
  }
  return top < 0 ? null : [left, top, right - left, bottom - top]
}

/** Whether a strip is where it was, perhaps in other colours: under the pointer, or selected. */
function isSameStrip(before: Pixels, after: Pixels, x: number, y: number): boolean {
  return (
    isAlikeStrip(before, x, y, after, x, y, true) ||
    outlineAgreement(before, [x, y, WIDTH, BLOCK], after, x, y) >= SAME_OUTLINE
  )
}

/** The colour most pixels of an area have. */
function groundOf({ data, width, height }: Pixels, [left, top, wide, high]: PixelArea): number {
  const counts = new Map<number, number>()
  for (let y = Math.max(0, top); y < Math.min(height, top + high); y++) {
    for (let x = Math.max(0, left); x < Math.min(width, left + wide); x++) {
      const color = data[y * width + x] as number
      counts.set(color, (counts.get(color) ?? 0) + 1)
    }
  }
  let [ground, most] = [0, 0]
  for (const [color, count] of counts) if (count > most) [ground, most] = [color, count]
  return ground
}

function ceilTo(value: number, step: number): number {
  return Math.ceil(value / step) * step
}
=======
>>>>>>> measure
