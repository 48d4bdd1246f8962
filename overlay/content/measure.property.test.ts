import test from 'ava'
import fc from 'fast-check'
import { Comparison, fingerprint, measure, shiftedPrint, type Verdict } from './measure.js'
import type { PixelArea } from './pixels.js'
import { GREY, Sheet, seeded, unlike } from './testing.js'

const [WIDTH, HEIGHT] = [640, 460]

/** Where the columns of a row begin, seen from the pane's left edge or from the window's right one. */
const [TEXT, BUTTON] = [12, 120]

const SIDEBAR = 140

interface Page {
  readonly rowHeight: number
  readonly hasSidebar: boolean
  readonly header: number
  readonly footer: number
  /** A button at the end of each row, and a line below it. */
  readonly hasColumns: boolean
  /** The sidebar has a ground of its own. */
  readonly isTinted: boolean
  /** The rows' texts, in no order; a `%` stands for the row's number. */
  readonly rows: readonly string[]
}

interface Case {
  readonly page: Page
  /** How far it is scrolled before, and by how much further after, in pixels. */
  readonly from: number
  readonly by: number
  /** What the footer says changes. */
  readonly hasStatus: boolean
  /** The mark: in the pane or the sidebar, which row in sight, and how far from where the text begins. */
  readonly mark: {
    readonly isInPane: boolean
    readonly row: number
    readonly x: number
    readonly width: number
    readonly isOnButton: boolean
  }
}

interface Dots {
  readonly width: number
  readonly height: number
  readonly seed: number
  readonly colors: number
}

const unlikeRows = fc.constantFrom(['%'], ['% waiting', '% done', '%'], ['% open', '% item of a list'])

/** What is found in lists, and is alike. */
const likeRows = fc.array(
  fc.constantFrom(
    'idle waiting for work',
    'retry no answer',
    'Edit   Delete',
    'open',
    'Row #',
    'item # of the list',
  ),
  { minLength: 1, maxLength: 4 },
)

const aMark = fc.record({
  isInPane: fc.integer({ min: 0, max: 4 }).map((value) => value > 0),
  row: fc.nat(30),
  x: fc.oneof(fc.integer({ min: 0, max: 100 }), fc.integer({ min: 0, max: 450 })),
  width: fc.constantFrom(0, 0, 60, 150),
  isOnButton: fc.boolean(),
})

const cases = (rows: fc.Arbitrary<readonly string[]>): fc.Arbitrary<Case> =>
  fc.record({
    page: fc.record({
      rowHeight: fc.constantFrom(15, 20, 24, 30),
      hasSidebar: fc.boolean(),
      header: fc.constantFrom(0, 50, 50),
      footer: fc.constantFrom(0, 24),
      hasColumns: fc.boolean(),
      isTinted: fc.boolean(),
      rows,
    }),
    from: fc.integer({ min: 1000, max: 1200 }),
    by: fc.oneof(
      fc.constant(0),
      fc.integer({ min: -40, max: 40 }),
      fc.integer({ min: -300, max: 300 }),
      fc.constantFrom(15, 20, 24, 30, 60, 120, 240, -15, -20, -24, -30, -120),
      fc.constantFrom(3 * HEIGHT, -2 * HEIGHT),
    ),
    hasStatus: fc.boolean(),
    mark: aMark,
  })

function rowText({ rows }: Page, index: number): string {
  const text = rows[Math.floor(seeded(index * 31 + 7)() * rows.length)] as string
  // A row's number alone is alike in seven rows, so that they recur in sight.
  return text.replace('%', unlike(index, 12)).replace('#', String(index % 7))
}

function draw(page: Page, scroll: number, status: string): Sheet {
  const { rowHeight, header, footer, hasColumns, isTinted } = page
  const sheet = new Sheet(WIDTH, HEIGHT)
  const left = page.hasSidebar ? SIDEBAR : 0
  const clip: PixelArea = [left, header, WIDTH - left, HEIGHT - header - footer]
  for (let index = Math.floor(scroll / rowHeight) - 1; rowTop(page, index, scroll) < HEIGHT; index++) {
    const y = rowTop(page, index, scroll)
    sheet.text(left + TEXT, y, rowText(page, index), { clip })
    if (!hasColumns) continue
    sheet.text(WIDTH - BUTTON, y, 'Edit Del', { clip }).fill([left, y + rowHeight - 3, WIDTH - left, 1], GREY)
  }
  if (left > 0) {
    sheet.fill([0, header, left, HEIGHT - header], isTinted ? 0xfff0f0f0 : 0xffffffff)
    for (let index = 0; index < 12; index++) sheet.text(10, sidebarTop(page, index), unlike(5000 + index, 8))
  }
  if (header > 0) sheet.fill([0, 0, WIDTH, header], GREY).text(10, 20, 'Header title File Edit View')
  if (footer > 0)
    sheet.fill([0, HEIGHT - footer, WIDTH, footer], GREY).text(10, HEIGHT - 18, `status ${status}`)
  return sheet
}

function rowTop({ header, rowHeight }: Page, index: number, scroll: number): number {
  return header + 4 + index * rowHeight - scroll
}

function sidebarTop({ header, rowHeight }: Page, index: number): number {
  return header + 8 + index * rowHeight
}

