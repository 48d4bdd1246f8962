// `npm run bench [-- name…]`: builds, then runs each benchmark in a process of its own, so that none warms
// up or burdens the next. A slow result is for a person to judge; only one that crashes is a failure.

import { spawn } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { build } from './build.mjs'
import { environment, main, root, StepFailed } from './setup.mjs'

await main(async () => {
  await build({ quiet: true })
  const folder = join(root, 'dist', 'tests', 'bench')
  const ending = '.bench.js'
  const all = existsSync(folder)
    ? readdirSync(folder)
        .filter((name) => name.endsWith(ending))
        .sort()
    : []
  const names = all.map((name) => name.slice(0, -ending.length))
  const asked = process.argv
    .slice(2)
    .map((name) => name.replace(/^.*[/\\]/, '').replace(/(\.bench)?\.[jt]s$/, ''))
  const unknown = asked.filter((name) => !names.includes(name))
  if (unknown.length > 0 || names.length === 0) {
    throw new StepFailed(`no such benchmark: ${unknown.join(', ') || 'tests/bench is empty'}`, {
      hint: `There is: ${names.join(', ') || 'none'}`,
    })
  }
  const crashed = []
  for (const name of asked.length > 0 ? asked : names) {
    console.log(`\n── ${name}`)
    const child = spawn(process.execPath, ['--expose-gc', join(folder, name + ending)], {
      cwd: root,
      env: environment(),
      stdio: 'inherit',
    })
    const code = await new Promise((done) => child.on('close', (code) => done(code ?? 1)))
    if (code !== 0) crashed.push(name)
  }
  if (crashed.length > 0) throw new StepFailed(`did not finish: ${crashed.join(', ')}`)
})
