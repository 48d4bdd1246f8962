import { inflate, type Point, type Rect, translate } from '../../protocol/overlay/geometry.js'
import type { Mark } from '../../protocol/overlay/marks.js'
import { type Backdrop, luminancesUnder } from './backdrop.js'
import { badgeRect, layBadge, mixBadge, paintBadge } from './badge.js'
import { layCaption, mixCaption, paintCaption } from './caption.js'
import { chooseTint, defaultTint, namedTint, type Tint } from './color.js'
import type { Context2D } from './context.js'
import {
  highlightAreas,
  highlightBadge,
  highlightSamples,
  highlightSubject,
  layHighlight,
  mixHighlight,
  paintHighlight,
} from './highlight.js'
import type { Badge, Body, Caption, Env, Laid } from './laid.js'
import { layPath, mixPath, paintPath, pathAreas, pathBadge, pathSamples } from './path.js'
import { overlap, type Subject, type Taken } from './place.js'
import {
  layPoint,
  mixPointBody,
  paintPoint,
  pointBadge,
  pointSamples,
  pointSubject,
  ringRect,
} from './point.js'
import { pointerRect } from './pointer.js'
import { SHADOW_REACH } from './shapes.js'
import { layTextbox, mixTextbox, paintTextbox, textboxBadge } from './textbox.js'

/** What else is on the display, and what this mark was before. */
export interface Surroundings {
  /** Captions keep off these when there is room. */
  readonly taken: Taken
  readonly before: Laid | null
  readonly backdrop: readonly Backdrop[] | null
}

/** Lays a mark out: where everything of it goes, and in which colour. */
export function layMark(mark: Mark, env: Env, { taken, before, backdrop }: Surroundings): Laid {
  const body = layBody(mark, env)
  const badge = layBadge(mark.step, badgeWish(body, env), env)
  const tint = pickTint(mark, body, env, before, backdrop)
  const subject = subjectOf(body, badge, env)
  const label = 'label' in mark ? mark.label : undefined
  const caption = subject
    ? (carriedAlong(body, label, subject, taken, env, before) ?? layCaption(label, subject, taken, env))
    : null
  return { mark, body, caption, badge, tint, areas: areasOf(body, caption, badge) }
}

/** The same layout in another colour. */
export function retint(laid: Laid, env: Env, backdrop: readonly Backdrop[]): Laid {
  const tint = pickTint(laid.mark, laid.body, env, laid, backdrop)
  return tint === laid.tint ? laid : { ...laid, tint }
}

export function layBody(mark: Mark, env: Env): Body {
  switch (mark.kind) {
    case 'point':
      return layPoint(mark, env)
    case 'highlight':
      return layHighlight(mark, env)
    case 'textbox':
      return layTextbox(mark, env)
    default:
      return layPath(mark)
  }
}

/** Whether the scene chooses the colour of this mark's ink from what is under it. */
export function choosesColor(mark: Mark): boolean {
  return mark.kind !== 'textbox' && !('color' in mark && mark.color !== undefined)
}

function pickTint(
  mark: Mark,
  body: Body,
  env: Env,
  before: Laid | null,
  backdrop: readonly Backdrop[] | null,
): Tint {
  if ('color' in mark && mark.color !== undefined) {
    const named = namedTint(env.measure, mark.color)
    if (named) return named
  }
  if (backdrop && mark.kind !== 'textbox') {
    const under = luminancesUnder(samplesOf(body), backdrop)
    if (under.length > 0) return chooseTint(under)
  }
  return before && choosesColor(before.mark) ? before.tint : defaultTint
}

function samplesOf(body: Body): Point[] {
  switch (body.kind) {
    case 'point':
      return pointSamples(body)
    case 'highlight':
      return highlightSamples(body)
    case 'path':
      return pathSamples(body)
    default:
      return []
  }
}

function badgeWish(body: Body, env: Env): Point {
  switch (body.kind) {
    case 'point':
      return pointBadge(body, env.size)
    case 'highlight':
      return highlightBadge(body)
    case 'textbox':
      return textboxBadge(body)
    default:
      return pathBadge(body)
  }
}

function subjectOf(body: Body, badge: Badge | null, env: Env): Subject | null {
  if (body.kind === 'point') return pointSubject(body, badge)
  if (body.kind === 'highlight') return highlightSubject(body, badge, env.size)
  return null
}

