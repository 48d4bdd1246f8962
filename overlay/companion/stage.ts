import type { CompanionScene, DisplayPoint, DisplayRect } from '../../protocol/overlay/companion.js'
import { type Point, type Rect, union } from '../../protocol/overlay/geometry.js'
import type { Context2D } from '../scene/context.js'
import { Ruler } from '../scene/font.js'
import { grow, SHADOW_REACH } from '../scene/shapes.js'
import { coverPixels, outerPixels, snap } from '../scene/snap.js'
import { Actor } from './actor.js'
import { type LaidBubble, paintBubble, tailRect } from './bubble.js'
import { Cards } from './cards.js'
import type { Desktop, DesktopDisplay } from './desktop.js'
import { isOnFigure, paintFigure, paintShape, REACH } from './figure.js'
import { itemAt, type LaidMenu, menuArea, paintMenu, paintMenuShape } from './menu.js'
import { type Channels, samePose } from './pose.js'

export interface CompanionStageOptions {
  /** Any context with the host's fonts registered, to measure text with. The stage changes its font. */
  readonly measure: Context2D
  /** Nothing of it moves: its face alone says it, and it fades from place to place. */
  readonly reducedMotion: boolean
  readonly desktop: Desktop
}

export interface CompanionFrame {
  readonly display: number
  /** Where the middle of its body is now. */
  readonly at: Point
  /** All it draws, in logical points of that display, on device pixel edges; inside it, but on a `seamless` desktop. */
  readonly rect: Rect
  /** Its pixels, from the corner of `rect` on, are not those of the last frame. */
  readonly repaint: boolean
  /** What takes clicks, from the corner of `rect` on, is not what it was at the last frame. */
  readonly inputChanged: boolean
  /** There will be another frame without anything new. */
  readonly animating: boolean
  /** It came to its place since the last frame. */
  readonly arrived: boolean
  /** What it says is not there: marks leave no place for it. */
  readonly crowded: boolean
}

export type CompanionHit = { readonly part: 'body' } | { readonly part: 'item'; readonly item: number }

/** Everything one frame shows. */
interface Picture {
  readonly display: DesktopDisplay
  readonly at: Point
  /** Where the figure is painted: `at` on a device pixel. */
  readonly middle: Point
  readonly pose: Channels
  readonly color: string | undefined
  /** The pose that takes clicks: the one it rests in, so that what can be clicked holds still while it plays. */
  readonly solid: Channels
  readonly bubble: LaidBubble | null
  readonly bubbleAlpha: number
  readonly menu: LaidMenu | null
  readonly rect: Rect
}

/**
 * The companion on all displays: the figure, what it says and what it offers, and how they get from change to change.
 * Geometry is in logical points of the display it is on; `now` is any clock in ms that does not run backwards. Holds no
 * timers: the host calls `frame` when it changed something and while `animating`. At rest nothing of it moves.
 */
export class CompanionStage {
  readonly #actor: Actor
  readonly #cards: Cards
  #desktop: Desktop
  #scene: CompanionScene | null = null
  #shown: Picture | null = null
  #picture: { readonly now: number; readonly picture: Picture | null } | null = null

  constructor({ measure, reducedMotion, desktop }: CompanionStageOptions) {
    this.#actor = new Actor({ reducedMotion, desktop })
    this.#cards = new Cards(new Ruler(measure), reducedMotion)
    this.#desktop = desktop
  }

  /** What it is to be from now on; null takes it off at once. */
  set(scene: CompanionScene | null, now: number): void {
    this.#scene = scene
    this.#actor.set(scene, now)
    this.#cards.set(scene ?? { bubble: null, menu: null }, now)
    this.#picture = null
  }

  /** Where marks are from now on: they come first, and what it says and offers keeps off them. */
  avoid(occupied: readonly DisplayRect[]): void {
    this.#cards.avoid(occupied)
    this.#picture = null
  }

  /** The displays changed: what rests on one that is gone goes to the nearest place it can be reached at. */
  relay(desktop: Desktop, now: number): void {
    this.#desktop = desktop
    this.#actor.relay(desktop, now)
    this.#cards.relay()
    this.#picture = null
  }

