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
import type { SessionKind } from '../../../protocol/shell/schema.js'
import { MARKS } from '../belonging.js'
import type { OutputName } from '../command.js'
import type { FifoPair } from '../fifos.js'
import { STARTUP_FILES } from '../quiet.js'
import type { Backend, Run, RunEnd, Shell, ShellEnd, ShellOptions } from './backend.js'
import { Pipes, REPORT } from './pipes.js'
import { PipeReader } from './reader.js'
import { isComplete, mayBeUnclosed } from './unclosed.js'

interface Dialect {
  readonly args: readonly string[]
  /** Before a builtin: that one, whatever functions the person has made. */
  readonly builtin: string
  /** Runs a file's text as the command. */
  fromFile(file: string): string
  /** Whether the shell itself might not survive what `text` is. */
  endangers?(text: string, options: ShellOptions): Promise<boolean>
}

const evalOf = (file: string) => `builtin eval "$(<${file})"`
const DIALECTS = {
  bash: {
    args: ['--noprofile', '--norc'],
    builtin: 'builtin',
    fromFile: evalOf,
    endangers: async (text, { program, env }) =>
      mayBeUnclosed(text) && !(await isComplete(program, text, env)),
  },
  zsh: { args: ['-f'], builtin: 'builtin', fromFile: evalOf },
  sh: { args: [], builtin: 'command', fromFile: (file) => `command . ${file}` },
} as const satisfies Partial<Record<SessionKind, Dialect>>

/** Longer texts go by a file: a shell reads its script a byte at a time. */
const INLINE_BYTES = 2048
/** How long output may come after the shell said that the command has ended, while something still holds its pipe, in ms. */
const LATE_MS = 30

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
    const readers = {} as Record<OutputName, PipeReader>
    for (const name of ['stdout', 'stderr'] as const)
      readers[name] = new PipeReader(pair[name], (bytes) => run.output(name, bytes))
    const said = this.#send(run, inCopy, pair, files)
    const end = await Promise.race([said, this.#exited])
    // What the shell said before it ended may arrive after the news of its end.
    this.#report = null
    await this.#finish(readers, pair)
    for (const file of files) rmSync(file, { force: true })
    if (typeof end === 'number') return { exitCode: end, shell: null }
    return { exitCode: exitCode(end), shell: end }
  }

  leave(): void {
    this.#pipes.close()
  }

  /** Sends the command; resolves with its exit status when the shell says it. */
  #send(run: Run, inCopy: boolean, pair: FifoPair, files: string[]): Promise<number> {
    const { builtin } = this.#dialect
    const nonce = randomBytes(12).toString('hex')
    const file = (suffix: string, text: string) => {
      const path = join(this.#options.folder, `${run.id}.${suffix}`)
      writeFileSync(path, text, { mode: 0o600 })
      files.push(path)
      return quote(path)
    }
    const short = Buffer.byteLength(run.text) <= INLINE_BYTES
    const call = short ? `${builtin} eval ${quote(run.text)}` : this.#dialect.fromFile(file('sh', run.text))
    const input = run.input === null ? '/dev/null' : file('in', run.input)
    const streams = `exec <${input} >${quote(pair.stdout)} 2>${quote(pair.stderr)}`
    const report = `${builtin} printf '%s\\n' "${nonce} $?" >${quote(join(this.#pipes.folder, REPORT))}`
    const said = new Promise<number>((resolve) => {
      this.#report = (line) => {
        const [of, status] = line.split(' ')
        if (of === nonce) resolve(Number(status))
      }
    })
    const marked = inCopy ? `( ${call} )` : `${MARKS.command}=${run.id} ${call}`
    // Once it has reported it lets go of the streams, which is how their end is known.
    this.#pipes.say(`${streams}; ${marked}; ${report}; exec </dev/null >/dev/null 2>&1\n`)
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

/** A text as one word of a shell. */
function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
