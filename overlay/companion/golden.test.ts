import { createCanvas } from '@napi-rs/canvas'
import test from 'ava'
import type { CompanionScene } from '../../protocol/overlay/companion.js'
import type { Size } from '../../protocol/overlay/geometry.js'
import { golden, registerFonts, screen } from '../../tests/golden/canvas.js'
import { desktopOf, sceneAt } from '../../tests/support/companion.js'
import { CompanionStage } from './index.js'

/** Latin text only: these pixels must not depend on the fonts of the system. */
const scenes: Readonly<
  Record<
    string,
    { readonly scene: CompanionScene; readonly ground: string; readonly size: Size; readonly at?: number }
  >
> = {
  figure: { scene: sceneAt([60, 70]), ground: '#ffffff', size: [120, 120] },
  thinking: {
    scene: sceneAt([60, 70], { mood: 'thinking', beckons: true }),
    ground: '#222222',
    size: [120, 120],
  },
  cheer: {
    scene: sceneAt([60, 70], { reaction: { id: 1, name: 'cheer', ms: 1000 } }),
    ground: '#8a97a3',
    size: [120, 120],
    at: 400,
  },
  bubble: {
    scene: sceneAt([150, 150], {
      mood: 'happy',
      bubble: { id: 'b', text: 'All of it is done. The last one took a while. '.repeat(14) },
    }),
    ground: '#ffffff',
    size: [330, 200],
  },
  menu: {
    scene: sceneAt([50, 80], {
      menu: {
        chosen: 1,
        items: [
          { id: 'a', label: 'Explain this error', hint: 'what it says, and why' },
          { id: 'b', label: 'Fix it', hint: 'one line in parse.ts' },
          { id: 'c', label: 'Not now' },
        ],
      },
    }),
    ground: '#222222',
    size: [300, 180],
  },
}

for (const scale of [1, 1.25, 2]) {
  for (const [name, { scene, ground, size, at = 5000 }] of Object.entries(scenes)) {
    test(`the companion (${name}) at scale ${scale} is painted as it was`, async (t) => {
      registerFonts()
      const desktop = desktopOf([{ id: 1, size, scale, origin: [0, 0] }])
      const stage = new CompanionStage({
        measure: createCanvas(1, 1).getContext('2d'),
        reducedMotion: false,
        desktop,
      })
      stage.set(scene, 0)
      const on = screen(size, scale)
      on.context.fillStyle = ground
      on.context.fillRect(0, 0, ...size)
      stage.paint(on.context, at)
      t.is(await golden(`companion-${name}@${scale}`, on), null)
    })
  }
}
