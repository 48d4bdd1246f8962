import { readdirSync } from 'node:fs'
import { setPriority } from 'node:os'

/** How much less than the daemon this is: about a tenth of the time where both want all of it. */
const NICE = 10

/** This process gives way to everything else that runs here, the daemon's answers above all. */
export function giveWay(): void {
  try {
    // On Linux it is threads that have a priority. Those that are there already would keep theirs: the ones that compile and collect.
    const threads = process.platform === 'linux' ? readdirSync('/proc/self/task').map(Number) : [0]
    for (const thread of threads) setPriority(thread, NICE)
  } catch {
    // Then it competes; that is no reason not to look.
  }
}
