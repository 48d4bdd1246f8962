/** Windows of uniques in a real browser: Debian's Chromium, driven as a person would. */
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createCanvas } from '@napi-rs/canvas'
import anyTest, { type ExecutionContext, type TestFn } from 'ava'
import { type Browser, type BrowserContext, chromium, type Locator, type Page } from 'playwright-core'
import { tempHome } from '../support/daemon.js'
import type { OpenedWindow, Served } from './support.js'

const CHROMIUM = '/usr/bin/chromium'
const UNIQUES = fileURLToPath(new URL('../../../tests/lip/uniques/', import.meta.url))
const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js')

/**
 * Tests that need the browser; skipped where it is not. One after the other: a page, a browser and a daemon for each at once
 * is more than a small machine has, and each would wait for the others.
 */
export const browserTest: TestFn = existsSync(CHROMIUM)
  ? (Object.assign(anyTest.serial.bind(null), {
      after: anyTest.after,
      skip: anyTest.skip,
    }) as unknown as TestFn)
  : (Object.assign(((title: string) => anyTest.skip(title, () => {})) as unknown as TestFn, {
      after: anyTest.after,
      skip: anyTest.skip,
    }) as TestFn)

let browser: Promise<Browser> | null = null

/** One browser for all tests of a file; every window has a profile of its own. */
function launched(): Promise<Browser> {
  browser ??= chromium.launch({
    executablePath: CHROMIUM,
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--lang=en'],
  })
  return browser
}

export async function closeBrowser(): Promise<void> {
  await (await browser)?.close()
  browser = null
}

export interface Seen {
  readonly page: Page
  readonly context: BrowserContext
  readonly opened: OpenedWindow
  /** What the page's policy refused, and errors nobody caught. */
  readonly faults: string[]
}

export interface Look {
  readonly dark?: boolean
  readonly still?: boolean
  readonly context?: BrowserContext
  readonly size?: { readonly width: number; readonly height: number }
}

/** Opens a window of a unique in the browser, and waits until it is connected, and its page has begun. */
export async function show(
  t: ExecutionContext,
  lets: Served,
  unique: string,
  { dark = false, still = false, context: known, size = { width: 1100, height: 720 } }: Look = {},
  more: object = {},
): Promise<Seen> {
  const opened = await lets.open(unique, more)
  const context =
    known ??
    (await (
      await launched()
    ).newContext({
      viewport: size,
      colorScheme: dark ? 'dark' : 'light',
      reducedMotion: still ? 'reduce' : 'no-preference',
      permissions: ['clipboard-read', 'clipboard-write'],
    }))
  if (!known) t.teardown(() => context.close())
  const page = await context.newPage()
  const faults: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error' && !/ERR_CONNECTION_REFUSED|WebSocket/.test(message.text()))
      faults.push(message.text())
  })
  page.on('pageerror', (error) => faults.push(String(error)))
  await page.goto(opened.url)
  await connected(lets, opened)
  // The host knows the page a moment before the page knows that: what is done to it waits for what it does first.
  await page.evaluate(`import('/lip/sdk.js').then(({ connect }) => connect()).then(() => 0)`)
  return { page, context, opened, faults }
}

export async function connected(lets: Served, { window }: OpenedWindow): Promise<void> {
  await eventually(async () => {
    const { windows } = (await lets.operator('/lip/windows')).json
    return windows.some(
      (one: { window: string; state: string }) => one.window === window && one.state === 'open',
    )
  }, `${window} is open`)
}

/** Waits for something that nothing tells of. */
export async function eventually(
  is: () => Promise<unknown> | unknown,
  what: string,
  ms = 30_000,
): Promise<void> {
  const until = Date.now() + ms
  while (!(await is())) {
    if (Date.now() > until) throw new Error(`never came to be: ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
}

/** What axe finds wrong, as lines. */
export async function axe(page: Page): Promise<string[]> {
  // Into the page by the debugger: its policy takes no script from elsewhere.
  await page.evaluate(readFileSync(AXE, 'utf8'))
  const violations = (await page.evaluate(
    '(async () => (await axe.run(document, { resultTypes: ["violations"] })).violations)()',
  )) as { id: string; nodes: { html: string; failureSummary: string }[] }[]
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(
      ({ html, failureSummary }) => `${id}: ${html.slice(0, 160)} ${failureSummary.replace(/\s+/g, ' ')}`,
    ),
  )
}

/** Where pictures for looking at go: nowhere, unless `LETS_TEST_SHOTS` names a folder. */
export async function shot(page: Page, name: string): Promise<void> {
  const folder = process.env.LETS_TEST_SHOTS
  if (folder) await page.screenshot({ path: join(folder, `${name}.png`) })
}

/** The events of this type that came since the last call, waited for until there is one. */
export async function heard(
  lets: Served,
  type: string,
): Promise<{ readonly data: Record<string, unknown>; readonly id: string; readonly from: string }> {
  const until = Date.now() + 30_000
  const seen: string[] = []
  while (Date.now() < until) {
    const { events } = await lets.listen({ max: 1 })
    for (const event of events) {
      if (event.type === type) return event
      seen.push(event.type)
    }
  }
  throw new Error(`no ${type} came; there were ${seen.join(', ')}`)
}

/** A home with these uniques of the tests in it; those that come with Lets are there anyway. */
export function homeWith(t: ExecutionContext, ...names: readonly string[]): string {
  const home = tempHome()
  t.teardown(() => rmSync(home, { recursive: true, force: true, maxRetries: 3 }))
  mkdirSync(join(home, 'uniques'), { recursive: true })
  for (const name of names) cpSync(join(UNIQUES, name), join(home, 'uniques', name), { recursive: true })
  return home
}

/** Sends a command, and fails when it is refused. */
export async function tell(
  lets: Served,
  { window }: OpenedWindow,
  type: string,
  data: object,
  re?: string,
): Promise<string> {
  const { status, json, text } = await lets.operator('/lip/send', { window, type, data, ...(re && { re }) })
  if (status !== 200) throw new Error(`${type}: ${text}`)
  return json.id
}

/** Hands a picture to the page as a paste or a drop does. The browser lets nobody else make one. */
export async function give(
  page: Page,
  to: Locator,
  how: 'paste' | 'drop',
  name: string,
  bytes: Buffer,
): Promise<void> {
  const file = `(() => {
    const data = new DataTransfer()
    const bytes = Uint8Array.from(atob('${bytes.toString('base64')}'), (one) => one.charCodeAt(0))
    data.items.add(new File([bytes], ${JSON.stringify(name)}, { type: 'image/png' }))
    return data
  })()`
  if (how === 'drop') {
    const dataTransfer = await page.evaluateHandle(file)
    await to.dispatchEvent('dragover', { dataTransfer })
    await to.dispatchEvent('drop', { dataTransfer })
    return
  }
  const handle = await to.elementHandle()
  const paste = await page.evaluateHandle(
    `(element) => element.dispatchEvent(new ClipboardEvent('paste', { clipboardData: ${file}, bubbles: true, composed: true, cancelable: true }))`,
  )
  await page.evaluate(([act, element]) => (act as unknown as (at: unknown) => void)(element), [paste, handle])
}

/** A picture with something in it. */
export function png(width: number, height: number): Buffer {
  const canvas = createCanvas(width, height)
  const context = canvas.getContext('2d')
  context.fillStyle = '#4a90d9'
  context.fillRect(0, 0, width, height)
  context.fillStyle = '#ffffff'
  context.fillRect(width / 4, height / 4, width / 2, height / 2)
  return canvas.toBuffer('image/png')
}
