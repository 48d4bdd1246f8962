import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import test from 'ava'
import { cleanEnv, startDaemonProcess } from './support/daemon.js'
import { fences, PAGES, ROOT, readPage } from './support/pages.js'

/** What each documented example prints; ids are opaque. */
const EXAMPLES: Readonly<Record<string, RegExp>> = {
  'point-and-wait': /^a_\w+ went away: ttl\na_\w+ went away: ttl\n$/,
  'model-answers':
    /^406\.8,423\.5 of 1356x847\n432,450 on display 1\nx must be 0 to 1000 from the left edge .*; got 1300\n$/,
  tour: /^1 point shown \n2 guide shown \n3 highlight refused bad_schema\nnot all shown\n$/,
  steps: /^not drawn: no_resolver\n4 marks shown and cleared\n$/,
}

for (const [name, printed] of Object.entries(EXAMPLES)) {
  test(`the example ${name} does what it says`, async (t) => {
    const daemon = await startDaemonProcess({ args: ['--host', 'headless'] })
    t.teardown(() => daemon.stop())
    const file = fileURLToPath(new URL(`./examples/${name}.js`, import.meta.url))
    const { code, stdout, stderr } = await node([file], daemon.env)
    t.is(code, 0, stderr)
    t.regex(stdout, printed)
  })
}

/** What the programs on the pages print, page by page. */
const ON_PAGES: Readonly<Record<string, readonly RegExp[]>> = {
  'README.md': [/^a_\w+ ttl\na_\w+ ttl\n$/],
  'docs/shell.md': [
    /^1 command_started \n(?:2 stdout one\n3 stderr two|2 stderr two\n3 stdout one)\n4 command_completed \ncompleted \/usr\n$/,
  ],
  'docs/quickstart.md': [/^a_\w+ true\n$/],
}

for (const name of PAGES) {
  // What is for the page of a unique runs in one: tests/lip/new.test.ts, tests/lip/sdk-run.test.ts.
  const programs = fences(readPage(name)).filter(
    ({ language, body }) => language === 'js' && !/'\/lip\/sdk\.js'|\blip\./.test(body),
  )
  if (programs.length === 0) continue
  test(`the programs of ${name} do what it says`, async (t) => {
    t.is(ON_PAGES[name]?.length, programs.length)
    for (const [at, { body }] of programs.entries()) {
      const daemon = await startDaemonProcess({ args: ['--host', 'headless'] })
      t.teardown(() => daemon.stop())
      const { code, stdout, stderr } = await node(['--input-type=module', '--eval', body], daemon.env)
      t.is(code, 0, stderr)
      t.regex(stdout, ON_PAGES[name]?.[at] as RegExp)
    }
  })
}

/** Runs Node in this package, where `lets-overlay` is its own name. */
async function node(args: readonly string[], env: NodeJS.ProcessEnv) {
  const child = spawn(process.execPath, args, {
    cwd: ROOT,
    env: cleanEnv(env),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const exit = new Promise<number | null>((resolve) => child.once('exit', resolve))
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)])
  return { code: await exit, stdout, stderr }
}
