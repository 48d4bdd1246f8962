// Makes what browsers load: the SDK as one module, and the uniques that come with Lets, each with its library in it, so
// that its pages load nothing from anywhere else. Usage: node scripts/pages.mjs

import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isMain, main, root, StepFailed, tick } from './setup.mjs'

const sdk = join(root, 'daemon', 'sdk', 'index.ts')
const sources = join(root, 'daemon', 'uniques')

/** Makes `dist/sdk/sdk.js` and `dist/uniques/`. */
export async function bundlePages({ quiet = false } = {}) {
  const started = performance.now()
  const { build } = await import('esbuild')
  const options = {
    bundle: true,
    format: 'esm',
    minify: true,
    target: ['chrome120', 'firefox121', 'safari17'],
    legalComments: 'none',
    logLevel: 'silent',
    metafile: true,
    absWorkingDir: root,
  }
  try {
    const { metafile } = await build({
      ...options,
      entryPoints: [sdk],
      outfile: join(root, 'dist', 'sdk', 'sdk.js'),
    })
    writeLicences(metafile, join(root, 'dist', 'sdk'))
    const out = join(root, 'dist', 'uniques')
    rmSync(out, { recursive: true, force: true })
    for (const name of names()) await bundleUnique(build, options, join(sources, name), join(out, name))
  } catch (error) {
    if (!error.errors) throw error
    throw new StepFailed('bundling the pages failed', { output: String(error.message) })
  }
  if (!quiet) tick('pages', started)
}

/** The uniques that come with Lets. */
function names() {
  return readdirSync(sources).filter((name) => existsSync(join(sources, name, 'unique.json')))
}

async function bundleUnique(build, options, from, to) {
  mkdirSync(to, { recursive: true })
  cpSync(from, to, { recursive: true, filter: (path) => !path.endsWith('.ts') })
  const { metafile } = await build({
    ...options,
    entryPoints: [join(from, 'ui', 'main.ts')],
    outfile: join(to, 'ui', 'main.js'),
    plugins: [sdkOfTheHost],
  })
  writeLicences(metafile, to)
}

/** Uniques get the SDK from the host that serves them, as those of others do. */
const sdkOfTheHost = {
  name: 'sdk-of-the-host',
  setup({ onResolve }) {
    onResolve({ filter: /\/sdk\/index\.js$/ }, () => ({ path: '/lip/sdk.js', external: true }))
  },
}

/** What is in a bundle comes with its licence. */
function writeLicences({ inputs }, to) {
  const packages = Object.keys(inputs).map((path) => /^node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1])
  const texts = [...new Set(packages.filter(Boolean))].sort().map((name) => {
    const folder = join(root, 'node_modules', name)
    const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry))
    if (!file) throw new StepFailed(`${name} has no licence file`)
    return `${name} ${version}\n\n${readFileSync(join(folder, file), 'utf8').trim()}\n`
  })
  if (texts.length > 0) writeFileSync(join(to, 'LICENSES.txt'), texts.join('\n\n'))
}

if (isMain(import.meta.url)) await main(() => bundlePages())
