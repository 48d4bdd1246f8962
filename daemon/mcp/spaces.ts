/** Models that do not answer in pixels: what their numbers are is declared with them, and they become pixels of the frame. */
import {
  type Declared,
  ORDERS,
  type Order,
  SPACES,
  type Space,
  SpaceError,
  toPixels,
} from '../../protocol/overlay/spaces.js'
import type { LetsClient } from '../client/client.js'
import { refuse } from './errors.js'
import { type Arguments, COORDINATES } from './places.js'
import type { Schema } from './schemas.js'

export const SPACE_FIELDS: Readonly<Record<string, Schema>> = {
  space: {
    enum: SPACES,
    description:
      'with frame and order: what the numbers are, when they are not pixels: 0..1000, fractions (0..1) or percent of the picture',
  },
  order: {
    enum: ORDERS,
    description: 'goes with space: which axis comes first in each pair; yx makes rect [y, x, height, width]',
  },
}

export interface Declaration {
  readonly space: Space
  readonly order: Order
}

/** The arguments with what they declare of their numbers apart. Refuses a half, and what the rest contradicts. */
export function declaredIn(
  tool: string,
  { space, order, ...given }: Arguments,
): Arguments & { readonly declared?: Declaration } {
  if (space === undefined && order === undefined) return given
  oneOf(tool, 'space', space, SPACES)
  oneOf(tool, 'order', order, ORDERS)
  if (given.frame === undefined) {
    throw refuse(
      `${tool}: space and order are about a picture: add frame, or leave them out and send logical points`,
    )
  }
  const numbers = COORDINATES.filter((name) => name in given && typeof given[name] !== 'string')
  if (numbers.length === 0) {
    throw refuse(`${tool}: space and order came without numbers; a named position needs neither`)
  }
  if (order === 'yx' && ('x' in given || 'y' in given)) {
    throw refuse(
      `${tool}: x and y say which is which, so order cannot be yx: send x from the left, and order xy`,
    )
  }
  return { ...given, declared: { space, order } as Declaration }
}

/** The arguments with every place in pixels of their frame. */
export async function inPixels(
  tool: string,
  given: Arguments,
  { space, order }: Declaration,
  client: LetsClient,
): Promise<Arguments> {
  const { image_size } = await client.request({ type: 'frame', frame: String(given.frame) })
  const [width = 0, height = 0] = image_size ?? []
  const declared: Declared = { space, order, image: [width, height] }
  const placed: Record<string, unknown> = { ...given }
  if (given.x !== undefined) {
    const [x, y] = converted(tool, 'x, y', [Number(given.x), Number(given.y)], declared)
    Object.assign(placed, { x, y })
  }
  for (const name of ['rect', 'from', 'to'] as const) {
    const place = given[name]
    if (Array.isArray(place)) placed[name] = converted(tool, name, place, declared)
  }
  if (Array.isArray(given.path))
    placed.path = given.path.map((point, index) => converted(tool, `path[${index}]`, point, declared))
  return placed
}

function converted(
  tool: string,
  field: string,
  place: readonly number[],
  declared: Declared,
): readonly number[] {
  try {
    return toPixels(place, { ...declared, form: 'size' })
  } catch (error) {
    if (!(error instanceof SpaceError)) throw error
    throw refuse(`${tool}: ${field}: ${error.message}`)
  }
}

function oneOf(tool: string, field: string, value: unknown, allowed: readonly string[]): void {
  if (typeof value === 'string' && allowed.includes(value)) return
  const got =
    value === undefined ? 'it is missing, and never guessed' : `got ${JSON.stringify(value)}`.slice(0, 80)
  throw refuse(`${tool}: ${field} must be one of ${allowed.join(', ')}; ${got}`)
}
