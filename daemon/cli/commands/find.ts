/** Commands about finding things by their names: locate, resolvers. */
import type { AckMessage } from '../../../protocol/overlay/schema.js'
import { LetsError } from '../../client/errors.js'
import { type CommonOptions, reach } from '../connection.js'
import { bold, dim, green, remark, say, sayJson, yellow } from '../output.js'
import { parseInteger } from '../parse.js'
import { type QueryOptions, queryFields } from '../query.js'

/** `lets locate "the Save button"`: where it is, and nothing is drawn. */
export async function locate(
  query: string,
  options: QueryOptions & CommonOptions & { readonly display?: string },
): Promise<void> {
  const client = await reach(options, { lingerMs: 0 })
  try {
    const ack = await client.locate({
      query,
      display_id: options.display === undefined ? 1 : parseInteger(options.display, '--display'),
      ...queryFields(options),
    })
    if (options.json) sayJson(ack)
    else say(foundText(ack))
  } catch (error) {
    if (!options.json) sayCandidates(error)
    throw error
  } finally {
    await client.close()
  }
}

/** What was found, in one line. */
export function foundText({ matched, resolved_coords: at, confidence, resolved_by }: AckMessage): string {
  if (!matched || !at) return 'found'
  const { name, role, rect } = matched
  const [x, y, width, height] = rect.map(rounded)
  const facts = `${width}x${height} at ${x},${y}; ${Math.round((confidence ?? 0) * 100)}% sure, by ${resolved_by}`
  return `${role} ${bold(JSON.stringify(name))} at ${rounded(at.x)},${rounded(at.y)}  ${dim(`(${facts})`)}`
}

/** What a refusal says might have been meant, as a table; nothing where it says none. */
export function sayCandidates(error: unknown): void {
  if (!(error instanceof LetsError) || !Array.isArray(error.candidates)) return
  const rows = error.candidates.map(rowOf).filter((row) => row !== null)
  if (rows.length === 0) return
  const width = (column: number) => Math.max(...rows.map((row) => [...(row[column] as string)].length))
  const widths = [0, 1, 2, 3].map(width)
  for (const row of rows) {
    const cells = row.map((cell, column) => cell + ' '.repeat((widths[column] as number) - [...cell].length))
    remark(`  ${cells.join('  ')}`)
  }
}

/** Of an error that knows windows rather than things there is no row. */
function rowOf(candidate: unknown): [string, string, string, string] | null {
  const { name, role, rect, confidence } = candidate as Record<string, unknown>
  if (typeof name !== 'string' || typeof role !== 'string' || !Array.isArray(rect)) return null
  const [x, y, width, height] = (rect as number[]).map(rounded)
  const short = [...name].length > 40 ? `${[...name].slice(0, 39).join('')}…` : name
  return [
    role,
    JSON.stringify(short),
    `${x},${y},${width},${height}`,
    typeof confidence === 'number' ? `${Math.round(confidence * 100)}%` : '',
  ]
}

function rounded(value: number | undefined): number {
  return Math.round((value ?? 0) * 10) / 10
}

/** `lets resolvers`: what could find things by their names, in the order it is asked. */
export async function resolvers(options: CommonOptions): Promise<void> {
  const client = await reach(options, { lingerMs: 0 })
  try {
    const { resolvers: all = [] } = await client.request({ type: 'resolvers' })
    if (options.json) {
      sayJson(all)
      return
    }
    for (const { name, sees, remote, destination, enabled, available, reason, fix, note } of all) {
      const state = !available ? yellow('not available') : enabled ? green('asked') : 'available, not asked'
      const where = remote
        ? `sends pictures of the screen to ${destination ?? 'another machine'}`
        : 'nothing leaves this machine'
      say(`${bold(name)}  ${state}`)
      say(`  ${dim(`${sees}; ${where}`)}`)
      if (reason) say(`  ${reason}; ${fix}`)
      if (note) say(`  ${note}`)
    }
    if (!all.some(({ enabled }) => enabled)) {
      remark(
        'none is asked: `lets stop`, and `lets daemon --resolver accessibility`; LETS_RESOLVER names them for every daemon',
      )
    }
  } finally {
    await client.close()
  }
}