/** Where the mark is, and where what it is on is afterwards; null: out of sight. */
function place({
  page,
  from,
  by,
  mark,
}: Case): { rect: PixelArea; truth: readonly [number, number] | null } | null {
  const { header, footer, rowHeight, hasSidebar, hasColumns } = page
  const end = HEIGHT - footer
  const rectAt = (x: number, middle: number): PixelArea =>
    mark.width === 0 ? [x, middle, 0, 0] : [x, middle - 8, mark.width, 16]
  if (!mark.isInPane && hasSidebar) {
    const middle = sidebarTop(page, mark.row % 12) + 5
    return middle + 8 < end ? { rect: rectAt(10 + (mark.x % 40), middle), truth: [0, 0] } : null
  }
  const rowsInSight = Math.floor((end - header) / rowHeight)
  const middle = rowTop(page, Math.floor(from / rowHeight) + (mark.row % rowsInSight), from) + 5
  if (middle < header + 2 || middle >= end - 2) return null
  const isOnButton = mark.isOnButton && hasColumns
  const x = isOnButton ? WIDTH - BUTTON + (mark.x % 60) : (hasSidebar ? SIDEBAR : 0) + TEXT + mark.x
  const isInSight = middle - by >= header && middle - by < end
  return { rect: rectAt(x, middle), truth: isInSight ? [0, -by] : null }
}

function isWrong(verdict: Verdict, truth: readonly [number, number] | null): boolean {
  if (verdict.kind === 'lost') return false
  if (truth === null) return true
  const [dx, dy] = verdict.kind === 'moved' ? verdict.by : [0, 0]
  return dx !== truth[0] || dy !== truth[1]
}

function pictures({ page, from, by, hasStatus }: Case): [before: Sheet, after: Sheet] {
  return [draw(page, from, 'ready'), draw(page, from + by, hasStatus ? 'busy' : 'ready')]
}

/** A picture of dots in a few colours. */
function dotted({ width, height, seed, colors }: Dots): Sheet {
  const sheet = new Sheet(width, height)
  const random = seeded(seed)
  for (let at = 0; at < sheet.data.length; at++) sheet.data[at] = Math.floor(random() * colors) * 0x7f7f7f
  return sheet
}

/** What is said of a made-up mark, and whether that is wrong; null where there is nothing to be marked. */
function judge(one: Case): { verdict: Verdict; isWrong: boolean } | null {
  const placed = place(one)
  if (!placed) return null
  const [before, after] = pictures(one)
  const verdict = measure(before, after, fingerprint(before, placed.rect), one.by !== 0)
  return { verdict, isWrong: isWrong(verdict, placed.truth) }
}

test('where every row is told from all others a mark is never put on something else', (t) => {
  const counts = { same: 0, moved: 0, lost: 0 }
  fc.assert(
    fc.property(cases(unlikeRows), (one) => {
      const judged = judge(one)
      if (judged) counts[judged.verdict.kind]++
      return !judged?.isWrong
    }),
    { seed: 1, numRuns: 300 },
  )
  t.log(counts)
  t.true(counts.moved > 60 && counts.same > 30)
})

test('nor is any of several marks in one window', (t) => {
  let moved = 0
  fc.assert(
    fc.property(cases(unlikeRows), fc.array(aMark, { minLength: 2, maxLength: 8 }), (one, marks) => {
      const [before, after] = pictures(one)
      const comparison = new Comparison(before, after)
      return marks.every((mark) => {
        const placed = place({ ...one, mark })
        if (!placed) return true
        const verdict = comparison.measure(fingerprint(before, placed.rect), one.by !== 0)
        if (verdict.kind === 'moved') moved++
        return !isWrong(verdict, placed.truth)
      })
    }),
    { seed: 3, numRuns: 120 },
  )
  t.true(moved > 120)
})

test('whatever the pictures and the place are, there is an answer', (t) => {
  const size = fc.oneof(fc.nat(12), fc.nat(90))
  const sheet = fc.record({
    width: size,
    height: size,
    seed: fc.nat(),
    colors: fc.integer({ min: 1, max: 3 }),
  })
  const length = fc.integer({ min: -100, max: 200 })
  fc.assert(
    fc.property(
      sheet,
      sheet,
      fc.tuple(length, length, fc.nat(100), fc.nat(100)),
      fc.tuple(length, length),
      fc.constantFrom(1, 1.25, 2, 3),
      fc.boolean(),
      (from, to, rect, by, scale, isOneSize) => {
        const [before, after] = [dotted(from), dotted(isOneSize ? { ...from, seed: to.seed } : to)]
        const print = fingerprint(before, rect, scale)
        for (const one of [print, shiftedPrint(print, by)]) measure(before, after, one, true)
      },
    ),
    { seed: 4, numRuns: 500 },
  )
  t.pass()
})

test('in lists of rows that are alike a mark is hardly ever put on something else', (t) => {
  const judged = fc
    .sample(cases(likeRows), { seed: 2, numRuns: 500 })
    .map(judge)
    .filter((one) => one !== null)
  const wrong = judged.filter((one) => one.isWrong).length
  t.log(`${wrong} of ${judged.length} wrong`)
  // Many of these lists look the same, pixel by pixel, when they have scrolled to somewhere else.
  t.true(wrong <= 0.03 * judged.length)
})
