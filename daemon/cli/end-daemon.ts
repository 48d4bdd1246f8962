/** Ends a daemon, and waits until its process is gone. */
import { readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { CliError } from './errors.js'

/** How long a daemon may take to end, in ms. */
const PATIENCE_MS = 10_000

export async function endDaemon(pid: number): Promise<void> {
  try {
    process.kill(pid, 'SIGTERM')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return
    throw new CliError(`the daemon (pid ${pid}) belongs to another user; only they can end it`)
  }
  const deadline = performance.now() + PATIENCE_MS
  while (isRunning(pid)) {
    if (performance.now() > deadline) {
      throw new CliError(
        `the daemon (pid ${pid}) did not end within ${PATIENCE_MS / 1000} s; \`kill -9 ${pid}\` ends it`,
      )
    }
    await delay(10)
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch {
    return false
  }
  return !isZombie(pid)
}

/** Ended, but not yet noticed by its parent: in a container that may never happen. */
function isZombie(pid: number): boolean {
  try {
    return / Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/^.*\)/s, ''))
  } catch {
    return false
  }
}
