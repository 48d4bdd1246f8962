/** Code of uniques, run by the shell service: each run is a session of its own, in a folder of its own, and gone with it. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Runner, RunRequest, RunResult } from './lip/runner.js'
import type { Log } from './log.js'
import type { ShellService } from './shell/service.js'

/** What runs each language: a command that reads the code from its input. */
const COMMANDS: Readonly<Record<string, string>> = {
  python: 'python3 -',
  javascript: 'node -',
  bash: 'bash -s',
  sh: 'sh -s',
}

/** Beside the timeout that the service itself keeps, in seconds: it ends what a command started, too. */
const SETTLE_S = 30
const PAGE = 1000

export class ShellRunner implements Runner {
  #service: Promise<ShellService> | null = null

  /** @param folder where the service keeps its state, and runs have their folders */
  constructor(
    private readonly folder: string,
    private readonly log: Log,
  ) {}

  async run({ language, code, timeoutMs, onOutput, signal }: RunRequest): Promise<RunResult> {
    const command = Object.hasOwn(COMMANDS, language) ? COMMANDS[language] : undefined
    if (command === undefined)
      throw new Error(`nothing here runs ${language}; there are ${Object.keys(COMMANDS).join(', ')}`)
    const service = await this.#open()
    const runs = join(this.folder, 'runs')
    mkdirSync(runs, { recursive: true, mode: 0o700 })
    const cwd = mkdtempSync(join(runs, 'run-'))
    const session = await service.createSession({ kind: 'sh', cwd, metadata: { for: 'lip' } })
    const close = () => service.closeSession({ session_id: session.id, reason: 'the run is over' })
    const abort = () => void close().catch(() => {})
    signal.addEventListener('abort', abort, { once: true })
    try {
      if (signal.aborted) return { exitCode: null, timedOut: false }
      const { command_id } = service.startCommand({
        session_id: session.id,
        command,
        input: code,
        timeout_seconds: timeoutMs / 1000,
      })
      return await follow(service, command_id, timeoutMs / 1000 + SETTLE_S, onOutput)
    } finally {
      signal.removeEventListener('abort', abort)
      await close()
      rmSync(cwd, { recursive: true, force: true })
    }
  }

  /** Ends all runs, and lets go of the folder. */
  async close(): Promise<void> {
    await (await this.#service?.catch(() => null))?.close()
  }

  /** Opened with the first run: most daemons never have one. */
  #open(): Promise<ShellService> {
    this.#service ??= import('./shell/service.js')
      .then(({ ShellService: Service }) => Service.open({ stateDir: this.folder, log: this.log }))
      .catch((error) => {
        this.#service = null
        throw error
      })
    return this.#service
  }
}

async function follow(
  service: ShellService,
  command_id: string,
  seconds: number,
  onOutput: RunRequest['onOutput'],
): Promise<RunResult> {
  const until = performance.now() + seconds * 1000
  let since_seq = 0
  for (;;) {
    const left = Math.max(0, until - performance.now()) / 1000
    const { events, next_seq } = await service.events({
      command_id,
      since_seq,
      limit: PAGE,
      wait_seconds: Math.min(left, 30),
    })
    for (const { event_type, text } of events)
      if (event_type === 'stdout' || event_type === 'stderr') onOutput(event_type, text)
    since_seq = next_seq
    const ended = events.some(({ event_type }) =>
      /^command_(completed|failed|timed_out|canceled)$/.test(event_type),
    )
    if (!ended && left > 0) continue
    const { exit_code, status } = await service.poll({ command_id })
    return { exitCode: exit_code, timedOut: status === 'timed_out' }
  }
}
