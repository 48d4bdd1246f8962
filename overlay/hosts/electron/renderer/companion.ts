/** The page of the companion's window: shows the picture it is sent, and says where the pointer is on it. */
import { checkToCompanion, type FromCompanion, type ToCompanion } from '../../../../protocol/host/page.js'
import type { BRIDGE, Bridge } from '../bridge.js'

declare global {
  interface Window {
    readonly [BRIDGE]: Bridge
  }
}

/** From this alpha on a pixel takes clicks. */
const SOLID = 128

const { lets: bridge } = window
const canvas = document.querySelector('canvas') as HTMLCanvasElement
const context = canvas.getContext('2d') as CanvasRenderingContext2D

let input: Uint8ClampedArray | null = null
let menu = false
let takes = false
let isOver = false
/** Where the pointer was last, in logical points of the window. */
let pointer: readonly [number, number] | null = null

function tell(message: FromCompanion): void {
  bridge.tell(message)
}

function failed(reason: unknown): void {
  tell({ type: 'failed', reason: String(reason).slice(0, 2000) })
}

function decode(text: string): Uint8ClampedArray<ArrayBuffer> {
  const bytes = atob(text)
  const data = new Uint8ClampedArray(bytes.length)
  for (let at = 0; at < bytes.length; at++) data[at] = bytes.charCodeAt(at)
  return data
}

/** A canvas wants colours that were not multiplied with their alpha. */
function straight(data: Uint8ClampedArray): void {
  for (let at = 0; at < data.length; at += 4) {
    const alpha = data[at + 3] as number
    if (alpha === 0 || alpha === 255) continue
    for (let channel = 0; channel < 3; channel++)
      data[at + channel] = Math.round(((data[at + channel] as number) * 255) / alpha)
  }
}

function show({ seq, size, offset, pixels, input: solid, menu: open }: ToCompanion): void {
  const [width, height] = size
  const bytes = width * height * 4
  const picture = pixels === undefined ? null : decode(pixels)
  const mask = solid === undefined ? null : decode(solid)
  for (const given of [picture, mask]) {
    if (given && given.length !== bytes) {
      failed(`${width}x${height} pixels are ${bytes} bytes, got ${given.length}`)
      return
    }
  }
  if (canvas.width !== width || canvas.height !== height) {
    canvas.width = width
    canvas.height = height
  }
  canvas.style.left = `${offset[0] / devicePixelRatio}px`
  canvas.style.top = `${offset[1] / devicePixelRatio}px`
  canvas.style.width = `${width / devicePixelRatio}px`
  canvas.style.height = `${height / devicePixelRatio}px`
  if (picture) {
    straight(picture)
    context.putImageData(new ImageData(picture, width, height), 0, 0)
  }
  if (mask) input = mask
  menu = open
  look()
  // A frame is on the screen when the next one is being made.
  requestAnimationFrame(() => requestAnimationFrame(() => tell({ type: 'drawn', seq })))
}

/** Says what is so under the pointer now, if that is other than before. */
function look(): void {
  const now = pointer !== null && isSolid(pointer)
  if (now !== takes) {
    takes = now
    tell({ type: 'takes', takes })
  }
}

function isSolid([x, y]: readonly [number, number]): boolean {
  const box = canvas.getBoundingClientRect()
  const [px, py] = [
    Math.floor((x - box.left) * devicePixelRatio),
    Math.floor((y - box.top) * devicePixelRatio),
  ]
  if (px < 0 || py < 0 || px >= canvas.width || py >= canvas.height) return false
  return (input?.[(py * canvas.width + px) * 4 + 3] ?? 0) >= SOLID
}

function left(): void {
  pointer = null
  look()
  if (isOver) tell({ type: 'over', at: null })
  isOver = false
}

addEventListener('error', ({ error, message }) => failed(error ?? message))
addEventListener('unhandledrejection', ({ reason }) => failed(reason))
addEventListener('mousemove', ({ clientX, clientY }) => {
  pointer = [clientX, clientY]
  look()
  if (!takes || !menu) {
    if (isOver) tell({ type: 'over', at: null })
    isOver = false
    return
  }
  isOver = true
  tell({ type: 'over', at: [clientX, clientY] })
})
document.addEventListener('mouseleave', left)
addEventListener('mousedown', ({ button, clientX, clientY }) => {
  if ((button !== 0 && button !== 2) || !isSolid([clientX, clientY])) return
  tell({ type: 'press', button: button === 0 ? 'primary' : 'secondary', at: [clientX, clientY] })
})
addEventListener('contextmenu', (event) => event.preventDefault())
bridge.listen((message) => {
  const checked = checkToCompanion(message)
  if (checked.ok) show(checked.message)
  else failed(checked.reason)
})
tell({ type: 'waiting' })
