import type { Channel, Channels } from './pose.js'

/** Values of a channel over a reaction, each at its share of the time; eased between. */
export type Track = readonly (readonly [share: number, value: number])[]

/** A short expression: it begins at rest, has one accent, and ends exactly at rest. */
export interface Play {
  /** How long it takes at its own pace. */
  readonly ms: number
  /** What it looks like meanwhile, from `enter` to `leave`. */
  readonly hold: Partial<Channels>
  readonly enter?: number
  readonly leave?: number
  /** What moves on top of that, from nothing to nothing. */
  readonly moves?: Readonly<Partial<Record<Channel, Track>>>
}

/** A track, written as `share:value` one after another. */
export function keys(text: string): Track {
  return text.split(' ').map((key) => {
    const [share, value] = key.split(':')
    return [Number(share), Number(value)] as const
  })
}

/** Goes on as time does. */
export const THROUGHOUT = keys('0:0 1:1')

export const wide = { topLeft: 1.12, topRight: 1.12, bottomLeft: 1.08, bottomRight: 1.08 }
export const smiling = { topLeft: 0.95, topRight: 0.95, bottomLeft: -0.45, bottomRight: -0.45 }
export const shut = { topLeft: -0.3, topRight: -0.3, bottomLeft: 0.7, bottomRight: 0.7 }
export const squeezed = { topLeft: 0.5, topRight: 0.5, bottomLeft: -0.3, bottomRight: -0.3 }
