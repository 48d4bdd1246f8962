/** A lock between processes: a file that holds its owner's pid. */
import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'

/** A lock is held for the few milliseconds of a bind: one this old is broken, whoever seems to hold it. */
const STALE_MS = 5000
const RETRY_MS = 15

export interface Lock {
  /** Whether it is still ours: a process that was suspended for long may have lost it. */
  held(): boolean
  release(): void
}

export async function takeLock(file: string): Promise<Lock> {
  const mine = String(process.pid)
  const held = () => read(file) === mine
  for (;;) {
    try {
      writeFileSync(file, mine, { flag: 'wx', mode: 0o600 })
      return {
        held,
        release: () => {
          if (held()) rmSync(file, { force: true })
        },
      }
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code !== 'EEXIST') throw new Error(`${file} cannot be written (${code})`)
    }
    if (isStale(file)) breakLock(file)
    else await delay(RETRY_MS)
  }
}

function isStale(file: string): boolean {
  try {
    if (Date.now() - statSync(file).mtimeMs > STALE_MS) return true
    // Its holder died in between: nobody has to wait for that.
    const pid = Number(read(file) || Number.NaN)
    return Number.isSafeInteger(pid) && pid > 0 && !isAlive(pid)
  } catch {
    return false
  }
}

/** The rename decides between two who try: the loser finds nothing to rename, or gives back what it took wrongly. */
function breakLock(file: string): void {
  const holder = read(file)
  const aside = `${file}.${process.pid}`
  try {
    renameSync(file, aside)
    if (read(aside) === holder) rmSync(aside)
    else renameSync(aside, file)
  } catch {
    // Gone meanwhile: its holder finished.
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH'
  }
}

function read(file: string): string | null {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return null
  }
}
