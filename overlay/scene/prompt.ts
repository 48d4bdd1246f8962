import type { Rect } from '../../protocol/overlay/geometry.js'
import type { Prompt } from '../../protocol/overlay/marks.js'
import { type Line, lineOf } from './bidi.js'
import { paintLines } from './caption.js'
import { palette, rgbOf, tintOf } from './color.js'
import type { Context2D } from './context.js'
import type { Weight } from './font.js'
import type { Env } from './laid.js'
import { cardShadow, ellipse, fillRound, grow, roundRect, SHADOW_REACH } from './shapes.js'
import { snapLength, snapRect } from './snap.js'
import { balanced, wrap } from './wrap.js'

/** A prompt laid out, in logical points: everything needed to paint it. */
export interface LaidPrompt {
  readonly prompt: Prompt
  readonly rect: Rect
  readonly blocks: readonly Block[]
  readonly caps: readonly Cap[]
  /** Holds every pixel drawn. */
  readonly area: Rect
}

interface Block {
  readonly lines: readonly Line[]
  readonly look: Look
  readonly rect: Rect
}

/** A key, or a command, drawn as a key cap. */
interface Cap {
  readonly text: string
  /** From the left edge of the cap to its text. */
  readonly inset: number
  readonly rect: Rect
}

interface Look {
  readonly size: number
  readonly height: number
  readonly weight: Weight
  readonly ink: string
  /** More lines than these are not worth the room. */
  readonly most: number
}

const TITLE: Look = { size: 18, height: 25, weight: 600, ink: '#ffffff', most: 3 }
const BODY: Look = { size: 14, height: 20, weight: 400, ink: '#c6c6cc', most: 6 }
const LABEL: Look = { size: 15, height: 26, weight: 600, ink: '#ffffff', most: 1 }
const NAME: Look = { size: 12, height: 16, weight: 600, ink: palette.amber, most: 1 }
const CAP_TEXT: Look = { size: 13, height: 26, weight: 600, ink: '#ffffff', most: 1 }

const BAND = 52
const PAD_X = 18
const PAD_Y = 15
const GAP = 9
const RADIUS = 13
/** Of the frame, which no mark has. */
const FRAME = 2.5
const WIDEST_TEXT = 500
/** Above the bottom edge, where panels often are. */
const LIFT = 72
const EDGE = 8
const CAP_PAD = 9
const CAP_GAP = 5
const ANSWER_GAP = 28

const amber = tintOf(palette.amber, rgbOf(palette.amber))

/** In the middle of the bottom of the display, above everything else; it keeps its size as long as it fits there. */
export function layPrompt(prompt: Prompt, env: Env): LaidPrompt {
  const [displayWidth, displayHeight] = env.size
  const room = Math.max(40, Math.min(WIDEST_TEXT, displayWidth - 2 * EDGE - BAND - 2 * PAD_X))
  const name = textBlock('Lets', NAME, room, env)
  const title = textBlock(prompt.title, TITLE, room, env)
  const body = textBlock(prompt.body, BODY, room, env)
  const answers = layAnswers(prompt.answers, room, env)
  const inner = Math.max(name.width, title.width, body.width, answers.width)
  const heights = [name, title, body].map(({ lines, look }) => lines.length * look.height)
  const height = heights.reduce((sum, one) => sum + one, 0) + answers.height + 2 * PAD_Y + 2 * GAP + 2
  const width = BAND + 2 * PAD_X + inner
  const rect = snapRect(
    [
      Math.max(0, (displayWidth - width) / 2),
      Math.max(0, displayHeight - Math.min(LIFT, displayHeight / 8) - height),
      width,
      height,
    ],
    env.scale,
  )
  const left = rect[0] + BAND + PAD_X
  let top = rect[1] + PAD_Y
  const blocks: Block[] = []
  const put = ({ lines, look }: TextPart, gap: number) => {
    blocks.push({ lines, look, rect: [left, top, inner, lines.length * look.height] })
    top += lines.length * look.height + gap
  }
  put(name, 2)
  put(title, GAP - 4)
  put(body, GAP + 4)
  for (const { text, at } of answers.labels) {
    blocks.push({
      lines: [lineOf(text, 'ltr')],
      look: LABEL,
      rect: [left + at[0], top + at[1], inner, LABEL.height],
    })
  }
  const caps = answers.caps.map(
    ({ text, inset, rect: [x, y, wide, high] }): Cap => ({
      text,
      inset,
      rect: snapRect([left + x, top + y, wide, high], env.scale),
    }),
  )
  return { prompt, rect, blocks, caps, area: grow(rect, SHADOW_REACH) }
}

interface TextPart {
  readonly lines: readonly Line[]
  readonly look: Look
  readonly width: number
}

