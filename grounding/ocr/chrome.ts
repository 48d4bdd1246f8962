/**
 * What the pixels around a text say about it: the box it is in, a field beside it, a square to tick before it. Guesses, but of
 * shapes that interfaces share; what fits none stays plain text.
 */

import type { Chunk } from './chunks.js'
import type { Color } from './colors.js'
import type { Ground } from './grounds.js'
import type { Ink } from './ink.js'
import { type Box, commonRows, heightOf, holds, widthOf } from './picture.js'

/** Ranges in points. */
const CONTROL = { least: 14, most: 60, widest: 900 } as const
const FIELD = { least: 17, most: 52, narrowest: 34 } as const
const SWITCH = { least: 13, most: 34, away: 620 } as const
const TICK = { least: 9, most: 22, gap: 18 } as const

export interface Layout {
  readonly width: number
  readonly height: number
  readonly scale: number
  readonly grounds: readonly Ground[]
  /** Which ground each pixel is on. */
  readonly of: Uint16Array
  readonly ink: Ink
  /** RGBA of the picture. */
  readonly data: Uint8Array
  /** For each pixel how far it is from its ground's colour. */
  readonly distance: Uint8Array
}

/** The box a text is on, when that is a control's by its size and shape. */
export function controlBox({ grounds, scale }: Layout, ground: number): Box | null {
  const { box, area } = grounds[ground] as Ground
  const [width, height] = [widthOf(box) / scale, heightOf(box) / scale]
  if (height < CONTROL.least || height > CONTROL.most || width > CONTROL.widest || width < CONTROL.least)
    return null
  // A band that is cut in two by what lies on it is no box.
  return area >= 0.4 * widthOf(box) * heightOf(box) ? box : null
}

/** Boxes without a text in them that are formed as fields are. */
export function emptyFields({ grounds, scale }: Layout, chunks: readonly Chunk[]): number[] {
  const used = new Set(chunks.map(({ ground }) => ground))
  return [...grounds.keys()].filter((number) => {
    if (number === 0 || used.has(number)) return false
    const { box, area } = grounds[number] as Ground
    const [width, height] = [widthOf(box) / scale, heightOf(box) / scale]
    if (height < FIELD.least || height > FIELD.most || width < FIELD.narrowest || width < 1.6 * height)
      return false
    return area > 0.9 * widthOf(box) * heightOf(box)
  })
}

/** Small squares and circles that are ticked: framed, or filled. */
export function ticks({ grounds, ink, scale }: Layout): Box[] {
  const isTick = (box: Box) => {
    const [width, height] = [widthOf(box) / scale, heightOf(box) / scale]
    const square = Math.abs(width - height) <= 0.15 * height + 1
    return square && height >= TICK.least && height <= TICK.most
  }
  const boxes = [...ink.frames.map(({ box }) => box), ...grounds.slice(1).map(({ box }) => box)]
  const found = boxes.filter(isTick)
  return found.filter(
    (box, n) => !found.some((other, m) => m !== n && holds(other, box) && (!holds(box, other) || m < n)),
  )
}

/** The square to tick that a text is beside. */
export function tickOf(text: Box, boxes: readonly Box[], scale: number): Box | undefined {
  return boxes.find((box) => {
    const gap = (text.left - box.right) / scale
    return (
      gap >= 0 && gap <= TICK.gap && commonRows(text, box) >= 0.5 * Math.min(heightOf(text), heightOf(box))
    )
  })
}

/** Small bars with a knob at one end and nothing written on them: what is switched on and off. */
export function switches({ grounds, scale }: Layout, chunks: readonly Chunk[]): Box[] {
  const used = new Set(chunks.map(({ ground }) => ground))
  return grounds
    .filter(({ box, area }, number) => {
      if (number === 0 || used.has(number)) return false
      const [width, height] = [widthOf(box) / scale, heightOf(box) / scale]
      const share = area / (widthOf(box) * heightOf(box))
      const long = width / height
      return (
        height >= SWITCH.least &&
        height <= SWITCH.most &&
        long >= 1.5 &&
        long <= 2.7 &&
        share > 0.3 &&
        share < 0.9
      )
    })
    .map(({ box }) => box)
}

