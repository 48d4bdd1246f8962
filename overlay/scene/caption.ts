import type { Rect } from '../../protocol/overlay/geometry.js'
import type { Line } from './bidi.js'
import type { Context2D } from './context.js'
import { CAP_HEIGHT, fontOf } from './font.js'
import type { Caption, Env } from './laid.js'
import { mix } from './motion.js'
import { CROWDED, place, type Subject, strips, type Taken } from './place.js'
import { cardShadow, fillRound, grow } from './shapes.js'
import { snap, snapLength } from './snap.js'
import { clean } from './text.js'
import { balanced, lengthOf, type Wrapped, wrap } from './wrap.js'

const SIZE = 14
/** Below this, text on a tiny display is cut rather than made smaller. */
const SMALLEST = 9
const WIDTHS = [320, 240, 170] as const
const PAD_X = 10
const PAD_Y = 6
const RADIUS = 9

/** The caption `text` beside `subject`, or null when there is no text, or the display has no room for any of it. */
export function layCaption(
  text: string | undefined,
  subject: Subject,
  taken: Taken,
  env: Env,
): Caption | null {
  const content = clean(text ?? '').trim()
  if (content === '') return null
  return (
    layWhole(content, subject, taken, env) ??
    laySqueezed(content, strips(subject.avoid, env.size), env) ??
    (subject.inside ? laySqueezed(content, [subject.inside], env) : null)
  )
}

/** All of the text at full size: the widest block first, narrower ones where that would cover something. */
function layWhole(content: string, subject: Subject, taken: Taken, env: Env): Caption | null {
  let best: { rect: Rect; cost: number; lines: readonly Line[] } | null = null
  let previous = 0
  for (const most of WIDTHS) {
    const room = Math.min(most, env.size[0]) - 2 * PAD_X
    if (room < 2 * SIZE) continue
    const { lines } = tidy(content, room, SIZE, env)
    if (lines.length === previous) continue
    previous = lines.length
    const found = place(boxOf(lines, SIZE, env), subject, taken, env.size)
    if (found && (!best || found.cost < best.cost)) best = { ...found, lines }
    if (best && best.cost < CROWDED) break
  }
  return best && captionAt(best.rect, best.lines, SIZE)
}

/** Text that has to shrink, or to be cut, to fit one of `rooms`; the room that shows most of it. */
function laySqueezed(content: string, rooms: readonly Rect[], env: Env): Caption | null {
  let best: { caption: Caption; shown: number } | null = null
  for (let size = SIZE; size >= SMALLEST; size--) {
    for (const [left, top, wide, high] of rooms) {
      const across = Math.min(wide, Math.max(...WIDTHS)) - 2 * PAD_X
      const count = Math.floor((high - 2 * PAD_Y) / lineHeight(size))
      if (across < 2 * size || count < 1) continue
      const wrapped = wrap(content, across, (part) => env.ruler.width(part, size, 400), count)
      const [width, height] = boxOf(wrapped.lines, size, env)
      if (width > wide || height > high) continue
      const touching: Rect = [
        left > 0 ? left : left + wide - width,
        top > 0 ? top : Math.max(0, top + high - height),
        width,
        height,
      ]
      const caption = captionAt(touching, wrapped.lines, size)
      if (!wrapped.cut) return caption
      const shown = lengthOf(wrapped.lines)
      if (!best || shown > best.shown) best = { caption, shown }
    }
  }
  return best?.caption ?? null
}

function tidy(content: string, room: number, size: number, env: Env): Wrapped {
  const width = (part: string) => env.ruler.width(part, size, 400)
  const wrapped = wrap(content, room, width)
  const count = wrapped.lines.length
  if (count < 2 || count > 8 || content.includes('\n')) return wrapped
  return wrap(content, balanced(content, room, width, count), width, count)
}

function boxOf(lines: readonly Line[], size: number, env: Env): [number, number] {
  const widest = Math.max(...lines.map(({ text }) => env.ruler.width(text, size, 400)))
  return [
    Math.ceil((widest + 2 * PAD_X) * env.scale) / env.scale,
    Math.ceil((lines.length * lineHeight(size) + 2 * PAD_Y) * env.scale) / env.scale,
  ]
}

function captionAt(rect: Rect, lines: readonly Line[], size: number): Caption {
  return { rect, lines, size }
}

function lineHeight(size: number): number {
  return Math.round(size * 1.36)
}

export function mixCaption(from: Caption | null, to: Caption | null, t: number): Caption | null {
  if (!from || !to) return to
  const [, , width, height] = to.rect
  return {
    ...to,
    rect: [mix(from.rect[0], to.rect[0], t), mix(from.rect[1], to.rect[1], t), width, height],
  }
}

export function paintCaption(context: Context2D, caption: Caption, scale: number): void {
  const [x, y, width, height] = caption.rect
  const rect: Rect = [snap(x, scale), snap(y, scale), width, height]
  const hair = snapLength(1, scale)
  cardShadow(context, rect, RADIUS)
  fillRound(context, rect, RADIUS, '#4a4b52')
  fillRound(context, grow(rect, -hair), RADIUS - hair, '#1b1c20')
  paintLines(context, {
    lines: caption.lines,
    rect: [rect[0] + PAD_X, rect[1] + PAD_Y, width - 2 * PAD_X, height - 2 * PAD_Y],
    size: caption.size,
    height: lineHeight(caption.size),
    weight: 400,
    style: '#f6f5f2',
    scale,
  })
}

export interface TextBlock {
  readonly lines: readonly Line[]
  /** Where the lines go, from the top. */
  readonly rect: Rect
  /** Font size. */
  readonly size: number
  /** Line height. */
  readonly height: number
  readonly weight: 400 | 600
  readonly style: string
  readonly scale: number
}

/** Lines of text, each from the edge where its paragraph begins; capitals are centred in each line. */
export function paintLines(context: Context2D, block: TextBlock): void {
  const [left, top, width] = block.rect
  context.font = fontOf(block.size, block.weight)
  context.fillStyle = block.style
  context.textAlign = 'left'
  context.textBaseline = 'alphabetic'
  const rise = (block.height + CAP_HEIGHT * block.size) / 2
  block.lines.forEach(({ text, rtl, runs }, index) => {
    const y = snap(top + index * block.height + rise, block.scale)
    if (!runs) {
      context.direction = 'ltr'
      context.fillText(text, left, y)
      return
    }
    const widths = runs.map((run) => {
      context.direction = run.rtl ? 'rtl' : 'ltr'
      return context.measureText(run.text).width
    })
    let x = rtl ? left + width - widths.reduce((sum, one) => sum + one, 0) : left
    runs.forEach((run, at) => {
      context.direction = run.rtl ? 'rtl' : 'ltr'
      context.fillText(run.text, x, y)
      x += widths[at] as number
    })
  })
}
