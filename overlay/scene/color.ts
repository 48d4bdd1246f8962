import type { Context2D } from './context.js'

/** Red, green, blue in 0..255, not premultiplied. */
export type Rgb = readonly [red: number, green: number, blue: number]

/** WCAG's minimum for graphics: what the scene aims for along every ink. */
export const ENOUGH = 3

/**
 * Amber, and what stands in for it where it would not be seen. Together they reach 3:1 over any one luminance:
 * amber over dark, pale over mid greys, ember and violet over light, midnight over what is left.
 */
export const palette = {
  amber: '#ffb224',
  pale: '#fff1bd',
  ember: '#c2410c',
  violet: '#5b21b6',
  midnight: '#150d2b',
} as const

/** Relative luminance as WCAG 2 defines it, 0..1. */
export function luminance([red, green, blue]: Rgb): number {
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
}

function linear(channel: number): number {
  const value = channel / 255
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
}

/** Contrast ratio of two relative luminances, 1..21. */
export function contrastOfLuminances(a: number, b: number): number {
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)
}

/** WCAG contrast ratio of two colours, 1..21. */
export function contrast(a: Rgb, b: Rgb): number {
  return contrastOfLuminances(luminance(a), luminance(b))
}

/** `#rrggbb` as numbers. */
export function rgbOf(hex: string): Rgb {
  const value = Number.parseInt(hex.slice(1, 7), 16)
  return [(value >> 16) & 255, (value >> 8) & 255, value & 255]
}

/** The colours of one mark's ink. The casing touches the ink and contrasts with it, whatever is around them. */
export interface Tint {
  readonly ink: string
  readonly casing: string
  readonly halo: string
  /** Text and icons on a surface of the ink colour. */
  readonly onInk: string
}

const DARK = '#17130a'

/** The tint for an ink colour: dark casing around light inks, light casing around dark ones. */
export function tintOf(ink: string, rgb: Rgb): Tint {
  const isLight = luminance(rgb) > 0.18
  return isLight
    ? { ink, casing: 'rgba(23,19,10,0.88)', halo: 'rgba(255,255,255,0.14)', onInk: DARK }
    : { ink, casing: 'rgba(255,255,255,0.94)', halo: 'rgba(23,19,10,0.11)', onInk: '#ffffff' }
}

const paletteTints = Object.values(palette).map((hex) => ({
  tint: tintOf(hex, rgbOf(hex)),
  luminance: luminance(rgbOf(hex)),
}))

export const defaultTint: Tint = (paletteTints[0] as (typeof paletteTints)[0]).tint

/** Share of what is under the ink over which amber has to reach 3:1 to stay: a line of text under it is no reason. */
const AMBER_STAYS = 0.75
/** The same share for a colour to stand in for amber: changing has to be worth it. */
const STANDS_IN = 0.92

/**
 * Amber when it reaches 3:1 over most of the sampled luminances, else the first colour of the palette that does over
 * nearly all. Over a mixture none can do, it stays amber: there the casing is what makes it visible.
 */
export function chooseTint(luminances: readonly number[]): Tint {
  if (luminances.length === 0) return defaultTint
  for (const [rank, entry] of paletteTints.entries()) {
    let good = 0
    for (const under of luminances) {
      if (contrastOfLuminances(entry.luminance, under) >= ENOUGH) good++
    }
    const share = good / luminances.length
    if (share >= (rank === 0 ? AMBER_STAYS : STANDS_IN)) return entry.tint
  }
  return defaultTint
}

/** The tint of a CSS colour a client named, or null when the canvas does not know the colour. */
export function namedTint(context: Context2D, color: string): Tint | null {
  // A canvas ignores a colour it cannot parse and says others back in canonical form: two starts tell which it was.
  context.fillStyle = '#000000'
  context.fillStyle = color
  const first = context.fillStyle
  context.fillStyle = '#ffffff'
  context.fillStyle = color
  if (typeof first !== 'string' || first !== context.fillStyle) return null
  return tintOf(color, parseCanonical(first))
}

function parseCanonical(color: string): Rgb {
  if (color.startsWith('#')) return rgbOf(color)
  const [red = 0, green = 0, blue = 0] = (color.match(/[\d.]+/g) ?? []).map(Number)
  return [red, green, blue]
}
