/** Words of the command line to values. Every refusal names the option and what was given. */
import type { Point, Rect } from '../../protocol/overlay/geometry.js'
import { UsageError } from './errors.js'

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 }

/** `5s`, `500ms`, `2m`, `1.5h` in milliseconds. A bare number is refused: seconds and milliseconds look alike. */
export function parseDuration(text: string, name: string): number {
  const match = /^(\d+(?:\.\d+)?)(ms|s|m|h)$/.exec(text.trim())
  const ms = match ? Math.round(Number(match[1]) * (UNITS[match[2] as string] as number)) : 0
  if (ms >= 1) return ms
  throw new UsageError(`${name} must be a time such as 5s, 500ms or 2m; got ${JSON.stringify(text)}`)
}

export function parseNumber(text: string, name: string): number {
  const value = text.trim() === '' ? Number.NaN : Number(text)
  if (Number.isFinite(value)) return value
  throw new UsageError(`${name} must be a number; got ${JSON.stringify(text)}`)
}

export function parseInteger(text: string, name: string): number {
  const value = parseNumber(text, name)
  if (Number.isSafeInteger(value)) return value
  throw new UsageError(`${name} must be a whole number; got ${JSON.stringify(text)}`)
}

function numbers(text: string, count: number): number[] | null {
  const parts = text.split(',').map((part) => (part.trim() === '' ? Number.NaN : Number(part)))
  return parts.length === count && parts.every(Number.isFinite) ? parts : null
}

/** `X,Y` in logical points. */
export function parsePoint(text: string, name: string): Point {
  const parsed = numbers(text, 2)
  if (parsed) return parsed as unknown as Point
  throw new UsageError(`${name} must be X,Y in logical points; got ${JSON.stringify(text)}`)
}

/** `X,Y,WIDTH,HEIGHT` in logical points. */
export function parseRect(text: string, name: string): Rect {
  const parsed = numbers(text, 4)
  if (parsed) return parsed as unknown as Rect
  throw new UsageError(`${name} must be X,Y,WIDTH,HEIGHT in logical points; got ${JSON.stringify(text)}`)
}

/** `X,Y`, or a named position for the daemon to resolve. */
export function parsePlace(text: string): Point | string {
  return (numbers(text, 2) as unknown as Point | null) ?? text
}
