import { rmSync } from 'node:fs'
import type { ExecutionContext } from 'ava'
import { type CliResult, type DaemonSetup, runCli, startDaemonProcess, tempHome } from '../support/daemon.js'

/** `lets` with a home of its own; whatever daemon it started ends with the test. */
export interface Lets {
  (...args: string[]): Promise<CliResult>
  readonly home: string
  readonly env: NodeJS.ProcessEnv
}

/** A home without a daemon. */
export function emptyHome(t: ExecutionContext, more: NodeJS.ProcessEnv = {}): Lets {
  const home = tempHome()
  const env = { LETS_HOME: home, ...more }
  t.teardown(async () => {
    await runCli(['stop'], env)
    rmSync(home, { recursive: true, force: true, maxRetries: 3 })
  })
  return Object.assign((...args: string[]) => runCli(args, env), { home, env })
}

/** A home in which a headless daemon serves. */
export async function served(t: ExecutionContext, setup: DaemonSetup = {}): Promise<Lets> {
  const lets = emptyHome(t, setup.env)
  const daemon = await startDaemonProcess({ ...setup, env: lets.env })
  t.teardown(() => daemon.stop())
  return lets
}

/** The one JSON value that a command printed. */
export function json(t: ExecutionContext, { stdout, stderr }: CliResult): Record<string, unknown> {
  t.is(stdout.split('\n').length, 2, `one line: ${stdout}${stderr}`)
  return JSON.parse(stdout)
}
