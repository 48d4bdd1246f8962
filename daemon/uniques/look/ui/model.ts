/** What is marked on a picture, in its pixels. */

export const TOOLS = ['spot', 'region', 'ellipse', 'arrow', 'pen', 'number', 'text'] as const
export const COLORS = {
  red: '#d3352b',
  orange: '#d9800c',
  green: '#238a49',
  blue: '#2563c9',
  purple: '#8145c7',
  black: '#1c1c1c',
} as const
export type Kind = (typeof TOOLS)[number]
export type Color = keyof typeof COLORS

export interface Place {
  /** What the legend calls it; Claude's have ids instead. */
  readonly n?: number
  readonly id?: string
  readonly by: 'person' | 'claude'
  readonly kind: Kind
  readonly color: Color
  readonly text: string
  readonly x: number
  readonly y: number
  /** Of a region and an ellipse. */
  readonly w?: number
  readonly h?: number
  /** Where an arrow points. */
  readonly x2?: number
  readonly y2?: number
  /** Of the pen: x, y, x, y, … */
  readonly points?: readonly number[]
}

export interface Picture {
  readonly path: string
  readonly url: string
  readonly w: number
  readonly h: number
  readonly mime: string
  readonly bytes: number
}

export interface Look {
  readonly picture: Picture | null
  readonly frame: string | null
  readonly display: number | null
  readonly places: readonly Place[]
  readonly marks: readonly Place[]
}

export interface Box {
  readonly x: number
  readonly y: number
  readonly w: number
  readonly h: number
}

/** What a place covers; a point covers nothing. */
export function boxOf({ kind, x, y, w = 0, h = 0, x2 = x, y2 = y, points = [] }: Place): Box {
  if (kind === 'arrow') return around([x, y, x2, y2])
  return kind === 'pen' && points.length > 0 ? around(points) : { x, y, w, h }
}

function around(points: readonly number[]): Box {
  const xs = points.filter((_, at) => at % 2 === 0)
  const ys = points.filter((_, at) => at % 2 === 1)
  const [x, y] = [Math.min(...xs), Math.min(...ys)]
  return { x, y, w: Math.max(...xs) - x, h: Math.max(...ys) - y }
}

const WORDS: Readonly<Record<Kind, string>> = {
  spot: 'spot',
  region: 'region',
  ellipse: 'ellipse',
  arrow: 'arrow',
  pen: 'drawn line',
  number: 'number',
  text: 'text',
}

export function nameOf({ n, kind, by }: Place): string {
  return by === 'claude' ? `Claude’s ${WORDS[kind]}` : `${n}: ${WORDS[kind]}`
}

/** The places as lines, each with what a mark there would be given. */
export function legendOf({ places, frame, display, picture }: Look): string {
  const where = frame === null ? 'no frame: it is not of this screen' : `frame ${frame}, display ${display}`
  const first = picture ? `picture ${picture.w}x${picture.h} px, ${where}` : 'no picture'
  return [
    first,
    ...places.map((place) => {
      const { x, y, w, h } = boxOf(place)
      const at =
        place.kind === 'arrow'
          ? `from ${place.x},${place.y} to ${place.x2},${place.y2}`
          : w + h > 0
            ? `x ${x} y ${y} w ${w} h ${h}`
            : `${x},${y}`
      return `${nameOf(place)} (${place.color}) at ${at}${place.text === '' ? '' : `: ${place.text}`}`
    }),
  ].join('\n')
}

/** Within the picture, in whole pixels. */
export function clamp(value: number, most: number): number {
  return Math.round(Math.max(0, Math.min(value, most)))
}
