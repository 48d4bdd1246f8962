#!/usr/bin/env node
// What the Claude Code plugin starts: the server of the build beside it, or where there is none (git has no builds) the
// published package of this version.
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

// A variable that is not set comes as an empty one, which is not the same: an empty XAUTHORITY is no file.
for (const name of ['DISPLAY', 'WAYLAND_DISPLAY', 'XAUTHORITY', 'LETS_HOME', 'LETS_SOCKET'])
  if (process.env[name] === '') delete process.env[name]
// Whose prompts are told what went away; npx puts processes in between.
process.env.LETS_AGENT_PID = String(process.ppid)

const words = ['mcp', ...process.argv.slice(2)]
const build = new URL('../dist/daemon/cli/main.js', import.meta.url)
try {
  process.argv = [process.argv[0], fileURLToPath(build), ...words]
  await import(build.href)
} catch (error) {
  if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error
  fetched()
}

function fetched() {
  const { name, version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
  process.stderr.write(`lets: no build is here, so npx gets ${name}@${version}\n`)
  const child = spawn('npx', ['-y', `${name}@${version}`, ...words], {
    stdio: 'inherit',
    shell: process.platform === 'win32',
  })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('error', (error) => {
    process.stderr.write(`lets: npx cannot be run: ${error.message}\n`)
    process.exitCode = 1
  })
  child.on('exit', (code) => {
    process.exitCode = code ?? 1
  })
}
