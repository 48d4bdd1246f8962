import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { until } from '../../support/xserver.js'
import type { Rect } from '../movements.js'
import { type Place, type Shot, shifted } from './book.js'
import { DevTools, type Page } from './devtools.js'
import { IN_PAGE } from './in-page.js'
import type { Stage, Window } from './stage.js'

/** A selector and where in the element the mark is: see `in-page.ts`. */
export type Spot = readonly [selector: string, where: 'rect' | 'text' | readonly [dx: number, dy: number]]

export const files = new URL('../../../../tests/follow/pages/', import.meta.url)
/** The address bar is in the pictures; it is the same on every machine. */
const site = 'http://pages.example/'

export class Browser {
  private constructor(
    readonly window: Window,
    readonly devtools: DevTools,
    readonly page: Page,
    /** Where the page begins in the window. */
    readonly origin: readonly [x: number, y: number],
  ) {}

  static async with(
    stage: Stage,
    extra: readonly string[],
    work: (browser: Browser) => Promise<void>,
  ): Promise<void> {
    const folder = mkdtempSync(join(tmpdir(), 'follow-'))
    const server = await serve()
    const { port } = server.address() as AddressInfo
    const args = [
      ...['--no-sandbox', '--test-type', '--remote-debugging-pipe', `--user-data-dir=${folder}`],
      ...[
        '--no-first-run',
        '--disable-gpu',
        '--disable-background-networking',
        '--disable-sync',
        '--lang=en',
      ],
      ...['--disable-component-update', '--force-device-scale-factor=1', '--password-store=basic'],
      ...['--window-size=640,500', '--window-position=60,50', ...extra],
      ...[`--host-resolver-rules=MAP pages.example 127.0.0.1:${port}`, 'about:blank'],
    ]
    const child = stage.x.spawn('chromium', args, {
      stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
      detached: true,
    })
    try {
      const devtools = new DevTools(child)
      const window = await stage.window(['--class', 'chromium'], 640, 500)
      const page = await devtools.page()
      const origin = await calibrate(window, page)
      await work(new Browser(window, devtools, page, origin))
      await devtools.send('Browser.close').catch(() => {})
    } finally {
      await until('Chromium has ended', () => child.exitCode !== null || child.signalCode !== null).catch(
        () => process.kill(-child.pid!, 'SIGKILL'),
      )
      server.close()
      rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
    }
  }

  /** Opens a page of `pages/` and waits until it is painted. */
  async open(name: string): Promise<Shot> {
    await this.show(name)
    return this.rest()
  }

  async show(name: string): Promise<void> {
    await this.ready(await this.page.go(new URL(name, site).href))
  }

  /** Puts what looks into the page, once it is there. */
  async ready(url: string): Promise<void> {
    await this.page.loaded(url)
    await this.page.value(`window.lets = ${IN_PAGE}; 0`)
  }

  /** When neither the page scrolls nor the picture changes. */
  async rest(quiet = 250): Promise<Shot> {
    await this.page.value('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
    return this.window.shot(quiet)
  }

  async hold(spots: readonly Spot[]): Promise<(Rect | null)[]> {
    const places = await this.page.value<(Rect | null)[]>(`lets.hold(${JSON.stringify(spots)})`)
    return places.map((place) => place && this.inWindow(place))
  }

  /** The places held before, with what has become of them; those of which it is not plain are left out. */
  async tell(held: readonly (Rect | null)[]): Promise<Place[]> {
    const told = await this.page.value<('gone' | 'partly' | readonly [number, number])[]>('lets.tell()')
    return told.flatMap((one, n) => {
      const rect = held[n]
      if (!rect || one === 'partly') return []
      return [{ rect, truth: one === 'gone' ? { outcome: 'gone' as const } : shifted(...one) }]
    })
  }

  inWindow([x, y, width, height]: Rect): Rect {
    return [x + this.origin[0], y + this.origin[1], width, height]
  }

  /** Clicks on an empty place of the page, so that keys go there. */
  async focus(x: number, y: number): Promise<void> {
    await this.window.click(x + this.origin[0], y + this.origin[1])
    await until('the page has the focus', () => this.page.value<boolean>('document.hasFocus()'))
  }

  /** Puts the pointer on a place of the page. */
  async point(x: number, y: number): Promise<void> {
    await this.window.pointer(x + this.origin[0], y + this.origin[1])
  }
}

async function serve(): Promise<Server> {
  const server = createServer((request, response) => {
    try {
      const name = new URL(request.url!, site).pathname.slice(1)
      const body = readFileSync(new URL(name, files))
      response.setHeader('content-type', name.endsWith('.js') ? 'text/javascript' : 'text/html').end(body)
    } catch {
      response.writeHead(404).end()
    }
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return server
}

/** The page is made of one colour, which is then looked for. */
async function calibrate(window: Window, page: Page): Promise<[number, number]> {
  await page.value(`document.documentElement.style.background = '#fe01fd'; 0`)
  const at = await until('the page shows', async () => {
    const { data } = await window.shot()
    const found = data.indexOf(Buffer.from([0xfe, 0x01, 0xfd, 0xff]))
    return found >= 0 && found / 4
  })
  return [at % window.width, Math.floor(at / window.width)]
}
