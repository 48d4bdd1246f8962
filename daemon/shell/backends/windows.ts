/**
 * PowerShell and cmd, where there are no named pipes of this kind: the shell's own streams carry the output, and a line with
 * a random word in it, printed after each command, ends it. Not yet run on Windows.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { MARKS } from '../../../protocol/shell/marks.js'
import type { SessionKind } from '../../../protocol/shell/schema.js'
import type { OutputName } from '../command.js'
import type { Backend, Run, RunEnd, Shell, ShellEnd, ShellOptions } from './backend.js'
import { MarkerScanner } from './marker.js'
import { findProgram } from './posix.js'

export interface StreamDialect {
  readonly programs: readonly string[]
  readonly args: readonly string[]
  readonly suffix: string
  /** Said once, before the first command. */
  readonly prologue: string
  /** The lines that run `file` with `input` and then print `marker`, with the status on stdout, on both streams. */
  call(file: string, input: string | null, id: string, marker: string): string
}

const powershellQuote = (text: string) => `'${text.replaceAll("'", "''")}'`

export const STREAM_DIALECTS = {
  powershell: {
    programs: ['pwsh', 'powershell.exe', 'powershell'],
    args: ['-NoLogo', '-NoProfile', '-NonInteractive', '-Command', '-'],
    suffix: 'ps1',
    prologue: '[Console]::OutputEncoding = [Text.UTF8Encoding]::new($false)\n\n',
    call: (file, input, id, marker) =>
      [
        `$env:${MARKS.command} = '${id}'; $global:LASTEXITCODE = 0`,
        `${input === null ? '$null' : `Get-Content -Raw ${powershellQuote(input)}`} | . ${powershellQuote(file)}`,
        `$LetsOk = $?; if ($LASTEXITCODE) { $LetsCode = $LASTEXITCODE } else { $LetsCode = [int](-not $LetsOk) }`,
        `[Console]::Out.Write("${marker}$LetsCode\`n"); [Console]::Error.Write("${marker}0\`n")`,
        '\n',
      ].join('\n'),
  },
  cmd: {
    programs: ['cmd.exe'],
    args: ['/D', '/Q', '/K'],
    suffix: 'cmd',
    prologue: '@echo off\r\nchcp 65001 >nul\r\n',
    call: (file, input, id, marker) =>
      [
        `set "${MARKS.command}=${id}"`,
        `call "${file}" <${input === null ? 'nul' : `"${input}"`}`,
        `echo ${marker}%errorlevel%`,
        `echo ${marker}0 1>&2`,
        '',
      ].join('\r\n'),
  },
} as const satisfies Partial<Record<SessionKind, StreamDialect>>

export function windowsBackend(kind: keyof typeof STREAM_DIALECTS): Backend {
  const dialect = STREAM_DIALECTS[kind]
  return {
    kind,
    find: () => dialect.programs.map((name) => findProgram(name)).find((file) => file !== null) ?? null,
    start: (options) => StreamShell.start(dialect, options),
  }
}

export class StreamShell implements Shell {
  readonly pid: number
  readonly #script: Writable
  readonly #exited: Promise<ShellEnd>
  #take: { readonly [N in OutputName]: (bytes: Buffer) => void } | null = null

  static start(dialect: StreamDialect, options: ShellOptions): Promise<Shell> {
    const { program, cwd, env } = options
    const child = spawn(program, dialect.args, {
      cwd,
      env,
      detached: process.platform !== 'win32',
      windowsHide: true,
      stdio: ['pipe', 'pipe', 'pipe'],
    })
    return new Promise((resolve, reject) => {
      child.once('error', reject)
      child.once('spawn', () => resolve(new StreamShell(dialect, options, child)))
    })
  }

  private constructor(
    private readonly dialect: StreamDialect,
    private readonly options: ShellOptions,
    child: ChildProcess,
  ) {
    this.pid = child.pid as number
    this.#script = child.stdin as Writable
    // `close` and not `exit`: by then its streams have been read to their end.
    this.#exited = new Promise((resolve) => {
      child.once('close', (code, signal) => resolve({ code, signal }))
    })
    void this.#exited.then((end) => options.onExit(end))
    child.on('error', () => {})
    this.#script.on('error', () => {})
    for (const name of ['stdout', 'stderr'] as const)
      (child[name] as Readable).on('data', (bytes: Buffer) => {
        if (this.#take) this.#take[name](bytes)
        else options.onLate(bytes.length)
      })
    this.#script.write(dialect.prologue)
  }

  async run(run: Run): Promise<RunEnd> {
    const marker = `lets-${randomBytes(16).toString('hex')} `
    const path = (suffix: string) => join(this.options.folder, `${run.id}.${suffix}`)
    const file = path(this.dialect.suffix)
    writeFileSync(file, run.text, { mode: 0o600 })
    const input = run.input === null ? null : path('in')
    if (input !== null) writeFileSync(input, run.input as string, { mode: 0o600 })
    const scanners = {} as Record<OutputName, MarkerScanner>
    const ends = (['stdout', 'stderr'] as const).map((name) => {
      scanners[name] = new MarkerScanner(marker, (bytes) => run.output(name, bytes))
      return name
    })
    const said = new Promise<number>((resolve) => {
      const status: Partial<Record<OutputName, string>> = {}
      const heard = (name: OutputName) => (bytes: Buffer) => {
        const found = scanners[name].push(bytes)
        if (found !== null) status[name] = found
        if (ends.every((one) => status[one] !== undefined)) resolve(Number(status.stdout))
      }
      this.#take = { stdout: heard('stdout'), stderr: heard('stderr') }
    })
    this.#script.write(this.dialect.call(file, input, run.id, marker))
    const end = await Promise.race([said, this.#exited])
    this.#take = null
    for (const one of [file, input]) if (one !== null) rmSync(one, { force: true })
    if (typeof end === 'number') return { exitCode: end, shell: null }
    for (const name of ends) scanners[name].rest()
    return { exitCode: end.code ?? 1, shell: end }
  }

  leave(): void {
    this.#script.end()
  }
}
