// Draws the tray icons of the Electron host: the pointer of the scene beside the ring of a point. Writes
// overlay/hosts/electron/assets/. `trayTemplate*` is black on clear, which macOS colours to suit its menu bar;
// `tray*` has its own colours, for the other systems. Electron takes `@2x` where the screen has twice the pixels.
import { mkdirSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { createCanvas } from '@napi-rs/canvas'

const folder = fileURLToPath(new URL('../overlay/hosts/electron/assets/', import.meta.url))
const SIZE = 16

// On whole and half pixels of the small icon, so that straight edges are sharp at both sizes.
const RING = { x: 6, y: 6, radius: 4, width: 1.5 }
const POINTER = [
  [6, 6],
  [15, 9.5],
  [11, 11],
  [9.5, 15],
]

const icons = {
  trayTemplate: { ink: '#000000' },
  tray: { ink: '#ffb224', casing: '#17130a' },
}

mkdirSync(folder, { recursive: true })
for (const [name, colors] of Object.entries(icons)) {
  for (const [suffix, scale] of [
    ['', 1],
    ['@2x', 2],
  ]) {
    const canvas = createCanvas(SIZE * scale, SIZE * scale)
    const context = canvas.getContext('2d')
    context.scale(scale, scale)
    draw(context, colors)
    writeFileSync(`${folder}${name}${suffix}.png`, canvas.toBuffer('image/png'))
  }
}

function draw(context, { ink, casing }) {
  context.lineJoin = 'round'
  if (casing) {
    // A full disc: at this size, nothing is to be seen through a ring with a casing on both sides.
    context.fillStyle = casing
    ring(context)
    context.fill()
    stroke(context, ring, casing, RING.width + 1.5)
    stroke(context, pointer, casing, 3)
  }
  stroke(context, ring, ink, RING.width)
  // The pointer stands off from the ring by a gap, which the casing is where there is one.
  if (casing) stroke(context, pointer, casing, 2)
  else {
    context.globalCompositeOperation = 'destination-out'
    stroke(context, pointer, '#000', 2.5)
    context.globalCompositeOperation = 'source-over'
  }
  context.fillStyle = ink
  pointer(context)
  context.fill()
  stroke(context, pointer, ink, 0.5)
}

function stroke(context, shape, style, width) {
  context.strokeStyle = style
  context.lineWidth = width
  shape(context)
  context.stroke()
}

function ring(context) {
  context.beginPath()
  context.arc(RING.x, RING.y, RING.radius, 0, 2 * Math.PI)
}

function pointer(context) {
  context.beginPath()
  for (const [x, y] of POINTER) context.lineTo(x, y)
  context.closePath()
}
