/** `lets convert`: a place as a model named it, in pixels of its picture and, where that can be known, in logical points. */
import type { Point, Rect, Size } from '../../../protocol/overlay/geometry.js'
import { type Declared, SpaceError, toPixels, toPoints } from '../../../protocol/overlay/spaces.js'
import { type CommonOptions, reach } from '../connection.js'
import { UsageError } from '../errors.js'
import { dim, say, sayJson } from '../output.js'
import { parseInteger, parseNumber, parseRect } from '../parse.js'

export interface ConvertOptions extends CommonOptions {
  readonly space?: string
  readonly order?: string
  readonly form?: string
  readonly image?: string
  readonly frame?: string
  readonly display?: string
  readonly part?: string
}

/** Where a picture is on its display. */
interface Source {
  readonly image: Size
  readonly display?: { readonly id: number; readonly logical_size: Size }
  readonly part?: Rect
}

export async function convert(words: readonly string[], options: ConvertOptions): Promise<void> {
  const place = words
    .flatMap((word) => word.split(','))
    .map((word, index) => parseNumber(word, `number ${index + 1}`))
  try {
    const source = await sourceOf(options)
    const { space, order, form } = options
    const declared = { space, order, form, image: source.image } as Declared
    const pixels = toPixels(place, declared)
    const { display } = source
    const points = display && toPoints(pixels as unknown as Point, { ...source, display })
    if (options.json) {
      return sayJson({ pixels, image_size: source.image, ...(points && { points, display_id: display?.id }) })
    }
    say(`${rounded(pixels)} pixels ${dim(`of ${source.image.join('x')}`)}`)
    if (points) say(`${rounded(points)} logical points ${dim(`on display ${display?.id}`)}`)
  } catch (error) {
    throw error instanceof SpaceError ? new UsageError(optionFor(error)) : error
  }
}

/** The picture the place is in: one that Lets took, or one described by its size and the display it shows. */
async function sourceOf(options: ConvertOptions): Promise<Source> {
  const given = options.image === undefined ? undefined : parseSize(options.image)
  if (options.frame !== undefined) {
    if (options.display !== undefined || options.part !== undefined)
      throw new UsageError('a frame says what it shows: leave --display and --part out')
    return frame(options.frame, given, options)
  }
  if (!given)
    throw new UsageError('say which picture: --image WIDTHxHEIGHT as the model got it, or --frame f_…')
  if (options.display === undefined) {
    if (options.part === undefined) return { image: given }
    throw new UsageError('--part is a part of a display: say which with --display')
  }
  const id = parseInteger(options.display, '--display')
  const client = await reach(options, { lingerMs: 0 })
  try {
    const all = await client.displays()
    const display = all.find((one) => one.id === id)
    const ids = all.map((one) => one.id).join(', ')
    if (!display)
      throw new UsageError(`--display ${id} is not connected; the displays are ${ids || '(none)'}`)
    const part = options.part === undefined ? {} : { part: parseRect(options.part, '--part') }
    return { image: given, display, ...part }
  } finally {
    await client.close()
  }
}

async function frame(id: string, given: Size | undefined, options: ConvertOptions): Promise<Source> {
  const client = await reach(options, { lingerMs: 0 })
  try {
    const { image_size, logical_size, origin, display } = await client.request({ type: 'frame', frame: id })
    const image = image_size as Size
    if (given && given.join() !== image.join()) {
      throw new UsageError(
        `--image ${given.join('x')} is not the picture of this frame, which is ${image.join('x')}: leave --image out, unless somebody resized it; then only spaces without pixels say where something is`,
      )
    }
    if (!display || !logical_size || !origin) return { image }
    return { image, display, part: [...origin, ...logical_size] as unknown as Rect }
  } finally {
    await client.close()
  }
}

function parseSize(text: string): Size {
  const match = /^(\d+)x(\d+)$/i.exec(text.trim())
  const size = [Number(match?.[1]), Number(match?.[2])] as const
  if (match && size[0] > 0 && size[1] > 0) return size
  throw new UsageError(
    `--image must be WIDTHxHEIGHT in pixels, such as 1568x882; got ${JSON.stringify(text)}`,
  )
}

/** What the library calls fields are options here. */
function optionFor({ field, message }: SpaceError): string {
  return ['space', 'order', 'form', 'image', 'part'].includes(field) ? `--${message}` : message
}

function rounded(numbers: readonly number[]): string {
  return numbers.map((number) => Math.round(number * 100) / 100).join(',')
}
