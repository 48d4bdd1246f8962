import type { Item } from '../items.js'
import {
  controlBox,
  emptyFields,
  groundAround,
  inkColor,
  isUnderlined,
  type Layout,
  linksIn,
  switchedBy,
  switches,
  tickOf,
  ticks,
} from './chrome.js'
import type { Chunk } from './chunks.js'
import { areApart, colorName } from './colors.js'
import type { Ground } from './grounds.js'
import { around, type Box, commonRows, heightOf, holds, widthOf } from './picture.js'
import type { Text } from './reading.js'

export interface Read {
  readonly chunk: Chunk
  readonly texts: readonly Text[]
}

/** A thing in pixels of the picture, with the ground that it lies in. */
interface Thing {
  readonly name: string
  readonly role: string
  readonly box: Box
  readonly container: number
  readonly color?: string
  readonly also?: readonly string[]
}

interface Written extends Text {
  readonly ground: number
}

/** In points. */
const LABEL = { above: 14, aligned: 16, left: 460, apart: 60 } as const
const PLAIN: ReadonlySet<string> = new Set(['white', 'gray', 'black'])
const BAR = 160
/** In points: under a word no wider, a letter's tail may leave too little of a link's line to tell. */
const SHORT = 24
/** So many times as high as most texts. */
const HEADING = 1.3
/** In words: this is a sentence. */
const LONG = 9
/** What stands in an empty field, to say what it is for. */
const HINT = /^(?:search|find|filter|enter|type)\b/i

/** What was read, with what the pixels around it say, as things a person can point at; boxes are pixels of the picture. */
export function thingsOf(layout: Layout, reads: readonly Read[]): Item[] {
  const written = reads.flatMap(({ chunk, texts }) =>
    texts.map((text) => ({ ...text, ground: chunk.ground })),
  )
  const chunks = reads.map(({ chunk }) => chunk)
  const controls = boxed(layout, written)
  const fields = [
    ...controls.fields,
    ...emptyFields(layout, chunks).map((ground) => ({ ground, value: [] as Text[] })),
  ]
  const loose = written.filter((text) => !controls.used.has(text))
  const labelled = fields.map((field) => ({ ...field, label: labelOf(layout, field.ground, loose, written) }))
  // A box with a value may be no field but a card below its heading: then both are kept.
  const isField = (value: readonly Text[]) => value.every(({ text }) => HINT.test(text))
  const labels = new Set(labelled.flatMap(({ label, value }) => (label && isField(value) ? [label] : [])))
  const names = new Set(labelled.flatMap(({ label }) => (label ? [label] : [])))
  const boxes = ticks(layout)
  const knobs = new Map(
    switches(layout, chunks).map((knob) => [switchedBy(knob, written, layout.scale), knob] as const),
  )
  const tall = HEADING * median(loose.map(({ box }) => heightOf(box)))
  const things = [
    ...controls.things,
    ...labelled.flatMap((field) => fieldThing(layout, field)),
    ...loose
      .filter((text) => !labels.has(text))
      .flatMap((text) => [
        asLabel(looseThing(layout, text, { boxes, knobs }, tall), names.has(text)),
        ...coloured(layout, text),
        ...linked(layout, text),
      ]),
  ]
  return placed(layout, things, written)
}

interface Boxed {
  readonly things: Thing[]
  readonly fields: { readonly ground: number; readonly value: readonly Text[] }[]
  readonly used: Set<Written>
}

/** Texts that are alone in a box of a control's size. */
function boxed(layout: Layout, written: readonly Written[]): Boxed {
  const found: Boxed = { things: [], fields: [], used: new Set() }
  for (const [ground, texts] of groupBy(written, (text) => text.ground)) {
    const box = controlBox(layout, ground)
    if (!box) continue
    const [text, more] = texts
    if (!text || more || isBar(layout, ground, box, text)) continue
    found.used.add(text)
    if (isFieldLike(layout, box, text)) found.fields.push({ ground, value: [text] })
    else found.things.push(button(layout, ground, box, text))
  }
  return found
}

