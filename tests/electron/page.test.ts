import { setTimeout as delay } from 'node:timers/promises'
import type { FromPage } from '../../protocol/host/page.js'
import { until } from '../support/xserver.js'
import {
  box,
  COUNTED,
  type Counts,
  canvasOf,
  change,
  openPage,
  point,
  type Scene,
  scene,
  type TestedPage,
} from './page.js'
import { inBrowser } from './support.js'

const kinds = (told: readonly FromPage[]) => told.map(({ type }) => type)
const counts = ({ page }: TestedPage) => page.evaluate<Counts>('({ ...counts })')

inBrowser('the page is ready with its fonts and its size, and answers', async (t) => {
  const on = await openPage(t, { size: [640, 480], ratio: 1.25 })
  t.deepEqual(await on.hears('ready'), { type: 'ready', ratio: 1.25, pixels: [800, 600] })
  t.deepEqual(
    await on.page.evaluate("[...document.fonts].map(({ weight, status }) => weight + ' ' + status).sort()"),
    ['400 loaded', '600 loaded'],
  )
  await on.send({ type: 'ping', id: 7 })
  t.deepEqual(await on.hears('pong'), { type: 'pong', id: 7 })
  await on.send({ type: 'glyphs', id: 8, text: 'Hello, \u{10fffd} 漢字 \u{10fffd}' })
  t.deepEqual(await on.hears('missing'), { type: 'missing', id: 8, graphemes: ['\u{10fffd}'] })
  await on.send(scene(on, { put: [point('p', [100, 100], 'here')], pointer: 'p' }))
  t.deepEqual(await on.hears('painted'), { type: 'painted', seq: 0, presented: true, ink: true })
  await on.send(change(on, { remove: ['p'], pointer: null }))
  t.deepEqual(await on.hears('painted'), { type: 'painted', seq: 1, presented: true, ink: false })
  t.is((await canvasOf(on)).inked, 0, 'nothing is left')
})

inBrowser('nothing runs while nothing changes: no frame, no timer, no paint', async (t) => {
  const on = await openPage(t, { before: COUNTED })
  await on.send(scene(on, { put: [point('p', [100, 100], 'here')], pointer: 'p' }))
  await on.send(change(on, { put: [point('q', [500, 400], 'there')], pointer: 'q' }))
  await on.hears('painted')
  // The flight and the last frame after it.
  await until('it has arrived', async () => {
    const { frames } = await counts(on)
    await delay(100)
    return frames === (await counts(on)).frames
  })
  const before = await counts(on)
  await delay(1500)
  t.deepEqual(await counts(on), before)
  t.true(before.frames > 5 && before.paints > 5)
})

inBrowser('only what changed is painted: a flight touches a small part of the display', async (t) => {
  const on = await openPage(t, { before: COUNTED, clock: true })
  await on.send(scene(on, { put: [point('p', [100, 100])], pointer: 'p' }), 16, 0, 0)
  await on.hears('painted')
  const first = await counts(on)
  await on.send(change(on, { put: [point('q', [700, 500])], pointer: 'q' }), ...Array(25).fill(16))
  const { pixels } = await counts(on)
  const share = (pixels - first.pixels) / 25 / (800 * 600)
  t.true(share > 0 && share < 0.05, `${(share * 100).toFixed(1)} % a frame`)
})

for (const ratio of [1, 1.25, 1.5, 2]) {
  inBrowser(`what was painted bit by bit is what is painted at once, at ratio ${ratio}`, async (t) => {
    // Without captions: they keep to where they are, so that where they are depends on the past.
    const put = [point('p', [103, 87]), box('h', [301, 203, 97, 41])]
    const on = await openPage(t, { clock: true, ratio, size: [640, 480] })
    const flight = Array(30).fill(17)
    await on.send(scene(on, { size: [640, 480], put, pointer: 'p' }), 16)
    const moved = [point('q', [481, 311]), box('h', [97, 300, 111, 57])]
    await on.send(change(on, { put: moved, pointer: 'q' }), ...flight)
    await on.send(change(on, { put: put.slice(1), remove: ['q'], pointer: 'p' }), ...flight)
    const bitByBit = await canvasOf(on)
    await on.send(scene(on, { size: [640, 480], put, pointer: 'p' }), 16)
    t.deepEqual(await canvasOf(on), bitByBit)
    t.true(bitByBit.inked > 0)
    await on.send(change(on, { remove: ['p', 'h'], pointer: null }), 16)
    t.is((await canvasOf(on)).inked, 0, 'nothing is left')
  })
}

