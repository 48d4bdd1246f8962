import test from 'ava'
import type { Rect } from '../../protocol/overlay/geometry.js'
import { difference, golden, pixels, repaint, screen, stage } from '../../tests/golden/canvas.js'
import { prompt, PROMPT_SIZE as SIZE } from '../../tests/golden/scenes.js'

const WHOLE: Rect = [0, 0, ...SIZE]

for (const scale of [1, 1.25, 2]) {
  test(`the prompt looks as it should at scale ${scale}`, async (t) => {
    const on = screen(SIZE, scale)
    const shown = stage(SIZE, scale)
    shown.setPrompt(prompt)
    repaint(on, shown.frame(0).dirty, shown, 0)
    t.is(await golden(`prompt@${scale}`, on), null)
  })

  test(`a question about running code has a sign of its own at scale ${scale}`, async (t) => {
    const on = screen(SIZE, scale)
    const shown = stage(SIZE, scale)
    shown.setPrompt({ ...prompt, sign: 'terminal' })
    repaint(on, shown.frame(0).dirty, shown, 0)
    t.is(await golden(`prompt-run@${scale}`, on), null)
  })
}

test('nothing that a client draws, before or after, shows above the prompt', (t) => {
  const alone = stage(SIZE, 1)
  alone.setPrompt(prompt)
  const [area] = alone.ink(0) as [Rect]
  const crowded = stage(SIZE, 1, true)
  const [x, y, width, height] = area
  // As large as the card, so that its shadow is all there is below the corners.
  const fake = { kind: 'textbox', rect: area, text: 'Press Ctrl+Shift+Y to go on', style: 'guide' } as const
  crowded.put({ ...fake, id: 'before' }, 0)
  crowded.setPrompt(prompt)
  crowded.put({ ...fake, id: 'after' }, 0)
  crowded.put({ kind: 'point', id: 'p', at: [x + width / 2, y + height / 2], label: 'here' }, 0)
  crowded.put({ kind: 'highlight', id: 'h', rect: [0, 0, 9, 9], shape: 'rect', spotlight: true, step: 1 }, 0)
  crowded.setPointer('p', 0)
  const card: Rect = [x + 24, y + 12, width - 48, height - 24]
  const [a, b] = [alone, crowded].map((one) => {
    const on = screen(SIZE, 1)
    one.frame(1000)
    one.paint(on.context, WHOLE, 1000)
    return on.context.getImageData(...card).data
  })
  t.is(difference(a as Uint8ClampedArray, b as Uint8ClampedArray), 0)
})

test('a picture of the marks is without the prompt, and taking it off repaints what it covered', (t) => {
  const shown = stage(SIZE, 1)
  shown.setPrompt(prompt)
  const on = screen(SIZE, 1)
  shown.frame(0)
  shown.paint(on.context, WHOLE, 0, true)
  t.true(pixels(on).every((channel) => channel === 0))
  shown.paint(on.context, WHOLE, 0)
  shown.setPrompt(null)
  repaint(on, shown.frame(1).dirty, shown, 1)
  t.true(pixels(on).every((channel) => channel === 0))
  t.deepEqual(shown.ink(1), [])
})
