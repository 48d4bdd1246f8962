// Makes dist/ from the sources. What is read at run time and is not code (fonts, the addon, the schemas)
// stays where it is: the package ships it as it lies, so there is one copy and nothing to keep in step.
// Files generated from protocol/ are committed; `npm run check` says when they have drifted.

import { chmodSync, existsSync, readdirSync, rmSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { buildNative } from './native.mjs'
import { bundlePages } from './pages.mjs'
import { ensureInstalled, isMain, main, root, run, tool } from './setup.mjs'

const dist = join(root, 'dist')
// Pages are compiled apart: they alone have a DOM, and nothing of Node.
const projects = [
  { config: 'tsconfig.json', record: join(dist, '.tsbuildinfo') },
  { config: 'tsconfig.page.json', record: join(dist, '.page.tsbuildinfo') },
]

export async function build({ quiet = false } = {}) {
  await ensureInstalled()
  await buildNative({ quiet })
  await compile({ quiet })
  await bundlePages({ quiet })
}

/** The sources alone, without the addon. */
export async function compile({ quiet = false } = {}) {
  removeStale()
  // tsc trusts its record of what it wrote; drop the records when files it wrote are gone.
  if (!complete()) for (const { record } of projects) rmSync(record, { force: true })
  const [node, tsc] = tool('typescript', 'tsc')
  for (const { config, record } of projects) {
    const args = ['--incremental', '--tsBuildInfoFile', relative(root, record), '--pretty', 'false']
    await run('typescript', node, [tsc, '-p', config, ...args], {
      quiet,
      hint: 'Fix the type errors above, then run `npm run build` again.',
    })
  }
  const cli = join(dist, 'daemon', 'cli', 'main.js')
  if (existsSync(cli)) chmodSync(cli, 0o755)
}

/** Made by pages.mjs, whole each time. */
const bundled = ['sdk', 'uniques'].map((name) => join(dist, name) + sep)

const folders = ['protocol', 'overlay', 'native', 'daemon', 'grounding', 'tests']

/** Compiled files whose source is gone would still be run by the tests, and be packed. */
function removeStale() {
  for (const file of files(dist)) {
    if (bundled.some((folder) => file.startsWith(folder))) continue
    const source = relative(dist, file).replace(/(\.d)?\.([cm]?)[jt]s(\.map)?$/, '.$2ts')
    if (source.endsWith('ts') && !existsSync(join(root, source))) rmSync(file)
  }
}

function complete() {
  return folders.every((folder) =>
    files(join(root, folder), folder === 'native' ? 1 : Infinity)
      .filter((file) => /\.c?ts$/.test(file) && !file.endsWith('.d.ts'))
      .every((file) => existsSync(join(dist, relative(root, file).replace(/ts$/, 'js')))),
  )
}

function files(folder, depth = Infinity) {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = folder + (folder.endsWith(sep) ? '' : sep) + entry.name
    if (entry.isDirectory()) return depth > 1 && entry.name !== 'node_modules' ? files(path, depth - 1) : []
    return [path]
  })
}

if (isMain(import.meta.url)) await main(() => build())
