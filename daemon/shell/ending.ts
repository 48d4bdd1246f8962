/** Ends processes: SIGTERM first, SIGKILL for what is still there after a while. */
import { setTimeout as delay } from 'node:timers/promises'
import { processesOf, type Scope } from './belonging.js'
import { hasProc, readProcess, signal } from './processes.js'

/** How long a process has to end by itself, in ms. */
const GRACE_MS = 2000
/** How long SIGKILL may take to show, in ms: one in the kernel's hands may take longer. */
const KILL_MS = 2000
const LOOK_MS = 20

/**
 * Ends the shell of `scope` (first, so that it starts nothing more) and the processes in it. Resolves with the pids that
 * could not be ended.
 */
export async function endProcesses(scope: Scope): Promise<number[]> {
  const { shell } = scope
  if (!hasProc) return shell === null ? [] : endGroup(shell)
  const started = shell === null ? undefined : readProcess(shell)?.started
  // Another process may have its number once it is gone.
  const self = () =>
    shell !== null && started !== undefined && readProcess(shell)?.started === started ? [shell] : []
  const living = () => [...self(), ...processesOf(scope)]
  for (const pid of self()) signal(pid, 'SIGTERM')
  for (const pid of processesOf(scope)) signal(pid, 'SIGTERM')
  if ((await untilNone(living, GRACE_MS, () => {})).length === 0) return []
  return untilNone(living, KILL_MS, (pids) => {
    for (const pid of pids) signal(pid, 'SIGKILL')
  })
}

async function untilNone(
  living: () => number[],
  patience: number,
  act: (pids: readonly number[]) => void,
): Promise<number[]> {
  const deadline = performance.now() + patience
  for (;;) {
    const pids = living()
    if (pids.length === 0) return []
    act(pids)
    if (performance.now() > deadline) return pids
    await delay(LOOK_MS)
  }
}

/** Without /proc: the process group, as a whole. */
async function endGroup(shell: number): Promise<number[]> {
  if (process.platform === 'win32') {
    signal(shell, 'SIGKILL')
    return []
  }
  const living = () => {
    try {
      process.kill(-shell, 0)
      return [shell]
    } catch {
      return []
    }
  }
  signal(-shell, 'SIGTERM')
  if ((await untilNone(living, GRACE_MS, () => {})).length === 0) return []
  return untilNone(living, KILL_MS, () => signal(-shell, 'SIGKILL'))
}
