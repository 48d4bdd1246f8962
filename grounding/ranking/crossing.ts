/** Where the column of one thing meets the row of another: "the version of web", "notes for Insurance". Pure. */
import type { Rect } from '../../protocol/overlay/geometry.js'
import type { Item } from '../items.js'
import { onOneLine } from './places.js'

/** In points: how exactly the edges of a column stand above each other. */
const ALIGNED = 6

/** The roles a thing in a table may have; pixels tell none. */
const IN_TABLES: ReadonlySet<string> = new Set(['cell', 'text', 'link', 'unknown', 'heading', 'button'])

const HEADS: ReadonlySet<string> = new Set(['column header', 'cell', 'unknown', 'heading', 'text'])

/** What is below the head of a column, in the line of another thing; null where there is no such place, or nothing in it. */
export function crossingOf(head: Item, other: Item, all: readonly Item[]): Item | null {
  if (!HEADS.has(head.role) || !IN_TABLES.has(other.role)) return null
  const below = other.rect[1] >= head.rect[1] + head.rect[3] - 2
  if (!below || isInColumn(head.rect, other.rect)) return null
  const told = head.role === 'column header' || head.role === 'cell'
  const there = all.filter(
    (item) =>
      item !== other &&
      item !== head &&
      (told ? item.role === 'cell' : IN_TABLES.has(item.role)) &&
      onOneLine(item.rect, other.rect) &&
      isInColumn(head.rect, item.rect),
  )
  // Pixels tell no table: then something heads the column of the other as well.
  const heads = (item: Item) => onOneLine(item.rect, head.rect) && isInColumn(item.rect, other.rect)
  if (!told && !all.some((item) => item !== head && IN_TABLES.has(item.role) && heads(item))) return null
  // The innermost of what is in one another.
  return there.sort((a, b) => a.rect[2] * a.rect[3] - b.rect[2] * b.rect[3])[0] ?? null
}

function isInColumn(a: Rect, b: Rect): boolean {
  const common = Math.min(a[0] + a[2], b[0] + b[2]) - Math.max(a[0], b[0])
  return (
    common >= Math.min(a[2], b[2]) / 2 ||
    Math.abs(a[0] - b[0]) <= ALIGNED ||
    Math.abs(a[0] + a[2] - b[0] - b[2]) <= ALIGNED
  )
}
