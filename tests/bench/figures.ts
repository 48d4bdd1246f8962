/** Shared by the benches: percentiles, and one way to print a figure beside what it should reach. */

/** The value below which `share` (0..1) of the samples lie. */
export function percentile(samples: readonly number[], share: number): number {
  const sorted = [...samples].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

/** One line: what was measured, the figure, and what it should reach. Benches never fail on time. */
export function figure(name: string, value: string, goal = ''): void {
  process.stdout.write(`${name.padEnd(58)} ${value.padStart(16)}${goal && `   (goal: ${goal})`}\n`)
}

export const us = (ms: number): string => `${(ms * 1000).toFixed(1)} µs`
export const ms = (value: number): string => `${value.toFixed(2)} ms`
