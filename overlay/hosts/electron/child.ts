/** One Electron process and the conversation with it: an order each, an answer each, all of it checked and in time. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { readReport } from '../../../protocol/host/orders.js'
import type { HostOrder, HostReport, HostReportOf } from '../../../protocol/host/orders-schema.js'
import { HostUnavailable } from '../../host.js'
import { Reaper, reapedLine } from './reaper.js'

/** What is started. */
export interface Program {
  /** The Electron binary. */
  readonly path: string
  /** The main process's first file. */
  readonly entry: string
  /** Where Chromium may write: a folder of this daemon's own. */
  readonly folder: string
  /** Further switches. */
  readonly switches: readonly string[]
  readonly env: NodeJS.ProcessEnv
}

/** The process is gone, or as good as gone. */
export class ChildGone extends HostUnavailable {}

/** How long an answer may take, in ms. Longer, and the process counts as hung: it is ended, and nothing of it stays. */
const ANSWER_MS = 15_000
/** Electron's start, cold, on a slow disk, in ms. */
export const START_MS = 30_000
/** How long it may take to leave by itself, in ms. */
const LEAVE_MS = 1500
/** How long it may take to end after it closed the channel, in ms, before it is ended. */
const END_MS = 2000
/** How long its last words may take to come, in ms: something it started may hold its stderr open. */
const WORDS_MS = 200
/** How much of what it last said on its stderr is told when it ends, in characters. */
const LAST_WORDS = 300

type Told = Extract<HostReport, { type: 'layout' | 'pressed' | 'chosen' | 'touched' | 'noted' }>
type Answer = Exclude<HostReport, Told>
type Without<T> = T extends unknown ? Omit<T, 'seq'> : never

interface Asked {
  readonly resolve: (answer: Answer) => void
  readonly reject: (error: Error) => void
  readonly timer: NodeJS.Timeout
}

export class HostChild {
  readonly #child: ChildProcess
  readonly #asked = new Map<number, Asked>()
  #seq = 0
  #lastWords = ''
  #gone: string | null = null
  #leaving = false
  #closed = false
  /** Resolves with why it ended, once it has: nothing of it is on the screen then. */
  readonly ended: Promise<string>

