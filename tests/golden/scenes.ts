/** The scenes of the golden pictures, for every host that paints them. */
import type { Point, Size } from '../../protocol/overlay/geometry.js'
import type { Mark, Prompt } from '../../protocol/overlay/marks.js'

// Latin text only: these pixels must not depend on the fonts of the system.
export const SIZE: Size = [260, 150]

const wave: Point[] = [
  [30, 90],
  [70, 50],
  [110, 80],
  [150, 60],
  [190, 90],
]

export interface GoldenScene {
  readonly marks: readonly Mark[]
  readonly pointer?: string
  /** When it is pictured, in ms after everything was put; absent: when nothing moves any more. */
  readonly now?: number
  readonly ground?: '#fff' | '#222'
  /** The ground that its colours are chosen for; absent: the one it is on. */
  readonly over?: '#fff' | '#222'
  readonly prompt?: Prompt
  readonly thinking?: boolean
  /** Absent: `SIZE`. */
  readonly size?: Size
}

export const scenes: Readonly<Record<string, GoldenScene>> = {
  point: {
    marks: [{ kind: 'point', id: 'p', at: [60, 60], label: 'Press this button' }],
    pointer: 'p',
  },
  thinking: {
    marks: [{ kind: 'point', id: 'p', at: [130, 70] }],
    pointer: 'p',
    thinking: true,
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

export const PROMPT_SIZE: Size = [620, 220]

export const prompt: Prompt = {
  title: '“claude” asks for pictures of this screen',
  body: 'A yes holds for 10 minutes. Without an answer in 30 s it is a no.',
  answers: [
    { label: 'Allow', keys: ['Ctrl', 'Shift', 'Y'] },
    { label: 'Refuse', keys: ['Ctrl', 'Shift', 'N'] },
  ],
}
