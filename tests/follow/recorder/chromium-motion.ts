import { setTimeout as delay } from 'node:timers/promises'
import type { Shot } from './book.js'
import type { Browser, Spot } from './browser.js'
import { chance } from './chance.js'
import type { Scene } from './chromium.js'
import { panePlaces, whereNow } from './search.js'

const pick = chance(3)

/** A page in which a film and a spinner never rest. */
export async function motion(scene: Scene): Promise<void> {
  const { browser, book } = scene
  const { window, page } = browser
  await page.go('about:blank')
  await browser.show('motion.html')
  await browser.point(600, 380)
  const spots = Array.from({ length: 14 }, (_, n): Spot[] => [
    [`#p${n}`, 'rect'],
    [`#s${n}`, 'text'],
    [`#x${n}`, 'rect'],
    [`#s${n}`, [-8, 10]],
    [`#f${n}`, n % 2 ? 'rect' : 'text'],
    [`#f${n}`, [4, 8]],
  ]).flat()
  let before = await settled(browser)
  for (const [series, what] of [
    ['motion-still', () => delay(300)],
    ['motion-still', () => delay(150)],
    ['motion-wheel', () => window.wheel(5)],
    ['motion-wheel', () => window.wheel(5, 2)],
    ['motion-wheel', () => window.wheel(4)],
    ['motion-far', () => window.wheel(5, 5)],
  ] as const) {
    const held = await browser.hold(spots)
    const from = await page.value<number>('scrollY')
    await what()
    if (series !== 'motion-still') while ((await page.value<number>('scrollY')) === from) await delay(20)
    const after = await settled(browser)
    const places = await browser.tell(held)
    const situation = series === 'motion-still' ? 'film and spinner' : 'film and spinner, scrolled'
    book.put(series, situation, [before, after], places.slice(0, 6), 'devtools')
    before = after
  }
  await smooth(scene)
}

/** The picture of a moment at which the page had not scrolled for a while, and still did not just after. */
async function settled({ page, window }: Browser): Promise<Shot> {
  const rest = `new Promise((done) => {
    let still = 0, last = scrollY
    const look = () => { still = scrollY === last ? still + 1 : 0; last = scrollY; still > 15 ? done(last) : requestAnimationFrame(look) }
    look()
  })`
  for (;;) {
    const at = await page.value<number>(rest)
    const shot = await window.glance()
    if ((await page.value<number>(rest)) === at) return shot
  }
}

/** Frames of a scroll under way. No source but the pictures themselves can say what one of them shows. */
async function smooth(scene: Scene): Promise<void> {
  const { browser, book } = scene
  const { window } = browser
  const [x, y] = browser.origin
  // Without the scroll bar, which goes its own way.
  const pane = [x, y, window.width - x - 20, window.height - y - 4] as const
  await scene.open('article.html#3')
  await browser.focus(560, 200)
  for (const [series, clicks] of [
    ['smooth', 2],
    ['smooth-far', 6],
  ] as const) {
    const frames: Shot[] = [await browser.rest()]
    await window.wheel(5, clicks)
    for (let same = 0; same < 12; ) {
      const frame = await window.glance()
      if (frame.data.equals(frames.at(-1)!.data)) {
        same += 1
        await delay(10)
      } else {
        frames.push(frame)
        same = 0
      }
    }
    console.log(`${frames.length} frames`)
    const some = frames.filter(
      (_, n) => n === 0 || n === frames.length - 1 || n % Math.ceil(frames.length / 7) === 0,
    )
    for (let n = 1; n < some.length; n++) {
      const shots = [some[n - 1]!, some[n]!] as const
      const by = whereNow(...shots, pane, [360, 24])
      book.put(series, 'frames of a smooth scroll', shots, panePlaces(shots, pane, by, pick, 3), 'search')
    }
    const ends = [some[0]!, some.at(-1)!] as const
    book.put(
      series,
      'frames of a smooth scroll',
      ends,
      panePlaces(ends, pane, whereNow(...ends, pane, [360, 24]), pick, 4),
      'search',
    )
  }
}
