/**
 * `node dist/tests/grounding-eval/look.js FOLDER [screen…]`: pictures of the screens, as they are and with the truth drawn in, to look
 * at; and what `recorded/` holds of held-out ones.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createCanvas, ImageData } from '@napi-rs/canvas'
import { EvalDesk } from './desk.js'
import { checkQueries, readQueries } from './queries.js'
import { SCREENS } from './screens.js'
import { stage } from './stage.js'

const [folder = '.', ...names] = process.argv.slice(2)
mkdirSync(folder, { recursive: true })
for (const scale of [1, 2] as const) {
  const specs = SCREENS.filter(
    (spec) => spec.scale === scale && (names.length === 0 || names.includes(spec.name)),
  )
  if (specs.length === 0) continue
  const desk = await EvalDesk.set(scale)
  try {
    for (const spec of specs) {
      await stage(desk, spec, async ({ frame, truth, windows }) => {
        checkQueries(spec.name, readQueries(spec.name), truth)
        const canvas = createCanvas(frame.width, frame.height)
        const context = canvas.getContext('2d')
        context.putImageData(
          new ImageData(new Uint8ClampedArray(frame.data), frame.width, frame.height),
          0,
          0,
        )
        writeFileSync(join(folder, `${spec.name}.png`), await canvas.encode('png'))
        context.strokeStyle = '#ff00aa'
        for (const rects of Object.values(truth)) {
          for (const [x, y, w, h] of rects) context.strokeRect(x * scale, y * scale, w * scale, h * scale)
        }
        writeFileSync(join(folder, `${spec.name}-truth.png`), await canvas.encode('png'))
        writeFileSync(
          join(folder, `${spec.name}.json`),
          JSON.stringify({ scale, truth, windows: windows.map(({ pid: _, ...window }) => window) }),
        )
      })
      console.log(spec.name)
    }
  } finally {
    await desk.end()
  }
}
