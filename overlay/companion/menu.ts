import type { CompanionItem } from '../../protocol/overlay/companion.js'
import type { Rect, Size } from '../../protocol/overlay/geometry.js'
import { type Line, lineOf } from '../scene/bidi.js'
import { paintLines } from '../scene/caption.js'
import type { Context2D } from '../scene/context.js'
import type { Ruler } from '../scene/font.js'
import { fillRound, grow } from '../scene/shapes.js'
import { clean } from '../scene/text.js'
import { wrap } from '../scene/wrap.js'
import { CARD, paintCard, type Room, roomOn, type Side, type Spot, spotOn, whole } from './card.js'

/** The open menu, laid out: in logical points of the display. */
export interface LaidMenu {
  readonly side: Side
  readonly rect: Rect
  /** As in `Spot`. */
  readonly shift: number
  readonly rows: readonly Row[]
  /** The first item that is shown. */
  readonly first: number
  /** What tells that there are more, above and below. */
  readonly signs: readonly { readonly text: string; readonly rect: Rect }[]
}

interface Row {
  readonly item: number
  readonly rect: Rect
  readonly label: Line
  readonly hint: Line | null
  readonly chosen: boolean
}

const LABEL = { size: 14, height: 20 } as const
const HINT = { size: 12, height: 16 } as const
const PAD = 6
const ROW_X = 11
const ROW_Y = 6
const RADIUS = 12
const SIGN = 22
const WIDEST = 300
const NARROWEST = 120
/** So much of it is beside the figure at least, whatever it keeps off. */
const HOLD = 24
const MOST_COLUMNS = 3
const MOST_ROWS = 12

/** Its chosen item is written in the colours of the card the other way round: nobody overlooks which one Enter takes. */
export const MENU = {
  paper: CARD.paper,
  edge: CARD.edge,
  label: CARD.ink,
  hint: CARD.quiet,
  chosen: '#3a2a1e',
  onChosen: '#fffdf8',
  onChosenHint: '#d9cfc2',
} as const

const SIDES: readonly Side[] = ['right', 'left', 'above', 'below']

/** Where it was before, and the first item it showed. */
export type MenuSpot = Pick<LaidMenu, 'side' | 'shift' | 'first'>

/**
 * Places the menu beside the figure: in one column or, when that is too high, in more; where even those have no room
 * for all, it shows those around the chosen one and says how many there are beyond. It keeps off marks, but not once it is
 * open: what is to be clicked holds still.
 */
export function layMenu(
  items: readonly CompanionItem[],
  chosen: number | null,
  room: Room,
  before: MenuSpot | null,
): LaidMenu | null {
  if (items.length === 0) return null
  const texts = items.map(({ label, hint }) => ({ label: oneLine(label), hint: hint ? oneLine(hint) : null }))
  const width = widthOf(texts, room.ruler)
  const from = before?.first ?? 0
  let best: LaidMenu | null = null
  let covered = 0
  for (const side of before ? [before.side, ...SIDES.filter((one) => one !== before.side)] : SIDES) {
    const grid = gridOf(texts, width, roomOn(side, room))
    if (!grid) continue
    const kept = before?.side === side
    const around = kept ? { ...room, occupied: [] } : room
    const box = boxOf(grid, texts, chosen, from, room.scale)
    const spot = spotOn(side, box, around, { hold: HOLD, shift: kept ? before.shift : 0 })
    const isBetter =
      !best || grid.count > best.rows.length || (grid.count === best.rows.length && spot.covered < covered)
    if (!isBetter) continue
    best = layOn(spot, grid, texts, chosen, room, from)
    covered = spot.covered
    if (grid.count === items.length && covered === 0) break
  }
  return best
}

interface Text {
  readonly label: string
  readonly hint: string | null
}

interface Grid {
  readonly columns: number
  readonly rows: number
  /** How many items it shows. */
  readonly count: number
  readonly rowHeight: number
  readonly hints: boolean
  readonly width: number
}

function gridOf(texts: readonly Text[], wanted: number, [across, down]: Size): Grid | null {
  const width = Math.min(wanted, across - 2 * PAD)
  const total = texts.length
  if (width < NARROWEST) return null
  const tried = (hints: boolean, columns: number): Grid => {
    const rowHeight = LABEL.height + 2 * ROW_Y + (hints ? HINT.height : 0)
    const most = Math.floor((down - 2 * PAD) / rowHeight)
    const rows = Math.min(most, Math.ceil(total / columns))
    return { columns, rows, count: Math.min(total, rows * columns), rowHeight, hints, width }
  }
  const columns = Math.max(1, Math.min(MOST_COLUMNS, Math.floor((across - 2 * PAD) / width)))
  const hasHints = texts.some(({ hint }) => hint !== null)
  for (const hints of hasHints ? [true, false] : [false]) {
    for (let count = 1; count <= columns; count++) {
      const grid = tried(hints, count)
      if (grid.count === total && (grid.rows <= MOST_ROWS || count === columns)) return grid
    }
  }
  // Not all of them: a row less for the signs that say so, above and below.
  const rowHeight = LABEL.height + 2 * ROW_Y
  const rows = Math.floor((down - 2 * PAD - 2 * SIGN) / rowHeight)
  return rows < 1 ? null : { columns, rows, count: rows * columns, rowHeight, hints: false, width }
}

/** The first item that is shown: as before, unless the chosen one would not be. */
function firstOf({ count }: Grid, total: number, chosen: number | null, before: number): number {
  if (count >= total) return 0
  const first = Math.max(0, Math.min(before, total - count))
  if (chosen === null || chosen < 0 || chosen >= total) return first
  if (chosen < first) return chosen
  return chosen >= first + count ? chosen - count + 1 : first
}

