/** Where a program's things are on the display, and which of its windows they are in. */
import type { Rect } from '../../protocol/overlay/geometry.js'
import type { Screen, ScreenWindow } from '../resolver.js'
import { type Atspi, type RawRect, type Ref, roleWord } from './atspi.js'
import { calibrate, type Mapping, toPoints } from './calibrate.js'
import { inBatches, type Tree, type TreeNode } from './tree.js'

/** How many are asked where they are at a time. */
const AT_A_TIME = 128

/** AT-SPI's roles of what shows a part of what is in it. */
const CLIPS = new Set([49, 68, 95])

/** AT-SPI's number for a web page. */
export const WEB_PAGE = 95

/** A window of a program, found on the screen. */
export interface Top<T = TreeNode> {
  readonly node: T
  readonly window: ScreenWindow
  readonly mapping: Mapping
}

export interface Placed {
  readonly node: TreeNode
  readonly top: Top
  readonly rect: Rect
  /** The units of this very thing: a web page may have others than the window it is in. */
  readonly mapping: Mapping
  /** What it is scrolled in, the innermost first. */
  readonly clips: readonly Ref[]
}

/** Which window on the screen each window of a program is. Those that are not there (closed menus) are left out. */
export async function findTops<T extends Pick<TreeNode, 'ref' | 'name'>>(
  atspi: Atspi,
  tops: readonly T[],
  pid: number | undefined,
  { display, windows }: Screen,
): Promise<readonly Top<T>[]> {
  const own = windows.filter((window) => window.pid === pid)
  const scales = [...new Set([1, display.scale])]
  const found: Top<T>[] = []
  const taken = new Set<number>()
  for (const node of tops) {
    const raw = await atspi.extents(node.ref).catch(() => null)
    if (!raw || raw[2] <= 0 || raw[3] <= 0) continue
    // A program in a container has another process id outside of it: then its title has to do.
    const pool = own.length > 0 ? own : windows.filter(({ title }) => title !== '' && title === node.name)
    const fitting = pool
      .filter(({ id }) => !taken.has(id))
      .flatMap((window) => {
        const mapping = calibrate(raw, window, scales, raw[0] === 0 && raw[1] === 0)
        return mapping ? [{ window, mapping, off: distanceOf(raw, mapping, display.origin) }] : []
      })
      .sort(
        (a, b) =>
          Number(b.window.title === node.name) - Number(a.window.title === node.name) || a.off - b.off,
      )
    const [best] = fitting
    if (!best) continue
    taken.add(best.window.id)
    found.push({ node, window: best.window, mapping: best.mapping })
  }
  return found
}

/** How far a window is from where the program says it is: tells two windows of one size and title apart. */
function distanceOf(raw: RawRect, { rect, scale }: Mapping, origin: readonly [number, number]): number {
  return Math.abs(raw[0] - (rect[0] + origin[0]) * scale) + Math.abs(raw[1] - (rect[1] + origin[1]) * scale)
}

/** Asks where `wanted` are; those out of sight are left out: scrolled away, off their window, or below another one. */
export async function place(
  atspi: Atspi,
  tree: Tree,
  tops: readonly Top[],
  wanted: (node: TreeNode) => boolean,
  { display, windows }: Screen,
  signal?: AbortSignal,
): Promise<readonly Placed[]> {
  const byTop = new Map(tops.map((top) => [top.node, top]))
  const asked = tree.nodes.filter((node) => byTop.has(node.top) && (CLIPS.has(node.role) || wanted(node)))
  const raws = await inBatches(
    asked,
    AT_A_TIME,
    (node) => atspi.extents(node.ref).catch((): RawRect => [0, 0, 0, 0]),
    signal,
  )
  const raw = new Map(asked.map((node, index) => [node, raws[index] as RawRect]))
  const mappings = new Map<TreeNode, Mapping>()
  /** The units of what a thing is in: of the window, or of the web page in it. */
  const mappingOf = (node: TreeNode): Mapping => {
    const known = mappings.get(node)
    if (known) return known
    const top = byTop.get(node.top) as Top
    const above = node.up ? mappingOf(node.up) : top.mapping
    const mapping = node.role === WEB_PAGE ? webMapping(raw.get(node), above, display.scale) : above
    mappings.set(node, mapping)
    return mapping
  }
  const clipped = new Map<TreeNode, { rect: Rect | null; clips: readonly Ref[] }>()
  const clipOf = (node: TreeNode | null): { rect: Rect | null; clips: readonly Ref[] } => {
    if (!node) return { rect: null, clips: [] }
    const known = clipped.get(node)
    if (known) return known
    const above = clipOf(node.up)
    const own = CLIPS.has(node.role) ? raw.get(node) : undefined
    const made =
      own && own[2] > 0 && own[3] > 0
        ? { rect: common(above.rect, toPoints(own, mappingOf(node))), clips: [node.ref, ...above.clips] }
        : above
    clipped.set(node, made)
    return made
  }
  return asked.flatMap((node) => {
    const units = raw.get(node) as RawRect
    if (!wanted(node) || units[2] <= 0 || units[3] <= 0 || units[0] < -1e6 || units[1] < -1e6) return []
    const top = byTop.get(node.top) as Top
    const mapping = mappingOf(node)
    const whole = toPoints(units, mapping)
    const { rect: clip, clips } = clipOf(node.up)
    const rect = common(common(clip, top.window.content), whole)
    if (!rect || !isInSight(rect, whole, top.window, windows, roleWord(node) === '')) return []
    return [{ node, top, rect, mapping, clips }]
  })
}

/**
 * A web page may count in the pixels of the screen while the window it is in counts in points: told by which of the two fits
 * into the window.
 */
export function webMapping(page: RawRect | undefined, window: Mapping, scale: number): Mapping {
  if (!page || window.scale === scale) return window
  const { raw, rect } = window
  const pixels: RawRect = [raw[0] * scale, raw[1] * scale, raw[2] * scale, raw[3] * scale]
  const fits = (outer: RawRect) =>
    page[0] >= outer[0] - 2 &&
    page[1] >= outer[1] - 2 &&
    page[0] + page[2] <= outer[0] + outer[2] + 2 &&
    page[1] + page[3] <= outer[1] + outer[3] + 2
  if (fits(raw) || !fits(pixels)) return window
  return { raw: pixels, rect, scale: window.scale * scale }
}

/** Whether its middle can be seen: not cut off, and of its own window there. */
function isInSight(
  seen: Rect,
  whole: Rect,
  window: ScreenWindow,
  windows: readonly ScreenWindow[],
  isHolder: boolean,
): boolean {
  // Half of something small is not that thing any more; of what is larger than its window there is only a part.
  if (!isHolder && seen[2] * seen[3] < 0.5 * whole[2] * whole[3] && (seen[2] < 40 || seen[3] < 16))
    return false
  const [x, y] = [seen[0] + seen[2] / 2, seen[1] + seen[3] / 2]
  const topmost = windows.findLast(
    ({ rect }) => x >= rect[0] && y >= rect[1] && x < rect[0] + rect[2] && y < rect[1] + rect[3],
  )
  return topmost === undefined || topmost.id === window.id
}

/** What two rectangles share; null: nothing. */
export function common(a: Rect | null, b: Rect): Rect | null {
  if (!a) return b
  const [left, top] = [Math.max(a[0], b[0]), Math.max(a[1], b[1])]
  const right = Math.min(a[0] + a[2], b[0] + b[2])
  const bottom = Math.min(a[1] + a[3], b[1] + b[3])
  return right > left && bottom > top ? [left, top, right - left, bottom - top] : null
}
