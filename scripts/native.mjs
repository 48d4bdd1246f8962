// Builds the Rust addon, only when its sources changed: a hash of them is kept beside cargo's own output.
// Lets works without it (headless), so a machine without Rust gets a warning and a working build, not an
// error. LETS_REQUIRE_NATIVE=1 turns that warning into a failure, for the machines that make releases.
// Run by hand, further arguments go to `napi build`: node scripts/native.mjs --target <triple> -x

import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import {
  ensureInstalled,
  isMain,
  lastLines,
  main,
  root,
  run,
  StepFailed,
  tick,
  tool,
  which,
} from './setup.mjs'

const folder = join(root, 'native')
const stampFile = join(folder, 'target', 'lets-built.sha256')
// Made by the build and committed, so that types are there without Rust.
export const committed = ['binding.cjs', 'binding.d.ts'].map((name) => join(folder, name))

const getRust =
  "Install Rust: curl --proto '=https' --tlsv1.2 -sSf https://sh.rustup.rs | sh   (or your distribution's cargo, 1.88 or later)"

/** Gives true when the addon is there and current, false when Lets has to do without it. */
export async function buildNative({ quiet = false, extra = [] } = {}) {
  if (!existsSync(join(folder, 'Cargo.toml')))
    return without('native/Cargo.toml is missing', 'Restore it: git checkout native')
  if (!which('cargo')) return without('cargo, the Rust build tool, is not here', getRust)
  const cross = extra.length > 0
  if (!cross && addons().length > 0 && read(stampFile) === fingerprint()) {
    if (!quiet) tick('native addon (unchanged)')
    return true
  }
  const before = committed.map(read)
  try {
    const [node, napi] = tool('@napi-rs/cli', 'napi')
    await run('native addon', node, [napi, ...flags, ...extra], { quiet, cwd: root })
  } catch (error) {
    const [why, hint] = excuse(error.output ?? '')
    if (!why)
      throw new StepFailed('the native addon does not compile', {
        output: error.output,
        hint: 'Fix the Rust error above; native/ holds the sources.',
      })
    return without(why, hint, error.output)
  }
  // Linux has the most to export, so its bindings are the ones that are committed.
  if (process.platform !== 'linux' || cross) {
    for (const [i, file] of committed.entries()) if (before[i]) writeFileSync(file, before[i])
  }
  if (!cross) {
    mkdirSync(join(folder, 'target'), { recursive: true })
    writeFileSync(stampFile, fingerprint())
  }
  return true
}

const flags = [
  'build',
  '--platform',
  '--release',
  '--cwd',
  'native',
  '--config-path',
  'napi.json',
  '--package-json-path',
  '../package.json',
  '--output-dir',
  '.',
  '--js',
  'binding.cjs',
  '--dts',
  'binding.d.ts',
]

function without(why, hint, output = '') {
  if (process.env.LETS_REQUIRE_NATIVE === '1') {
    throw new StepFailed(`the native addon was not built: ${why}`, { output, hint })
  }
  if (output) console.warn(lastLines(output.replace(/^ +at .*\n?/gm, ''), 6))
  console.warn(
    `! The native addon was not built: ${why}.\n  ${hint}\n  Lets still runs, headless: everything but drawing on this screen works.`,
  )
  return false
}

/** What cargo's output says is wrong with this machine, rather than with our code: `[why, what to do]`. */
export function excuse(output) {
  if (/linker `[^`]+` not found|link\.exe.*not found/.test(output)) {
    return [
      'there is no C linker for Rust to use',
      'Install one: apt-get install gcc   (xcode-select --install on macOS, the Visual Studio build tools on Windows)',
    ]
  }
  if (
    /rustup could not choose a version of|no default toolchain|toolchain '[^']+' is not installed/.test(
      output,
    )
  )
    return ['rustup is here, but has no Rust to run', 'Run: rustup default stable']
  if (
    /requires rustc|rustc [\d.]+ is not supported|is not supported by the following package|lock file version/.test(
      output,
    )
  )
    return ['this Rust is too old', getRust]
  const offline =
    /offline mode|failed to (?:download|get|fetch|query|update|load source)|could not (?:resolve|connect)|couldn't (?:resolve|connect)|spurious network error|network failure|\[\d+\] .*(?:resolve|connect|timed? ?out|timeout)/i
  if (offline.test(output)) {
    return [
      'the Rust packages it needs could not be downloaded',
      'Run `npm run build` again with a connection; the details are above.',
    ]
  }
  return []
}

// Outputs are part of it too, so an edited or deleted binding is made again.
function fingerprint() {
  const { name, version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const hash = createHash('sha256').update(JSON.stringify([name, version]))
  const inputs = ['Cargo.toml', 'Cargo.lock', 'build.rs', 'napi.json'].map((file) => join(folder, file))
  for (const file of [...inputs, ...sources(join(folder, 'src')), ...committed, ...addons()]) {
    hash.update(relative(folder, file)).update('\0')
    hash.update(existsSync(file) ? readFileSync(file) : '').update('\0')
  }
  return hash.digest('hex')
}

function sources(at) {
  return readdirSync(at, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .sort()
}

function addons() {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.node'))
    .map((name) => join(folder, name))
    .sort()
}

function read(file) {
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined
}

if (isMain(import.meta.url)) {
  await main(async () => {
    await ensureInstalled()
    await buildNative({ extra: process.argv.slice(2) })
  })
}
