/**
 * Looks, now and then while a command is silent, whether something waits that will never come: a program that reads keys
 * where there is no terminal, or the shell for its next line, though it has not said what became of this one.
 */
import { readFileSync, readlinkSync } from 'node:fs'
import { hasProc, listProcesses, type Process, signal } from '../processes.js'

/** Silence before the first look, in ms; each further one comes after twice as long. */
const FIRST_MS = 1000
const LAST_MS = 64_000
/** What still waits after that is taken to wait for ever, in ms. */
const AGAIN_MS = 300

export interface Watched {
  readonly shell: number
  /** The pipe the shell reads its lines from. */
  readonly script: string
  /** The pipes of the command's output. */
  readonly outputs: readonly string[]
  /** Told when the shell waits for a line. */
  readonly onIdle: () => void
}

export class Watch {
  readonly #watched: Watched
  readonly #hungUp = new Map<number, string>()
  #suspects = new Map<number, number>()
  #wasIdle = false
  #wait = FIRST_MS
  #timer: NodeJS.Timeout | null = null

  constructor(watched: Watched) {
    this.#watched = watched
    if (hasProc) this.#in(this.#wait)
  }

  /** What waited for keys and was told that there is no terminal: pids and names. */
  get hungUp(): { pid: number; name: string }[] {
    return [...this.#hungUp].map(([pid, name]) => ({ pid, name }))
  }

  /** The command said something. */
  heard(): void {
    if (this.#wait === FIRST_MS) this.#timer?.refresh()
    else if (this.#timer) this.#in(FIRST_MS)
    this.#wait = FIRST_MS
  }

  stop(): void {
    if (this.#timer) clearTimeout(this.#timer)
    this.#timer = null
  }

  #in(ms: number): void {
    if (this.#timer) clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#look(), ms)
  }

  #look(): void {
    const idle = this.#isIdle()
    const suspects = this.#waitingForKeys()
    const lasting = [...suspects].filter(([pid, cpu]) => this.#suspects.get(pid) === cpu)
    for (const [pid] of lasting) this.#hangUp(pid)
    if (idle && this.#wasIdle) {
      this.#watched.onIdle()
      return
    }
    this.#wasIdle = idle
    this.#suspects = suspects
    const unsure = idle || suspects.size > lasting.length
    if (!unsure && lasting.length === 0) this.#wait = Math.min(LAST_MS, this.#wait * 2)
    this.#in(unsure ? AGAIN_MS : this.#wait)
  }

  #isIdle(): boolean {
    const { shell, script } = this.#watched
    try {
      // The call that it is in, and the descriptor it was given.
      const [, fd = ''] = readFileSync(`/proc/${shell}/syscall`, 'latin1').split(' ')
      return fd.startsWith('0x') && linkOf(shell, Number(fd)) === script
    } catch {
      return false
    }
  }

  /** An editor that finds no terminal on stdin takes stderr for it. That cannot be read, and is never ready. */
  #waitingForKeys(): Map<number, number> {
    const { shell, outputs } = this.#watched
    const all = listProcesses()
    const parents = new Set([...all.values()].map(({ parent }) => parent))
    const waits = ({ pid, asleep }: Process) =>
      pid !== shell && asleep && !parents.has(pid) && outputs.includes(linkOf(pid, 0) ?? '')
    return new Map([...all.values()].filter(waits).map(({ pid, cpu }) => [pid, cpu]))
  }

  /** As when a terminal is gone: editors save what they have and end. */
  #hangUp(pid: number): void {
    const name = readName(pid)
    signal(pid, this.#hungUp.has(pid) ? 'SIGKILL' : 'SIGHUP')
    this.#hungUp.set(pid, name)
  }
}

function linkOf(pid: number, fd: number): string | null {
  try {
    return readlinkSync(`/proc/${pid}/fd/${fd}`)
  } catch {
    return null
  }
}

function readName(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/comm`, 'utf8').trim()
  } catch {
    return ''
  }
}
