/** The plugin's prompt hook as an agent runs it: a command of a shell, with the prompt's JSON on stdin. */
import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { cleanEnv, type Exit, exitOf } from '../support/daemon.js'

export const HOOK = fileURLToPath(new URL('../../../hooks/prompt.mjs', import.meta.url))

/** Longer, and the machine is so busy that the hook's patience with what comes in may be over first, in ms. */
const BUSY_MS = 1000

export interface Prompted {
  readonly exit: Exit
  readonly stdout: string
  readonly stderr: string
  readonly ms: number
  /** What the agent is told; undefined when nothing is. */
  readonly context: string | undefined
}

/** `input` null leaves stdin open. `shell` is between, as a rule. */
export async function prompt(
  env: NodeJS.ProcessEnv,
  input: string | null = '{"hook_event_name":"UserPromptSubmit","prompt":"hello"}',
  command = `node "${HOOK}"`,
): Promise<Prompted> {
  const began = performance.now()
  const child = spawn(command, { shell: true, env: cleanEnv(env), stdio: 'pipe' })
  const broken: Error[] = []
  child.stdin.on('error', (error) => broken.push(error))
  if (input !== null) child.stdin.end(input)
  const [stdout, stderr, exit] = await Promise.all([text(child.stdout), text(child.stderr), exitOf(child)])
  child.stdin.destroy()
  const ms = performance.now() - began
  const output = stdout === '' ? undefined : JSON.parse(stdout)
  if (broken.length > 0 && ms < BUSY_MS) throw broken[0]
  return { exit, stdout, stderr, ms, context: output?.hookSpecificOutput.additionalContext }
}
