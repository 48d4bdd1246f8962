import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import test from 'ava'
import { cleanEnv, startDaemonProcess } from './support/daemon.js'

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
    const child = spawn(process.execPath, [file], {
      env: cleanEnv(daemon.env),
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const exit = new Promise((resolve) => child.once('exit', resolve))
    const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)])
    t.is(await exit, 0, stderr)
    t.regex(stdout, printed)
  })
}
