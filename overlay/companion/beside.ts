/** Small signs around the figure. Each has the figure's outline, so that it is seen on any ground. */
import type { Point } from '../../protocol/overlay/geometry.js'
import { palette } from '../scene/color.js'
import type { Context2D } from '../scene/context.js'
import { penOf, placing } from './outline.js'
import type { Channel, Channels } from './pose.js'
import type { Tones } from './tones.js'

/** Behind the figure, before its body but behind its arms, or before all of it. */
type Where = 'behind' | 'front' | 'before'
type Paint = (context: Context2D, pose: Channels, tones: Tones, amount: number) => void

const STAR = '#ffd84d'
const BLUE = '#7cc4ff'
const RED = '#ff6b6b'
const GREEN = '#63d489'
const VIOLET = '#b794f6'

const signs: Readonly<Partial<Record<Channel, { readonly where: Where; readonly paint: Paint }>>> = {
  dots: { where: 'before', paint: paintDots },
  zs: { where: 'before', paint: paintZs },
  dashes: { where: 'behind', paint: paintDashes },
  stars: { where: 'before', paint: paintStars },
  drop: { where: 'before', paint: paintDrop },
  sparks: { where: 'before', paint: paintSparks },
  notes: { where: 'before', paint: paintNotes },
  burst: { where: 'behind', paint: paintBurst },
  heart: { where: 'before', paint: paintHeart },
  lights: { where: 'behind', paint: paintLights },
  pencil: { where: 'front', paint: paintPencil },
  beckon: { where: 'before', paint: paintBeckon },
}

export function paintBeside(context: Context2D, pose: Channels, tones: Tones, where: Where): void {
  for (const [channel, sign] of Object.entries(signs)) {
    const amount = Math.min(1, pose[channel as Channel])
    if (amount > 0.01 && sign.where === where) sign.paint(context, pose, tones, amount)
  }
}

/** Draws a shape with its outline: `trace` adds it to the path. */
function cased(context: Context2D, style: string, tones: Tones, trace: () => void, share = 1): void {
  context.beginPath()
  trace()
  context.strokeStyle = tones.halo
  context.lineWidth = 5 * share
  context.stroke()
  context.strokeStyle = tones.casing
  context.lineWidth = 2.6 * share
  context.stroke()
  context.fillStyle = style
  context.fill()
}

/** The same for a line. */
function casedLine(context: Context2D, style: string, tones: Tones, width: number, trace: () => void): void {
  context.beginPath()
  trace()
  for (const [layer, by] of [
    [tones.halo, 4.4],
    [tones.casing, 2.4],
    [style, 0],
  ] as const) {
    context.strokeStyle = layer
    context.lineWidth = width + by
    context.stroke()
  }
}

function faded(context: Context2D, amount: number, paint: () => void): void {
  const before = context.globalAlpha
  context.globalAlpha = before * Math.max(0, Math.min(1, amount))
  paint()
  context.globalAlpha = before
}

function circle(context: Context2D, x: number, y: number, radius: number): void {
  const k = radius * 0.5523
  context.moveTo(x + radius, y)
  context.bezierCurveTo(x + radius, y + k, x + k, y + radius, x, y + radius)
  context.bezierCurveTo(x - k, y + radius, x - radius, y + k, x - radius, y)
  context.bezierCurveTo(x - radius, y - k, x - k, y - radius, x, y - radius)
  context.bezierCurveTo(x + k, y - radius, x + radius, y - k, x + radius, y)
  context.closePath()
}

function star(
  context: Context2D,
  x: number,
  y: number,
  radius: number,
  points: number,
  inner: number,
  from: number,
): void {
  for (let step = 0; step < points * 2; step++) {
    const angle = from - Math.PI / 2 + (step * Math.PI) / points
    const reach = step % 2 === 0 ? radius : radius * inner
    const [px, py] = [x + Math.cos(angle) * reach, y + Math.sin(angle) * reach]
    if (step === 0) context.moveTo(px, py)
    else context.lineTo(px, py)
  }
  context.closePath()
}

