import type { Rect } from '../movements.js'
import { Book, type Place, type Shot } from './book.js'
import { Browser, type Spot } from './browser.js'
import { changes } from './chromium-changes.js'
import { motion } from './chromium-motion.js'
import { version } from './desktop.js'
import type { Stage } from './stage.js'

export async function chromium(stage: Stage): Promise<void> {
  const book = new Book('chromium', version('chromium'))
  // Text is smoothed in shades of grey on some desktops, and in colours on others.
  await Browser.with(stage, ['--disable-lcd-text'], async (browser) => {
    const scene = new Scene(browser, book)
    await article(scene)
    await table(scene, 'table.html')
    await changes(scene)
    await motion(scene)
  })
  await Browser.with(stage, [], async (browser) => {
    const scene = new Scene(browser, book)
    await table(scene, 'table.html#states')
    await panes(scene)
    await wide(scene)
  })
  book.save()
}

/** A page that things are done to, one after the other: the picture after one is the picture before the next. */
export class Scene {
  #now: Shot | undefined

  constructor(
    readonly browser: Browser,
    readonly book: Book,
  ) {}

  async open(page: string): Promise<void> {
    await this.browser.page.go('about:blank')
    this.#now = await this.browser.open(page)
  }

  /** `count` of the spots that can be seen are put into the book, from all over the list. */
  async step(
    series: string,
    situation: string,
    spots: readonly Spot[],
    what: () => Promise<unknown>,
    count = 5,
  ) {
    const { browser } = this
    const held = await browser.hold(spots)
    const before = this.#now!
    await browser.window.after(what, before)
    const after = await browser.rest()
    const places = await browser.tell(held)
    const some = places.filter(
      (_, n) => Math.floor((n * count) / places.length) !== Math.floor(((n - 1) * count) / places.length),
    )
    this.book.put(series, situation, [before, after], places.length > count ? some : places, 'devtools')
    this.#now = after
  }

  /** For what leaves nothing of the page, or covers the places that are within what `cover` selects. */
  async gone(
    series: string,
    situation: string,
    spots: readonly Spot[],
    what: () => Promise<unknown>,
    cover?: string,
  ) {
    const held = await this.browser.hold(spots)
    const before = this.#now!
    const after = await this.browser.window.after(what, before, 400)
    const over = cover === undefined ? undefined : (await this.browser.hold([[cover, 'rect']]))[0]
    const places = held.flatMap((rect): Place[] =>
      rect && (!over || within(rect, over)) ? [{ rect, truth: { outcome: 'gone' } }] : [],
    )
    this.book.put(series, situation, [before, after], places, 'devtools')
    this.#now = after
  }

  /** Looks again, after something was done that is not recorded. */
  async look(): Promise<void> {
    this.#now = await this.browser.rest()
  }

  /** Scrolls at once by pixels, as a script or a dragged scroll bar does. */
  by(dx: number, dy: number, scroller = 'document.scrollingElement') {
    return () =>
      this.browser.page.value(`${scroller}.scrollBy({ left: ${dx}, top: ${dy}, behavior: 'instant' }); 0`)
  }
}

function within([x, y, w, h]: Rect, [left, top, width, height]: Rect): boolean {
  return x >= left + 8 && y >= top + 8 && x + w <= left + width - 8 && y + h <= top + height - 8
}

const range = (from: number, to: number) => Array.from({ length: to - from }, (_, n) => from + n)

async function article(scene: Scene): Promise<void> {
  const { window } = scene.browser
  const spots = range(0, 24)
    .flatMap((n): Spot[] => [
      [`#h${n}`, 'text'],
      [`#p${n}`, 'rect'],
      [`#c${n}`, 'rect'],
      [`#c${n}`, [60, 40]],
      [`#q${n}`, 'text'],
      [`#h${n}`, [-25, 10]],
    ])
    .filter(([selector]) => !selector.startsWith('#c') || Number(selector.slice(2)) % 3 === 1)
  await scene.open('article.html')
  await scene.browser.focus(560, 200)
  await scene.step('article-wheel', 'wheel', spots, () => window.wheel(5))
  await scene.step('article-wheel', 'wheel', spots, () => window.wheel(5, 2))
  await scene.step('article-wheel', 'wheel', spots, () => window.wheel(4, 2))
  await scene.step('article-keys', 'scroll by a line', spots, () => window.keys('Down'))
  await scene.step('article-page', 'scroll by a page', spots, () => window.keys('Next'), 6)
  await scene.step('article-page', 'scroll by a page', spots, () => window.keys('space'), 6)
  await scene.step('article-pixels', 'scroll by some pixels', spots, scene.by(0, 1), 3)
  await scene.step('article-pixels', 'scroll by some pixels', spots, scene.by(0, 7), 3)
  await scene.step('article-pixels', 'scroll by some pixels', spots, scene.by(0, -157), 4)
  await scene.step('article-flick', 'flick out of sight', spots, () => window.wheel(5, 14), 4)
  await scene.step('article-flick', 'flick out of sight', spots, () => window.keys('Home'), 3)
}

