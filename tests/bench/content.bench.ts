/** What it costs to tell what became of the things ten marks are on, from two pictures of their window. */
import { Comparison, fingerprint, type Pixels } from '../../overlay/content/measure.js'
import type { PixelArea } from '../../overlay/content/pixels.js'
import { GREY, Sheet, seeded, unlike } from '../../overlay/content/testing.js'
import { figure, ms, percentile } from './figures.js'

const ROW = 20
const MARKS = 10

/** How often each case is measured, and how often before that, for the compiler. */
const [ROUNDS, WARM_UP] = [60, 20]

/** A header, a sidebar, and a pane with two columns of text that is scrolled by so much, in pixels. */
function page(width: number, height: number, scroll: number): Sheet {
  const sheet = new Sheet(width, height)
  const pane: PixelArea = [160, 40, width - 160, height - 40]
  for (let index = Math.floor(scroll / ROW) - 1; index * ROW - scroll < height; index++) {
    const y = 46 + index * ROW - scroll
    sheet.text(172, y, unlike(index, 26), { clip: pane })
    sheet.text(172 + Math.floor(width / 3), y, unlike(index + 10_000, 16), { clip: pane })
  }
  for (let index = 0; index * ROW < height; index++)
    sheet.text(10, 46 + index * ROW, unlike(20_000 + index, 12))
  return sheet.fill([0, 0, width, 40], GREY).text(10, 14, 'File Edit View Help')
}

function noise(width: number, height: number, colors: number): Sheet {
  const sheet = new Sheet(width, height)
  const random = seeded(colors)
  for (let at = 0; at < sheet.data.length; at++) sheet.data[at] = Math.floor(random() * colors) * 0x3f1f0f
  return sheet
}

/** Places of marks all over the pane, most of them points. */
function places({ height }: Pixels): PixelArea[] {
  return Array.from({ length: MARKS }, (_, index) => {
    const y = 40 + Math.floor(((height - 60) * ((index + 4.5) % MARKS)) / MARKS / ROW) * ROW + 12
    return index % 3 === 2 ? [180, y - 8, 120, 16] : [200 + ((index * 37) % 120), y, 0, 0]
  })
}

interface Times {
  readonly first: number[]
  readonly further: number[]
}

/** The pictures are new ones each time, as a window's are: nothing is known of them. */
function times(before: Sheet, after: Sheet, scrolled: boolean, rounds = ROUNDS, warmUp = WARM_UP): Times {
  const found: Times = { first: [], further: [] }
  for (let round = -warmUp; round < rounds; round++) {
    const [from, to] = [before.copy(), after.copy()]
    const prints = places(from).map((rect) => fingerprint(from, rect))
    const comparison = new Comparison(from, to)
    for (const [index, print] of prints.entries()) {
      const start = performance.now()
      comparison.measure(print, scrolled)
      if (round >= 0) found[index === 0 ? 'first' : 'further'].push(performance.now() - start)
    }
  }
  return found
}

function report(name: string, { first, further }: Times, goals: readonly [string?, string?] = []): void {
  figure(`${name}, the first mark, p50`, ms(percentile(first, 0.5)), goals[0])
  figure('  each further one, p50', ms(percentile(further, 0.5)), goals[1])
  figure('  each further one, p95', ms(percentile(further, 0.95)))
}

for (const [width, height, first, further] of [
  [640, 500, '< 3 ms', '< 1 ms'],
  [1280, 800, '< 12 ms', ''],
] as const) {
  const size = `${width}×${height}`
  const before = page(width, height, 300)
  const caret = before.copy().fill([500, 203, 1, 15], 0xff000000)
  report(`${size}, scrolled`, times(before, page(width, height, 327), true), [first, further])
  report(`${size}, all else`, times(before, page(width, height, 9000), true))
  report(`${size}, a caret`, times(before, caret, false))
}

// What it can come to at most: the largest windows, and pictures of which every part is like every other.
const [width, height] = [3840, 2160]
const large = page(width, height, 300)
report('3840×2160, scrolled', times(large, page(width, height, 327), true, 4, 2))
report('3840×2160, all else', times(large, page(width, height, 9000), true, 4, 2))
report('3840×2160, noise of 2 colours', times(noise(width, height, 2), noise(width, height, 2.1), true, 4, 2))
report(
  '3840×2160, noise of 64 colours',
  times(noise(width, height, 64), noise(width, height, 65), true, 4, 2),
)
const whole = fingerprint(large, [0, 0, width, height], 2)
const start = performance.now()
new Comparison(large, page(width, height, 9000)).measure(whole, true)
figure('3840×2160 at scale 2, a mark on the whole window', ms(performance.now() - start))
