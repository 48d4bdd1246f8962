/** What a frame of the companion costs, painted as hosts paint it: drawn, and read back. In time of the processor, so that a busy machine does not tell. */
import { createCanvas } from '@napi-rs/canvas'
import { CompanionStage } from '../../overlay/companion/index.js'
import type { CompanionScene } from '../../protocol/overlay/companion.js'
import { registerFonts } from '../golden/canvas.js'
import { desktopOf, sceneAt } from '../support/companion.js'
import { figure, ms } from './figures.js'

registerFonts()

const scenes: Readonly<Record<string, CompanionScene>> = {
  'in flight': sceneAt([1100, 400]),
  'dancing where it is': sceneAt([200, 400], { reaction: { id: 1, name: 'dance', ms: 10_000 } }),
  'dancing, saying four lines': sceneAt([200, 400], {
    reaction: { id: 1, name: 'dance', ms: 10_000 },
    bubble: {
      id: 'b',
      text: 'What it says is painted with it, and so it is part of what a frame of it costs. '.repeat(2),
    },
  }),
}

const COUNT = 400

for (const scale of [1, 2]) {
  const size = [1280, 720] as const
  for (const [name, scene] of Object.entries(scenes)) {
    const desktop = desktopOf([{ id: 1, size, scale, origin: [0, 0] }])
    const stage = new CompanionStage({
      measure: createCanvas(1, 1).getContext('2d'),
      reducedMotion: false,
      desktop,
    })
    stage.set(sceneAt([200, 400]), 0)
    stage.frame(1000)
    stage.set(scene, 1000)
    const canvas = createCanvas(400 * scale, 400 * scale)
    const context = canvas.getContext('2d')
    let spent = 0
    for (let index = -50; index < COUNT; index++) {
      const before = process.cpuUsage()
      const now = 1000 + ((index + 50) % 40) * 16
      const frame = stage.frame(now)
      if (!frame) throw new Error('nothing is shown')
      const [x, y, width, height] = frame.rect
      context.setTransform(scale, 0, 0, scale, -x * scale, -y * scale)
      context.clearRect(x, y, width, height)
      stage.paint(context, now)
      context.getImageData(0, 0, 1, 1)
      if (index >= 0) spent += process.cpuUsage(before).user
    }
    figure(
      `companion, a frame ${name}, scale ${scale}`,
      ms(spent / COUNT / 1000),
      scale === 1 ? '0.70 ms' : '2.00 ms',
    )
  }
}
