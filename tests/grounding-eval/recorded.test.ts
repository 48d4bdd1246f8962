import test from 'ava'
import { judge } from '../../grounding/index.js'
import { OcrProcess } from '../../grounding/ocr/process.js'
import { Ocr } from '../../grounding/ocr/resolver.js'
import type { Display } from '../../protocol/overlay/geometry.js'
import { checkQueries, readQueries } from './queries.js'
import { readRecorded, recordedNames } from './recorded.js'
import { row, type Scored, score } from './score.js'
import { HALVES, SCREENS } from './screens.js'

test('there are many screens and queries, of all kinds, and no screen is in both halves', (t) => {
  const asked = SCREENS.flatMap(({ name }) => readQueries(name))
  t.true(SCREENS.length >= 12 && asked.length >= 150, `${SCREENS.length} screens, ${asked.length} queries`)
  t.is(new Set(SCREENS.map(({ name }) => name)).size, SCREENS.length)
  for (const half of HALVES) {
    const own = SCREENS.filter((screen) => screen.half === half)
    // The smallest has one toolkit.
    const kinds = half === 'blind' ? ['page', 'gtk4', 'terminal'] : ['page', 'gtk3', 'gtk4', 'terminal']
    t.deepEqual(new Set(own.map(({ kind }) => kind)), new Set(kinds))
    t.true(own.some(({ dark }) => dark) && own.some(({ scale }) => scale === 2))
    const queries = own.flatMap(({ name }) => readQueries(name))
    t.true(queries.some(({ right }) => right.length === 0) && queries.some(({ ambiguous }) => ambiguous))
  }
})

test('text on pixels of held-out screens: at least 92% right, at most 2% wrong, no pointer on a wrong one (D3, D4)', async (t) => {
  t.timeout(300_000)
  // Other tests beside it are no daemon to give way to.
  const reading = new OcrProcess({ engine: 'tesseract.js', env: {}, nice: 0 }, 60_000, 120_000)
  const ocr = new Ocr({ env: {}, log: () => {} }, reading)
  t.teardown(() => ocr.close())
  const all: Scored[] = []
  for (const name of recordedNames()) {
    const { frame, windows, truth } = await readRecorded(name)
    const asked = readQueries(name)
    checkQueries(name, asked, truth)
    t.is(SCREENS.find((screen) => screen.name === name)?.half, 'held')
    const display: Display = {
      id: 1,
      name,
      logical_size: [1280, 800],
      scale: frame.scale,
      origin: [0, 0],
      primary: true,
    }
    for (const one of asked.filter(({ mute }) => !mute)) {
      const query = { text: one.words, display, windows }
      const { candidates, notes } = await ocr.resolve(query, frame, AbortSignal.timeout(120_000))
      t.deepEqual(notes, [], 'everything was read')
      all.push({ screen: name, asked: one, ms: 0, ...score(one, judge(candidates), truth) })
    }
  }
  for (const one of all.filter(({ outcome }) => outcome !== 'right'))
    t.log(`${one.screen}: ${one.asked.words}: ${one.outcome}, ${one.said}`)
  const { counts, of, misled } = row('ocr', all)
  t.log(`${counts.right} of ${of} right, ${counts.wrong} wrong`)
  t.true(of >= 90)
  t.true(counts.right >= 0.92 * of)
  t.true(counts.wrong <= 0.02 * of)
  t.is(misled, 0)
})
