import type { Point, Rect } from '../../protocol/overlay/geometry.js'
import type { TextboxMark } from '../../protocol/overlay/marks.js'
import { directionOf } from './bidi.js'
import { paintLines } from './caption.js'
import { palette, rgbOf, tintOf } from './color.js'
import type { Context2D } from './context.js'
import type { Weight } from './font.js'
import type { Env, TextboxBody } from './laid.js'
import { mixRect } from './motion.js'
import { cardShadow, fillRound, grow, roundRect } from './shapes.js'
import { snapLength, snapRect } from './snap.js'
import { clean, pieces } from './text.js'
import { type Wrapped, wrap } from './wrap.js'

/** How one style looks; a guide tells the person to do something and must not pass for a note. */
interface Look {
  readonly size: number
  readonly weight: Weight
  readonly padX: number
  readonly padY: number
  /** Width of the accent band at the leading edge. */
  readonly band: number
  readonly paper: string
  readonly edge: string
  readonly ink: string
}

const looks: Record<TextboxBody['style'], Look> = {
  note: {
    size: 14,
    weight: 400,
    padX: 14,
    padY: 11,
    band: 0,
    paper: '#fffdf8',
    edge: '#d8d3c7',
    ink: '#26241f',
  },
  guide: {
    size: 16,
    weight: 600,
    padX: 13,
    padY: 12,
    band: 38,
    paper: '#1b1c20',
    edge: '#4a4b52',
    ink: '#ffffff',
  },
}

/** Smaller text is not readable on a screen: from here on it ends in an ellipsis instead. */
const SMALLEST = 10
const RADIUS = 11
/** A rectangle too narrow for the longest word is widened for it, up to this width of text. */
const WIDEST_WORD = 180

/** Boxes are cards of a fixed look on every background, so the accent is always amber. */
const accent = tintOf(palette.amber, rgbOf(palette.amber))

export function layTextbox(mark: TextboxMark, env: Env): TextboxBody {
  const look = looks[mark.style]
  const text = clean(mark.text).trimEnd()
  const [displayWidth, displayHeight] = env.size
  const width = Math.min(
    displayWidth,
    Math.max(mark.rect[2], wordWidth(text, look, env) + 2 * look.padX + look.band),
  )
  const across = Math.max(look.size, width - 2 * look.padX - look.band)
  let size = look.size
  let wrapped = wrapFor(text, across, size, displayHeight, mark.style, env)
  while (wrapped.cut && size > SMALLEST) {
    size--
    wrapped = wrapFor(text, across, size, displayHeight, mark.style, env)
  }
  const needed = wrapped.lines.length * lineHeight(size) + 2 * look.padY
  const least = mark.style === 'guide' ? 2 * look.padY + lineHeight(size) : 0
  const height = Math.min(displayHeight, Math.max(mark.rect[3], needed, least))
  return {
    kind: 'textbox',
    rect: [
      Math.max(0, Math.min(mark.rect[0], displayWidth - width)),
      Math.max(0, Math.min(mark.rect[1], displayHeight - height)),
      width,
      height,
    ],
    style: mark.style,
    lines: wrapped.lines,
    size,
    rtl: directionOf(text) === 'rtl',
  }
}

function wordWidth(text: string, look: Look, env: Env): number {
  let widest = 2 * look.size
  for (const word of text.split(/\s+/)) {
    if (widest >= WIDEST_WORD) break
    for (const { text: part } of pieces(word)) {
      widest = Math.max(widest, env.ruler.width(part, look.size, look.weight))
    }
  }
  return Math.min(widest, WIDEST_WORD)
}

function wrapFor(
  text: string,
  across: number,
  size: number,
  high: number,
  style: TextboxBody['style'],
  env: Env,
): Wrapped {
  const { weight, padY } = looks[style]
  const count = Math.max(1, Math.floor((high - 2 * padY) / lineHeight(size)))
  return wrap(text, across, (part) => env.ruler.width(part, size, weight), count)
}

function lineHeight(size: number): number {
  return Math.round(size * 1.4)
}

export function textboxBadge({ rect }: TextboxBody): Point {
  return [rect[0] + 2, rect[1] + 2]
}

export function mixTextbox(from: TextboxBody, to: TextboxBody, t: number): TextboxBody {
  return { ...to, rect: mixRect(from.rect, to.rect, t) }
}

export function paintTextbox(context: Context2D, body: TextboxBody, scale: number): void {
  const look = looks[body.style]
  const rect = snapRect(body.rect, scale)
  const hair = snapLength(1, scale)
  const inner = grow(rect, -hair)
  cardShadow(context, rect, RADIUS)
  fillRound(context, rect, RADIUS, look.edge)
  fillRound(context, inner, RADIUS - hair, look.paper)
  context.save()
  context.beginPath()
  context.rect(...inner)
  context.clip()
  const band = look.band > 0 ? paintBand(context, inner, look.band, body.rtl, scale) : 0
  const [x, y, width] = rect
  // In the middle of a box that is higher than its text, so that it does not look unfinished.
  const spare = Math.max(0, rect[3] - 2 * look.padY - body.lines.length * lineHeight(body.size))
  paintLines(context, {
    lines: body.lines,
    rect: [
      x + look.padX + (body.rtl ? 0 : band),
      y + look.padY + snapLength(spare / 2, scale),
      width - 2 * look.padX - band,
      rect[3] - 2 * look.padY - spare,
    ],
    size: body.size,
    height: lineHeight(body.size),
    weight: look.weight,
    style: look.ink,
    scale,
  })
  context.restore()
}

/** The accent band at the leading edge, with an arrow in it that points the way the text reads. */
function paintBand(context: Context2D, inner: Rect, wide: number, rtl: boolean, scale: number): number {
  const width = snapLength(wide, scale)
  const x = rtl ? inner[0] + inner[2] - width : inner[0]
  context.fillStyle = accent.ink
  context.beginPath()
  const corner = RADIUS - 1 / scale
  roundRect(context, [x, inner[1], width, inner[3]], corner, !rtl, rtl)
  context.fill()
  const middle = x + width / 2
  const across = inner[1] + inner[3] / 2
  const way = rtl ? -1 : 1
  context.strokeStyle = accent.onInk
  context.lineWidth = 2.5
  context.lineCap = 'round'
  context.lineJoin = 'round'
  context.beginPath()
  context.moveTo(middle - 7 * way, across)
  context.lineTo(middle + 7 * way, across)
  context.moveTo(middle + 1.5 * way, across - 5.5)
  context.lineTo(middle + 7 * way, across)
  context.lineTo(middle + 1.5 * way, across + 5.5)
  context.stroke()
  return width
}