/** In one column no item is higher than what it says; beside each other they are in rows. */
function heightOf({ columns, hints, rowHeight }: Grid, { hint }: Text): number {
  return columns === 1 && hints && hint === null ? LABEL.height + 2 * ROW_Y : rowHeight
}

function boxOf(
  grid: Grid,
  texts: readonly Text[],
  chosen: number | null,
  before: number,
  scale: number,
): Size {
  const { columns, rows, count, rowHeight, width } = grid
  const first = firstOf(grid, texts.length, chosen, before)
  const shown = texts.slice(first, first + count)
  const high = columns === 1 ? shown.reduce((sum, one) => sum + heightOf(grid, one), 0) : rows * rowHeight
  const sign = count >= texts.length ? 0 : SIGN
  return [whole(columns * width + 2 * PAD, scale), whole(high + 2 * PAD + 2 * sign, scale)]
}

function layOn(
  { side, rect, shift }: Spot,
  grid: Grid,
  texts: readonly Text[],
  chosen: number | null,
  { ruler }: Room,
  before: number,
): LaidMenu {
  const { rows, count, hints, width } = grid
  const total = texts.length
  const first = firstOf(grid, total, chosen, before)
  const isAll = count >= total
  const heights = texts.map((text) => heightOf(grid, text))
  const sum = (from: number, to: number) => heights.slice(from, to).reduce((all, one) => all + one, 0)
  const shown: Row[] = []
  for (let place = 0; place < count && first + place < total; place++) {
    const item = first + place
    const { label, hint } = texts[item] as Text
    const column = Math.floor(place / rows)
    const top = sum(item - (place % rows), item)
    const inner = width - 2 * ROW_X
    shown.push({
      item,
      rect: [
        rect[0] + PAD + column * width,
        rect[1] + PAD + (isAll ? 0 : SIGN) + top,
        width,
        heights[item] as number,
      ],
      label: cut(label, inner, LABEL.size, 600, ruler),
      hint: hints && hint !== null ? cut(hint, inner, HINT.size, 400, ruler) : null,
      chosen: item === chosen,
    })
  }
  const signs = isAll ? [] : signsOf(first, total - first - count, rect)
  return { side, rect, shift, rows: shown, first, signs }
}

function signsOf(above: number, below: number, [x, y, width, height]: Rect): LaidMenu['signs'] {
  const signs = []
  if (above > 0)
    signs.push({ text: `\u2191 ${above} more`, rect: [x + PAD + ROW_X, y + PAD, width, SIGN] as Rect })
  if (below > 0)
    signs.push({
      text: `\u2193 ${below} more`,
      rect: [x + PAD + ROW_X, y + height - PAD - SIGN, width, SIGN] as Rect,
    })
  return signs
}

function widthOf(texts: readonly Text[], ruler: Ruler): number {
  let widest = 0
  for (const { label, hint } of texts) {
    widest = Math.max(widest, ruler.width(label.slice(0, 80), LABEL.size, 600))
    if (hint !== null) widest = Math.max(widest, ruler.width(hint.slice(0, 80), HINT.size, 400))
  }
  return Math.ceil(Math.max(NARROWEST, Math.min(WIDEST, widest + 2 * ROW_X)))
}

/** One line of it, which ends in an ellipsis where not all of it fits. */
function cut(text: string, most: number, size: number, weight: 400 | 600, ruler: Ruler): Line {
  return wrap(text, most, (part) => ruler.width(part, size, weight), 1).lines[0] as Line
}

function oneLine(text: string): string {
  return clean(text).replace(/\s+/gu, ' ').trim().slice(0, 400) || '\u2026'
}

export function paintMenu(context: Context2D, { rect, rows, signs }: LaidMenu, scale: number): void {
  paintCard(context, rect, RADIUS, MENU, scale)
  for (const { rect: row, label, hint, chosen } of rows) {
    if (chosen) fillRound(context, row, RADIUS - PAD + 1, MENU.chosen)
    const [x, y, width, height] = row
    const text = LABEL.height + (hint === null ? 0 : HINT.height)
    const top = y + (height - text) / 2
    paintLines(context, {
      scale,
      lines: [label],
      rect: [x + ROW_X, top, width - 2 * ROW_X, LABEL.height],
      ...LABEL,
      weight: 600,
      style: chosen ? MENU.onChosen : MENU.label,
    })
    if (hint === null) continue
    paintLines(context, {
      scale,
      lines: [hint],
      rect: [x + ROW_X, top + LABEL.height, width - 2 * ROW_X, HINT.height],
      ...HINT,
      weight: 400,
      style: chosen ? MENU.onChosenHint : MENU.hint,
    })
  }
  for (const { text, rect: at } of signs) {
    paintLines(context, {
      lines: [lineOf(text, 'ltr')],
      rect: at,
      ...HINT,
      height: SIGN,
      weight: 400,
      style: MENU.hint,
      scale,
    })
  }
}

/** What the menu takes clicks with: all of its card. */
export function paintMenuShape(context: Context2D, { rect }: LaidMenu): void {
  fillRound(context, rect, RADIUS, '#000000')
}

export function itemAt({ rows }: LaidMenu, [x, y]: readonly [number, number]): number | null {
  for (const { item, rect } of rows) {
    const [left, top, width, height] = rect
    if (x >= left && x < left + width && y >= top && y < top + height) return item
  }
  return null
}

/** Holds every pixel drawn. */
export const menuArea = (rect: Rect) => grow(rect, 10)
