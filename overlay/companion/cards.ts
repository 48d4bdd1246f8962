import type { CompanionScene, DisplayRect } from '../../protocol/overlay/companion.js'
import { type Point, type Rect, type Size, translate } from '../../protocol/overlay/geometry.js'
import type { Ruler } from '../scene/font.js'
import { snap } from '../scene/snap.js'
import { type BubbleSpot, FIRST_SPOT, type LaidBubble, layBubble, movedBubble } from './bubble.js'
import type { Room, Side } from './card.js'
import type { DesktopDisplay } from './desktop.js'
import { BODY } from './figure.js'
import { type LaidMenu, layMenu, type MenuSpot } from './menu.js'
import { smooth } from './posing.js'

/** The figure, as its cards need to know it. */
export interface Holder {
  readonly middle: Point
  readonly display: DesktopDisplay
  /** Where it rests, or is going. */
  readonly goal: { readonly at: Point; readonly display: DesktopDisplay }
}

/** How long what it says takes to be there in full. */
const BUBBLE_MS = 120
/** How long it takes to get out of the way of a mark. */
const MOVE_MS = 260
/** What covers more of a display than this is its background: nothing could keep off it. */
const MOST_OF_DISPLAY = 0.4
/** Farther than this from one frame to the next, in points, what it says is not where it was. */
const JUMP = 2

interface Laid {
  readonly display: number
  readonly middle: Point
  readonly bubble: LaidBubble | null
  readonly menu: LaidMenu | null
}

/** What it says and what it offers: where that is beside the figure, out of the way of marks, and how it gets from place to place. */
export class Cards {
  #scene: Pick<CompanionScene, 'bubble' | 'menu'> = { bubble: null, menu: null }
  #occupied: readonly DisplayRect[] = []
  #known = '[]'
  #bubbleSpot: BubbleSpot | null = null
  #menuSpot: MenuSpot | null = null
  #laid: Laid | null = null
  #key = ''
  #appearedAt = Number.NEGATIVE_INFINITY
  /** Where what it says was, from the figure's middle, when it had to go elsewhere. */
  #carried: { readonly side: Side; readonly rect: Rect; readonly start: number } | null = null
  #eased: { readonly now: number; readonly bubble: LaidBubble } | null = null

  constructor(
    private readonly ruler: Ruler,
    private readonly reducedMotion: boolean,
  ) {}

  set({ bubble, menu }: Pick<CompanionScene, 'bubble' | 'menu'>, now: number): void {
    const before = this.#scene
    this.#scene = { bubble, menu }
    if (bubble && !sameBubble(bubble, before.bubble)) {
      this.#appearedAt = now
      this.#carried = null
      this.#eased = null
      // It stays on its side; where along it, and how wide it is, depends on what it says.
      this.#bubbleSpot = this.#bubbleSpot && { ...FIRST_SPOT, side: this.#bubbleSpot.side }
    }
    if (!bubble) this.#bubbleSpot = null
    if (!menu) this.#menuSpot = null
    if (bubble !== before.bubble || menu !== before.menu) this.#key = ''
  }

