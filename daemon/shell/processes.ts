/** Which processes belong to what: read from /proc, where there is one. */
import { readdirSync, readFileSync } from 'node:fs'
import { uptime } from 'node:os'

export interface Process {
  readonly pid: number
  readonly parent: number
  /** The session of the system's, which `setsid` makes. */
  readonly sid: number
  /** When it began, in clock ticks since the system started. */
  readonly started: number
  /** The time it has used, in clock ticks. */
  readonly cpu: number
  readonly asleep: boolean
}

/** Whether the system tells about processes; elsewhere only whole process groups can be ended. */
export const hasProc = process.platform === 'linux'

/** Linux counts a hundred a second for everyone who asks, on every machine. */
const TICKS_PER_SECOND = 100

/** Now, as processes' beginnings are counted. */
export function ticksNow(): number {
  return Math.floor(uptime() * TICKS_PER_SECOND)
}

/** Every living process; zombies are not. */
export function listProcesses(): Map<number, Process> {
  const found = new Map<number, Process>()
  if (!hasProc) return found
  for (const name of readdirSync('/proc')) {
    const pid = Number(name)
    if (!Number.isInteger(pid)) continue
    const one = readProcess(pid)
    if (one) found.set(pid, one)
  }
  return found
}

export function readProcess(pid: number): Process | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    // The name, in parentheses, may hold anything.
    const [state, parent, , sid, ...more] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    if (state === 'Z' || state === 'X') return null
    const [user, system, started] = [more[7], more[8], more[15]].map(Number) as [number, number, number]
    return {
      pid,
      parent: Number(parent),
      sid: Number(sid),
      started,
      cpu: user + system,
      asleep: state === 'S',
    }
  } catch {
    return null
  }
}

/** The value of a variable in the environment a process was started with; null where it has none, or it is not ours. */
export function environmentOf(pid: number, names: readonly string[]): (string | null)[] {
  let text = ''
  try {
    text = readFileSync(`/proc/${pid}/environ`, 'latin1')
  } catch {
    // Gone, or somebody else's.
  }
  return names.map((name) => {
    const at = text.startsWith(`${name}=`) ? 0 : text.indexOf(`\0${name}=`) + 1
    if (at === 0 && !text.startsWith(`${name}=`)) return null
    const from = at + name.length + 1
    const end = text.indexOf('\0', from)
    return text.slice(from, end === -1 ? undefined : end)
  })
}

/** Sends a signal; what is gone already is fine. */
export function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch {
    // Gone.
  }
}