/** A wide box that holds other boxes beside its one text is a bar, or a row of settings. */
function isBar({ grounds, scale }: Layout, ground: number, box: Box, text: Text): boolean {
  if (widthOf(box) < BAR * scale) return false
  return grounds.some(
    ({ box: other }, number) =>
      number !== 0 &&
      number !== ground &&
      holds(box, other) &&
      heightOf(other) >= 0.3 * heightOf(box) &&
      (other.left >= text.box.right || other.right <= text.box.left),
  )
}

function button(layout: Layout, ground: number, box: Box, { text, box: letters }: Text): Thing {
  const fill = colorName((layout.grounds[ground] as Ground).color)
  const written = colorName(inkColor(layout, letters))
  // "The red button" may have red letters on white; white letters on blue are a blue button.
  const color = PLAIN.has(fill) && !PLAIN.has(written) ? written : fill
  return { name: text, role: 'button', box, container: groundAround(layout, box, ground), color }
}

/** A value or a hint stands at the left of its field; a label in the middle of its button. */
function isFieldLike({ scale }: Layout, box: Box, text: Text): boolean {
  const [before, after] = [text.box.left - box.left, box.right - text.box.right]
  return (
    widthOf(box) > 100 * scale && before < 44 * scale && after > 0.4 * widthOf(box) && after > 2.5 * before
  )
}

/** The text that says what a field is for: right above it, or before it on its line with nothing between. */
function labelOf(
  layout: Layout,
  ground: number,
  loose: readonly Written[],
  all: readonly Written[],
): Written | undefined {
  const { box } = layout.grounds[ground] as Ground
  const { scale } = layout
  const under = groundAround(layout, box, ground)
  const above = loose.filter(
    ({ box: text, ground: its }) =>
      its === under &&
      box.top - text.bottom >= -2 * scale &&
      box.top - text.bottom <= LABEL.above * scale &&
      Math.abs(text.left - box.left) <= LABEL.aligned * scale,
  )
  if (above.length > 0) return above.sort((a, b) => b.box.bottom - a.box.bottom)[0]
  const onLine = all.filter(
    ({ box: text }) => text.right <= box.left && commonRows(text, box) >= 0.7 * heightOf(text),
  )
  const [nearest, next] = onLine.sort((a, b) => b.box.right - a.box.right)
  if (!nearest || nearest.ground !== under || !loose.includes(nearest)) return undefined
  // A box of its own that is beside the field, as in a grid, is no ground that both are on.
  if (under !== 0 && !holds((layout.grounds[under] as Ground).box, box)) return undefined
  // One of several in a line, as in a toolbar: a label has its field for a neighbour.
  if (next?.ground === under && nearest.box.left - next.box.right < LABEL.apart * scale) return undefined
  return box.left - nearest.box.right <= LABEL.left * scale ? nearest : undefined
}

function fieldThing(
  layout: Layout,
  { ground, value, label }: { ground: number; value: readonly Text[]; label: Written | undefined },
): Thing[] {
  const { box } = layout.grounds[ground] as Ground
  const container = groundAround(layout, box, ground)
  const says = value.map(({ text }) => text)
  // Without a label, and even with one, it may as well be a row of a list, a card or a wide button.
  const own = says.map((name) => ({ name, role: HINT.test(name) ? 'field' : 'unknown', box, container }))
  if (!label) return own
  return [{ name: label.text, role: 'field', box, container, also: says }, ...own]
}

function looseThing(
  layout: Layout,
  written: Written,
  { boxes, knobs }: { readonly boxes: readonly Box[]; readonly knobs: ReadonlyMap<Written | undefined, Box> },
  tall: number,
): Thing {
  const { text: name, box, ground } = written
  const tick = tickOf(box, boxes, layout.scale)
  if (tick) return { name, role: 'checkbox', box: tick, container: ground }
  const knob = knobs.get(written)
  if (knob) return { name, role: 'switch', box: knob, container: ground }
  const underlined = isUnderlined(box, layout.ink, layout.scale)
  const long = name.split(' ').length >= LONG
  const color = colorName(inkColor(layout, box))
  return {
    name,
    color,
    role: underlined ? 'link' : long ? 'text' : heightOf(box) >= tall ? 'heading' : 'unknown',
    box,
    container: ground,
  }
}

/** What names a field is a text beside it: the field is what is meant. */
function asLabel(thing: Thing, isLabel: boolean): Thing {
  return isLabel && thing.role === 'unknown' ? { ...thing, role: 'text' } : thing
}