  /** What is to be shown at `now`; null: nothing. */
  frame(now: number): CompanionFrame | null {
    const picture = this.#at(now)
    const before = this.#shown
    this.#shown = picture
    if (!picture) return null
    const { display, at, rect } = picture
    return {
      display: display.id,
      at,
      rect,
      repaint: !before || !samePicture(before, picture),
      inputChanged: !before || !sameInput(before, picture),
      animating: this.#actor.isMoving(now) || this.#cards.isMoving(now),
      arrived: this.#actor.takeArrival(now),
      crowded: this.#cards.isCrowded,
    }
  }

  /**
   * Draws what `frame` says of the same `now`. The caller has set a transform that maps logical points of the frame's
   * display to its pixels, and has cleared `rect`.
   */
  paint(context: Context2D, now: number): void {
    const picture = this.#at(now)
    if (!picture) return
    const { display, middle, pose, color, bubble, bubbleAlpha, menu } = picture
    if (menu) paintMenu(context, menu, display.scale)
    if (bubble) paintBubble(context, bubble, bubbleAlpha, display.scale)
    context.save()
    context.translate(...middle)
    paintFigure(context, { channels: pose, ...(color !== undefined && { color }) })
    context.restore()
  }

  /** Draws, solid, just what takes clicks: the body as it rests, and the open menu. What it says takes none. */
  paintInput(context: Context2D, now: number): void {
    const picture = this.#at(now)
    if (!picture) return
    if (picture.menu) paintMenuShape(context, picture.menu)
    context.save()
    context.translate(...picture.middle)
    paintShape(context, picture.solid)
    context.restore()
  }

  /** What is at a place: its body, an item of the menu, or nothing that a click is for. */
  hit({ display, at }: DisplayPoint, now: number): CompanionHit | null {
    const picture = this.#at(now)
    if (!picture || picture.display.id !== display) return null
    if (isOnFigure(picture.solid, [at[0] - picture.middle[0], at[1] - picture.middle[1]]))
      return { part: 'body' }
    const item = picture.menu && itemAt(picture.menu, at)
    return item === null ? null : { part: 'item', item }
  }

  #at(now: number): Picture | null {
    if (this.#picture?.now !== now) this.#picture = { now, picture: this.#draw(now) }
    return this.#picture.picture
  }

  #draw(now: number): Picture | null {
    const place = this.#scene && this.#actor.at(now)
    const display = place && this.#display(place.display)
    if (!place || !display) return null
    const middle: Point = [snap(place.at[0], display.scale), snap(place.at[1], display.scale)]
    const goal = this.#actor.goal ?? place
    const holder = {
      middle,
      display,
      goal: { at: goal.at, display: this.#display(goal.display) ?? display },
    }
    const { bubble, menu } = this.#cards.at(holder, now)
    let area: Rect = [middle[0] - REACH.across, middle[1] - REACH.up, 2 * REACH.across, REACH.up + REACH.down]
    if (bubble) area = union(union(area, grow(bubble.rect, SHADOW_REACH)), tailRect(bubble))
    if (menu) area = union(area, menuArea(menu.rect))
    const rect = this.#desktop.seamless
      ? outerPixels(area, display.scale)
      : coverPixels(area, display.scale, display.size)
    if (!rect) return null
    return {
      display,
      at: place.at,
      middle,
      pose: this.#actor.pose(now),
      color: this.#scene?.look.color,
      solid: this.#actor.rest(),
      bubble,
      bubbleAlpha: this.#cards.alpha(now),
      menu,
      rect,
    }
  }

  #display(id: number): DesktopDisplay | undefined {
    return this.#desktop.displays().find((display) => display.id === id)
  }
}

/** Where the figure is in its rectangle, in device pixels, and how large that is. */
function frameOf({ middle, rect, display }: Picture): string {
  const from = (value: number) => Math.round(value * display.scale)
  return [
    from(middle[0] - rect[0]),
    from(middle[1] - rect[1]),
    from(rect[2]),
    from(rect[3]),
    display.scale,
  ].join()
}

function samePicture(a: Picture, b: Picture): boolean {
  return (
    frameOf(a) === frameOf(b) &&
    samePose(a.pose, b.pose) &&
    a.color === b.color &&
    a.bubble === b.bubble &&
    a.bubbleAlpha === b.bubbleAlpha &&
    a.menu === b.menu
  )
}

function sameInput(a: Picture, b: Picture): boolean {
  return frameOf(a) === frameOf(b) && samePose(a.solid, b.solid) && a.menu === b.menu
}