/** Three, growing away from its head: something goes on in there. */
function paintDots(context: Context2D, pose: Channels, tones: Tones, amount: number): void {
  const dots = [
    [20, -17, 1.7],
    [25.6, -23.6, 2.4],
    [33.4, -29.6, 3.3],
  ] as const
  for (const [index, [x, y, radius]] of dots.entries()) {
    const own = Math.max(0, Math.min(1, amount * 2.2 - index * 0.6))
    if (own > 0)
      cased(context, '#ffffff', tones, () =>
        circle(context, x + pose.x * 0.4, y + pose.y * 0.4, radius * own),
      )
  }
}

function paintZs(context: Context2D, _pose: Channels, tones: Tones, amount: number): void {
  faded(context, amount, () => {
    for (const [x, y, size] of [
      [11, -20, 2.4],
      [20, -30, 3.4],
    ] as const) {
      casedLine(context, '#ffffff', tones, 1.5, () => {
        context.moveTo(x - size, y - size)
        context.lineTo(x + size, y - size)
        context.lineTo(x - size, y + size)
        context.lineTo(x + size, y + size)
      })
    }
  })
}

/** Short lines around its head: it pays attention. */
function paintDashes(context: Context2D, pose: Channels, tones: Tones, amount: number): void {
  const out = (1 - amount) * -5
  for (const angle of [-0.98, -0.58, 0.58, 0.98]) {
    const near = 37 + out
    const far = near + 6 * amount
    casedLine(context, tones.light, tones, 2, () => {
      context.moveTo(pose.x + Math.sin(angle) * near, pose.y + 4 - Math.cos(angle) * near)
      context.lineTo(pose.x + Math.sin(angle) * far, pose.y + 4 - Math.cos(angle) * far)
    })
  }
}

/** They go around its head. */
function paintStars(context: Context2D, pose: Channels, tones: Tones, amount: number): void {
  const place = placing(pose)
  for (let index = 0; index < 3; index++) {
    const angle = pose.phase * Math.PI * 4 + (index * 2 * Math.PI) / 3
    const depth = Math.sin(angle)
    const [x, y] = place(Math.cos(angle) * 21, -14 + depth * 5)
    const radius = (3.4 + depth * 0.8) * amount
    cased(context, STAR, tones, () => star(context, x, y, radius, 5, 0.46, angle))
  }
}

/** A drop of sweat beside its brow, that slides down. */
function paintDrop(context: Context2D, pose: Channels, tones: Tones, amount: number): void {
  const [x, y] = placing(pose)(22.5, -9 + 7 * pose.phase)
  const size = amount
  cased(context, BLUE, tones, () => {
    context.moveTo(x, y - 6 * size)
    context.bezierCurveTo(x + 3.4 * size, y - 1.5 * size, x + 3.6 * size, y + 3.4 * size, x, y + 3.4 * size)
    context.bezierCurveTo(x - 3.6 * size, y + 3.4 * size, x - 3.4 * size, y - 1.5 * size, x, y - 6 * size)
    context.closePath()
  })
}

function paintSparks(context: Context2D, pose: Channels, tones: Tones, amount: number): void {
  const places = [
    [-30, -18, 5.4, 0],
    [27, -27, 6.6, 0.16],
    [33, 6, 4.2, 0.3],
    [-27, 14, 3.8, 0.42],
    [-12, -40, 4, 0.24],
  ] as const
  for (const [x, y, radius, late] of places) {
    const t = Math.max(0, Math.min(1, (pose.phase - late) / 0.5))
    const own = Math.sin(Math.PI * t) * amount
    if (own > 0.05) cased(context, STAR, tones, () => star(context, x, y, radius * own, 4, 0.36, 0))
  }
}

function paintNotes(context: Context2D, pose: Channels, tones: Tones, amount: number): void {
  for (const [side, late] of [
    [1, 0],
    [-1, 0.3],
    [1, 0.6],
  ] as const) {
    const t = (pose.phase - late) / 0.38
    if (t <= 0 || t >= 1) continue
    const x = side * (28 + 5 * t)
    const y = -6 - 24 * t
    const size = amount * Math.min(1, t * 5, (1 - t) * 5)
    if (size < 0.2) continue
    cased(
      context,
      tones.light,
      tones,
      () => {
        circle(context, x, y, 2.9 * size)
        context.moveTo(x + 1.2 * size, y - 10 * size)
        context.bezierCurveTo(
          x + 4 * size,
          y - 8.5 * size,
          x + 6.6 * size,
          y - 8 * size,
          x + 5.8 * size,
          y - 3.8 * size,
        )
        context.bezierCurveTo(
          x + 5.2 * size,
          y - 6 * size,
          x + 4 * size,
          y - 6.4 * size,
          x + 2.9 * size,
          y - 6.6 * size,
        )
        context.lineTo(x + 2.9 * size, y)
        context.lineTo(x + 1.2 * size, y)
        context.closePath()
      },
      size,
    )
  }
}