/** Words of another colour within a line: a link, or what a terminal sets off. */
function coloured(layout: Layout, { words, ground, text }: Written): Thing[] {
  if (words.length < 2) return []
  const inks = words.map((word) => ({ word, color: inkColor(layout, word.box) }))
  const runs: (typeof inks)[] = []
  for (const ink of inks) {
    const last = runs.at(-1)
    if (last?.[0] && !areApart(last[0].color, ink.color)) last.push(ink)
    else runs.push([ink])
  }
  if (runs.length < 2) return []
  return runs.flatMap((run) => {
    const own = run.map(({ word }) => word)
    const name = own
      .map((word) => word.text)
      .join(' ')
      .replace(/[\s.,;:!?)]+$/, '')
    const box = own.map((word) => word.box).reduce(around)
    const color = colorName(inkColor(layout, box))
    if (PLAIN.has(color) || name === '' || name === text) return []
    const role = color === 'blue' || isUnderlined(box, layout.ink, layout.scale) ? 'link' : 'unknown'
    return [{ name, color, role, box, container: ground }]
  })
}

/** Several links in one line, or links within it, besides the line itself. */
function linked({ ink, scale }: Layout, { words, ground }: Written): Thing[] {
  const links = words.length < 2 ? [] : linksIn(words, ink, scale)
  const isAll =
    links.length === 1 && words.every((word) => links[0]?.includes(word) || widthOf(word.box) < SHORT * scale)
  if (isAll) return []
  return links
    .filter((link) => link.length < words.length)
    .map((link) => ({
      name: link
        .map(({ text }) => text)
        .join(' ')
        .replace(/[\s.,;:!?)]+$/, ''),
      role: 'link',
      box: link.map(({ box }) => box).reduce(around),
      container: ground,
    }))
}

function median(numbers: readonly number[]): number {
  return [...numbers].sort((a, b) => a - b)[numbers.length >> 1] ?? 0
}

/** Adds what each thing is in: its row, and the titles of the boxes around it. */
function placed(layout: Layout, things: readonly Thing[], written: readonly Written[]): Item[] {
  const rows = rowsOf(layout, things)
  return things.map((thing) => {
    const { box, container, name, role, color, also } = thing
    const inside = titlesAround(layout, thing, written)
    const row = rows.get(thing)
    return {
      name,
      role,
      rect: [box.left, box.top, widthOf(box), heightOf(box)] as const,
      ...(color && { color }),
      ...(also && also.length > 0 && { also }),
      ...(inside.length > 0 && { inside }),
      ...(row !== undefined && { row: `${container}:${row}` }),
    }
  })
}

/** Things on one line of one ground are a row. */
function rowsOf({ scale }: Layout, things: readonly Thing[]): Map<Thing, number> {
  const rows = new Map<Thing, number>()
  let next = 0
  const middle = ({ box }: Thing) => (box.top + box.bottom) / 2
  for (const [, together] of groupBy(things, ({ container }) => container)) {
    let last: Thing | undefined
    for (const thing of [...together].sort((a, b) => middle(a) - middle(b))) {
      if (last && middle(thing) - middle(last) > 7 * scale) next++
      rows.set(thing, next)
      last = thing
    }
    next++
  }
  return rows
}

/** What stands first in each box around a thing: the title of a card, a column, a dialog. */
function titlesAround(layout: Layout, { container, name }: Thing, written: readonly Written[]): string[] {
  const titles: string[] = []
  let ground = container
  for (let depth = 0; depth < 3 && ground !== 0; depth++) {
    const { box } = layout.grounds[ground] as Ground
    if (widthOf(box) * heightOf(box) > 0.35 * layout.width * layout.height) break
    const held = written.filter((text) => holds(box, text.box))
    const first = held.sort((a, b) => a.box.top - b.box.top)[0]
    // What stands beside others on its line is one of several, and no title.
    const alone = first && held.every((text) => text === first || commonRows(text.box, first.box) <= 0)
    if (alone && first.text !== name) titles.push(first.text)
    ground = groundAround(layout, box, ground)
  }
  return titles
}

function groupBy<K, T>(all: readonly T[], keyOf: (one: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>()
  for (const one of all) {
    const group = groups.get(keyOf(one))
    if (group) group.push(one)
    else groups.set(keyOf(one), [one])
  }
  return groups
}