/** The caption where it was, relative to a mark that only moved: a caption that swaps sides is hard to follow. */
function carriedAlong(
  body: Body,
  label: string | undefined,
  subject: Subject,
  taken: Taken,
  env: Env,
  before: Laid | null,
): Caption | null {
  if (!before?.caption || !('label' in before.mark) || before.mark.label !== label) return null
  const from = anchorOf(before.body)
  const to = anchorOf(body)
  const rect = translate(before.caption.rect, [to[0] - from[0], to[1] - from[1]])
  const fits =
    rect[0] >= 0 &&
    rect[1] >= 0 &&
    rect[0] + rect[2] <= env.size[0] &&
    rect[1] + rect[3] <= env.size[1] &&
    !subject.avoid.some((avoided) => overlap(avoided, rect) > 0) &&
    !taken.captions.some((other) => overlap(other, rect) > 0)
  return fits ? { ...before.caption, rect } : null
}

function anchorOf(body: Body): Point {
  if (body.kind === 'point') return body.at
  if (body.kind === 'highlight') return [body.box[0], body.box[1]]
  return [0, 0]
}

/** What the captions of other marks keep off. */
export function takenBy(shown: Iterable<Laid>): Taken {
  const captions: Rect[] = []
  const others: Rect[] = []
  for (const { body, caption, badge } of shown) {
    if (caption) captions.push(inflate(caption.rect, 4))
    if (badge) others.push(badgeRect(badge))
    if (body.kind === 'point') others.push(ringRect(body.at), pointerRect(body.at, body.facing))
    else if (body.kind === 'textbox') captions.push(inflate(body.rect, 4))
    else others.push(...bodyAreas(body))
  }
  return { captions, others }
}

/** Rectangles that hold every pixel of a mark's body: what is captured to choose its colour. */
export function bodyAreas(body: Body): Rect[] {
  switch (body.kind) {
    case 'point':
      return [ringRect(body.at)]
    case 'highlight':
      return highlightAreas(body)
    case 'textbox':
      return [inflate(body.rect, SHADOW_REACH)]
    default:
      return pathAreas(body)
  }
}

function areasOf(body: Body, caption: Caption | null, badge: Badge | null): Rect[] {
  const areas = bodyAreas(body)
  if (caption) areas.push(inflate(caption.rect, SHADOW_REACH))
  if (badge) areas.push(badgeRect(badge))
  return areas
}

/** A mark on its way from one layout to another, at share `t`; exactly `to` at the end. */
export function mixLaid(from: Laid, to: Laid, t: number): Laid {
  if (t >= 1 || from.body.kind !== to.body.kind) return to
  const body = mixBody(from.body, to.body, t)
  const caption = mixCaption(from.caption, to.caption, t)
  const badge = mixBadge(from.badge, to.badge, t)
  return { ...to, body, caption, badge, areas: areasOf(body, caption, badge) }
}

function mixBody(from: Body, to: Body, t: number): Body {
  if (from.kind === 'point' && to.kind === 'point') return mixPointBody(from, to, t)
  if (from.kind === 'highlight' && to.kind === 'highlight') return mixHighlight(from, to, t)
  if (from.kind === 'textbox' && to.kind === 'textbox') return mixTextbox(from, to, t)
  if (from.kind === 'path' && to.kind === 'path') return mixPath(from, to, t)
  return to
}

/** Paints the mark itself; captions and badges go on top of all marks. `covered`: the pointer rests on it. */
export function paintBody(
  context: Context2D,
  { body, tint }: Laid,
  rect: Rect,
  env: Env,
  covered: boolean,
): void {
  switch (body.kind) {
    case 'point':
      paintPoint(context, body, tint, env.scale, covered)
      break
    case 'highlight':
      paintHighlight(context, body, tint, env.scale)
      break
    case 'textbox':
      paintTextbox(context, body, env.scale)
      break
    default:
      paintPath(context, body, tint, rect, env.scale)
  }
}

/** Paints a mark's caption and badge. */
export function paintLabels(context: Context2D, { caption, badge, tint }: Laid, env: Env): void {
  if (caption) paintCaption(context, caption, env.scale)
  if (badge) paintBadge(context, badge, tint, env.scale)
}
