/** Text of mixed directions, as the page paints it: in the order in which every other host does. */
import { createCanvas } from '@napi-rs/canvas'
import type { Context2D } from '../../overlay/scene/context.js'
import { Ruler } from '../../overlay/scene/font.js'
import { layTextbox, paintTextbox } from '../../overlay/scene/textbox.js'
import { registerFonts } from '../golden/canvas.js'
import { openPage, scene } from './page.js'
import { inBrowser } from './support.js'

type Painted = readonly [text: string, x: number, direction: string]

const RECORDED = `globalThis.painted = []
{
  const { fillText } = CanvasRenderingContext2D.prototype
  CanvasRenderingContext2D.prototype.fillText = function (text, x, y) {
    painted.push([text, x, this.direction])
    return fillText.call(this, text, x, y)
  }
}`

inBrowser('text of mixed directions is in the same runs and the same order as on every host', async (t) => {
  registerFonts()
  const mark = (text: string) => ({
    ...{ kind: 'textbox' as const, id: 'n', style: 'note' as const, text },
    rect: [50, 50, 260, 100] as [number, number, number, number],
  })
  for (const text of [
    'הבדיקות עברו (42 מתוך 42) ב־Lets 3.5, ואין אזהרות! לחצו על “Run all tests, again”.',
    'اكتملت كل الاختبارات (42 من 42)، اضغط على “Run all tests, again”!\nPress שמור 12.',
  ]) {
    const measure = createCanvas(1, 1).getContext('2d')
    const body = layTextbox(mark(text), { size: [800, 600], scale: 1, ruler: new Ruler(measure), measure })
    const here: Painted[] = []
    const context = createCanvas(800, 600).getContext('2d') as unknown as Context2D
    const paint = context.fillText.bind(context)
    context.fillText = (run, x, y) => {
      here.push([run, x, context.direction])
      paint(run, x, y)
    }
    paintTextbox(context, body, 1)
    const on = await openPage(t, { before: RECORDED })
    await on.send(scene(on, { put: [mark(text)] }))
    await on.hears('painted')
    const all = await on.page.evaluate<Painted[]>('painted')
    const there = all.slice(0, here.length)
    t.true(here.length > 5)
    t.deepEqual(
      there.map(([run, , direction]) => [run, direction]),
      here.map(([run, , direction]) => [run, direction]),
    )
    // The system's own fonts are chosen by each: within a few points, and in the same order.
    for (const [at, [run, x]] of here.entries()) {
      t.true(Math.abs((there[at]?.[1] ?? 0) - x) < 40, `${run} at ${there[at]?.[1]}, not ${x}`)
    }
  }
})