inBrowser(
  'on a screen of another ratio the canvas has its pixels, and everything is there again',
  async (t) => {
    const fresh = async (width: number, ratio: number) => {
      const page = await openPage(t, { size: [width, 480], ratio })
      await page.send(scene(page, { size: [640, 480], put: [point('p', [100, 100], 'here')], pointer: 'p' }))
      await page.hears('painted')
      return page
    }
    const on = await fresh(640, 1)
    // Only a change of its size makes Chromium tell an emulated ratio; a screen has another size.
    for (const [ratio, across] of [
      [2, 660],
      [1.25, 640],
      [1.5, 620],
      [1, 640],
    ] as const) {
      const metrics = { width: across, height: 480, deviceScaleFactor: ratio, mobile: false }
      await on.cdp.send('Emulation.setDeviceMetricsOverride', metrics)
      const [width, height] = [across * ratio, 480 * ratio]
      t.deepEqual(await on.hears('surface'), { type: 'surface', ratio, pixels: [width, height] })
      const now = await canvasOf(on)
      t.like(now, { width, height })
      t.deepEqual(await canvasOf(await fresh(across, ratio)), now, `at ratio ${ratio} as if never elsewhere`)
    }
    // What is told while nobody said that the ratio changed is drawn for the ratio there is.
    const metrics = { width: 640, height: 480, deviceScaleFactor: 2, mobile: false }
    await on.cdp.send('Emulation.setDeviceMetricsOverride', metrics)
    await on.send(change(on, {}))
    await on.hears('painted')
    t.deepEqual((await on.hears('surface')).pixels, [1280, 960])
    t.deepEqual(await canvasOf(on), await canvasOf(await fresh(640, 2)))
  },
)

inBrowser('a window that did not get all of its display draws at the places of the display', async (t) => {
  const on = await openPage(t, { ratio: 2, size: [400, 300] })
  const put = [point('p', [150, 150], 'here')]
  await on.send(scene(on, { put, pointer: 'p' }))
  await on.hears('painted')
  const at = async (x: number, y: number) =>
    on.page.evaluate<number[]>(
      `[...document.querySelector('canvas').getContext('2d').getImageData(${x * 2 - 30}, ${y * 2 - 30}, 60, 60).data]`,
    )
  const whole = await at(150, 150)
  t.true(whole.some((channel) => channel > 0))
  await on.send(scene(on, { put, pointer: 'p', offset: [0, 25] }))
  await on.hears('painted')
  t.deepEqual(await at(150, 125), whole)
})

inBrowser('with reduced motion, told or of the system, everything is there at once', async (t) => {
  for (const reduced of ['told', 'system'] as const) {
    const on = await openPage(t, { before: COUNTED, clock: true, reducedMotion: reduced === 'system' })
    const still = scene(on, {
      put: [point('p', [100, 100])],
      pointer: 'p',
      reduced_motion: reduced === 'told',
    })
    await on.send(still, 16, 0, 0)
    await on.hears('painted')
    const before = await counts(on)
    await on.send(change(on, { put: [point('p', [600, 400])] }), 16, 0, 0)
    t.is((await on.hears('painted')).seq, 1)
    // One that paints, and the two with which that counts as presented.
    t.is((await counts(on)).frames - before.frames, 3, reduced)
  }
})

inBrowser('a window that shows no frames says so, and still follows', async (t) => {
  // The clock stands still: frames are asked for, and none comes.
  const on = await openPage(t, { clock: true })
  await on.send(scene(on, { put: [point('p', [100, 100])], pointer: 'p' }))
  t.deepEqual(await on.hears('painted'), { type: 'painted', seq: 0, presented: false, ink: true })
  t.true((await canvasOf(on)).inked > 0)
  await on.send(change(on, { remove: ['p'], pointer: null }))
  t.deepEqual(await on.hears('painted'), { type: 'painted', seq: 1, presented: false, ink: false })
  t.is((await canvasOf(on)).inked, 0)
})

