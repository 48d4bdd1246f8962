import test from 'ava'
import { type GoldenScene, PROMPT_SIZE, prompt, scenes } from '../golden/scenes.js'
import { sharedBrowser } from './browsers.js'
import { isAlike, likeness, type Pixels, textOf } from './likeness.js'
import { openPage, type TestedPage } from './page.js'
import { painted, wanted } from './pictures.js'
import { inBrowser } from './support.js'

const all: Readonly<Record<string, GoldenScene>> = {
  ...scenes,
  prompt: { marks: [], prompt, size: PROMPT_SIZE },
}

interface Painted {
  readonly golden: Pixels
  readonly withoutText: Pixels
  readonly got: Pixels
}

const known = new Map<string, Painted>()

/** What is wanted, and what the page makes of it: once for each. */
async function bothOf(on: TestedPage, name: string, one: GoldenScene, ratio: number): Promise<Painted> {
  const key = `${name}@${ratio}`
  const both = known.get(key) ?? {
    ...(await wanted(name, one, ratio)),
    got: await painted(on, one, ratio),
  }
  known.set(key, both)
  return both
}

for (const ratio of [1, 1.25, 2]) {
  inBrowser(`the page paints at ratio ${ratio} what the native host paints`, async (t) => {
    const on = await openPage(t, { clock: true }, await sharedBrowser(ratio))
    for (const [name, one] of Object.entries(all)) {
      const { golden, withoutText, got } = await bothOf(on, name, one, ratio)
      const found = likeness(golden, withoutText, got)
      t.true(isAlike(found), `${name}: ${JSON.stringify(found)}`)
    }
  })
}

inBrowser('a part that is missing, moved by a pixel, or of another colour is told', async (t) => {
  // The least and the most: what is told at both is told between them.
  for (const ratio of [1, 2]) {
    const on = await openPage(t, { clock: true }, await sharedBrowser(ratio))
    for (const [name, one] of Object.entries(all)) {
      const { golden, withoutText, got } = await bothOf(on, name, one, ratio)
      const refuses = (other: Pixels, what: string) => {
        const found = likeness(golden, withoutText, other)
        if (isAlike(found)) t.fail(`${name}@${ratio} ${what}: ${JSON.stringify(found)}`)
      }
      const text = textOf(golden, withoutText)
      for (const [dx, dy] of [
        [1, 0],
        [-1, 0],
        [0, 1],
        [0, -1],
      ] as const) {
        refuses(
          moved(got, dx, dy, () => true),
          `moved by ${dx},${dy}`,
        )
        // A lone digit at ratio 1 lies between two pixels, and is put on the one or the other.
        if (text.filter(Boolean).length > 150) {
          refuses(
            moved(got, dx, dy, (at) => text[at] === 1),
            `its text moved by ${dx},${dy}`,
          )
        }
      }
      for (const [what, other] of mutations(one)) {
        // What is wrong with shapes is larger there; text is what may look alike.
        if (ratio === 1 || /caption|number|words/.test(what)) refuses(await painted(on, other, ratio), what)
      }
    }
  }
})

/** The same scene with something wrong, painted by the page itself. */
function mutations(one: GoldenScene): [what: string, scene: GoldenScene][] {
  const { ground = '#fff', marks } = one
  const found: [string, GoldenScene][] = []
  if (marks.some((mark) => mark.kind !== 'textbox' && !('color' in mark && marks.length === 1)))
    found.push(['chosen for another ground', { ...one, over: ground === '#fff' ? '#222' : '#fff' }])
  if (marks.some((mark) => 'label' in mark))
    found.push(['without its caption', { ...one, marks: marks.map((mark) => ({ ...mark, label: '' })) }])
  if (marks.some((mark) => mark.step !== undefined)) {
    const { step: _, ...first } = marks[0]!
    found.push(['without its badge', { ...one, marks: [first] }])
    found.push(['with another number', { ...one, marks: [{ ...first, step: 8 }] }])
  }
  if (one.pointer !== undefined) {
    const { pointer: _, ...rest } = one
    found.push(['without its pointer', rest])
  }
  if (one.prompt) {
    found.push([
      'with other words',
      { ...one, prompt: { ...one.prompt, title: '“codex” asks for pictures' } },
    ])
  }
  return found
}

/** Some of the pixels, from where they are to one beside. */
function moved(from: Pixels, dx: number, dy: number, which: (at: number) => boolean): Pixels {
  const data = from.data.slice()
  for (let at = 0; at < from.width * from.height; at++) {
    const source = at - dx - dy * from.width
    if (!which(at) || source < 0 || source >= from.width * from.height) continue
    data.set(from.data.subarray(source * 4, source * 4 + 4), at * 4)
  }
  return { ...from, data }
}

test('there are golden pictures of every kind of mark', (t) => {
  const kinds = Object.values(all).flatMap(({ marks }) => marks.map(({ kind }) => kind))
  t.deepEqual([...new Set(kinds)].sort(), ['arrow', 'draw', 'highlight', 'point', 'textbox'])
})
