import test from 'ava'
import type { Rect } from '../../protocol/overlay/geometry.js'
import { golden, screen, stage } from '../../tests/golden/canvas.js'
import { SIZE, scenes } from '../../tests/golden/scenes.js'

for (const scale of [1, 1.25, 2]) {
  for (const [name, { marks, pointer, thinking, now = 1000, ground = '#fff' }] of Object.entries(scenes)) {
    test(`${name} at scale ${scale} is painted as it was`, async (t) => {
      const show = stage(SIZE, scale)
      const [red, green, blue] = ground === '#fff' ? [255, 255, 255] : [34, 34, 34]
      const backdrop = {
        data: new Uint8Array([red, green, blue, 255]),
        width: 1,
        height: 1,
        rect: [0, 0, ...SIZE] as Rect,
      }
      for (const mark of marks) show.put(mark, 0, [backdrop])
      if (pointer) show.setPointer(pointer, 0)
      if (thinking) show.setThinking(true)
      const on = screen(SIZE, scale)
      on.context.fillStyle = ground
      on.context.fillRect(0, 0, ...SIZE)
      show.paint(on.context, [0, 0, ...SIZE], now)
      t.is(await golden(`${name}@${scale}`, on), null)
    })
  }
}
