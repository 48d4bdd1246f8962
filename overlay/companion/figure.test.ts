import { createCanvas } from '@napi-rs/canvas'
import test from 'ava'
import { MOODS, REACTIONS } from '../../protocol/lip/domains.js'
import { contrast, rgbOf } from '../scene/color.js'
import { isOnFigure, paintFigure, REACH } from './figure.js'
import { type FigurePose, poseOf, reactionMs } from './index.js'
import { CHANNELS } from './pose.js'
import { moodPose } from './posing.js'
import { PLAYS } from './reactions.js'
import { tonesOf } from './tones.js'

const LOOK = { name: 'Lets', pace: 1 }
const poses = [
  ...MOODS.map((mood) => [mood, moodPose(mood, {})] as const),
  ['asleep', moodPose('idle', { asleep: true })] as const,
]

/** RGBA around the figure. */
function painted(pose: FigurePose, ground: string | null = null, scale = 1): Uint8ClampedArray {
  const canvas = createCanvas(160 * scale, 160 * scale)
  const context = canvas.getContext('2d')
  context.scale(scale, scale)
  if (ground) {
    context.fillStyle = ground
    context.fillRect(0, 0, 160, 160)
  }
  context.translate(80, 100)
  paintFigure(context, pose)
  return context.getImageData(0, 0, 160 * scale, 160 * scale).data
}

function different(a: Uint8ClampedArray, b: Uint8ClampedArray): number {
  let count = 0
  for (let i = 0; i < a.length; i += 4) {
    if ([0, 1, 2, 3].some((c) => Math.abs((a[i + c] ?? 0) - (b[i + c] ?? 0)) > 24)) count++
  }
  return count
}

test('every mood has a silhouette of its own', (t) => {
  const shapes = poses.map(([name, pose]) => {
    const cells = []
    for (let y = -60; y < 40; y += 3) for (let x = -45; x < 45; x += 3) cells.push(isOnFigure(pose, [x, y]))
    return { name, cells }
  })
  for (const a of shapes) {
    for (const b of shapes) {
      if (a.name >= b.name) continue
      const differs = a.cells.filter((cell, index) => cell !== b.cells[index]).length * 9
      t.true(differs > 150, `${a.name} and ${b.name}: ${differs} square points`)
    }
  }
})

test('every reaction begins and ends exactly at rest, in whatever mood, and has a middle of its own', (t) => {
  const middles = REACTIONS.map((name) => {
    t.true(reactionMs(name) >= 500 && reactionMs(name) <= 3000)
    for (const mood of MOODS) {
      for (const at of [-1, 0, 1, 2, Number.NaN]) {
        t.deepEqual(poseOf(mood, { name, t: at }, LOOK).channels, moodPose(mood, {}), `${name} at ${at}`)
      }
      // And it comes from there and goes there, without a jump.
      for (const at of [1e-6, 1 - 1e-6]) {
        const { channels } = poseOf(mood, { name, t: at }, LOOK)
        for (const channel of CHANNELS) {
          if (channel === 'phase') continue
          const off = channels[channel] - moodPose(mood, {})[channel]
          const turned = channel === 'turn' ? Math.atan2(Math.sin(off), Math.cos(off)) : off
          t.true(Math.abs(turned) < 1e-3, `${name} at ${at}: ${channel} is off by ${off}`)
        }
      }
    }
    return { name, pixels: painted(poseOf('idle', { name, t: 0.45 }, LOOK)) }
  })
  for (const a of middles) {
    for (const b of middles)
      if (a.name < b.name) t.true(different(a.pixels, b.pixels) > 120, `${a.name} and ${b.name}`)
  }
})

test('no frame of a reaction is far from the one before it', (t) => {
  for (const name of REACTIONS) {
    const frames = Math.round(PLAYS[name].ms / 16)
    let last = poseOf('idle', { name, t: 0 }, LOOK).channels
    for (let frame = 1; frame <= frames; frame++) {
      const { channels } = poseOf('idle', { name, t: frame / frames }, LOOK)
      for (const [channel, most] of [
        ['x', 3],
        ['y', 4],
        ['lean', 0.12],
        ['stretch', 0.1],
        ['armLeft', 1.1],
        ['armRight', 1.1],
      ] as const) {
        const step = Math.abs(channels[channel] - last[channel])
        t.true(step <= most, `${name}: ${channel} by ${step} at frame ${frame}`)
      }
      last = channels
    }
  }
})

test('nothing of it reaches further than it says, at any moment of anything', (t) => {
  for (const mood of MOODS) {
    for (const name of [null, ...REACTIONS]) {
      for (let moment = 0.05; moment < 1; moment += 0.15) {
        const data = painted(poseOf(mood, name && { name, t: moment }, LOOK, { beckons: true }))
        for (let y = 0; y < 160; y++) {
          for (let x = 0; x < 160; x++) {
            const isOut =
              x < 80 - REACH.across || x >= 80 + REACH.across || y < 100 - REACH.up || y >= 100 + REACH.down
            if (isOut && data[(y * 160 + x) * 4 + 3] !== 0)
              return void t.fail(`${mood}, ${name} at ${moment}: ${x - 80}, ${y - 100}`)
          }
        }
      }
    }
  }
  t.pass()
})

test('it is seen on any ground: its outline or its body stands out of white, black, its own colour and what is between', (t) => {
  for (const color of [undefined, '#101010', '#ffffff', '#5b8def', '#7a7a7a']) {
    const { body, casing } = tonesOf(color)
    const solid = casing.startsWith('#') ? casing : '#f0f0f0'
    t.true(contrast(rgbOf(body), rgbOf(solid)) >= 3, `${color}: its outline stands out of its body`)
    for (const ground of ['#ffffff', '#000000', body, '#808080', '#ff9a5c', '#2f6b3a']) {
      const most = Math.max(contrast(rgbOf(body), rgbOf(ground)), contrast(rgbOf(solid), rgbOf(ground)))
      t.true(most >= 3, `${color} on ${ground}: ${most}`)
    }
    t.true(contrast(rgbOf(tonesOf(color).face), rgbOf(body)) >= 4.5, `${color}: its face can be read`)
  }
})

test('without motion only its face and its colour in it change', (t) => {
  for (const name of REACTIONS) {
    const rest = moodPose('idle', {})
    const { channels } = poseOf('idle', { name, t: 0.4 }, LOOK, { reducedMotion: true })
    for (const channel of [
      'x',
      'y',
      'lean',
      'stretch',
      'turn',
      'armLeft',
      'armRight',
      'wispBend',
      'wispLean',
      'stars',
      'burst',
    ] as const) {
      t.is(channels[channel], rest[channel], `${name}: ${channel}`)
    }
    t.notDeepEqual(channels, rest, `${name} says something`)
  }
})