/** Paper that flies up and comes down. */
function paintBurst(context: Context2D, pose: Channels, tones: Tones, amount: number): void {
  const colors = [STAR, BLUE, RED, GREEN, VIOLET]
  const t = pose.phase
  const size = 2.7 * amount * Math.min(1, t * 7, (1 - t) * 3.4)
  if (size < 0.3) return
  for (let index = 0; index < 9; index++) {
    const angle = -Math.PI / 2 + (index - 4) * 0.3
    const reach = (32 + (index % 3) * 8) * (1 - (1 - t) ** 2.6)
    const x = Math.cos(angle) * reach
    const y = -10 + Math.sin(angle) * reach + 24 * t * t
    const turn = t * 6 + index
    cased(
      context,
      colors[index % colors.length] as string,
      tones,
      () => {
        const [u, v] = [Math.cos(turn) * size, Math.sin(turn) * size]
        context.moveTo(x - u, y - v)
        context.lineTo(x + v * 0.62, y - u * 0.62)
        context.lineTo(x + u, y + v)
        context.lineTo(x - v * 0.62, y + u * 0.62)
        context.closePath()
      },
      size / 2.7,
    )
  }
}

function paintHeart(context: Context2D, pose: Channels, tones: Tones, amount: number): void {
  const x = 23
  const y = -17 - 12 * pose.phase
  const size = 4.6 * amount
  cased(context, RED, tones, () => {
    context.moveTo(x, y + size)
    context.bezierCurveTo(x - size * 1.9, y - size * 0.2, x - size * 0.9, y - size * 1.5, x, y - size * 0.4)
    context.bezierCurveTo(x + size * 0.9, y - size * 1.5, x + size * 1.9, y - size * 0.2, x, y + size)
    context.closePath()
  })
}

/** Spots of light that go by: two at a time, and never a flash. */
function paintLights(context: Context2D, pose: Channels, tones: Tones, amount: number): void {
  const colors = [BLUE, VIOLET, RED, STAR, GREEN]
  for (let index = 0; index < 5; index++) {
    const angle = pose.phase * Math.PI * 2 + (index * 2 * Math.PI) / 5
    const at: Point = [Math.cos(angle) * 37, -2 + Math.sin(angle) * 31]
    cased(context, colors[index] as string, tones, () => circle(context, at[0], at[1], 3.6 * amount))
  }
}

/** A sheet in one hand, and what it writes with in the other. */
function paintPencil(context: Context2D, pose: Channels, tones: Tones, amount: number): void {
  const place = placing(pose)
  const pen = penOf(context, place)
  cased(context, '#ffffff', tones, () => {
    pen.move(-10.5, 16.6)
    pen.line(4.5, 17.6)
    pen.line(3.4, 26 + amount)
    pen.line(-11.6, 24.8 + amount)
    context.closePath()
  })
  context.strokeStyle = '#b9b4aa'
  context.lineWidth = 1.2
  context.beginPath()
  pen.move(-7.6, 19.8)
  pen.line(1.4, 20.5)
  pen.move(-8, 22.9)
  pen.line(-3, 23.3)
  context.stroke()
  const [ax, ay] = place(-1, 23)
  const [bx, by] = place(8.4, 12.4)
  casedLine(context, STAR, tones, 2, () => {
    context.moveTo(ax, ay)
    context.lineTo(bx, by)
  })
}

/** It has something to offer. */
function paintBeckon(context: Context2D, pose: Channels, tones: Tones, amount: number): void {
  const [x, y] = [21 + pose.x, -21 + pose.y]
  cased(context, palette.amber, tones, () => circle(context, x, y, 6.2 * amount))
  context.fillStyle = tones.casing
  for (const across of [-2.7, 0, 2.7]) {
    context.beginPath()
    circle(context, x + across * amount, y, 0.95 * amount)
    context.fill()
  }
}