inBrowser('what is malformed is refused by name, and the page goes on', async (t) => {
  const on = await openPage(t)
  const refused = async (message: unknown) => {
    await on.send(message as object)
    const { reason, seq } = await on.hears('refused')
    return seq === undefined ? reason : `${seq}: ${reason}`
  }
  t.is(await refused(null), 'a message is an object, got null')
  t.is(await refused('scene'), 'a message is an object, got "scene"')
  t.is(await refused([]), 'a message is an object, got []')
  t.is(await refused({ type: 'eval' }), 'type must be one of scene, change, glyphs, ping, got "eval"')
  t.is(await refused({ type: 'toString' }), 'type must be one of scene, change, glyphs, ping, got "toString"')
  t.is(await refused(change({ seq: () => 3 }, {})), '3: change: there was no scene before')
  await on.send(scene({ seq: () => 4 }, { put: [point('p', [100, 100])], pointer: 'p' }))
  await on.hears('painted')
  const shown = await canvasOf(on)
  const wrong = (more: object) => refused({ ...change({ seq: () => 5 }, {}), ...more })
  t.is(await wrong({ seq: 4 }), '4: change: seq must be more than 4, got 4')
  t.is(
    await wrong({ put: [{ ...point('q', [1, 2]), at: [1] }] }),
    '5: change: put[0].at must have exactly 2 entries, got [1]',
  )
  t.regex(await wrong({ put: [{ kind: 'window', id: 'q' }] }), /^5: change: put\[0\]/)
  t.is(await wrong({ remove: 'p' }), '5: change: remove must be an array, got "p"')
  t.regex(await wrong({ prompt: { title: 1 } }), /^5: change: prompt/)
  const backdrop = { rect: [0, 0, 9, 9], width: 2, height: 1, rgba: 'AAAA' }
  t.is(
    await wrong({ put: [point('q', [200, 100])], backdrop: [backdrop] }),
    '5: change: backdrop[0].rgba must be 8 bytes for 2x1 pixels, got 3',
  )
  t.deepEqual(await canvasOf(on), shown, 'nothing of it was done')
  await on.send(change({ seq: () => 5 }, { remove: ['p'], pointer: null }))
  t.deepEqual(await on.hears('painted'), { type: 'painted', seq: 5, presented: true, ink: false })
  t.false(kinds(on.told).includes('fault'))
})

for (const ratio of [1, 1.5]) {
  inBrowser(
    `where the companion's menu is open no mark is drawn, but a question is, at ratio ${ratio}`,
    async (t) => {
      const on = await openPage(t, { size: [640, 480], ratio })
      const opening: [number, number, number, number] = [200, 260, 180, 120]
      const inkIn = () =>
        on.page.evaluate<number>(`(() => {
        const [x, y, width, height] = ${JSON.stringify(opening)}.map((side) => side * ${ratio})
        const { data } = document.querySelector('canvas').getContext('2d').getImageData(x, y, width, height)
        return data.reduce((count, channel) => count + (channel === 0 ? 0 : 1), 0)
      })()`)
      const note = (text: string): Scene['put'][number] => ({
        ...{ kind: 'textbox', id: 'n', rect: [100, 200, 400, 200], style: 'note' },
        text,
      })
      await on.send(scene(on, { size: [640, 480], put: [note('Allow all of it. '.repeat(30))] }))
      await on.hears('painted')
      const whole = await canvasOf(on)
      await on.send(change(on, { opening }))
      await on.hears('painted')
      t.is(await inkIn(), 0)
      t.true((await canvasOf(on)).inked > 0, 'the mark is around it')
      await on.send(change(on, { put: [note('And more. '.repeat(40))] }))
      await on.hears('painted')
      t.is(await inkIn(), 0, 'what comes later keeps off it, too')
      const prompt = { title: 'May it?', body: 'It wants to.', answers: [{ label: 'Yes', keys: ['Y'] }] }
      await on.send(change(on, { prompt }))
      await on.hears('painted')
      t.true((await inkIn()) > 0, 'nobody hides a question')
      await on.send(change(on, { prompt: null, put: [note('Allow all of it. '.repeat(30))] }))
      await on.hears('painted')
      t.is(await inkIn(), 0)
      await on.send(change(on, { opening: null }))
      await on.hears('painted')
      t.deepEqual(await canvasOf(on), whole, 'closed, the mark is whole again')
      await on.send(scene(on, { size: [640, 480], put: [note('Anew')], opening }))
      await on.hears('painted')
      t.is(await inkIn(), 0, 'a page that comes anew is told')
    },
  )
}

