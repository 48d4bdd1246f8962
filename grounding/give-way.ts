import { setPriority } from 'node:os'

/** How much less than the daemon's main thread these threads are: about a quarter of the time where both want all of it. */
const NICE = 5

/** The calling thread gives way to everything else that runs here, the daemon's answers above all. */
export function giveWay(): void {
  try {
    // On Linux, 0 is the calling thread alone; elsewhere it would be the whole process.
    if (process.platform === 'linux') setPriority(0, NICE)
  } catch {
    // Then it competes; that is no reason not to look.
  }
}