/** The text that a switch belongs to: the nearest before it in its line, as far away as a wide row has it. */
export function switchedBy<T extends { readonly box: Box }>(
  knob: Box,
  texts: readonly T[],
  scale: number,
): T | undefined {
  const [nearest] = texts
    .filter(({ box }) => box.right <= knob.left && commonRows(box, knob) >= 0.7 * heightOf(box))
    .sort((one, other) => other.box.right - one.box.right)
  return nearest && (knob.left - nearest.box.right) / scale <= SWITCH.away ? nearest : undefined
}

/** The words of each of several links in one line: a link's line goes on under the space between two of its words. */
export function linksIn<T extends { readonly box: Box }>(
  words: readonly T[],
  { rules }: Ink,
  scale: number,
): T[][] {
  const under = (left: number, right: number, { bottom }: Box) =>
    rules.some(
      ({ box }) =>
        box.top >= bottom - 5 * scale &&
        box.top <= bottom + 4 * scale &&
        Math.min(box.right, right) - Math.max(box.left, left) >= 0.5 * (right - left),
    )
  const links: T[][] = []
  let last: T | undefined
  for (const word of words) {
    const isLink = under(word.box.left, word.box.right, word.box)
    if (isLink && last && under(last.box.right, word.box.left, word.box)) links.at(-1)?.push(word)
    else if (isLink) links.push([word])
    last = isLink ? word : undefined
  }
  return links
}

/** Which ground is around a box: what it lies in. */
export function groundAround({ of, width, height, scale }: Layout, box: Box, own: number): number {
  const middle = { x: Math.floor((box.left + box.right) / 2), y: Math.floor((box.top + box.bottom) / 2) }
  for (const away of [3, 6]) {
    const reach = Math.round(away * scale)
    const places = [
      [box.left - reach, middle.y],
      [box.right + reach, middle.y],
      [middle.x, box.top - reach],
      [middle.x, box.bottom + reach],
    ] as const
    const around = places
      .filter(([x, y]) => x >= 0 && y >= 0 && x < width && y < height)
      .map(([x, y]) => of[y * width + x] as number)
      .filter((ground) => ground !== own)
    const counts = new Map<number, number>()
    for (const ground of around) counts.set(ground, (counts.get(ground) ?? 0) + 1)
    const [most] = [...counts].sort((a, b) => b[1] - a[1])
    if (most) return most[0]
  }
  return 0
}

/** Whether a line is drawn right under a text, as under a link. */
export function isUnderlined(text: Box, { rules }: Ink, scale: number): boolean {
  return rules.some(
    ({ box }) =>
      box.top >= text.bottom - 5 * scale &&
      box.top <= text.bottom + 3 * scale &&
      Math.abs(box.left - text.left) <= 4 * scale &&
      widthOf(box) >= 0.8 * widthOf(text) &&
      widthOf(box) <= 1.25 * widthOf(text),
  )
}

/** The colour of the ink in a box: that of its letters, without their soft edges. */
export function inkColor({ data, distance, width }: Layout, box: Box): Color {
  let most = 0
  for (let y = box.top; y < box.bottom; y++) {
    for (let x = box.left; x < box.right; x++) most = Math.max(most, distance[y * width + x] as number)
  }
  const sums = [0, 0, 0]
  let count = 0
  for (let y = box.top; y < box.bottom; y++) {
    for (let x = box.left; x < box.right; x++) {
      const at = y * width + x
      if ((distance[at] as number) < 0.8 * most) continue
      for (const channel of [0, 1, 2] as const)
        sums[channel] = (sums[channel] as number) + (data[at * 4 + channel] as number)
      count++
    }
  }
  const [red, green, blue] = sums.map((sum) => Math.round(sum / Math.max(1, count)))
  return [red ?? 0, green ?? 0, blue ?? 0]
}
