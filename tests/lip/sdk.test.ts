/** The SDK in a page: its connection, and what a page does with it. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import anyTest from 'ava'
import { COMPONENTS } from '../../protocol/lip/domains.js'
import { readPage, rows, section } from '../support/pages.js'
import { closeBrowser, connected, heard, homeWith, shot, show, tell, browserTest as test } from './browser.js'
import { served } from './support.js'

test.after.always(closeBrowser)

const SDK = readFileSync(fileURLToPath(new URL('../../sdk/sdk.js', import.meta.url)), 'utf8')
const lip = `const { connect } = await import('/lip/sdk.js'); const lip = await connect();`
const run = (code: string) => `(async () => { ${lip} ${code} })()`

anyTest('the SDK is one module, under 40 KB when it is packed, and makes nothing of markup or text', (t) => {
  const packed = gzipSync(SDK, { level: 9 }).length
  t.true(packed < 40 * 1024, `${packed} bytes`)
  t.notRegex(SDK, /\bimport\s*[({"']|\bfrom\s*["']/, 'it imports nothing')
  t.notRegex(SDK, /innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function/)
})

test('a page takes its token out of the address, says and hears; what comes early waits for who listens late', async (t) => {
  const lets = await served(t, { home: homeWith(t, 'kit') })
  const { page, opened, faults } = await show(t, lets, 'kit')
  t.is(new URL(page.url()).hash, '')
  t.false((await page.content()).includes(opened.token))

  const id = await page.evaluate(run(`return lip.emit('kit.said', { n: 1 })`))
  const event = await heard(lets, 'kit.said')
  t.is(event.id, id as string)
  t.is(event.from, `unique:kit#${opened.window}`)
  await tell(lets, opened, 'kit.told', { n: 7 })
  await page.getByText('7').waitFor()

  await tell(lets, opened, 'kit.later', { n: 8 })
  await tell(lets, opened, 'kit.told', { n: 9 })
  await page.getByText('7 9').waitFor()
  t.deepEqual(await page.evaluate(run(`return new Promise((done) => lip.on('kit.later', done))`)), { n: 8 })

  const refused = await page.evaluate(
    run(`return Promise.allSettled([lip.emit('host.nonsense', {}), lip.emit('chat.message', {})])`),
  )
  t.like(refused, [{ status: 'rejected' }, { status: 'rejected' }])
  t.deepEqual(faults, [])
})

test('what is said in one go is one message, and comes in its order', async (t) => {
  const lets = await served(t, { home: homeWith(t, 'kit') })
  const { page } = await show(t, lets, 'kit')
  const sent: string[] = []
  page.on('websocket', (socket) => socket.on('framesent', ({ payload }) => sent.push(String(payload))))
  await page.reload()
  await page.evaluate(
    run(`await Promise.all(Array.from({ length: 300 }, (_, n) => lip.emit('kit.said', { n })))`),
  )
  t.is(sent.filter((text) => text.includes('kit.said')).length, 1)
  const { events } = await lets.listen({ max: 1000 })
  const said = events.filter(({ type }: { type: string }) => type === 'kit.said')
  t.deepEqual(
    said.map(({ data }: { data: { n: number } }) => data.n),
    Array.from({ length: 300 }, (_, n) => n),
  )
})

test('G12: nothing is lost and nothing comes twice when the daemon ends and another takes its place', async (t) => {
  t.timeout(60_000)
  const home = homeWith(t, 'kit')
  const first = await served(t, { home })
  const { page, opened } = await show(t, first, 'kit')
  await page.evaluate(run(`await lip.emit('kit.said', { n: 0 })`))
  await tell(first, opened, 'kit.told', { n: 1 })
  await page.getByText('1', { exact: true }).waitFor()
  await first.daemon.stop()
  // Said while nobody is there.
  await page.evaluate(
    run(`window.later = Promise.all([1, 2, 3].map((n) => lip.emit('kit.said', { n }))); return 1`),
  )
  await page.getByText('Connecting again').waitFor()
  await shot(page, 'sdk-away')

  const second = await served(t, { home })
  t.is(second.port, first.port)
  await connected(second, opened)
  t.is(((await page.evaluate('window.later')) as unknown[]).length, 3)
  await tell(second, opened, 'kit.told', { n: 2 })
  await page.getByText('1 2', { exact: true }).waitFor()
  await page.getByText('Connecting again').waitFor({ state: 'hidden' })
  const { events } = await second.listen({ max: 1000 })
  t.deepEqual(
    events.flatMap(({ type, data }: { type: string; data: { n: number } }) =>
      type === 'kit.said' ? [data.n] : [],
    ),
    [0, 1, 2, 3],
  )
})

test('G12: a great many events, cut off in the middle, come each once and in their order', async (t) => {
  t.timeout(60_000)
  const home = homeWith(t, 'kit')
  const first = await served(t, { home })
  const { page, opened } = await show(t, first, 'kit')
  // More than may be under way at once, and fewer than the ring holds.
  const count = 1500
  await page.evaluate(
    run(`let heard = 0; window.heard = () => heard
      window.later = Promise.all(Array.from({ length: ${count} }, (_, n) => lip.emit('kit.said', { n }).then(() => heard++)))
      return 1`),
  )
  const numbers: number[] = []
  const read = async (from: typeof first) => {
    const { events, lost } = await from.listen({ max: 1000, wait_ms: 200 })
    t.is(lost, 0)
    for (const { type, data } of events) if (type === 'kit.said') numbers.push(data.n)
  }
  while (numbers.length === 0) await read(first)
  await first.daemon.stop()
  const second = await served(t, { home })
  await connected(second, opened)
  const until = Date.now() + 30_000
  while (numbers.length < count && Date.now() < until) await read(second)
  t.is(await page.evaluate('window.later.then((all) => new Set(all).size)'), count)
  await read(second)
  t.deepEqual(
    numbers,
    Array.from({ length: count }, (_, n) => n),
  )
})

test('the state is had when it is asked for, survives a reload, is sent, and is taken up again', async (t) => {
  const lets = await served(t, { home: homeWith(t, 'kit') })
  const { page, opened, context } = await show(t, lets, 'kit')
  await page.getByText('{"count":0}').waitFor()
  await page.keyboard.type('+++')
  const asked = await lets.operator(`/lip/state?window=${opened.window}`)
  t.deepEqual(asked.json.state, { count: 3 })

  await tell(lets, opened, 'component.create', { id: 'a', type: 'note', props: { title: 'Still here' } })
  await page.getByRole('heading', { name: 'Still here' }).waitFor()
  await page.reload()
  await page.getByText('{"count":3}').waitFor()
  await page.getByRole('heading', { name: 'Still here' }).waitFor()

  await page.getByRole('button', { name: 'Send to Claude' }).click()
  const sent = await heard(lets, 'kit.sent')
  t.like(sent.data, { count: 3, session: { handoff: true, saved: true } })
  await page.getByRole('heading', { name: 'Sent to Claude' }).waitFor()
  await shot(page, 'sdk-sent')

  const again = await show(t, lets, 'kit', { context }, { resume: 'last' })
  await again.page.getByText('{"count":3}').waitFor()
  t.deepEqual(again.faults, [])
})

test('two windows of one unique are two; a second tab of one takes it, and gives it back', async (t) => {
  const lets = await served(t, { home: homeWith(t, 'kit') })
  const one = await show(t, lets, 'kit')
  const two = await show(t, lets, 'kit', { context: one.context })
  await tell(lets, two.opened, 'kit.told', { n: 2 })
  await two.page.getByText('2', { exact: true }).waitFor()
  t.is(await one.page.locator('#told').textContent(), '')
  for (const { page } of [one, two]) await page.getByText('{"count":0}').waitFor()
  await one.page.keyboard.type('+')
  await two.page.keyboard.type('++')
  for (const [{ opened }, count] of [
    [one, 1],
    [two, 2],
  ] as const)
    t.deepEqual((await lets.operator(`/lip/state?window=${opened.window}`)).json.state, { count })

  const copy = await one.context.newPage()
  await copy.goto(`${one.page.url()}#lip=${one.opened.token}`)
  await one.page.getByRole('heading', { name: 'This window is open in another tab' }).waitFor()
  await shot(one.page, 'sdk-taken')
  await one.page.getByRole('button', { name: 'Use it here' }).click()
  await copy.getByRole('heading', { name: 'This window is open in another tab' }).waitFor()
  await tell(lets, one.opened, 'kit.told', { n: 1 })
  await one.page.getByText('1', { exact: true }).waitFor()
})

test('a page that Lets did not open says so, and a window that was closed too', async (t) => {
  const lets = await served(t, { home: homeWith(t, 'kit') })
  const { page, opened, context } = await show(t, lets, 'kit')
  const stray = await context.newPage()
  await stray.goto(page.url())
  await stray.getByRole('heading', { name: 'This page is not connected' }).waitFor()
  await lets.operator('/lip/close', { window: opened.window })
  await page.getByRole('heading', { name: 'This window is closed' }).waitFor()
  const said = await page.evaluate(run(`return lip.emit('kit.said', {}).catch(({ code }) => code)`))
  t.is(said, 'window_closed')
})

test('docs/uniques.md names what the SDK has, its components, and nothing else', async (t) => {
  const page = readPage('docs/uniques.md')
  const [api = [], components = []] = [
    rows(section(page, '## The SDK')).filter(([name = '']) => /`(?:lip\.|connect|new )/.test(name)),
    rows(section(page, '## The SDK')).filter(([name = '']) => /^`[a-z-]+`$/.test(name)),
  ]
  const lets = await served(t, { home: homeWith(t, 'kit') })
  const { page: window } = await show(t, lets, 'kit')
  const has = (await window.evaluate(
    `(async () => {
      const sdk = await import('/lip/sdk.js')
      const lip = await sdk.connect()
      const methods = Object.getOwnPropertyNames(Object.getPrototypeOf(lip)).filter((name) => name !== 'constructor' && name !== 'begin')
      return [...methods.map((name) => 'lip.' + name), ...Object.keys(sdk)]
    })()`,
  )) as string[]
  const named = api.map(([name = '']) => /`(?:new )?([\w.]+)/.exec(name)?.[1])
  t.deepEqual([...named, 'LipRefused'].sort(), [...has].sort())
  t.deepEqual(components.map(([name = '']) => name.replaceAll('`', '')).sort(), [...COMPONENTS].sort())
})
