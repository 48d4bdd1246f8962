/**
 * bash, sh and zsh. The shell reads its script from a named pipe that only the daemon writes to; a command is one `eval` of a
 * quoted text, with its own standard streams, and the shell itself says by another pipe what became of it. Nothing of the
 * command's text is parsed outside of that `eval`, its output never passes by anything that means something, and no
 * descriptor is held that the command could meet.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { accessSync, constants, rmSync, statSync, writeFileSync } from 'node:fs'
import { constants as os } from 'node:os'
import { basename, delimiter, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { MARKS } from '../../../protocol/shell/marks.js'
import type { OutputName } from '../command.js'
import type { FifoPair } from '../fifos.js'
import { signal } from '../processes.js'
import { STARTUP_FILES } from '../quiet.js'
import type { Backend, Run, RunEnd, Shell, ShellEnd, ShellOptions } from './backend.js'
import { DIALECTS, type Dialect, quote, type Report, reportReader, wording } from './dialects.js'
import { Pipes, REPORT } from './pipes.js'
import { PipeReader } from './reader.js'
import { Watch } from './watch.js'

/** Longer texts go by a file: a shell reads its script a byte at a time. */
const INLINE_BYTES = 2048
/** How long output may come after the shell said that the command has ended, while something still holds its pipe, in ms. */
const LATE_MS = 30
/** How long a shell that is let go of may take to end, in ms. */
const LEAVE_MS = 2000

export function posixBackend(kind: keyof typeof DIALECTS): Backend {
  return {
    kind,
    find: () => findProgram(kind),
    start: (options) => PosixShell.start(DIALECTS[kind], options),
  }
}

export function findProgram(name: string, path = process.env.PATH ?? '/usr/bin:/bin'): string | null {
  for (const folder of path.split(delimiter)) {
    const file = join(folder, name)
    try {
      accessSync(file, constants.X_OK)
      if (statSync(file).isFile()) return file
    } catch {
      // Not here.
    }
  }
  return null
}

class PosixShell implements Shell {
  readonly pid: number
  readonly #dialect: Dialect
  readonly #options: ShellOptions
  readonly #pipes: Pipes
  readonly #exited: Promise<ShellEnd>
  #report: ((line: string) => void) | null = null
  #reported = ''
  /** What its messages begin with, and the name of its script. */
  readonly #name: string

  static async start(dialect: Dialect, options: ShellOptions): Promise<Shell> {
    const { program, env } = options
    // What its messages begin with is the name of its script.
    const name = basename(program)
    const pipes = new Pipes(await options.fifos.folder([name, REPORT]), name)
    const child = spawn(program, [...dialect.args, name], {
      argv0: name,
      cwd: pipes.folder,
      env,
      // A session of the system's own: no terminal, so that nothing can ask there.
      detached: true,
      stdio: 'ignore',
    })
    return new Promise((resolve, reject) => {
      child.once('error', (error) => {
        pipes.close()
        reject(error)
      })
      child.once('spawn', () => resolve(new PosixShell(dialect, options, pipes, child)))
    })
  }

