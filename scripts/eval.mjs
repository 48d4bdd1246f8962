// `npm run eval:grounding [-- --half tune|held|fresh] [--resolvers a,b] [--screens a,b] [--misses]`: builds, and runs the evaluation
// of grounding on a desktop of its own. It prints a table and judges nothing.

import { join } from 'node:path'
import { build } from './build.mjs'
import { ensurePackages } from './packages.mjs'
import { main, root, run } from './setup.mjs'

await main(async () => {
  await build({ quiet: true })
  ensurePackages()
  await run('the evaluation', process.execPath, [
    join(root, 'dist', 'tests', 'grounding-eval', 'run.js'),
    ...process.argv.slice(2),
  ])
})
