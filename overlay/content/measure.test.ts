import test from 'ava'
import { Comparison, fingerprint, measure, shiftedPrint, type Verdict } from './measure.js'
import type { PixelArea } from './pixels.js'
import { BLACK, GREY, Sheet, seeded, unlike, WHITE } from './testing.js'

const ROW = 24
const [WIDTH, HEIGHT] = [480, 400]
const PANE: PixelArea = [140, 40, WIDTH - 140, HEIGHT - 40]

/** Lines of text, the row of number `index` at `index * ROW - scroll` below the top of a part of the window. */
function withRows(
  sheet: Sheet,
  row: (index: number) => string,
  scroll = 0,
  area: PixelArea = [0, 0, WIDTH, HEIGHT],
) {
  const [x, y, , height] = area
  for (let index = Math.floor(scroll / ROW) - 1; index * ROW - scroll < height; index++) {
    sheet.text(x + 12, y + 6 + index * ROW - scroll, row(index), { clip: area })
  }
  return sheet
}

const blank = () => new Sheet(WIDTH, HEIGHT)
const page = (scroll = 0) => withRows(blank(), unlike, scroll)

/** A header, a sidebar, and a pane that scrolls. */
function panes(scroll: number, row: (index: number) => string = unlike): Sheet {
  const sheet = withRows(blank(), row, scroll, PANE).fill([0, 0, WIDTH, 40], GREY)
  for (let index = 0; index < 12; index++) sheet.text(10, 46 + index * ROW, unlike(1000 + index, 10))
  return sheet.text(10, 14, 'File Edit View Help')
}

/** What is said of a mark on something. */
function said(before: Sheet, after: Sheet, rect: PixelArea, scrolled = false): Verdict {
  return measure(before, after, fingerprint(before, rect), scrolled)
}

const same: Verdict = { kind: 'same' }
const moved = (dx: number, dy: number): Verdict => ({ kind: 'moved', by: [dx, dy] })
/** The middle of a row of a page, the first in sight being number 0. */
const onRow = (index: number, x = 60): PixelArea => [x, 12 + index * ROW, 0, 0]

test('text that scrolls is followed', (t) => {
  for (const by of [1, 17, 3 * ROW, -90]) {
    t.deepEqual(said(page(200), page(200 + by), onRow(8), true), moved(0, -by))
  }
})

test('text that scrolls sideways is followed', (t) => {
  const at = (x: number) => withRows(blank(), unlike, 0, [x, 0, WIDTH, HEIGHT])
  t.deepEqual(said(at(60), at(20), onRow(5, 140)), moved(-40, 0))
})

test('what scrolled out of sight is lost', (t) => {
  t.deepEqual(said(page(0), page(10 * ROW), onRow(4), true), { kind: 'lost', why: 'changed' })
})

test('what moved in both directions is followed', (t) => {
  const at = (x: number, y: number) => {
    const sheet = blank()
    for (let index = 0; index < 8; index++) sheet.text(x, y + index * ROW, unlike(index))
    return sheet
  }
  t.deepEqual(said(at(60, 60), at(83, 49), [140, 120, 40, 12]), moved(23, -11))
})

test('among equal rows none is told from another', (t) => {
  const rows = (scroll: number) => withRows(blank(), () => 'Edit Delete', scroll)
  for (const by of [ROW, 10]) {
    const { kind } = said(rows(0), rows(by), onRow(6), true)
    t.is(kind, 'lost')
  }
})

test('a list of equal rows that has not changed may have scrolled by a row', (t) => {
  const rows = withRows(blank(), () => 'Edit Delete')
  t.deepEqual(said(rows, rows.copy(), onRow(6), true), { kind: 'lost', why: 'ambiguous' })
  t.deepEqual(said(rows, rows.copy(), onRow(6), false), same)
  const telling = page()
  t.deepEqual(said(telling, telling.copy(), onRow(6), true), same)
})

test('a button that is in every row goes with the label of its own row', (t) => {
  const rows = (scroll: number) => withRows(blank(), (index) => `${unlike(index, 20)}  Edit`, scroll)
  t.deepEqual(said(rows(100), rows(100 + ROW), [12 + 22 * 8, 5 * ROW + 2, 32, 16], true), moved(0, -ROW))
})

test('a row put in above moves those below it, and only those', (t) => {
  const put = (index: number) => (index === 4 ? unlike(99) : unlike(index > 4 ? index - 1 : index))
  const [before, after] = [page(), withRows(blank(), put)]
  t.deepEqual(said(before, after, onRow(8)), moved(0, ROW))
  t.deepEqual(said(before, after, onRow(1)), same)
})

test('a sidebar stays while the pane beside it scrolls, and so does the header', (t) => {
  for (const by of [13, ROW, 6 * ROW]) {
    t.deepEqual(said(panes(300), panes(300 + by), [50, 200, 0, 0], true), same)
    t.deepEqual(said(panes(300), panes(300 + by), [60, 19, 0, 0], true), same)
    t.deepEqual(said(panes(300), panes(300 + by), [220, 200, 0, 0], true), moved(0, -by))
  }
})

