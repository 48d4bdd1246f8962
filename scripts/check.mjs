// Everything that can be judged without running the product, in one list, with every failure in one run:
// a person who fixes a check should not have to run it again to hear about the next one.

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from './build.mjs'
import { committed, excuse } from './native.mjs'
import { inputSynthesis, privatePlaces, tooLongFiles } from './scans.mjs'
import {
  capture,
  ensureInstalled,
  lastLines,
  main,
  root,
  StepFailed,
  seconds,
  tool,
  which,
} from './setup.mjs'
import { breaches } from './walls.mjs'

const skipped = (why) => ({ skipped: why })
const manifest = ['--manifest-path', join('native', 'Cargo.toml')]

const checks = [
  ['types and build', typesAndBuild, 'Fix the errors above; `npm run build` shows them alone.'],
  [
    'format and lint',
    () => program(tool('@biomejs/biome', 'biome'), ['ci', '--colors=off', '.']),
    '`npm run format` mends the format and what is safe to mend.',
  ],
  ['import walls', () => none(breaches(root)), 'The rules and their reasons are in docs/ARCHITECTURE.md.'],
  ['generated files', generated, 'Make them again with `node dist/protocol/generate.js`, and commit them.'],
  ['native bindings', bindings, 'They have been made again just now: commit native/binding.*'],
  [
    'dead code',
    () => program(tool('knip'), ['--no-progress', '--no-config-hints']),
    'Delete what is not used, or do not export it.',
  ],
  [
    'no input synthesis',
    () => none(inputSynthesis()),
    'Only tests may play the person, and only under tests/.',
  ],
  ['file length', () => none(tooLongFiles()), 'A file is one idea; give the second one a file of its own.'],
  ['private places', () => none(privatePlaces()), 'Use a relative path, or a neutral example.'],
  [
    'rust format',
    () => cargo(['fmt', ...manifest, '--check', '--', '--color=never'], 'rustfmt'),
    'Run `cargo fmt` in native/.',
  ],
  [
    'rust lint',
    () => cargo(['clippy', ...manifest, '--quiet', '--', '-D', 'warnings'], 'cargo-clippy'),
    'Fix what clippy says above.',
  ],
]

// The bindings as they were before the build makes them again, if it does.
const bindingsBefore = committed.map(read)

async function typesAndBuild() {
  await build({ quiet: true })
}

function generated() {
  const generator = join(root, 'dist', 'protocol', 'generate.js')
  if (!existsSync(generator)) throw new StepFailed('dist/protocol/generate.js is not there to compare with')
  return program([process.execPath, generator], ['--check'])
}

function bindings() {
  if (process.platform !== 'linux') return skipped('they are made on Linux')
  if (!which('cargo')) return skipped('no cargo')
  if (!existsSync(join(root, 'native', 'Cargo.toml'))) return skipped('no native/Cargo.toml')
  return none(
    committed
      .filter((file, i) => read(file) !== bindingsBefore[i])
      .map((file) => `${file.slice(root.length)} is not what the Rust sources make`),
  )
}

async function cargo(args, component) {
  if (!which('cargo')) return skipped('no cargo')
  if (!which(component))
    return skipped(`no ${component}; rustup component add ${component.replace('cargo-', '')}`)
  try {
    await program([which('cargo')], args)
  } catch (error) {
    const [why] = excuse(error.output ?? '')
    if (!why) throw error
    return skipped(why)
  }
}

async function program([command, ...first], args) {
  const { code, output } = await capture(command, [...first, ...args], {
    env: { NO_COLOR: '1', FORCE_COLOR: undefined, CARGO_TERM_COLOR: 'never' },
  })
  if (code !== 0) throw new StepFailed(`exit code ${code}`, { output })
}

function none(found) {
  if (found.length > 0) throw new StepFailed(`${found.length} found`, { output: found.join('\n') })
}

function read(file) {
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined
}

await main(async () => {
  await ensureInstalled()
  const failed = []
  for (const [name, check, hint] of checks) {
    const started = performance.now()
    try {
      const result = await check()
      if (result?.skipped) console.log(`- ${name}  skipped: ${result.skipped}`)
      else console.log(`✓ ${name}  ${seconds(started)}`)
    } catch (error) {
      failed.push(name)
      console.log(`✗ ${name}  ${seconds(started)}  ${error.message}`)
      const details =
        error instanceof StepFailed ? lastLines(error.output || error.hint, 200) : String(error.stack)
      if (details) console.log(details.replace(/^/gm, '    '))
      console.log(`  → ${hint}`)
    }
  }
  if (failed.length > 0)
    throw new StepFailed(`${failed.length} of ${checks.length} checks failed: ${failed.join(', ')}`)
  console.log(`✓ all checks passed`)
})
