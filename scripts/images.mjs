// Paints the pictures of the documentation: every kind of mark over a made-up application, with the code that paints
// the real thing. Needs a build; writes docs/images/.
import { mkdirSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { createCanvas, GlobalFonts } from '@napi-rs/canvas'
import { fontFiles, Stage } from '../dist/overlay/scene/index.js'

const root = new URL('../', import.meta.url)
const file = (path) => fileURLToPath(new URL(path, root))
const SCALE = 2
const SIZE = [560, 340]

for (const { file: name, family } of fontFiles) {
  GlobalFonts.registerFromPath(file(`overlay/scene/fonts/${name}`), family)
}

const pictures = {
  point: {
    crop: [240, 220, 320, 120],
    pointer: 'p',
    marks: [{ kind: 'point', id: 'p', at: [507, 306], label: 'Press here to save' }],
  },
  highlight: {
    crop: [140, 36, 300, 110],
    marks: [
      {
        kind: 'highlight',
        id: 'h',
        rect: [180, 92, 220, 30],
        shape: 'rect',
        spotlight: false,
        label: 'Your name goes here',
      },
    ],
  },
  ellipse: {
    crop: [0, 36, 300, 130],
    marks: [
      {
        kind: 'highlight',
        id: 'e',
        rect: [8, 110, 100, 30],
        shape: 'ellipse',
        spotlight: false,
        label: 'New',
      },
    ],
  },
  spotlight: {
    crop: [0, 0, 460, 210],
    marks: [
      {
        kind: 'highlight',
        id: 's',
        rect: [180, 92, 220, 30],
        shape: 'rect',
        spotlight: true,
        label: 'Start with your name',
      },
    ],
  },
  note: {
    crop: [140, 196, 320, 130],
    marks: [
      {
        kind: 'textbox',
        id: 'n',
        rect: [164, 246, 250, 60],
        style: 'note',
        text: 'Only the people you invite can see this. You can change it later.',
      },
    ],
  },
  guide: {
    crop: [140, 196, 320, 130],
    marks: [
      {
        kind: 'textbox',
        id: 'g',
        rect: [164, 246, 250, 60],
        style: 'guide',
        text: 'Switch to the terminal and press Enter.',
      },
    ],
  },
  draw: {
    crop: [140, 36, 330, 150],
    marks: [
      {
        kind: 'draw',
        id: 'd',
        path: [
          [190, 132],
          [215, 128],
          [250, 133],
          [290, 127],
          [330, 132],
          [372, 126],
        ],
      },
      {
        kind: 'draw',
        id: 't',
        path: [
          [416, 106],
          [424, 115],
          [442, 94],
        ],
        color: '#16a34a',
        width: 5,
      },
    ],
  },
  arrow: {
    crop: [140, 136, 420, 204],
    marks: [{ kind: 'arrow', id: 'a', path: bow([300, 190], [486, 292]) }],
  },
  steps: {
    crop: [136, 36, 424, 304],
    pointer: '3',
    marks: [
      {
        kind: 'highlight',
        id: '1',
        rect: [180, 92, 220, 30],
        shape: 'rect',
        spotlight: false,
        label: 'Type your name',
        step: 1,
      },
      {
        kind: 'highlight',
        id: '2',
        rect: [180, 148, 220, 30],
        shape: 'rect',
        spotlight: false,
        label: 'Choose a team',
        step: 2,
      },
      { kind: 'point', id: '3', at: [507, 306], label: 'Save', step: 3 },
    ],
  },
  captions: {
    // A display of its own size: its edges are the picture's.
    size: [410, 250],
    crop: [0, 0, 410, 250],
    pointer: 'c',
    marks: [
      { kind: 'point', id: 'a', at: [12, 12], label: 'Captions find a place of their own' },
      {
        kind: 'point',
        id: 'b',
        at: [401, 52],
        label: 'On the display, and never over what they are about, even in a corner',
      },
      { kind: 'point', id: 'd', at: [40, 226], label: 'كل اللغات، כל השפות، どの言語でも' },
      { kind: 'point', id: 'c', at: [290, 163], label: 'Here' },
    ],
  },
}

mkdirSync(file('docs/images'), { recursive: true })
for (const [name, { marks, pointer, crop, size = SIZE }] of Object.entries(pictures)) {
  const canvas = createCanvas(SIZE[0] * SCALE, SIZE[1] * SCALE)
  const context = canvas.getContext('2d')
  context.scale(SCALE, SCALE)
  paintApplication(context)
  const stage = new Stage({
    size,
    scale: SCALE,
    reducedMotion: true,
    measure: createCanvas(1, 1).getContext('2d'),
  })
  for (const mark of marks) {
    const backdrop = stage.inkOf(mark).map((rect) => {
      const [x, y, width, height] = rect.map((value) => Math.round(value * SCALE))
      return { data: context.getImageData(x, y, width, height).data, width, height, rect }
    })
    stage.put(mark, 0, backdrop)
  }
  if (pointer) stage.setPointer(pointer, 0)
  stage.paint(context, [0, 0, ...SIZE], 0)
  const [x, y, width, height] = crop.map((value) => value * SCALE)
  const cut = createCanvas(width, height)
  cut.getContext('2d').drawImage(canvas, x, y, width, height, 0, 0, width, height)
  writeFileSync(file(`docs/images/${name}.png`), cut.toBuffer('image/png'))
}

/** A settings window, plain enough not to distract. */
function paintApplication(context) {
  const fill = (style, x, y, width, height, radius = 0) => {
    context.fillStyle = style
    context.beginPath()
    context.roundRect(x, y, width, height, radius)
    context.fill()
  }
  const text = (style, weight, size, value, x, y) => {
    context.fillStyle = style
    context.font = `${weight} ${size}px "Lets Sans"`
    context.fillText(value, x, y)
  }
  fill('#ffffff', 0, 0, ...SIZE)
  fill('#eceef2', 0, 0, SIZE[0], 36)
  for (const [index, color] of ['#f26d5f', '#f5bd4f', '#61c554'].entries()) {
    fill(color, 14 + index * 18, 12.5, 11, 11, 6)
  }
  text('#4a4f5a', 600, 12, 'Settings', 254, 22.5)
  fill('#f6f7f9', 0, 36, 130, SIZE[1])
  fill('#dfe4ee', 8, 74, 114, 28, 6)
  for (const [index, name] of ['General', 'Profile', 'Displays', 'Sharing', 'About'].entries()) {
    text(index === 1 ? '#1f2733' : '#5b6270', index === 1 ? 600 : 400, 12.5, name, 20, 56 + index * 36)
  }
  text('#1f2733', 600, 16, 'Profile', 180, 66)
  for (const [index, [name, value]] of [
    ['Name', 'Ada Lovelace'],
    ['Team', 'Analytical Engines'],
    ['Visible to', 'People you invite'],
  ].entries()) {
    const top = 92 + index * 56
    text('#6a717f', 400, 11, name, 180, top - 6)
    fill('#cfd5df', 180, top, 220, 30, 6)
    fill('#ffffff', 181, top + 1, 218, 28, 5)
    text('#2a303b', 400, 12.5, value, 191, top + 19.5)
  }
  fill('#e9ecf1', 390, 292, 76, 28, 6)
  text('#3a4150', 600, 12.5, 'Cancel', 407, 310.5)
  fill('#1c4fbf', 474, 292, 70, 28, 6)
  text('#ffffff', 600, 12.5, 'Save', 494, 310.5)
}

/** An arc as the daemon makes of an arrow: points along a quadratic curve. */
function bow(from, to) {
  const middle = [
    (from[0] + to[0]) / 2 + (to[1] - from[1]) * 0.3,
    (from[1] + to[1]) / 2 - (to[0] - from[0]) * 0.3,
  ]
  return Array.from({ length: 25 }, (_, index) => {
    const t = index / 24
    return [0, 1].map(
      (axis) => (1 - t) ** 2 * from[axis] + 2 * t * (1 - t) * middle[axis] + t ** 2 * to[axis],
    )
  })
}