  /** Where marks are from now on. */
  avoid(occupied: readonly DisplayRect[]): void {
    const known = JSON.stringify(occupied)
    if (known === this.#known) return
    this.#known = known
    this.#occupied = occupied
    this.#key = ''
  }

  /** The displays changed. */
  relay(): void {
    this.#key = ''
  }

  /** There is something to say, and no place for it that marks leave. */
  get isCrowded(): boolean {
    return this.#scene.bubble !== null && this.#laid !== null && this.#laid.bubble === null
  }

  isMoving(now: number): boolean {
    return this.#isAppearing(now) || (this.#carried !== null && now < this.#carried.start + MOVE_MS)
  }

  /** How much of what it says is there. */
  alpha(now: number): number {
    return this.#isAppearing(now) ? 0.4 + (0.6 * (now - this.#appearedAt)) / BUBBLE_MS : 1
  }

  /** Where they are now. */
  at(holder: Holder, now: number): { readonly bubble: LaidBubble | null; readonly menu: LaidMenu | null } {
    const { bubble: said, menu: offered } = this.#scene
    if (!said && !offered) {
      this.#laid = null
      return NONE
    }
    const { bubble, menu } = this.#lay(holder, now)
    return { bubble: bubble && this.#ease(bubble, holder, now), menu }
  }

  #isAppearing(now: number): boolean {
    return !this.reducedMotion && this.#scene.bubble !== null && now < this.#appearedAt + BUBBLE_MS
  }

  /** Lays them out; again only where it moved, or marks did. */
  #lay({ middle, display, goal }: Holder, now: number): Laid {
    const key = `${display.id} ${display.scale} ${display.size} ${middle}`
    const before = this.#laid
    if (before && this.#key === key) return before
    this.#key = key
    const { bubble: said, menu: offered } = this.#scene
    const room = this.#room(middle, display)
    // It is opened where it is going to be, and then holds still beside the figure.
    if (offered && !this.#menuSpot)
      this.#menuSpot = layMenu(offered.items, offered.chosen, this.#room(goal.at, goal.display), null)
    const menu = offered && layMenu(offered.items, offered.chosen, room, this.#menuSpot)
    if (menu && this.#menuSpot) this.#menuSpot = { ...this.#menuSpot, first: menu.first }
    const hasMoved = before !== null && String(before.middle) !== String(middle)
    const spot =
      this.#bubbleSpot && hasMoved ? { ...FIRST_SPOT, side: this.#bubbleSpot.side } : this.#bubbleSpot
    const around = menu ? { ...room, occupied: [...room.occupied, menu.rect] } : room
    const bubble = said && layBubble(said.text, around, spot)
    if (bubble) this.#bubbleSpot = bubble
    const laid = {
      display: display.id,
      middle,
      bubble: kept(before?.bubble, bubble),
      menu: kept(before?.menu, menu),
    }
    this.#carry(before, laid, now)
    this.#laid = laid
    return laid
  }

  #room(at: Point, { id, size, scale }: DesktopDisplay): Room {
    const occupied = this.#occupied
      .filter(
        ({ display, rect }) => display === id && rect.every(Number.isFinite) && !isBackground(rect, size),
      )
      .map(({ rect }) => rect)
    return { size, scale, ruler: this.ruler, at, figure: translate(BODY, at), occupied }
  }

  /** What it says goes on from where it was shown, unless it only went along with the figure. */
  #carry(before: Laid | null, { display, middle, bubble }: Laid, now: number): void {
    if (!bubble) {
      this.#carried = null
      return
    }
    if (!before) return
    if (!before.bubble) {
      this.#appearedAt = now
      return
    }
    if (this.reducedMotion || now <= this.#appearedAt) return
    const then = before.bubble
    const was = relative(then.rect, before.middle)
    const is = relative(bubble.rect, middle)
    const gone = (a: Rect, b: Rect) => Math.hypot(a[0] - b[0], a[1] - b[1])
    const way = Math.hypot(middle[0] - before.middle[0], middle[1] - before.middle[1])
    const wentAlong = display === before.display && gone(then.rect, bubble.rect) <= way + JUMP
    if (then.side === bubble.side && (gone(was, is) <= JUMP || wentAlong)) return
    const shown = this.#eased ? relative(this.#eased.bubble.rect, before.middle) : was
    this.#carried = { side: this.#eased?.bubble.side ?? then.side, rect: shown, start: now }
    this.#eased = null
  }

  #ease(bubble: LaidBubble, { middle, display }: Holder, now: number): LaidBubble {
    const carried = this.#carried
    if (!carried || now >= carried.start + MOVE_MS) {
      this.#carried = null
      this.#eased = null
      return bubble
    }
    if (this.#eased?.now === now) return this.#eased.bubble
    const past = (now - carried.start) / MOVE_MS
    const t = smooth(past)
    const to = relative(bubble.rect, middle)
    const part = (side: 0 | 1 | 2 | 3) =>
      snap(carried.rect[side] + (to[side] - carried.rect[side]) * t, display.scale)
    const rect = translate([part(0), part(1), part(2), part(3)], middle)
    // From one side to another its tail goes in, and comes out again over there.
    const isSame = carried.side === bubble.side
    const side = past < 0.5 ? carried.side : bubble.side
    const eased = movedBubble(bubble, { side, rect, at: middle, reach: isSame ? 1 : Math.abs(2 * past - 1) })
    this.#eased = { now, bubble: eased }
    return eased
  }
}

const NONE = { bubble: null, menu: null } as const

/** What is the same is the very same: it is not painted again. */
function kept<T>(before: T | null | undefined, now: T | null): T | null {
  return before && JSON.stringify(before) === JSON.stringify(now) ? before : now
}

function relative(rect: Rect, [x, y]: Point): Rect {
  return translate(rect, [-x, -y])
}

function isBackground([, , width, height]: Rect, [wide, high]: Size): boolean {
  return width * height > wide * high * MOST_OF_DISPLAY
}

function sameBubble(a: CompanionScene['bubble'], b: CompanionScene['bubble']): boolean {
  return a !== null && b !== null && a.id === b.id && a.text === b.text
}
