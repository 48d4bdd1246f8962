/** Things told by others: "Edit for Pear", "the button below Total", "Save in the Print dialog". Pure. */
import type { Rect } from '../../protocol/overlay/geometry.js'
import type { Item } from '../items.js'
import { isHolder, isUsable } from '../roles.js'
import { crossingOf } from './crossing.js'
import { nameFit, prepare } from './names.js'
import { distance, isInLine, onOneLine } from './places.js'
import { type Reading, UNSURE } from './reading.js'

export interface Scored {
  readonly item: Item
  readonly score: number
}

/** Beyond this, in points, what is in neither the row nor the column of another thing is hardly told by that. */
const FAR = 150

/** Of several that fit, the nearest to what they are told by; none where there is no such thing. */
export function byAnchor(
  { reading, relation, itself, object }: NonNullable<Reading['anchor']>,
  fitting: readonly Scored[],
  found: readonly Scored[],
  items: readonly Item[],
  nameless: boolean,
): readonly Scored[] {
  if (fitting.length === 0) return []
  const anchors = found.filter(({ score }) => score >= 0.6)
  const best = Math.max(0, ...anchors.map(({ score }) => score))
  const good = anchors.filter(({ score }) => score >= best * 0.9)
  // "Below Total" is below the word, and not below all that the group of this name holds.
  if (relation === 'cross' || relation === 'beside' || relation === 'in') {
    const crossing = crossings(fitting, good, items)
    if (crossing.length > 0 || relation === 'cross') return crossing
  }
  const single = good.filter(({ item }) => !isHolding(item))
  const sure = relation === 'in' || relation === 'beside' || single.length === 0 ? good : single
  const inside = relation === 'in' || relation === 'beside' ? containerFit(reading, fitting) : null
  const measured = fitting.map(({ item, score }) => {
    const far = sure
      .filter((anchor) => anchor.item !== item)
      .map((anchor) =>
        distance(item, anchor.item, relation === 'in' && !isHolding(anchor.item) ? 'beside' : relation),
      )
      .filter((one) => one !== null)
    const nearest = far.length > 0 ? Math.min(...far) : null
    const held = inside?.get(item) ?? 0
    const own = nameless && itself && sure.some((anchor) => anchor.item === item)
    if (own) return { item, score, far: 0, trust: 1 }
    const apart =
      (relation === 'beside' || (relation === 'in' && single.length === good.length)) &&
      nearest !== null &&
      nearest > FAR &&
      !sure.some((anchor) => isInLine(item, anchor.item))
    // "Files shared with me" is what is called so, and no "Files" beside it: a deed and its object share a row.
    const elsewhere = sure.filter(
      (anchor) => anchor.item !== item && !(item.row !== undefined && anchor.item.row === item.row),
    )
    const rival =
      object === true && elsewhere.some(({ item: { role } }) => isUsable(role) || role === 'unknown')
    // "Play Slow train" is that row of the list, and no Play outside of it.
    const listed =
      object === true &&
      elsewhere.length === sure.length &&
      elsewhere.some(({ item: other }) => other.element !== undefined && other.row !== undefined)
    // Nothing is in a button.
    const odd =
      relation === 'in' &&
      sure.every(
        ({ item: other }) =>
          isUsable(other.role) && !OPENS.has(other.role) && !isUnder(item.rect, other.rect),
      )
    const outside =
      relation === 'in' &&
      single.length === good.length &&
      !sure.some(({ item: other }) => onOneLine(item.rect, other.rect) || isUnder(item.rect, other.rect))
    const trust =
      nearest === null ? 0 : best * (odd || listed ? 0.1 : apart ? 0.5 : outside ? 0.1 : rival ? 0.8 : 1)
    return { item, score, far: held > 0.8 ? 0 : nearest, trust: Math.max(held, trust) }
  })
  const top = Math.max(...measured.filter(({ far }) => far !== null).map(({ score }) => score))
  const least = Math.min(
    ...measured.filter(({ far, score }) => far !== null && score >= top * 0.9).map(({ far }) => far ?? 0),
  )
  return measured
    .filter(({ far }) => far !== null)
    .map(({ item, score, far, trust }) => {
      const isNearest = (far as number) <= least * 1.25 + 2
      return { item, score: score * (0.4 + 0.6 * trust) * (isNearest ? 1 : 0.6) }
    })
}

/** The cells where a column that fits meets the row of an anchor; none where something that fits is in that row itself. */
function crossings(
  fitting: readonly Scored[],
  anchors: readonly Scored[],
  items: readonly Item[],
): readonly Scored[] {
  const top = Math.max(0, ...fitting.map(({ score }) => score))
  const heads = fitting.filter(({ score }) => score >= top * 0.9 && score >= 0.8)
  if (
    heads.some(({ item }) =>
      anchors.some(
        (anchor) =>
          onOneLine(item.rect, anchor.item.rect) || (item.row !== undefined && item.row === anchor.item.row),
      ),
    )
  )
    return []
  return heads.flatMap((head) =>
    anchors.flatMap((anchor) => {
      const item = crossingOf(head.item, anchor.item, items)
      return item ? [{ item, score: UNSURE * head.score * anchor.score }] : []
    }),
  )
}

/** What something may be said to be in though it can be used. */
const OPENS: ReadonlySet<string> = new Set(['tab', 'menu', 'menu item', 'dropdown', 'tree item', 'link'])

/** Whether a thing is below another that is as wide: the head of a section. */
function isUnder([x, y, width]: Rect, [left, top, w, h]: Rect): boolean {
  return y >= top + h - 2 && left <= x + 4 && left + w >= x + width - 4
}

/** A thing that others are in, rather than one beside them. */
export function isHolding({ role }: Item): boolean {
  return isHolder(role) || role === 'row' || role === 'list item'
}

/** How well the names of what items are in fit. */
function containerFit(reading: Reading, fitting: readonly Scored[]): ReadonlyMap<Item, number> {
  return new Map(
    fitting.map(({ item }) => {
      const names = [...(item.inside ?? []), item.title ?? '', item.app ?? ''].filter(Boolean)
      const fits = names.map((name) => {
        const one = prepare({ name, role: 'group', rect: item.rect })
        return nameFit(
          reading,
          reading.words.map(() => 1),
          one,
        )
      })
      return [item, Math.max(0, ...fits)] as const
    }),
  )
}
