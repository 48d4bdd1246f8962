import { setTimeout as delay } from 'node:timers/promises'
import test, { type ExecutionContext } from 'ava'
import type { LetsClient } from '../../daemon/client/index.js'
import { Browser, type Spot } from '../follow/recorder/browser.js'
import { Stage } from '../follow/recorder/stage.js'
import { busyMs } from '../support/processor.js'
import { until } from '../support/xserver.js'
import { desk } from './support.js'

/** How soon a mark must be where its content is, or gone, in ms. */
const SOON = 1000

interface Surf {
  readonly browser: Browser
  readonly client: LetsClient
  readonly gone: string[]
  readonly pid: number
  /** Where an element is, in logical points of the display; null when it is not to be seen. */
  place(spot: Spot): Promise<[number, number, number, number]>
  /** Points at an element, or draws a line around it. */
  mark(spot: Spot, label?: string): Promise<unknown>
  /** Waits until the one mark is on an element. */
  isOn(spot: Spot): Promise<void>
  isGone(): Promise<void>
}

/** A real browser on a real desk with a daemon and a client. */
async function surf(t: ExecutionContext, page: string, work: (on: Surf) => Promise<void>) {
  const on = await desk(t, { windowManager: true, compositor: true })
  const client = await on.client()
  const gone: string[] = []
  void (async () => {
    for await (const { reason } of client.invalidations()) gone.push(reason)
  })()
  await Browser.with(new Stage(on.x, on.eye), [], async (browser) => {
    await browser.show(page)
    await browser.page.value(
      'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))',
    )
    const place: Surf['place'] = async (spot) => {
      const [rect] = await browser.hold([spot])
      if (!rect) throw new Error(`${spot[0]} is not to be seen`)
      const [left, top] = browser.window.at
      return [rect[0] + left, rect[1] + top, rect[2], rect[3]]
    }
    await work({
      browser,
      client,
      gone,
      pid: on.daemon.pid,
      place,
      async mark(spot, label) {
        const rect = await place(spot)
        const named = label === undefined ? {} : { label }
        return rect[2] > 0
          ? client.highlight({ rect, ...named })
          : client.point({ x: rect[0], y: rect[1], ...named })
      },
      async isOn(spot) {
        const [x, y] = await place(spot)
        let last: readonly number[] | undefined
        const there = async () => {
          last = (await client.status()).marks?.[0]?.rect
          return last !== undefined && Math.abs(last[0]! - x) <= 1 && Math.abs(last[1]! - y) <= 1
        }
        await until('the mark is on it', there, SOON).catch(() => {})
        t.deepEqual(last?.slice(0, 2).map(Math.round), [x, y].map(Math.round), `on ${spot[0]}`)
      },
      async isGone() {
        await until('the mark is gone', () => gone.length > 0, SOON)
        await delay(100)
        t.deepEqual(gone.splice(0), ['scroll'])
        t.deepEqual((await client.status()).marks, [])
      },
    })
  })
}

test.serial('D1 a row put in above, and taken out again: the mark stays with its row', async (t) => {
  await surf(t, 'changes.html', async ({ browser, mark, isOn, gone }) => {
    const beta: Spot = ['#t2', 'text']
    await mark(beta, 'Beta')
    await browser.page.value('list.prepend(item()); 0')
    await isOn(beta)
    await browser.page.value('list.firstElementChild.remove(); 0')
    await isOn(beta)
    await browser.page.value("document.querySelector('#t2').textContent = 'another text altogether'; 0")
    await until('the mark is gone', () => gone.length > 0, SOON)
    t.deepEqual(gone, ['scroll'])
  })
})

test.serial('a page that scrolls smoothly takes its mark along; a flick takes it away', async (t) => {
  await surf(t, 'article.html', async ({ browser, mark, isOn, isGone }) => {
    const [spot] = await visible(browser)
    await mark(spot!, 'read this')
    await browser.page.value("scrollTo({ top: 90, behavior: 'smooth' }); 0")
    await browser.rest()
    await isOn(spot!)
    await browser.page.value("scrollTo({ top: 0, behavior: 'smooth' }); 0")
    await browser.rest()
    await isOn(spot!)
    await browser.page.value('scrollTo(0, 3000); 0')
    await isGone()
  })
})

test.serial(
  'a dialog over it, and another page, take a mark away; a pointer over its button does not',
  async (t) => {
    await surf(t, 'changes.html', async ({ browser, client, place, mark, isOn, isGone, gone }) => {
      const button: Spot = ['#e1', 'rect']
      const rect = await place(button)
      await client.highlight({ rect, label: 'press' })
      await client.status()
      const [left, top] = browser.window.at
      await browser.window.pointer(rect[0] - left + 8, rect[1] - top + 8)
      await browser.rest()
      await isOn(button)
      t.deepEqual(gone, [])
      await client.clear()
      await mark(['#t4', 'text'])
      await browser.page.value(
        "document.querySelector('dialog').style.margin = '130px auto auto 10px'; document.querySelector('dialog').showModal(); 0",
      )
      await isGone()
      await browser.show('changes.html')
      await browser.rest()
      await mark(['#t1', 'text'])
      await browser.show('article.html')
      await isGone()
    })
  },
)

test.serial('a film and a spinner beside marks move and take none of them', async (t) => {
  await surf(t, 'motion.html', async ({ browser, client, place, mark, gone, pid }) => {
    const spots: Spot[] = [
      ['#s0', 'text'],
      ['#f0', 'text'],
      ['#x0', 'rect'],
    ]
    const places = await Promise.all(spots.map(place))
    for (const spot of spots) await mark(spot)
    const before = busyMs(pid)
    await delay(3000)
    t.log(`${((busyMs(pid) - before) / 30).toFixed(1)} % of a core with three marks beside a film`)
    t.deepEqual(gone, [])
    t.deepEqual(
      (await client.status()).marks?.map(({ rect }) => rect.map(Math.round)),
      places.map((rect) => rect.map(Math.round)),
    )
    // Up by as much as leaves all of them in sight.
    await browser.page.value('scrollBy(0, 20); 0')
    const moved = places.map(([x, y, width, height]) => [x, y - 20, width, height])
    const now = async () => (await client.status()).marks?.map(({ rect }) => rect.map(Math.round)) ?? []
    await until(
      'they have moved',
      async () => JSON.stringify(await now()) === JSON.stringify(moved),
      SOON,
    ).catch(() => {})
    t.deepEqual(await now(), moved)
    t.deepEqual(gone, [])
  })
})

/** A paragraph that stays in sight when the page scrolls by a hundred points. */
async function visible(browser: Browser): Promise<Spot[]> {
  const ids = await browser.page.value<string[]>(
    "[...document.querySelectorAll('[id]')].filter((one) => { const { top, bottom } = one.getBoundingClientRect(); return top > 150 && bottom < 330 }).map(({ id }) => id)",
  )
  return ids.map((id) => [`#${id}`, 'text'] as const)
}
