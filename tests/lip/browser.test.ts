/** Windows in a real browser: what a page can do, and what it cannot. */
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import test, { type ExecutionContext } from 'ava'
import { type Browser, type BrowserContext, chromium } from 'playwright-core'
import { homeWithProbe, type Served, served } from './support.js'

const CHROMIUM = '/usr/bin/chromium'

let shared: Browser
test.before(async () => {
  shared = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] })
})
test.after.always(() => shared?.close())

/** Cookies and storage of its own. */
async function fresh(t: ExecutionContext): Promise<BrowserContext> {
  const context = await shared.newContext()
  t.teardown(() => context.close())
  return context
}

/** A second unique, with the same pages under another name. */
function addUnique(home: string, name: string): void {
  const folder = join(home, 'uniques', name)
  mkdirSync(folder, { recursive: true })
  cpSync(join(home, 'uniques', 'probe'), folder, { recursive: true })
  const text = readFileSync(join(folder, 'unique.json'), 'utf8')
  writeFileSync(
    join(folder, 'unique.json'),
    text.replaceAll('probe.', `${name}.`).replaceAll('"probe"', `"${name}"`),
  )
}

const ready = (lets: Served, window: string) => async () =>
  (await lets.operator('/lip/windows')).json.windows.some(
    (one: { window: string; state: string }) => one.window === window && one.state === 'open',
  )

test.serial(
  'a click in a page is an event, a command shows; a reload and a new daemon find their window again',
  async (t) => {
    const home = homeWithProbe(t)
    const lets = await served(t, { home })
    const page = await (await fresh(t)).newPage()
    const problems: string[] = []
    page.on('console', (message) => message.type() === 'error' && problems.push(message.text()))
    const { url } = await lets.open()
    await page.goto(url)
    await page.getByText('ready w1').waitFor()
    t.is(
      page.url(),
      `http://probe.localhost:${lets.port}/u/probe/ui/index.html`,
      'nothing secret stays in the address bar',
    )
    t.is(await page.evaluate('document.cookie'), '', 'nor can a script read the cookie')
    await page.getByRole('button').click()
    t.like((await lets.listen()).events, [
      { type: 'probe.picked', data: { id: 'n3' }, from: 'unique:probe#w1' },
    ])
    await lets.operator('/lip/send', { window: 'w1', type: 'probe.show', data: { text: 'hello' } })
    await page.getByText('hello').waitFor()
    await page.reload()
    await page.getByText('ready w1').waitFor()
    t.deepEqual(problems, [])

    await lets.daemon.stop()
    const next = await served(t, { home })
    t.is(next.port, lets.port)
    while (!(await ready(next, 'w1')())) await new Promise((resolve) => setTimeout(resolve, 50))
    await next.operator('/lip/send', { window: 'w1', type: 'probe.show', data: { text: 'again' } })
    await page.getByText('again').waitFor()
    await next.operator('/lip/close', { window: 'w1' })
    await page.getByText('closed closed').waitFor()
  },
)

test.serial('G8: eight uniques are open in one browser, and the eighth loads within a second', async (t) => {
  const home = homeWithProbe(t)
  const names = ['probe', ...[2, 3, 4, 5, 6, 7].map((n) => `probe${n}`)]
  for (const name of names.slice(1)) addUnique(home, name)
  const lets = await served(t, { home })
  const context = await fresh(t)
  // All of one origin's connections are shared: the plain address is the hard case.
  const opened = []
  for (const name of [...names, 'probe']) opened.push(await lets.open(name, { plain: true }))
  const times: number[] = []
  for (const { url, window } of opened) {
    const page = await context.newPage()
    const began = Date.now()
    await page.goto(url)
    await page.getByText(`ready ${window}`).waitFor()
    times.push(Date.now() - began)
  }
  t.log(times)
  t.true((times.at(-1) ?? Number.POSITIVE_INFINITY) < 1000, `${times}`)
  const { windows } = (await lets.operator('/lip/windows')).json
  t.is(windows.filter(({ state }: { state: string }) => state === 'open').length, 8)
})

