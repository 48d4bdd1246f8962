import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { type CliResult, exitOf } from '../support/daemon.js'

/** Runs a program to its end. */
export async function execute(
  program: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<CliResult> {
  const child = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'pipe'], timeout: 60_000 })
  const [exit, stdout, stderr] = await Promise.all([exitOf(child), text(child.stdout), text(child.stderr)])
  return { ...exit, stdout, stderr }
}
