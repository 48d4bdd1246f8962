import { readdirSync } from 'node:fs'
import { setPriority } from 'node:os'

/** This process gives way to everything else that runs here, the daemon's answers above all. `nice` is what that program takes. */
export function giveWay(nice: number): void {
  try {
    // On Linux it is threads that have a priority. Those that are there already would keep theirs: the ones that compile and collect.
    const threads = process.platform === 'linux' ? readdirSync('/proc/self/task').map(Number) : [0]
    for (const thread of threads) setPriority(thread, nice)
  } catch {
    // Then it competes; that is no reason not to look.
  }
}