test.serial(
  'a page cannot load from the network, open a socket elsewhere, run inline scripts, or be framed',
  async (t) => {
    const asked: string[] = []
    const elsewhere = createServer((request, response) => {
      asked.push(String(request.url))
      response.setHeader('Access-Control-Allow-Origin', '*')
      response.end('x')
    })
    await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve))
    t.teardown(() => elsewhere.close())
    const { port } = elsewhere.address() as { port: number }
    const lets = await served(t)
    const page = await (await fresh(t)).newPage()
    await page.goto((await lets.open()).url)
    await page.getByText('ready w1').waitFor()
    const tried = await page.evaluate(`(async () => {
    const other = 'http://127.0.0.1:${port}'
    const outcome = (promise) => promise.then(() => 'done', () => 'refused')
    const element = (tag, attribute, value) => outcome(new Promise((resolve, reject) => {
      const made = document.createElement(tag)
      made.onload = resolve
      made.onerror = reject
      made[attribute] = value
      document.body.append(made)
      setTimeout(reject, 1000)
    }))
    const socket = (url) => outcome(new Promise((resolve, reject) => {
      const made = new WebSocket(url)
      made.onopen = resolve
      made.onerror = reject
    }))
    globalThis.inline = 'not run'
    const script = document.createElement('script')
    script.textContent = 'globalThis.inline = "run"'
    document.body.append(script)
    return {
      fetch: await outcome(fetch(other + '/fetch')),
      beacon: navigator.sendBeacon(other + '/beacon', 'x') ? 'queued' : 'refused',
      image: await element('img', 'src', other + '/image.png'),
      script: await element('script', 'src', other + '/script.js'),
      frame: await outcome((async () => { const made = document.createElement('iframe'); made.src = other + '/frame'; document.body.append(made); await new Promise((r) => setTimeout(r, 300)); if (made.contentDocument === null || made.contentWindow.length === undefined) return; throw 0 })()),
      socket: await socket('ws://127.0.0.1:${port}/socket'),
      host: await socket('ws://localhost:' + location.port + '/lip/ws'),
      events: await outcome(new Promise((resolve, reject) => { try { const made = new EventSource(other + '/events'); made.onopen = resolve; made.onerror = reject } catch (error) { reject(error) } })),
      worker: await outcome((async () => { new Worker(URL.createObjectURL(new Blob(['postMessage(1)']))) })()),
      eval: await outcome((async () => (0, eval)('1'))()),
      inline: globalThis.inline,
    }
  })()`)
    t.like(tried as object, {
      fetch: 'refused',
      image: 'refused',
      script: 'refused',
      socket: 'refused',
      host: 'refused',
      events: 'refused',
      eval: 'refused',
      inline: 'not run',
    })
    t.deepEqual(asked, [], 'nothing left the page')

    const framing = await page.context().newPage()
    await framing.route('http://attacker.test/', (route) =>
      route.fulfill({
        contentType: 'text/html',
        body: `<iframe src="http://probe.localhost:${lets.port}/u/probe/ui/index.html"></iframe>`,
      }),
    )
    await framing.goto('http://attacker.test/')
    await framing.waitForTimeout(500)
    t.is(
      await framing
        .frames()[1]
        ?.evaluate('document.body?.innerText.includes("Pick")')
        .catch(() => false),
      false,
    )
  },
)

test.serial('a unique cannot read another’s storage, files or windows', async (t) => {
  const home = homeWithProbe(t)
  addUnique(home, 'other')
  const lets = await served(t, { home })
  const context = await fresh(t)
  const [one, two] = [await lets.open('probe'), await lets.open('other')]
  const page = await context.newPage()
  await page.goto(one.url)
  await page.getByText('ready w1').waitFor()
  await page.evaluate(`localStorage.setItem('secret', 'mine')`)
  const other = await context.newPage()
  await other.goto(two.url)
  await other.getByText('ready w2').waitFor()
  t.is(await other.evaluate(`localStorage.getItem('secret')`), null)
  const reach = await other.evaluate(`(async () => {
    const status = (url) => fetch(url).then((answer) => answer.status, () => 'refused')
    return [
      await status('/u/probe/ui/index.html'),
      await status('http://probe.localhost:' + location.port + '/u/probe/ui/index.html'),
      await status('/lip/windows'),
      await status('/lip/stream?t=${one.token}'),
      await fetch('/lip/events?t=${one.token}', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"lip":1,"type":"probe.picked","data":{"id":"a"}}' }).then((answer) => answer.status),
    ]
  })()`)
  t.deepEqual(reach, [403, 'refused', 401, 403, 403])
  t.deepEqual((await lets.listen({ wait_ms: 0 })).events, [])
})

test.serial('another site cannot make the browser speak for a window', async (t) => {
  const lets = await served(t)
  const context = await fresh(t)
  const { url, token } = await lets.open()
  const page = await context.newPage()
  await page.goto(url)
  await page.getByText('ready w1').waitFor()
  const evil = await context.newPage()
  await evil.route('http://attacker.test/', (route) =>
    route.fulfill({ contentType: 'text/html', body: '<p>evil</p>' }),
  )
  await evil.goto('http://attacker.test/')
  const host = `http://probe.localhost:${lets.port}`
  const tried = await evil.evaluate(`(async () => {
    const outcome = (promise) => promise.then((answer) => answer.type + ' ' + answer.status, () => 'refused')
    const body = '{"lip":1,"type":"probe.picked","data":{"id":"a"}}'
    return [
      await outcome(fetch('${host}/lip/events?t=${token}', { method: 'POST', mode: 'no-cors', headers: { 'content-type': 'text/plain' }, body })),
      await outcome(fetch('${host}/lip/events?t=${token}', { method: 'POST', headers: { 'content-type': 'application/json' }, body })),
      await outcome(fetch('${host}/u/probe/ui/index.html', { credentials: 'include' })),
      await new Promise((resolve) => { const made = new WebSocket('ws://probe.localhost:${lets.port}/lip/ws?t=${token}'); made.onopen = () => resolve('open'); made.onerror = () => resolve('refused') }),
    ]
  })()`)
  t.deepEqual((tried as string[]).slice(1), ['refused', 'refused', 'refused'])
  t.deepEqual((await lets.listen({ wait_ms: 0 })).events, [])
})