  constructor(
    program: Program,
    private readonly onTold: (report: Told) => void,
    private readonly answerMs = ANSWER_MS,
  ) {
    const line = reapedLine(program.path, [...program.switches, program.entry])
    this.#child = spawn(line.file, line.args, {
      stdio: ['ignore', 'ignore', 'pipe', 'ipc', ...(line.reaped ? (['pipe'] as const) : [])],
      env: program.env,
      // Each end has another V8: what one of them serialises, the other may not read.
      serialization: 'json',
      windowsHide: true,
    })
    const reaper = new Reaper(this.#child, (detail) => onTold({ type: 'noted', event: 'reaper', detail }))
    this.#child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
      this.#lastWords = (this.#lastWords + chunk).slice(-LAST_WORDS * 4)
    })
    this.#child.on('message', (message) => this.#take(message))
    this.#child.on('disconnect', () => this.#channelGone('it closed the channel'))
    this.ended = new Promise((resolve) => {
      const end = (why: string) => {
        this.#leave(why)
        resolve(this.#gone ?? why)
      }
      this.#child.once('error', (error) => {
        // Also emitted when it cannot be ended or written to, while it goes on running.
        if (this.#child.pid === undefined) end(`it does not start: ${error.message}`)
      })
      // Not `close`, which does not come when this end closed the channel.
      this.#child.once('exit', async (code, signal) => {
        reaper.release()
        await this.#lastWordsCame()
        end(this.#describe(code, signal))
      })
    })
  }

  get pid(): number | undefined {
    return this.#child.pid
  }

  /** Asks for one thing. Rejects with `ChildGone` when there is no answer in time, and with what was refused. */
  ask<K extends Answer['type']>(
    order: Without<HostOrder>,
    wanted: K,
    limit = this.answerMs,
  ): Promise<HostReportOf<K>> {
    if (this.#gone !== null) return Promise.reject(new ChildGone(this.#gone))
    if (this.#closed) return this.ended.then((why) => Promise.reject(new ChildGone(why)))
    const seq = ++this.#seq
    return new Promise<Answer>((resolve, reject) => {
      const timer = setTimeout(() => this.kill(`it did not answer within ${limit / 1000} s`), limit)
      this.#asked.set(seq, { resolve, reject, timer })
      this.#child.send({ ...order, seq }, (error) => {
        if (error) this.#channelGone(`the channel to it is broken: ${error.message}`)
      })
    }).then((answer) => {
      if (answer.type === 'failed') throw new HostUnavailable(answer.reason)
      if (answer.type !== wanted) {
        this.kill(`it answered ${order.type} with ${answer.type}`)
        throw new ChildGone(this.#gone ?? '')
      }
      return answer as HostReportOf<K>
    })
  }

  /** Ends it at once: its windows go with it. */
  kill(why: string): void {
    this.#leave(why)
    // Also what a wrapper may have started in its place is to go.
    this.#leaving = true
    if (this.#child.connected) this.#child.disconnect()
    if (this.#child.exitCode === null && this.#child.signalCode === null) this.#child.kill('SIGKILL')
  }

  /** Lets it take its windows off and go; ends it when it does not. */
  async stop(): Promise<void> {
    this.#leaving = true
    this.#leave('it was stopped')
    // An end of the channel is what it leaves at, as when this process dies.
    if (this.#child.connected) this.#child.disconnect()
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), LEAVE_MS)
    await this.ended
    clearTimeout(timer)
  }

  /** Most likely it is ending, and has better words for why. If not, it can be told nothing any more. */
  #channelGone(why: string): void {
    if (this.#leaving || this.#closed) return
    this.#closed = true
    setTimeout(() => this.kill(why), END_MS).unref()
  }

  #take(message: unknown): void {
    if (this.#gone !== null) return
    let report: HostReport
    try {
      report = readReport(message)
    } catch (error) {
      // What else of it would be wrong, nobody knows.
      this.kill(`it said what is no message: ${(error as Error).message}`)
      return
    }
    if (!('seq' in report)) {
      this.onTold(report)
      return
    }
    const asked = this.#asked.get(report.seq)
    if (!asked) {
      this.kill(`it answered what was not asked: ${report.type}`)
      return
    }
    this.#asked.delete(report.seq)
    clearTimeout(asked.timer)
    asked.resolve(report)
  }

  /** What it wrote at its end may come after its end. */
  async #lastWordsCame(): Promise<void> {
    const { stderr } = this.#child
    if (!stderr || stderr.destroyed) return
    await Promise.race([once(stderr, 'close').catch(() => {}), delay(WORDS_MS, undefined, { ref: false })])
    // On a busy machine the time may be over before what is there was read.
    await new Promise((resolve) => setImmediate(resolve))
    stderr.destroy()
  }

  #leave(why: string): void {
    this.#gone ??= why
    for (const { reject, timer } of this.#asked.values()) {
      clearTimeout(timer)
      reject(new ChildGone(this.#gone))
    }
    this.#asked.clear()
  }

  #describe(code: number | null, signal: NodeJS.Signals | null): string {
    const how = signal ? `it was ended by ${signal}` : `it ended with ${code}`
    const words = this.#lastWords.trim().split('\n').at(-1)?.slice(-LAST_WORDS)
    return words ? `${how}: ${words}` : how
  }
}

/** What Electron needs of the environment to find its screen, its fonts and its person, and nothing else. */
export function privateEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const names =
    /^(?:PATH|HOME|USER|LOGNAME|LANG|LANGUAGE|LC_.*|TZ|TMPDIR|TEMP|TMP|DISPLAY|XAUTHORITY|XDG_.*|DBUS_SESSION_BUS_ADDRESS|DESKTOP_SESSION|FONTCONFIG_.*|LD_LIBRARY_PATH|NIXOS_.*|SystemRoot|SystemDrive|windir|APPDATA|LOCALAPPDATA|USERPROFILE|USERNAME|USERDOMAIN|ProgramData|ProgramFiles.*|COMPUTERNAME|NUMBER_OF_PROCESSORS|PROCESSOR_.*|OS|COMSPEC|PATHEXT|__CF_USER_TEXT_ENCODING)$/i
  return Object.fromEntries(Object.entries(env).filter(([name]) => names.test(name)))
}

/** The switches of Chromium that must be there from the first instant. */
export function switchesFor(platform: NodeJS.Platform, folder: string): string[] {
  return [
    `--user-data-dir=${folder}`,
    '--no-first-run',
    '--no-default-browser-check',
    '--disable-http-cache',
    ...(platform === 'linux'
      ? [
          // Native Wayland, the default where there is one, never passes clicks.
          '--ozone-platform=x11',
          '--enable-transparent-visuals',
          // Windows are placed in pixels, by the daemon's own reading of the displays; each page is zoomed to its display.
          '--force-device-scale-factor=1',
        ]
      : []),
    // A window that lets everything through counts as covered there, and would be painted no more.
    ...(platform === 'win32' ? ['--disable-features=CalculateNativeWinOcclusion'] : []),
  ]
}