inBrowser('a page that is loaded again says so, and gets everything again', async (t) => {
  const on = await openPage(t)
  await on.hears('ready')
  const all = { put: [point('p', [100, 100], 'here'), point('q', [300, 200], 'there')], pointer: 'q' }
  await on.send(scene(on, all))
  await on.hears('painted')
  const shown = await canvasOf(on)
  await on.page.reload()
  await on.hears('ready')
  t.is((await canvasOf(on)).inked, 0, 'nothing of before is there')
  await on.send(scene(on, all))
  await on.hears('painted')
  t.deepEqual(await canvasOf(on), shown, 'at its place at once: nothing flies again')
})

inBrowser('2,000 marks are painted, and the page is there for the next', async (t) => {
  const on = await openPage(t, { size: [1920, 1080], ratio: 1 })
  await on.send(scene(on, { size: [1920, 1080] }))
  await on.hears('painted')
  const put = Array.from({ length: 2000 }, (_, n) => {
    const [x, y] = [20 + (n % 60) * 31, 20 + Math.floor(n / 60) * 30]
    return n % 2 === 0 ? point(`m${n}`, [x, y], `mark ${n}`) : box(`m${n}`, [x - 10, y - 10, 24, 18])
  })
  const before = performance.now()
  await on.send(change(on, { put, pointer: 'm1998' }))
  t.true((await on.hears('painted')).ink)
  const took = performance.now() - before
  t.log(`${took.toFixed(0)} ms`)
  t.true(took < 20_000)
  await on.send(change(on, { remove: put.map(({ id }) => id), pointer: null }))
  t.false((await on.hears('painted')).ink)
  t.is((await canvasOf(on)).inked, 0)
})

inBrowser(
  'a font that does not load is a fault, and so is an error of the page; it is not ready then',
  async (t) => {
    const lacking = await openPage(t, { lacks: /SemiBold/ })
    t.regex((await lacking.hears('fault')).reason, /LetsSans-SemiBold\.woff2 does not load/)
    t.false(kinds(lacking.told).includes('ready'))
    const broken = await openPage(t, {
      before: 'CanvasRenderingContext2D.prototype.fill = () => { throw new Error("no fill") }',
    })
    await broken.send(scene(broken, { put: [point('p', [100, 100])], pointer: 'p' }))
    t.regex((await broken.hears('fault')).reason, /no fill/)
  },
)

inBrowser(
  'pixels that the graphics process took along are painted again; meanwhile nothing counts as seen',
  async (t) => {
    const lost = 'CanvasRenderingContext2D.prototype.isContextLost'
    const on = await openPage(t, { size: [640, 480], ratio: 2 })
    await on.send(scene(on, { put: [point('p', [100, 100], 'here')], pointer: 'p' }))
    await on.hears('painted')
    const shown = await canvasOf(on)
    // As Chromium does it: a context that was lost begins anew, with nothing on it and nothing set.
    await on.page.evaluate(`${lost} = () => true; document.querySelector('canvas').getContext('2d').reset()`)
    await on.send(change(on, {}))
    t.like(await on.hears('painted'), { seq: 1, presented: false })
    await on.page.evaluate(
      `${lost} = () => false; document.querySelector('canvas').dispatchEvent(new Event('contextrestored'))`,
    )
    await until('it is there again', async () => (await canvasOf(on)).hash === shown.hash)
    t.deepEqual(await canvasOf(on), shown)
  },
)
