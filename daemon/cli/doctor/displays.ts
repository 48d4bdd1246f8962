import type { Finding } from './finding.js'

/** A display: its size in physical pixels, and where it is in logical points. */
export function displayFinding(
  name: string,
  [width, height]: readonly [number, number],
  scale: number,
  origin: string,
): Finding {
  const points = `${round(width / scale)}x${round(height / scale)} points`
  return {
    name: 'display',
    state: 'ok',
    found: `${name}: ${points} at scale ${round(scale)} (${width}x${height} pixels), origin ${origin}`,
  }
}

export function round(value: number): number {
  return Math.round(value * 100) / 100
}
