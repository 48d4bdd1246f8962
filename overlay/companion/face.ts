import type { Context2D } from '../scene/context.js'
import { type Placing, penOf, traceOval, turned } from './outline.js'
import type { Channels } from './pose.js'
import type { Tones } from './tones.js'

const EYE = { x: 8.3, y: 3.4, wide: 2.5, high: 4.5 } as const
const MOUTH_Y = 12.6
/** Where its nose is, from its middle: clicked there, it feels it. */
export const NOSE = { at: [0, 8.6] as const, radius: 6 } as const

export function paintFace(context: Context2D, pose: Channels, tones: Tones, place: Placing): void {
  if (Math.cos(pose.turn) < -0.6) return
  const size = pose.size
  paintCheeks(context, pose, tones, place)
  context.strokeStyle = tones.face
  context.fillStyle = tones.face
  paintEye(context, pose, tones, place, -1)
  paintEye(context, pose, tones, place, 1)
  const mouth = feature(pose, place, pose.mouthX + pose.gazeX * 0.9, MOUTH_Y + pose.gazeY * 0.7)
  if (mouth) {
    context.lineWidth = 1.9 * size
    paintMouth(context, pose, tones, mouth)
  }
}

/** A placing for what is around a place of the face, as it is seen while it turns; null where it is not. */
function feature(pose: Channels, place: Placing, x: number, y: number): Placing | null {
  const at = turned(x, pose.turn)
  if (at.wide < 0.12) return null
  return (u, v) => place(at.x + u * at.wide, y + v)
}

function paintCheeks(context: Context2D, pose: Channels, tones: Tones, place: Placing): void {
  if (pose.blush <= 0) return
  const before = context.globalAlpha
  context.globalAlpha = before * Math.min(1, pose.blush)
  context.fillStyle = tones.cheek
  for (const side of [-1, 1]) {
    const cheek = feature(pose, place, side * 12.9 + pose.gazeX * 0.7, 10 + pose.gazeY * 0.6)
    if (!cheek) continue
    context.beginPath()
    traceOval(context, cheek, 0, 0, 3, 1.9)
    context.fill()
  }
  context.globalAlpha = before
}

function paintEye(context: Context2D, pose: Channels, tones: Tones, place: Placing, side: -1 | 1): void {
  const x = side * EYE.x + pose.gazeX * 2.1
  const y = EYE.y + pose.gazeY * 1.9
  const eye = feature(pose, place, x, y)
  if (!eye) return
  if (pose.swirl > 0.5) {
    paintSwirl(context, pose, eye, side)
    return
  }
  const top = (side < 0 ? pose.topLeft : pose.topRight) * EYE.high * pose.eyeSize
  const bottom = (side < 0 ? pose.bottomLeft : pose.bottomRight) * EYE.high * pose.eyeSize
  const wide = EYE.wide * pose.eyeSize
  const tilt = pose.eyeTilt * side
  const sin = Math.sin(tilt)
  const cos = Math.cos(tilt)
  const pen = penOf(context, (u, v) => eye(u * cos - v * sin, u * sin + v * cos))
  const bow = 1.33
  context.beginPath()
  pen.move(-wide, 0)
  pen.curve(-wide, -top * bow, wide, -top * bow, wide, 0)
  pen.curve(wide, bottom * bow, -wide, bottom * bow, -wide, 0)
  context.closePath()
  context.fillStyle = tones.face
  context.fill()
  context.lineWidth = 1.7 * pose.size
  context.stroke()
  if (top + bottom > EYE.high * 0.95 && top > 1) {
    context.fillStyle = tones.glint
    context.beginPath()
    traceOval(context, eye, -0.7 + pose.gazeX * 0.3, -top * 0.44, 1.05 * pose.eyeSize, 1.3 * pose.eyeSize)
    context.fill()
  }
  if (pose.brow > 0.02) paintBrow(context, pose, eye, side, Math.max(top, 2.2))
}

function paintBrow(context: Context2D, pose: Channels, eye: Placing, side: -1 | 1, top: number): void {
  const before = context.globalAlpha
  context.globalAlpha = before * Math.min(1, pose.brow)
  const pen = penOf(context, eye)
  const y = -top - 2.9 - pose.browLift * 2
  const down = pose.browTilt * 2.2
  context.beginPath()
  pen.move(-side * 3, y + down)
  pen.curve(-side * 1, y - 0.8 + down * 0.3, side * 1.5, y - 0.9 - down * 0.4, side * 3.2, y - down * 0.6)
  context.lineWidth = 1.6 * pose.size
  context.stroke()
  context.globalAlpha = before
}

function paintSwirl(context: Context2D, pose: Channels, eye: Placing, side: -1 | 1): void {
  const pen = penOf(context, eye)
  context.beginPath()
  pen.move(0, 0)
  const from = pose.phase * 12 * side
  for (let step = 1; step <= 22; step++) {
    const angle = from + side * step * 0.58
    const radius = 0.25 + step * 0.2
    pen.line(Math.cos(angle) * radius, Math.sin(angle) * radius)
  }
  context.lineWidth = 1.35 * pose.size
  context.stroke()
}

function paintMouth(context: Context2D, pose: Channels, tones: Tones, mouth: Placing): void {
  const pen = penOf(context, mouth)
  const wide = 4.1 * pose.mouthWidth
  const curve = pose.mouthCurve * 3.4
  const open = pose.mouthOpen * 5.2
  context.beginPath()
  if (pose.mouthWave > 0.05) {
    pen.move(-wide, 0)
    for (let step = 1; step <= 12; step++) {
      const share = step / 12
      pen.line(-wide + 2 * wide * share, Math.sin(share * Math.PI * 3) * 1.5 * pose.mouthWave)
    }
    context.stroke()
    return
  }
  // Its corners rise as it smiles, so that the middle stays where it is.
  const corner = -curve * 0.35
  pen.move(-wide, corner)
  const upper = curve - open * 0.55
  const lower = curve + open
  pen.curve(-wide * 0.45, corner + upper, wide * 0.45, corner + upper, wide, corner)
  if (open > 0.3) {
    pen.curve(wide * 0.62, corner + lower * 1.33, -wide * 0.62, corner + lower * 1.33, -wide, corner)
    context.closePath()
    context.fillStyle = tones.face
    context.fill()
  }
  context.stroke()
  if (open > 2 && wide > 2.2) {
    context.fillStyle = tones.tongue
    context.beginPath()
    traceOval(context, mouth, 0, corner + lower * 0.86, wide * 0.5, Math.min(1.7, open * 0.28))
    context.fill()
  }
}