test('a plain place between a sidebar and a pane is not put where it may not belong', (t) => {
  const plain: PixelArea = [118, 43 + 5 * ROW, 0, 0]
  const verdict = said(panes(300), panes(300 + 2 * ROW), plain, true)
  t.not(verdict.kind, 'moved')
})

test('a sidebar does not hold a plain place that has rows on its left which moved', (t) => {
  const like = (scroll: number) => panes(scroll, () => 'retry no answer')
  for (const by of [3, 10, -7]) t.not(said(like(300), like(300 + by), [360, 200, 0, 0], true).kind, 'same')
})

test('a thing like no other near which nothing changed is the same, whatever becomes of the rest', (t) => {
  const title = (sheet: Sheet) => sheet.fill([0, 0, WIDTH, 120], WHITE).text(40, 40, 'Some title')
  const like = (scroll: number) => title(withRows(blank(), () => 'retry no answer', scroll))
  t.deepEqual(said(like(0), like(ROW + 3), [70, 45, 0, 0], true), same)
  t.deepEqual(said(like(0), title(page(200)), [70, 45, 0, 0], true), same)
})

test('a plain place among rows goes with them', (t) => {
  t.deepEqual(said(page(200), page(230), [60, 7 * ROW + 22, 0, 0], true), moved(0, -30))
})

test('what lies under a dialog is lost', (t) => {
  const before = page()
  const after = before.copy().fill([20, 100, 400, 200], GREY).text(60, 190, 'Really? Cancel OK')
  t.deepEqual(said(before, after, onRow(7)), { kind: 'lost', why: 'changed' })
  t.deepEqual(said(before, after, onRow(1)), same)
})

test('a caret changes nothing, be it beside a thing or in it', (t) => {
  const before = page()
  for (const x of [12 + 24 * 8 + 2, 76]) {
    t.deepEqual(said(before, before.copy().fill([x, 7 * ROW + 4, 1, 15], BLACK), onRow(7)), same)
  }
})

test('a spinner beside a thing, or a film, changes nothing', (t) => {
  const before = page()
  const noise = (area: PixelArea, seed: number) => {
    const sheet = before.copy()
    const random = seeded(seed)
    const [left, top, width, height] = area
    for (let y = top; y < top + height; y++) {
      for (let x = left; x < left + width; x++) sheet.data[y * WIDTH + x] = (random() * 2 ** 32) >>> 0
    }
    return sheet
  }
  for (const area of [
    [220, 7 * ROW, 20, 20],
    [260, 60, 200, 160],
  ] as const) {
    t.deepEqual(said(noise(area, 1), noise(area, 2), onRow(7)), same)
  }
})

test('what the pointer is over is the same in other colours', (t) => {
  const before = page()
  const row: PixelArea = [0, 7 * ROW, WIDTH, ROW]
  t.deepEqual(said(before, before.inverted(row), onRow(7)), same)
  t.deepEqual(said(before.inverted(row), before, onRow(7)), same)
})

test('a window of another size still shows what is in sight, and not the rest', (t) => {
  const before = page()
  t.deepEqual(said(before, before.resized(WIDTH + 100, HEIGHT + 50), onRow(7)), same)
  t.deepEqual(said(before, before.resized(WIDTH - 100, HEIGHT - 50), onRow(7)), same)
  for (const [width, height] of [
    [WIDTH, 7 * ROW + 13],
    [WIDTH, 6 * ROW],
    [20, HEIGHT],
    [1, 1],
  ] as const) {
    t.is(said(before, before.resized(width, height), onRow(7)).kind, 'lost', `${width}×${height}`)
  }
})

test('a thing at the edge of the picture, or partly beyond it, is known by what is in sight', (t) => {
  const [before, after] = [page(200), page(200 - 2 * ROW)]
  for (const rect of [
    [12, -4, 40, 20],
    [-30, 100, 60, 20],
    [WIDTH - 20, 100, 60, 20],
    [60, HEIGHT - 6, 40, 40],
    [0, 0, 0, 0],
  ] as const) {
    t.deepEqual(said(before, before.copy(), rect), same, `${rect}`)
    t.not(said(before, after, rect, true).kind, 'same', `${rect}`)
  }
  t.deepEqual(said(before, after, [12, -4, 40, 20], true), moved(0, 2 * ROW))
})

test('of a place outside of the picture nothing is known', (t) => {
  const before = page()
  for (const rect of [
    [WIDTH + 200, 100, 20, 20],
    [60, -300, 20, 20],
  ] as const) {
    t.is(said(before, before.copy(), rect).kind, 'lost')
    t.is(said(before, page(ROW), rect, true).kind, 'lost')
  }
})

