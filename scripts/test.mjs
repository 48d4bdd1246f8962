// `npm test [-- ava's arguments]`: everything that runs the product, from a clean checkout, ending with one
// line that says how it went. With arguments only ava runs, since they pick out its tests.
// LETS_TEST_NO_X=1 leaves out what needs an X server; macOS and Windows always do.

import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from './build.mjs'
import { excuse } from './native.mjs'
import { ensurePackages } from './packages.mjs'
import { capture, ensureInstalled, lastLines, main, root, tool, which } from './setup.mjs'
import { cargoCounts, lines, tapReader } from './tap.mjs'

const noX = process.platform !== 'linux' || process.env.LETS_TEST_NO_X === '1'

async function ava(args) {
  const home = mkdtempSync(join(tmpdir(), 'lets-'))
  // Tests bring their own display and home: none may paint on the screen, or touch the daemon, of the
  // person who runs them.
  const env = {
    LETS_HOME: home,
    DISPLAY: undefined,
    WAYLAND_DISPLAY: undefined,
    LETS_TEST_NO_X: noX ? '1' : undefined,
  }
  const reader = tapReader((line) => console.log(line))
  const besides = lines((line) => console.log(line)) // what the tests write themselves
  const [node, ...program] = tool('ava')
  const first = ['--import', new URL('ava-tap.mjs', import.meta.url).href, ...program]
  try {
    const { code } = await capture(node, [...first, '--tap', ...args.map(compiled)], {
      env,
      onText: (text, stream) => (stream === 'stdout' ? reader.take(text) : besides(text)),
    })
    // A crash outside any test is a failure as well, and no `not ok` line says so.
    if (code !== 0 && reader.counts.failed === 0) {
      reader.counts.failed = 1
      console.log(`✗ ava ended with exit code ${code}: it found no tests, or what it says above`)
    }
  } finally {
    rmSync(home, { recursive: true, force: true, maxRetries: 3 })
  }
  // Once more, where they are seen: the report of a long run is long.
  if (reader.counts.passed > 20) for (const failure of reader.failures) console.log(`✗ ${failure}`)
  return reader.counts
}

/** `daemon/engine/engine.test.ts` is what one types, its compiled twin is what runs. */
function compiled(arg) {
  if (!/\.test\.ts(?::[\d,-]+)?$/.test(arg) || !existsSync(join(root, arg.replace(/:[\d,-]+$/, ''))))
    return arg
  return `dist/${arg.replace(/^\.[/\\]/, '').replace(/\.ts(:[\d,-]+)?$/, '.js')}`
}

/** Beside the tests that ava runs, in the time they wait, and behind them. */
async function cargo() {
  if (!which('cargo') || !existsSync(join(root, 'native', 'Cargo.toml'))) return { code: 1, output: '' }
  const nice = process.platform === 'win32' ? undefined : which('nice')
  const line = [which('cargo'), 'test', '--manifest-path', join('native', 'Cargo.toml')]
  const [program, ...args] = nice ? [nice, '-n', '10', ...line] : line
  return capture(program, args)
}

/** What came of it; told when ava is done, whose failures it would be printed among. */
function told({ code, output }) {
  const none = { passed: 0, failed: 0, skipped: 0 }
  const [why] = code === 0 || output.includes('test result:') ? [] : excuse(output)
  if (output === '' || why) {
    console.log(`- cargo test  skipped: ${why ?? 'no cargo'}`)
    return none
  }
  const counts = cargoCounts(output)
  if (code !== 0 && counts.failed === 0) counts.failed = 1
  if (counts.failed > 0) console.log(`✗ cargo test\n${lastLines(output, 80)}`)
  else for (const [, name] of output.matchAll(/^test (.+) \.\.\. ok$/gm)) console.log(`✓ native › ${name}`)
  return counts
}

await main(async () => {
  const args = process.argv.slice(2)
  await ensureInstalled()
  if (!noX) ensurePackages()
  await build({ quiet: true })
  const [counts, rust] = await Promise.all([ava(args), args.length === 0 ? cargo() : null])
  const parts = [counts, ...(rust ? [told(rust)] : [])]
  const total = (key) => parts.reduce((sum, counts) => sum + counts[key], 0)
  const [passed, failed, skipped] = ['passed', 'failed', 'skipped'].map(total)
  if (passed + failed === 0) console.log('✗ no tests ran')
  console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`)
  if (failed > 0 || passed === 0) process.exitCode = 1
})