  private constructor(dialect: Dialect, options: ShellOptions, pipes: Pipes, child: ChildProcess) {
    this.pid = child.pid as number
    this.#dialect = dialect
    this.#options = options
    this.#name = basename(options.program)
    this.#pipes = pipes
    pipes.onReport = (bytes) => this.#hear(bytes.toString('latin1'))
    this.#exited = new Promise((resolve) => {
      child.once('exit', (code, signal) => resolve({ code, signal }))
    })
    void this.#exited.then((end) => {
      pipes.close()
      options.onExit(end)
    })
    child.on('error', () => {})
    const { env } = process
    const given = STARTUP_FILES.filter((name) => env[name] !== undefined)
    const exports = given.map((name) => `export ${name}=${quote(env[name] as string)}; `).join('')
    pipes.say(`${exports}cd ${quote(options.cwd)}; unset OLDPWD\n`)
  }

  async run(run: Run): Promise<RunEnd> {
    const { fifos } = this.#options
    const inCopy = (await this.#dialect.endangers?.(run.text, this.#options)) ?? false
    const pair = await fifos.take()
    const files: string[] = []
    let heard = () => {}
    const readers = {} as Record<OutputName, PipeReader>
    for (const name of ['stdout', 'stderr'] as const)
      readers[name] = new PipeReader(pair[name], (bytes) => {
        heard()
        run.output(name, bytes)
      })
    const said = this.#send(run, inCopy, pair, files)
    const watch = new Watch({
      shell: this.pid,
      script: join(this.#pipes.folder, this.#name),
      outputs: [pair.stdout, pair.stderr],
      // It will not say what became of the command: at the end of its script it ends with that.
      onIdle: () => void this.#leaveAndEnd(),
    })
    heard = () => watch.heard()
    const reported = await Promise.race([said, this.#exited])
    watch.stop()
    // What the shell said before it ended may arrive after the news of its end.
    this.#report = null
    await this.#finish(readers, pair)
    for (const file of files) rmSync(file, { force: true })
    const { hungUp } = watch
    if (!('sound' in reported)) return { exitCode: exitCode(reported), shell: reported, hungUp }
    // The next command would not be run, or its end not be told.
    const shell = reported.sound ? null : await this.#leaveAndEnd()
    return { exitCode: reported.status, shell, hungUp }
  }

  /** Lets the shell go, and sees to it that it goes. */
  async #leaveAndEnd(): Promise<ShellEnd> {
    this.leave()
    const timer = setTimeout(() => signal(this.pid, 'SIGKILL'), LEAVE_MS)
    const end = await this.#exited
    clearTimeout(timer)
    return end
  }

  leave(): void {
    this.#pipes.close()
  }

  /** Sends the command; resolves with what the shell reports of it. */
  #send(run: Run, inCopy: boolean, pair: FifoPair, files: string[]): Promise<Report> {
    const dialect = this.#dialect
    const nonce = `n${randomBytes(12).toString('hex')}`
    const file = (suffix: string, text: string) => {
      const path = join(this.#options.folder, `${run.id}.${suffix}`)
      writeFileSync(path, text, { mode: 0o600 })
      files.push(path)
      return quote(path)
    }
    const input = run.input === null ? '/dev/null' : file('in', run.input)
    const streams = `${dialect.redirect} <${input} >${quote(pair.stdout)} 2>${quote(pair.stderr)}`
    // From within, so that a trace (`set -x`) does not tell of what is around it.
    const text = dialect.parsesAhead ? run.text : `${streams}\n${run.text}`
    const short = Buffer.byteLength(text) <= INLINE_BYTES
    const evaluated = short ? `${dialect.evaluate} ${quote(text)}` : dialect.fromFile(file('sh', text))
    const marked = inCopy ? `( ${evaluated} )` : `${MARKS.command}=${run.id} ${evaluated}`
    const call = dialect.parsesAhead ? `${streams}; ${marked}` : marked
    const read = reportReader(nonce)
    const said = new Promise<Report>((resolve) => {
      this.#report = (line) => {
        const report = read(line)
        if (report) resolve(report)
      }
    })
    this.#pipes.say(`${wording(dialect, { call, report: quote(join(this.#pipes.folder, REPORT)), nonce })}\n`)
    return said
  }

  #hear(text: string): void {
    const lines = (this.#reported + text).split('\n')
    this.#reported = lines.pop() ?? ''
    for (const line of lines) this.#report?.(line)
  }

  /** Reads the output to its end; where something in the background holds on to it, to what is there by now. */
  async #finish(readers: Record<OutputName, PipeReader>, pair: FifoPair): Promise<void> {
    const { fifos, onLate } = this.#options
    const both = [readers.stdout, readers.stderr]
    const drained = () => both.map((reader) => reader.drain()).every(Boolean)
    if (!drained()) {
      const late = new AbortController()
      const ended = Promise.all(both.map((reader) => reader.ended))
      await Promise.race([ended, delay(LATE_MS, null, { signal: late.signal }).catch(() => {})])
      late.abort()
    }
    if (drained()) {
      for (const reader of both) reader.close()
      fifos.giveBack(pair)
      return
    }
    for (const reader of both) {
      if (reader.drain()) reader.close()
      else reader.leaveOpen(onLate)
    }
    fifos.discard(pair)
  }
}

/** As a shell would say it: 128 and the signal's number. */
function exitCode({ code, signal }: ShellEnd): number {
  if (signal) return 128 + (os.signals[signal] ?? 0)
  return code ?? 1
}
