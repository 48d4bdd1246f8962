/**
 * Ends a process once this one is gone, however this one ended and whatever that one hangs in. A process that is well leaves by
 * itself when its channel closes; one that hangs or is stopped hears nothing, and its windows would stay for good.
 */
import { type ChildProcess, spawn } from 'node:child_process'

/** How long it may take to leave by itself, in tenths of a second. */
const LEAVE_TENTHS = 10

/**
 * Waits in the end of a pipe that nobody writes to: nothing runs meanwhile. Outside of the process, because what happens in there
 * is what must not matter. It looks whether the process is there until the last moment, since its number may become another's.
 */
const SCRIPT = `read -r _
left=${LEAVE_TENTHS}
while kill -0 "$1" 2>/dev/null; do
  if [ "$left" -le 0 ]; then kill -KILL "$1"; exit; fi
  left=$((left - 1))
  sleep 0.1 || left=0
done`

export interface Reaper {
  /** The process has ended: there is nothing to wait for any more. */
  release(): void
}

const NONE: Reaper = { release() {} }

/** `onFault` is told why nobody would end it. */
export function reapWithUs(
  pid: number,
  onFault: (reason: string) => void,
  platform: NodeJS.Platform = process.platform,
): Reaper {
  // There Node's children are in a job that ends with it: the system does the same.
  if (platform === 'win32') return NONE
  let released = false
  let child: ChildProcess
  const fault = (why: string) => {
    if (!released) onFault(`nothing would end it if it hung while the daemon is killed: ${why}`)
  }
  try {
    child = spawn('/bin/sh', ['-c', SCRIPT, 'lets-reaper', String(pid)], {
      stdio: ['pipe', 'ignore', 'ignore'],
      env: { PATH: process.env.PATH ?? '/usr/bin:/bin' },
      // A session of its own: what ends all of a terminal or of a group must not end it first.
      detached: true,
    })
  } catch (error) {
    fault((error as Error).message)
    return NONE
  }
  child.once('error', (error) => fault(error.message))
  child.once('exit', () => fault('what was to do it has ended'))
  child.stdin?.on('error', () => {
    // It has ended, which is told above.
  })
  child.unref()
  return {
    release() {
      released = true
      child.kill('SIGKILL')
      child.stdin?.destroy()
    },
  }
}
