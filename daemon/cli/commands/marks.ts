/** The drawing commands: point, highlight, annotate, guide, draw, arrow. */
import type { Point, Rect } from '../../../protocol/overlay/geometry.js'
import { NAMED_POSITIONS, resolvePosition } from '../../../protocol/overlay/positions.js'
import { boxAt } from '../../client/box-at.js'
import type { LetsClient } from '../../client/client.js'
import { type DrawOptions, drawOnce } from '../draw.js'
import { UsageError } from '../errors.js'
import { parseNumber, parsePlace, parsePoint, parseRect } from '../parse.js'
import { type QueryOptions, queryFields } from '../query.js'

interface Labelled extends DrawOptions, QueryOptions {
  readonly label?: string
}

/** `lets point X Y`, `lets point --at NAME`, `lets point "the Save button"`. */
export async function point(
  words: readonly string[],
  options: Labelled & { readonly at?: string },
): Promise<void> {
  const target = pointTarget(words, options.at)
  const query = queryOf(target, options)
  await drawOnce(options, `pointing at ${pointText(target)}`, (client, fields) =>
    client.point({ ...fields, ...target, ...query, ...label(options) }),
  )
}

/** The options that narrow words; they say nothing about a place in numbers. */
function queryOf(target: object, options: Labelled) {
  const fields = queryFields(options)
  const given = (['within', 'nth', 'app', 'yes'] as const).find((name) => options[name] !== undefined)
  if (given === undefined || 'query' in target) return fields
  throw new UsageError(`--${given} goes with a query, such as "the Save button"`)
}

function pointTarget(words: readonly string[], at: string | undefined): PointTarget {
  const [first, second] = words.map((word) => word.trim())
  if (at !== undefined) {
    if (first === undefined) return { at }
    throw new UsageError(`give either a place (${words.join(' ')}) or --at ${at}, not both`)
  }
  if (first === undefined) throw new UsageError('say where: X Y, or --at top-right')
  if (second !== undefined) {
    if (words.length > 2)
      throw new UsageError(`a point is X Y; got ${words.join(' ')} (text of several words goes in quotes)`)
    return { x: parseNumber(first, 'X'), y: parseNumber(second, 'Y') }
  }
  if (/^-?[\d.]+,-?[\d.]+$/.test(first)) {
    const [x, y] = parsePoint(first, 'X,Y')
    return { x, y }
  }
  if (/^-?[\d.]+$/.test(first)) throw new UsageError(`a point is two numbers; got only ${first}`)
  // A name alone is as clear as one behind --at.
  return resolvePosition(first, [1, 1]) ? { at: first } : { query: first }
}

type PointTarget = { at: string } | { x: number; y: number } | { query: string }

function pointText(target: PointTarget): string {
  if ('at' in target) return target.at
  return 'query' in target ? JSON.stringify(target.query) : `${target.x},${target.y}`
}

/** `lets highlight X Y WIDTH HEIGHT` or `X,Y,WIDTH,HEIGHT`, or a query. */
export async function highlight(
  words: readonly string[],
  options: Labelled & { readonly ellipse?: boolean; readonly spotlight?: boolean },
): Promise<void> {
  const target = highlightTarget(words)
  const what = 'query' in target ? JSON.stringify(target.query) : target.rect.join(',')
  const query = queryOf(target, options)
  await drawOnce(options, `highlighting ${what}`, (client, fields) =>
    client.highlight({
      ...fields,
      ...target,
      ...query,
      ...label(options),
      ...(options.ellipse && { shape: 'ellipse' as const }),
      ...(options.spotlight && { spotlight: true }),
    }),
  )
}

function highlightTarget(
  words: readonly string[],
): { rect: [number, number, number, number] } | { query: string } {
  const [first] = words.map((word) => word.trim())
  if (words.length === 1 && first !== undefined && !/^-?[\d.]+(,|$)/.test(first)) return { query: first }
  const parts = words.flatMap((word) => word.split(',')).filter((part) => part.trim() !== '')
  if (parts.length !== 4) {
    throw new UsageError(
      `say where: X Y WIDTH HEIGHT in logical points; got ${words.join(' ') || 'nothing'} (text of several words goes in quotes)`,
    )
  }
  return { rect: [...parseRect(parts.join(','), 'the region')] as [number, number, number, number] }
}

/** `lets annotate TEXT` and `lets guide TEXT`, with `--rect` or `--at`. */
export async function textbox(
  style: 'note' | 'guide',
  text: string,
  options: DrawOptions & { readonly rect?: string; readonly at?: string },
): Promise<void> {
  if ((options.window ?? options.frame) !== undefined && options.rect === undefined) {
    throw new UsageError('with --window or --frame say where in it: --rect X,Y,WIDTH,HEIGHT')
  }
  if (options.rect !== undefined && options.at !== undefined)
    throw new UsageError('give either --rect or --at, not both')
  const given = options.rect === undefined ? null : parseRect(options.rect, '--rect')
  const where = given ? given.join(',') : (options.at ?? 'center')
  await drawOnce(options, `${style} at ${where}`, async (client, fields) => {
    const rect = given ?? (await boxFor(client, fields.display_id ?? 1, options.at ?? 'center'))
    return client.textbox({ ...fields, rect: [...rect] as [number, number, number, number], text, style })
  })
}

/** The box at a named position, or what names there are. */
async function boxFor(client: LetsClient, displayId: number, position: string): Promise<Rect> {
  const rect = await boxAt(client, displayId, position)
  if (rect) return rect
  throw new UsageError(
    `--at must be one of ${Object.keys(NAMED_POSITIONS).join(', ')}, or a pair like "50%,30%"; got ${JSON.stringify(position)}`,
  )
}

interface Stroke extends DrawOptions {
  readonly color?: string
  readonly width?: string
}

/** `lets draw X,Y X,Y …`. */
export async function draw(words: readonly string[], options: Stroke): Promise<void> {
  const path = words.map((word, index) => [...parsePoint(word, `point ${index + 1}`)] as [number, number])
  if (path.length < 2) throw new UsageError('a path needs two or more points: X,Y X,Y …')
  await drawOnce(options, `a path of ${path.length} points`, (client, fields) =>
    client.draw({ ...fields, path, ...stroke(options) }),
  )
}

/** `lets arrow FROM TO`, each X,Y or a named position. */
export async function arrow(
  from: string,
  to: string,
  options: Stroke & { readonly bow?: string },
): Promise<void> {
  await drawOnce(options, `an arrow from ${from.trim()} to ${to.trim()}`, (client, fields) =>
    client.arrow({
      ...fields,
      from: wirePlace(from),
      to: wirePlace(to),
      ...(options.bow !== undefined && { bow: parseNumber(options.bow, '--bow') }),
      ...stroke(options),
    }),
  )
}

function wirePlace(text: string): [number, number] | string {
  const place: Point | string = parsePlace(text)
  return typeof place === 'string' ? place : [place[0], place[1]]
}

function stroke({ color, width }: Stroke) {
  if (color === undefined && width === undefined) return {}
  return {
    style: {
      ...(color !== undefined && { color }),
      ...(width !== undefined && { width: parseNumber(width, '--width') }),
    },
  }
}

function label({ label }: Labelled) {
  return label === undefined ? {} : { label }
}
