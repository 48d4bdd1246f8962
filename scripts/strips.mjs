// Makes the pictures of the companion for the documents: every mood, and film strips of every reaction, painted by the very
// code that hosts paint it with. Needs a build; writes docs/images/companion-*.png. Usage: node scripts/strips.mjs

import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createCanvas } from '@napi-rs/canvas'
import { CompanionStage, paintFigure, poseOf } from '../dist/overlay/companion/index.js'
import { MOODS, REACTIONS } from '../dist/protocol/lip/domains.js'
import { registerFonts } from '../dist/tests/golden/canvas.js'
import { isMain, main, root } from './setup.mjs'

const SCALE = 1.5
const CELL = { width: 116, height: 118 }
const LABEL = 84
/** Where in a cell the middle of the figure is. */
const MIDDLE = [CELL.width / 2, 72]
const LOOK = { name: 'Lets', pace: 1 }
const GROUNDS = ['#ffffff', '#17181c', '#7d8a97']
/** Moments of a reaction: more where it begins, which is where it says what it is. */
const MOMENTS = [0, 0.08, 0.16, 0.26, 0.38, 0.5, 0.62, 0.75, 0.88, 1]

function sheet(columns, rows, left = 0, top = 0) {
  const canvas = createCanvas((left + columns * CELL.width) * SCALE, (top + rows * CELL.height) * SCALE)
  const context = canvas.getContext('2d')
  context.scale(SCALE, SCALE)
  return { canvas, context }
}

function cell(context, x, y, ground, pose) {
  context.save()
  context.beginPath()
  context.rect(x, y, CELL.width, CELL.height)
  context.clip()
  context.fillStyle = ground
  context.fillRect(x, y, CELL.width, CELL.height)
  context.translate(x + MIDDLE[0], y + MIDDLE[1])
  paintFigure(context, pose)
  context.restore()
}

function label(context, text, x, y, style) {
  context.font = '600 13px "Lets Sans"'
  context.fillStyle = style
  context.textAlign = 'left'
  context.fillText(text, x, y)
}

/** Every mood, and asleep, over light, dark and a grey in between. */
function moods() {
  const names = [...MOODS, 'asleep']
  const { canvas, context } = sheet(names.length, GROUNDS.length, 0, 26)
  context.fillStyle = '#ffffff'
  context.fillRect(0, 0, canvas.width, canvas.height)
  names.forEach((name, column) => {
    label(context, name, column * CELL.width + 12, 18, '#26241f')
    const pose = name === 'asleep' ? poseOf('idle', null, LOOK, { asleep: true }) : poseOf(name, null, LOOK)
    for (const [row, ground] of GROUNDS.entries())
      cell(context, column * CELL.width, 26 + row * CELL.height, ground, pose)
  })
  return canvas
}

/** A row of moments for each reaction. */
function reactions(names) {
  const { canvas, context } = sheet(MOMENTS.length, names.length, LABEL)
  context.fillStyle = '#ffffff'
  context.fillRect(0, 0, canvas.width, canvas.height)
  names.forEach((name, row) => {
    const y = row * CELL.height
    label(context, name, 12, y + MIDDLE[1] + 4, '#26241f')
    MOMENTS.forEach((t, column) => {
      cell(
        context,
        LABEL + column * CELL.width,
        y,
        row % 2 ? '#f1efea' : '#fbfaf8',
        poseOf('idle', { name, t }, LOOK),
      )
    })
  })
  return canvas
}

/** It goes somewhere, says something and offers something: as on a screen. */
function stageStrip() {
  const size = [760, 250]
  const canvas = createCanvas(size[0] * SCALE, size[1] * 3 * SCALE)
  const context = canvas.getContext('2d')
  context.scale(SCALE, SCALE)
  const desktop = {
    toDesktop: ({ at }) => at,
    fromDesktop: (at) => ({ display: 1, at }),
    displays: () => [{ id: 1, size, scale: SCALE }],
  }
  const scene = (at, more) => ({
    place: { display: 1, at },
    look: LOOK,
    mood: 'idle',
    asleep: false,
    gaze: [0, 0],
    reaction: null,
    bubble: null,
    menu: null,
    beckons: false,
    ...more,
  })
  const stage = () =>
    new CompanionStage({ measure: createCanvas(1, 1).getContext('2d'), reducedMotion: false, desktop })
  const ground = (row, style) => {
    context.save()
    context.translate(0, row * size[1])
    context.fillStyle = style
    context.fillRect(0, 0, ...size)
  }
  ground(0, '#fbfaf8')
  const going = stage()
  going.set(scene([60, 190]), 0)
  going.paint(context, 500)
  going.set(scene([690, 170]), 1000)
  const end = 1000 + 260 + 0.55 * Math.hypot(630, 20)
  for (const share of [0.25, 0.36, 0.46, 0.56, 0.66, 0.78]) going.paint(context, 1000 + (end - 1000) * share)
  going.paint(context, end + 500)
  context.restore()
  ground(1, '#e9eef3')
  const says = stage()
  says.set(
    scene([150, 190], {
      mood: 'happy',
      bubble: {
        id: 'a',
        text: 'The tests are green again. It was the clock: one of them waited for a minute that never came.',
      },
    }),
    0,
  )
  says.paint(context, 500)
  const rtl = stage()
  rtl.set(
    scene([560, 150], {
      mood: 'curious',
      bubble: { id: 'b', text: 'هل تريد أن أشرح لك هذا السطر؟ 次の行も見ましょう。' },
    }),
    0,
  )
  rtl.paint(context, 500)
  context.restore()
  ground(2, '#22252b')
  const offers = stage()
  offers.set(
    scene([150, 130], {
      menu: {
        chosen: 1,
        items: [
          { id: '1', label: 'Explain this error', hint: 'what it says, and why' },
          { id: '2', label: 'Fix it', hint: 'one line in parse.ts' },
          { id: '3', label: 'Leave me alone for an hour' },
        ],
      },
    }),
    0,
  )
  offers.paint(context, 500)
  const beckons = stage()
  beckons.set(scene([600, 150], { beckons: true, look: { ...LOOK, color: '#5b8def' } }), 0)
  beckons.paint(context, 500)
  context.restore()
  return canvas
}

function write(name, canvas) {
  mkdirSync(join(root, 'docs', 'images'), { recursive: true })
  writeFileSync(join(root, 'docs', 'images', `companion-${name}.png`), canvas.toBuffer('image/png'))
}

if (isMain(import.meta.url)) {
  await main(() => {
    registerFonts()
    write('moods', moods())
    write('reactions-1', reactions(REACTIONS.slice(0, 9)))
    write('reactions-2', reactions(REACTIONS.slice(9)))
    write('stage', stageStrip())
  })
}
