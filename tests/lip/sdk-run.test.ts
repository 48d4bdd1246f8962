/** `lip.run` in a page: code that a page has run, with what it says as it says it. */
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { closeBrowser, connected, eventually, homeWith, show, browserTest as test } from './browser.js'
import { type Served, served } from './support.js'

test.after.always(closeBrowser)

/** Starts it in the page, which keeps what comes of it in `window[name]`. */
function start(page: Page, name: string, code: string, more = ''): Promise<unknown> {
  return page.evaluate(
    `(async () => {
      const { connect } = await import('/lip/sdk.js')
      const lip = await connect()
      const run = lip.run('python', ${JSON.stringify(code)}${more && `, ${more}`})
      const seen = (window[${JSON.stringify(name)}] = { said: [], loop: null, end: null })
      ;(async () => { for await (const piece of run) seen.said.push(piece) })()
        .then(() => { seen.loop = 'over' }, (error) => { seen.loop = error.code })
      run.ended.then((end) => { seen.end = end }, (error) => { seen.end = error.code })
      // A second loop hears the same.
      ;(async () => { seen.again = ''; for await (const { text } of run) seen.again += text })().catch(() => {})
    })()`,
  )
}

interface Seen {
  readonly said: readonly { readonly stream: string; readonly text: string }[]
  readonly loop: string | null
  readonly end: unknown
  readonly again: string
}

const seen = (page: Page, name: string) => page.evaluate(`window[${JSON.stringify(name)}]`) as Promise<Seen>
const settled = (page: Page, name: string) =>
  eventually(async () => {
    const { loop, end } = await seen(page, name)
    return loop !== null && end !== null
  }, `${name} is over`)
const text = ({ said }: Seen, stream: string) =>
  said
    .filter((one) => one.stream === stream)
    .map((one) => one.text)
    .join('')

async function allow(lets: Served): Promise<void> {
  await lets.operator('/lip/allow', { unique: 'kit', language: 'python', answer: 'allow' })
}

test('output comes as it is said, and the end says how; what may not run is refused', async (t) => {
  const home = homeWith(t, 'kit')
  const lets = await served(t, { home })
  const { page, faults } = await show(t, lets, 'kit')
  await start(page, 'refused', 'print(1)')
  await settled(page, 'refused')
  t.like(await seen(page, 'refused'), { said: [], loop: 'not_permitted', end: 'not_permitted' })

  await allow(lets)
  const go = join(home, 'go')
  await start(
    page,
    'first',
    `import os, sys, time
print("one", flush=True)
while not os.path.exists(${JSON.stringify(go)}): time.sleep(0.02)
print("two", file=sys.stderr)
print("three <b>")
sys.exit(3)`,
  )
  await eventually(async () => text(await seen(page, 'first'), 'stdout') === 'one\n', 'the first line')
  t.is((await seen(page, 'first')).end, null, 'it comes while the code runs')
  writeFileSync(go, '')
  await settled(page, 'first')
  const first = await seen(page, 'first')
  t.deepEqual(first.end, { exitCode: 3, timedOut: false, cut: false })
  t.is(first.loop, 'over')
  t.is(text(first, 'stdout'), 'one\nthree <b>\n')
  t.is(text(first, 'stderr'), 'two\n')
  t.is(first.again, first.said.map((one) => one.text).join(''))

  await start(page, 'slow', 'import time; time.sleep(600)', '{ timeoutMs: 300 }')
  await settled(page, 'slow')
  t.like((await seen(page, 'slow')).end as object, { timedOut: true })

  await Promise.all(
    Array.from({ length: 4 }, (_, n) => start(page, `at-once-${n}`, `for i in range(50): print(${n})`)),
  )
  for (let n = 0; n < 4; n++) {
    await settled(page, `at-once-${n}`)
    t.is(text(await seen(page, `at-once-${n}`), 'stdout'), `${n}\n`.repeat(50))
  }
  t.deepEqual(
    faults.filter((fault) => !/403/.test(fault)),
    [],
  )
})

test('a run that went with the daemon, or with its window, is said to have', async (t) => {
  t.timeout(60_000)
  const home = homeWith(t, 'kit')
  const lets = await served(t, { home })
  await allow(lets)
  const { page, opened } = await show(t, lets, 'kit')
  const began = join(home, 'began')
  const forever = (mark: string) => `open(${JSON.stringify(mark)}, "w")\nimport time\ntime.sleep(600)`
  await start(page, 'lost', forever(began))
  await eventually(() => existsSync(began), 'it runs')
  await lets.daemon.stop()
  const again = await served(t, { home })
  await connected(again, opened)
  await settled(page, 'lost')
  t.like(await seen(page, 'lost'), { loop: 'unavailable', end: 'unavailable' })

  const second = join(home, 'second')
  await start(page, 'over', forever(second))
  await eventually(() => existsSync(second), 'it runs')
  // Its page goes on for a moment, to say so.
  await page.evaluate('window.close = () => {}')
  await again.operator('/lip/close', { window: opened.window })
  await settled(page, 'over')
  t.like(await seen(page, 'over'), { loop: 'window_closed', end: 'window_closed' })
})
