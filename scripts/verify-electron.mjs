// `npm run verify:electron [-- --fetch]`: the suite of the whole system with the real Electron drawing. Elsewhere a
// stand-in takes its place, which proves our own code and nothing of Electron's. Without the binary it says so and fails:
// what was not run was not verified. `--fetch` fetches it first. Other arguments are handed to ava.

import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build, compile } from './build.mjs'
import { ensurePackages } from './packages.mjs'
import { ensureInstalled, main, root, run, StepFailed, tool } from './setup.mjs'

/** On X11 what the native host is held to, too, but for the one that is about another way to pictures. */
function suites() {
  const real = 'dist/tests/electron/real.test.js'
  if (process.platform !== 'linux') return [real]
  const folder = join(root, 'dist', 'tests', 'x11')
  const x11 = readdirSync(folder)
    .filter((name) => name.endsWith('.test.js') && name !== 'desktop-pictures.test.js')
    .sort()
    .map((name) => `dist/tests/x11/${name}`)
  return [real, ...x11]
}

const finder = join(root, 'dist', 'daemon', 'electron.js')

async function binary(fetch) {
  const { findElectron, installElectron } = await import(pathToFileURL(finder).href)
  const found = findElectron()
  if (found.state === 'ready') return found
  if (!fetch)
    throw new StepFailed(`Electron cannot be verified here: ${found.reason}. Nothing was run.`, {
      hint: `Fetch it first: \`${found.fix}\`, or add \`-- --fetch\`.`,
    })
  const installed = await installElectron({ progress: true })
  if (installed.ok) return installed.binary
  throw new StepFailed(
    `Electron cannot be verified here: it could not be fetched from ${installed.tried} (${installed.reason}). Nothing was run.`,
  )
}

await main(async () => {
  const args = process.argv.slice(2)
  const fetch = args.includes('--fetch')
  // First of all: without it nothing else is worth a person's time, least of all the addon's build.
  if (!fetch && existsSync(finder)) await binary(false)
  await ensureInstalled()
  if (!existsSync(finder)) await compile({ quiet: true })
  const { path, version } = await binary(fetch)
  if (process.platform === 'linux') ensurePackages()
  await build({ quiet: true })
  console.log(`Electron ${version} at ${path}`)
  const home = mkdtempSync(join(tmpdir(), 'lets-'))
  const [node, ...ava] = tool('ava')
  try {
    await run(
      'verify:electron',
      node,
      [...ava, '--concurrency=1', ...args.filter((arg) => arg !== '--fetch'), ...suites()],
      { env: { LETS_HOME: home, DISPLAY: undefined, WAYLAND_DISPLAY: undefined, LETS_TEST_ELECTRON: path } },
    )
  } finally {
    rmSync(home, { recursive: true, force: true, maxRetries: 3 })
  }
})
