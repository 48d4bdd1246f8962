/**
 * Ends a process once this one is gone, however this one ended and whatever that one hangs in. A process that is well leaves by
 * itself when its channel closes; one that hangs or is stopped hears nothing, and its windows would stay for good.
 */
import type { ChildProcess } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import type { Socket } from 'node:net'

/** How long it may take to leave by itself, in tenths of a second. */
const LEAVE_TENTHS = 10

/**
 * Waits in the end of a pipe that one word is written to once the process has ended: nothing runs meanwhile. Outside of the
 * process, because what happens in there is what must not matter. It looks whether the process is there until the last moment,
 * since its number may become another's. What ends all of a terminal must not end it first.
 */
const WAIT = `trap '' HUP INT TERM
read -r _ && exit
left=${LEAVE_TENTHS}
while kill -0 "$1" 2>/dev/null; do
  if [ "$left" -le 0 ]; then kill -KILL "$1"; exit; fi
  left=$((left - 1))
  sleep 0.1 || left=0
done`

/** Which of the process's descriptors the pipe is, after the channel. It is closed in the process itself. */
const REAPER_FD = 4

/**
 * Begins to wait, then becomes the process: there is no moment at which the process is there and nobody waits. Only the wait has
 * the pipe, and it has nothing else of the process.
 */
const BOTH = `wait=$1
shift
/bin/sh -c "$wait" lets-reaper "$$" <&${REAPER_FD} ${REAPER_FD}<&- 3>&- >/dev/null 2>&1 &
exec "$@" ${REAPER_FD}<&-`

interface Line {
  readonly file: string
  readonly args: readonly string[]
  /** Whether its descriptor `REAPER_FD` is to be a pipe, for `Reaper`. */
  readonly reaped: boolean
}

/** What to start so that `file` runs with these words, and somebody waits to end it. */
export function reapedLine(
  file: string,
  args: readonly string[],
  platform: NodeJS.Platform = process.platform,
): Line {
  // There Node's children are in a job that ends with it: the system does the same.
  if (platform === 'win32') return { file, args, reaped: false }
  try {
    accessSync(file, constants.X_OK)
  } catch {
    // To be refused with the system's own words.
    return { file, args, reaped: false }
  }
  return { file: '/bin/sh', args: ['-c', BOTH, 'lets-start', WAIT, file, ...args], reaped: true }
}

export class Reaper {
  readonly #pipe: Socket | undefined
  #released = false

  /** `onFault` is told why nobody would end it. */
  constructor(child: ChildProcess, onFault: (reason: string) => void) {
    this.#pipe = child.stdio[REAPER_FD] as Socket | undefined
    this.#pipe?.unref()
    this.#pipe?.on('error', () => {
      // It has ended, which is told below.
    })
    this.#pipe?.once('close', () => {
      if (!this.#released)
        onFault('nothing would end it if it hung while the daemon is killed: what was to do it has ended')
    })
    // Only what is read is seen to end.
    this.#pipe?.resume()
  }

  /** The process has ended: there is nothing to wait for any more. */
  release(): void {
    this.#released = true
    this.#pipe?.end('\n')
  }
}
