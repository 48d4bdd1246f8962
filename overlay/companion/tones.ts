import { luminance, type Rgb, rgbOf } from '../scene/color.js'

/** What the figure is painted with. */
export interface Tones {
  readonly body: string
  readonly light: string
  readonly shade: string
  /** Its outline, and what goes around that. */
  readonly casing: string
  readonly halo: string
  /** Eyes and mouth. */
  readonly face: string
  readonly glint: string
  readonly cheek: string
  readonly tongue: string
}

/** Its own colour. */
const OWN_COLOR = '#ff9a5c'

const HEX = /^#[\da-f]{6}$/i
let last: { readonly color: string; readonly tones: Tones } | null = null

/** The tones that go with a body of this colour (`#rrggbb`); its own where that is none. */
export function tonesOf(color: string | undefined): Tones {
  const wanted = color !== undefined && HEX.test(color) ? color.toLowerCase() : OWN_COLOR
  if (last?.color !== wanted) last = { color: wanted, tones: made(rgbOf(wanted)) }
  return last.tones
}

const DARK: Rgb = [15, 7, 5]
const WHITE: Rgb = [255, 255, 255]

function made(body: Rgb): Tones {
  // A face is read by its eyes: on dark bodies they are light.
  const isLight = luminance(body) > 0.18
  const ink = isLight ? toward(body, DARK, 0.84) : toward(body, WHITE, 0.92)
  return {
    body: css(body),
    light: css(toward(body, WHITE, isLight ? 0.3 : 0.2)),
    shade: css(toward(body, DARK, isLight ? 0.2 : 0.4)),
    casing: isLight ? css(toward(body, DARK, 0.98)) : 'rgba(255,255,255,0.94)',
    halo: isLight ? 'rgba(255,255,255,0.16)' : 'rgba(23,19,10,0.13)',
    face: css(ink),
    glint: isLight ? '#ffffff' : css(toward(body, DARK, 0.3)),
    cheek: css(toward(body, [226, 45, 60], 0.5)),
    tongue: '#f0796f',
  }
}

function toward(from: Rgb, to: Rgb, share: number): Rgb {
  return [0, 1, 2].map(
    (i) => (from[i] as number) + ((to[i] as number) - (from[i] as number)) * share,
  ) as unknown as Rgb
}

function css(rgb: Rgb): string {
  return `#${rgb.map((channel) => Math.round(channel).toString(16).padStart(2, '0')).join('')}`
}
