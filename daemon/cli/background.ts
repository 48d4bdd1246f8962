/** Starting a daemon that outlives the command that starts it. */
import { spawn } from 'node:child_process'
import { closeSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { withoutMarks } from '../../protocol/shell/marks.js'

/**
 * Runs these words of `lets` in the background; what it prints goes to `log`, a descriptor that is closed here. Resolves with
 * what it says over its readiness pipe: nothing is guessed from log text or found out by trying. Empty: it ended without a word.
 */
export async function inBackground(
  words: readonly string[],
  log: number,
  env: NodeJS.ProcessEnv = {},
): Promise<string> {
  try {
    const main = join(dirname(fileURLToPath(import.meta.url)), 'main.js')
    const child = spawn(process.execPath, [main, ...words, '--ready-fd', '3'], {
      detached: true,
      cwd: '/',
      env: { ...withoutMarks(process.env), ...env },
      stdio: ['ignore', log, log, 'pipe'],
    })
    child.unref()
    return await Promise.race([
      text(child.stdio[3] as NodeJS.ReadableStream),
      new Promise<never>((_, reject) => child.once('error', reject)),
    ])
  } finally {
    closeSync(log)
  }
}
