import type { Point, Size } from './geometry.js'

/** How far in from an edge a named position lies, as a fraction of the display. */
const INSET = 0.1

/** The nine named positions as fractions of the display. */
export const NAMED_POSITIONS = {
  'top-left': [INSET, INSET],
  top: [0.5, INSET],
  'top-right': [1 - INSET, INSET],
  left: [INSET, 0.5],
  center: [0.5, 0.5],
  right: [1 - INSET, 0.5],
  'bottom-left': [INSET, 1 - INSET],
  bottom: [0.5, 1 - INSET],
  'bottom-right': [1 - INSET, 1 - INSET],
} as const satisfies Record<string, Point>

const SYNONYMS: Readonly<Record<string, keyof typeof NAMED_POSITIONS>> = {
  centre: 'center',
  middle: 'center',
  'center-center': 'center',
  'top-center': 'top',
  'bottom-center': 'bottom',
  'center-left': 'left',
  'center-right': 'right',
}

/** `50%,30%`: both signs required, so that pixels are never taken for percent. */
const PERCENT_PAIR = /^(\d+(?:\.\d+)?)\s*%\s*,\s*(\d+(?:\.\d+)?)\s*%$/

/**
 * The place a named position means on a display of this size, in logical points; null when it is neither one of the
 * nine names (case, spaces and `_` forgiven) nor a pair of percentages from 0 to 100.
 */
export function resolvePosition(position: string, [width, height]: Size): Point | null {
  const percent = PERCENT_PAIR.exec(position.trim())
  if (percent) {
    const x = Number(percent[1])
    const y = Number(percent[2])
    return x <= 100 && y <= 100 ? [(x / 100) * width, (y / 100) * height] : null
  }
  const name = position
    .trim()
    .toLowerCase()
    .replace(/[\s_-]+/g, '-')
    .replaceAll('centre', 'center')
  const key = Object.hasOwn(SYNONYMS, name) ? SYNONYMS[name] : name
  const fraction = key !== undefined && isNamed(key) ? NAMED_POSITIONS[key] : null
  return fraction && [fraction[0] * width, fraction[1] * height]
}

function isNamed(name: string): name is keyof typeof NAMED_POSITIONS {
  return Object.hasOwn(NAMED_POSITIONS, name)
}
