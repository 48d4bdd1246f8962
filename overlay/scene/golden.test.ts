import test from 'ava'
import type { Point, Rect, Size } from '../../protocol/overlay/geometry.js'
import type { Mark } from '../../protocol/overlay/marks.js'
import { golden, screen, stage } from '../../tests/golden/canvas.js'

// Latin text only: these pixels must not depend on the fonts of the system.
const SIZE: Size = [260, 150]

const wave: Point[] = [
  [30, 90],
  [70, 50],
  [110, 80],
  [150, 60],
  [190, 90],
]

const scenes: Record<string, { marks: Mark[]; pointer?: string; now?: number; ground?: string }> = {
  point: {
    marks: [{ kind: 'point', id: 'p', at: [60, 60], label: 'Press this button' }],
    pointer: 'p',
  },
  flight: {
    marks: [{ kind: 'point', id: 'p', at: [60, 60], label: 'Press' }],
    pointer: 'p',
    now: 140,
  },
  highlight: {
    marks: [
      {
        kind: 'highlight',
        id: 'h',
        rect: [40, 60, 120, 40],
        shape: 'rect',
        spotlight: false,
        label: 'Search',
        step: 1,
      },
    ],
  },
  ellipse: {
    marks: [
      {
        kind: 'highlight',
        id: 'h',
        rect: [40, 60, 120, 50],
        shape: 'ellipse',
        spotlight: false,
        label: 'Here',
      },
    ],
  },
  spotlight: {
    marks: [
      { kind: 'highlight', id: 'h', rect: [60, 60, 90, 40], shape: 'rect', spotlight: true, label: 'Look' },
    ],
  },
  note: {
    marks: [
      {
        kind: 'textbox',
        id: 'n',
        rect: [20, 20, 180, 40],
        text: 'A calm note\nof two lines or three.',
        style: 'note',
      },
    ],
  },
  guide: {
    marks: [
      {
        kind: 'textbox',
        id: 'g',
        rect: [20, 20, 210, 40],
        text: 'Open Settings, then Displays',
        style: 'guide',
        step: 12,
      },
    ],
  },
  draw: {
    marks: [
      { kind: 'draw', id: 'd', path: wave },
      {
        kind: 'draw',
        id: 't',
        path: [
          [200, 110],
          [212, 125],
          [240, 95],
        ],
        color: '#16a34a',
        width: 6,
      },
    ],
  },
  arrow: { marks: [{ kind: 'arrow', id: 'a', path: wave, step: 3 }], ground: '#222' },
}

for (const scale of [1, 1.25, 2]) {
  for (const [name, { marks, pointer, now = 1000, ground = '#fff' }] of Object.entries(scenes)) {
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
      const on = screen(SIZE, scale)
      on.context.fillStyle = ground
      on.context.fillRect(0, 0, ...SIZE)
      show.paint(on.context, [0, 0, ...SIZE], now)
      t.is(await golden(`${name}@${scale}`, on), null)
    })
  }
}