test('an empty picture shows nothing', (t) => {
  const empty = new Sheet(0, 0)
  t.is(said(empty, empty, [0, 0, 10, 10]).kind, 'lost')
  t.is(said(page(), empty, onRow(7)).kind, 'lost')
  t.is(measure(empty, page(), fingerprint(page(), onRow(7))).kind, 'same')
})

test('a picture that is smaller than a block is the same while no pixel changes', (t) => {
  for (const [width, height] of [
    [1, 1],
    [7, 7],
    [5, 40],
    [40, 5],
  ] as const) {
    const before = new Sheet(width, height)
    t.deepEqual(said(before, before.copy(), [0, 0, 4, 4]), same)
    t.is(said(before, new Sheet(width, height, BLACK), [0, 0, 4, 4]).kind, 'lost')
  }
})

test('a thing that is larger on a display of a larger scale is followed there', (t) => {
  const at = (scroll: number) => {
    const [small, large] = [page(scroll), new Sheet(2 * WIDTH, 2 * HEIGHT, WHITE)]
    for (let y = 0; y < large.height; y++) {
      for (let x = 0; x < large.width; x++) {
        large.data[y * large.width + x] = small.data[(y >> 1) * WIDTH + (x >> 1)] as number
      }
    }
    return large
  }
  const print = fingerprint(at(200), [120, 2 * 200, 0, 0], 2)
  t.is(print.core[2], 96)
  t.deepEqual(measure(at(200), at(230), print, true), moved(0, -60))
})

test('many things in one window are told as each alone is', (t) => {
  const [before, after] = [panes(300), panes(330)]
  const comparison = new Comparison(before, after)
  for (let y = 60; y < HEIGHT; y += 17) {
    for (const rect of [
      [50, y, 0, 0],
      [130, y, 0, 0],
      [220, y, 0, 0],
      [200, y - 8, 90, 16],
      [440, y, 0, 0],
    ] as const) {
      const print = fingerprint(before, rect)
      const [alone, together] = [measure(before, after, print, true), comparison.measure(print, true)]
      t.true(alone.kind === 'lost' || alone.kind === together.kind, `${rect}`)
      if (together.kind === 'moved') t.deepEqual(together, moved(0, -30), `${rect}`)
    }
  }
})

test('what looks like something that moved with the others, and is still there, has not moved', (t) => {
  const [before, after] = [panes(300), panes(300 + ROW)]
  for (const sheet of [before, after]) sheet.text(350, 200, 'total 5')
  after.text(350, 200 - ROW, 'total 5')
  const comparison = new Comparison(before, after)
  t.deepEqual(comparison.measure(fingerprint(before, [220, 150, 0, 0]), true), moved(0, -ROW))
  t.not(comparison.measure(fingerprint(before, [376, 205, 0, 0]), true).kind, 'moved')
})

test('a mark that is partly, or wholly, out of the picture by now is no trouble', (t) => {
  const [before, after] = [page(0), page(30)]
  const print = fingerprint(before, [60, 100, 80, 20])
  for (const by of [
    [-70, 0],
    [0, -95],
    [WIDTH - 90, HEIGHT - 110],
    [-1000, 0],
    [0, 5000],
  ] as const) {
    t.is(measure(before, after, shiftedPrint(print, by), true).kind, 'lost')
    t.notThrows(() => measure(before, before.copy(), shiftedPrint(print, by)))
    t.notThrows(() => measure(before.resized(70, 70), after, shiftedPrint(print, by)))
  }
})

test('the largest windows, and the least telling pictures, take no more than a moment', (t) => {
  const [width, height] = [3840, 2160]
  const pattern = (period: number, phase: number) => {
    const sheet = new Sheet(width, height)
    for (let at = 0; at < sheet.data.length; at++) {
      const [x, y] = [at % width, Math.floor(at / width)]
      sheet.data[at] = ((x + phase) * (y + phase)) % period === 0 ? BLACK : WHITE
    }
    return sheet
  }
  for (const [name, before, after] of [
    ['text', withRows(new Sheet(width, height), unlike, 0, [0, 0, width, height]), new Sheet(width, height)],
    ['a fine pattern', pattern(2, 0), pattern(2, 1)],
    ['a coarse pattern', pattern(7, 0), pattern(7, 3)],
    ['a wide window', new Sheet(5000, 20, BLACK), new Sheet(5000, 20)],
  ] as const) {
    for (const rect of [
      [60, 12, 0, 0],
      [0, 0, before.width, before.height],
    ] as const) {
      // Of the processor, not by the clock, and up to three times: others may want it as well.
      let tookMs = Number.POSITIVE_INFINITY
      for (let tried = 0; tried < 3 && tookMs >= 2000; tried++) {
        const start = process.cpuUsage()
        measure(before, after, fingerprint(before, rect, 2), true)
        const { user, system } = process.cpuUsage(start)
        tookMs = (user + system) / 1000
      }
      t.log(`${name}, [${rect}]: ${tookMs.toFixed(0)} ms`)
      // It takes a quarter of that at most where nothing else runs.
      t.true(tookMs < 2000)
    }
  }
})