async function table(scene: Scene, page: string): Promise<void> {
  const { window } = scene.browser
  const spots = range(1, 121).flatMap((n): Spot[] =>
    n % 2 === 0
      ? [
          [`#r${n} .edit`, 'rect'],
          [`#r${n} .name`, 'text'],
          [`#r${n} .state`, [25, 15]],
        ]
      : [
          [`#r${n} .delete`, 'text'],
          [`#r${n}`, 'rect'],
          [`#r${n} .edit`, [8, 8]],
        ],
  )
  {
    const name = page.endsWith('s') ? 'states' : 'table'
    await scene.open(page)
    await scene.browser.focus(300, 200)
    await scene.step(`${name}-rows`, 'look-alikes', spots, scene.by(0, 30))
    await scene.step(`${name}-rows`, 'look-alikes', spots, scene.by(0, 120), 6)
    await scene.step(`${name}-page-down`, 'look-alikes', spots, () => window.keys('Next'), 6)
    await scene.step(`${name}-rows`, 'look-alikes', spots, scene.by(0, -90), 6)
    await scene.step(`${name}-wheel`, 'look-alikes', spots, () => window.wheel(5), 6)
    await scene.step(`${name}-flick`, 'look-alikes', spots, scene.by(0, 900), 4)
  }
}

async function panes(scene: Scene): Promise<void> {
  const { window } = scene.browser
  const fixed: Spot[] = [
    ['#brand', 'text'],
    ['#new', 'rect'],
    ['#n2', 'rect'],
    ['#n4', 'text'],
    ['nav', [70, 260]],
  ]
  const moving = range(0, 40).flatMap((n): Spot[] => [
    [`#t${n}`, 'text'],
    [`#o${n}`, 'rect'],
    [`#p${n}`, 'rect'],
    [`#k${n}`, [250, 20]],
    [`#l${n}`, 'text'],
  ])
  await scene.open('panes.html')
  await scene.browser.focus(600, 250)
  const pane = `document.querySelector('main')`
  for (const what of [
    () => window.wheel(5),
    () => window.wheel(5, 2),
    scene.by(0, 40, pane),
    scene.by(0, -200, pane),
  ]) {
    // What stands still is recorded apart from what moves, with the same pictures.
    await scene.step('panes-scroll', 'scrolling pane', [...fixed, ...moving], what, 9)
  }
  await scene.step('panes-flick', 'scrolling pane', [...fixed, ...moving], () => window.wheel(5, 20), 8)
}

async function wide(scene: Scene): Promise<void> {
  const { window } = scene.browser
  const spots: Spot[] = [
    ['#title', 'text'],
    ...range(0, 14).flatMap((c) =>
      range(0, 12).flatMap((n): Spot[] =>
        n % 3 === c % 3 ? [[`#n${c}-${n}`, n % 2 ? 'rect' : 'text']] : [],
      ),
    ),
  ]
  const board = `document.querySelector('#board')`
  await scene.open('wide.html')
  await scene.browser.focus(300, 200)
  await scene.step('wide-wheel', 'sideways', spots, () => window.wheel(7))
  await scene.step('wide-wheel', 'sideways', spots, () => window.wheel(7, 3))
  await scene.step('wide-pixels', 'sideways', spots, scene.by(-93, 0, board))
  await scene.step('wide-far', 'sideways', spots, scene.by(480, 0, board))
  await scene.step('wide-both', 'both ways at once', spots, scene.by(75, 60, board))
  await scene.step('wide-both', 'both ways at once', spots, scene.by(-140, 133, board))
  await scene.step('wide-both', 'both ways at once', spots, scene.by(31, -46, board))
}
