// `npm run eval:grounding [-- --half tune|held|fresh] [--resolvers a,b] [--screens a,b] [--misses]`: builds, and runs the evaluation
// of grounding on a desktop of its own. It prints a table and judges nothing.

import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { build } from './build.mjs'
import { ensurePackages } from './packages.mjs'
import { environment, main, root, StepFailed } from './setup.mjs'

await main(async () => {
  await build({ quiet: true })
  ensurePackages()
  const script = join(root, 'dist', 'tests', 'grounding-eval', 'run.js')
  const child = spawn(process.execPath, [script, ...process.argv.slice(2)], {
    cwd: root,
    env: environment(),
    stdio: 'inherit',
  })
  const code = await new Promise((done) => child.on('close', (code) => done(code ?? 1)))
  if (code !== 0) throw new StepFailed('the evaluation did not finish')
})