/** Always from the left: the frame of the sentence is ours, whatever script a client's name is in. */
function textBlock(text: string, look: Look, room: number, env: Env): TextPart {
  const measure = (part: string) => env.ruler.width(part, look.size, look.weight)
  const wrapped = (most: number, lines: number) => wrap(text, most, measure, lines, 'ltr')
  const whole = wrapped(room, look.most)
  const count = whole.lines.length
  const { lines } = count > 1 && !whole.cut ? wrapped(balanced(text, room, measure, count), count) : whole
  return { lines, look, width: Math.ceil(Math.max(...lines.map((line) => measure(line.text)))) }
}

interface Answers {
  readonly caps: readonly Cap[]
  readonly labels: readonly { readonly text: string; readonly at: readonly [number, number] }[]
  readonly width: number
  readonly height: number
}

/** What to press for each answer: beside one another, or below where there is no room. */
function layAnswers(answers: Prompt['answers'], room: number, env: Env): Answers {
  const caps: Cap[] = []
  const labels: Answers['labels'][number][] = []
  const widthOf = (text: string, look: Look) => Math.ceil(env.ruler.width(text, look.size, look.weight))
  let [x, y, widest] = [0, 0, 0]
  for (const { label, keys } of answers) {
    const wides = keys.map((key) => Math.max(CAP_TEXT.height, widthOf(key, CAP_TEXT) + 2 * CAP_PAD))
    const wide = wides.reduce((sum, one) => sum + one + CAP_GAP, 0) + 4 + widthOf(label, LABEL)
    if (x > 0 && x + wide > room) {
      x = 0
      y += CAP_TEXT.height + CAP_GAP + 2
    }
    let at = x
    keys.forEach((text, index) => {
      const capWidth = wides[index] as number
      caps.push({
        text,
        inset: (capWidth - widthOf(text, CAP_TEXT)) / 2,
        rect: [at, y, capWidth, CAP_TEXT.height],
      })
      at += capWidth + CAP_GAP
    })
    labels.push({ text: label, at: [at + 4, y] })
    widest = Math.max(widest, x + wide)
    x += wide + ANSWER_GAP
  }
  return { caps, labels, width: widest, height: y + CAP_TEXT.height }
}

export function paintPrompt(
  context: Context2D,
  { prompt, rect, blocks, caps }: LaidPrompt,
  scale: number,
): void {
  const frame = snapLength(FRAME, scale)
  cardShadow(context, rect, RADIUS)
  fillRound(context, rect, RADIUS, amber.ink)
  const inner = grow(rect, -frame)
  const band = snapLength(BAND, scale)
  context.fillStyle = '#1b1c20'
  context.beginPath()
  roundRect(context, [inner[0] + band, inner[1], inner[2] - band, inner[3]], RADIUS - frame, false, true)
  context.fill()
  const paintSign = prompt.sign === 'terminal' ? paintTerminal : paintCamera
  paintSign(context, inner[0] + BAND / 2, inner[1] + inner[3] / 2)
  for (const { lines, look, rect: at } of blocks) paintText(context, lines, look, at, scale)
  const hair = snapLength(1, scale)
  for (const { text, inset, rect: cap } of caps) {
    fillRound(context, [cap[0], cap[1] + hair, cap[2], cap[3]], 6, '#0c0d10')
    fillRound(context, cap, 6, '#63656f')
    fillRound(context, grow(cap, -hair), 5, '#3a3c45')
    paintText(context, [lineOf(text, 'ltr')], CAP_TEXT, [cap[0] + inset, cap[1], cap[2], cap[3]], scale)
  }
}

function paintText(context: Context2D, lines: readonly Line[], look: Look, rect: Rect, scale: number): void {
  const { size, height, weight, ink } = look
  paintLines(context, { lines, rect, size, height, weight, style: ink, scale })
}

function paintCamera(context: Context2D, x: number, y: number): void {
  fillRound(context, [x - 4.5, y - 12, 9, 7], 2.5, amber.onInk)
  fillRound(context, [x - 14, y - 8, 28, 20], 4.5, amber.onInk)
  const disc = (radius: number, style: string) => {
    context.fillStyle = style
    context.beginPath()
    ellipse(context, [x, y + 2], [radius, radius])
    context.fill()
  }
  disc(6.5, amber.ink)
  disc(3.5, amber.onInk)
}

function paintTerminal(context: Context2D, x: number, y: number): void {
  fillRound(context, [x - 14, y - 11, 28, 22], 4.5, amber.onInk)
  context.strokeStyle = amber.ink
  context.lineWidth = 2.5
  context.lineCap = 'round'
  context.lineJoin = 'round'
  context.beginPath()
  context.moveTo(x - 8, y - 5)
  context.lineTo(x - 3, y)
  context.lineTo(x - 8, y + 5)
  context.moveTo(x, y + 5.5)
  context.lineTo(x + 8, y + 5.5)
  context.stroke()
}
