// `npm start`: from a clean checkout to something on the screen, in one command.
// Prints only what takes long and what the reader should know; then the demo has the terminal.

import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { build } from './build.mjs'
import { environment, main, root } from './setup.mjs'

await main(async () => {
  await build({ quiet: true })
  const demo = [join(root, 'dist', 'daemon', 'cli', 'main.js'), 'demo', ...process.argv.slice(2)]
  const child = spawn(process.execPath, demo, { cwd: root, env: environment(), stdio: 'inherit' })
  // Ctrl-C reaches the demo too, and it may have something to put away: stay until it has gone.
  process.on('SIGINT', () => {})
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  process.exitCode = await new Promise((done, fail) => {
    child.on('error', fail)
    child.on('close', (code, signal) => done(code ?? (signal === 'SIGINT' ? 130 : 143)))
  })
})
