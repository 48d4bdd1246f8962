/** The golden pictures as they should look on a ground, and what the page makes of their scenes. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type Canvas, createCanvas, type Image, loadImage } from '@napi-rs/canvas'
import type { ToPage } from '../../protocol/host/page.js'
import type { Size } from '../../protocol/overlay/geometry.js'
import { screen, stage } from '../golden/canvas.js'
import { type GoldenScene, SIZE } from '../golden/scenes.js'
import type { Pixels } from './likeness.js'
import { change, scene, type TestedPage } from './page.js'

const GREY = { '#fff': 255, '#222': 34 } as const
type Ground = keyof typeof GREY

/** A committed picture, and the same scene painted without its text. */
export async function wanted(
  name: string,
  one: GoldenScene,
  scale: number,
): Promise<{ golden: Pixels; withoutText: Pixels }> {
  const { ground = '#fff', marks, pointer, now = 1000, size = SIZE } = one
  const file = new URL(`../../../tests/golden/${name}@${scale}.png`, import.meta.url)
  const show = stage(size, scale)
  for (const mark of marks) {
    show.put(mark, 0, [{ data: rgba(ground), width: 1, height: 1, rect: [0, 0, ...size] }])
  }
  if (pointer) show.setPointer(pointer, 0)
  if (one.prompt) show.setPrompt(one.prompt)
  if (one.thinking) show.setThinking(true)
  const on = screen(size, scale)
  on.context.fillText = () => {}
  show.paint(on.context, [0, 0, ...size], now)
  return {
    golden: cut(await loadImage(readFileSync(fileURLToPath(file))), size, scale, ground),
    withoutText: cut(on.canvas, size, scale, ground),
  }
}

/** What is seen of the page, whose clock stands still, when it was told the scene. */
export async function painted(on: TestedPage, one: GoldenScene, scale: number): Promise<Pixels> {
  const { ground = '#fff', over = ground, marks, pointer = null, now = 1000, size = SIZE } = one
  const grey = GREY[ground]
  const color = { r: grey, g: grey, b: grey, a: 1 }
  await on.cdp.send('Emulation.setDefaultBackgroundColorOverride', { color })
  await on.send(scene(on, { size: [...size] }))
  const { put, prompt } = structuredClone({ put: marks, prompt: one.prompt ?? null }) as Pick<
    Extract<ToPage, { type: 'scene' }>,
    'put' | 'prompt'
  >
  const pixel = { width: 1, height: 1, rgba: Buffer.from(rgba(over)).toString('base64') }
  await on.send(
    change(on, {
      put,
      prompt,
      pointer,
      thinking: one.thinking ?? false,
      backdrop: [{ ...pixel, rect: [0, 0, ...size] }],
    }),
  )
  await on.step(now)
  // The next two frames, with which the last one counts as presented.
  await on.step(0)
  await on.step(0)
  await on.hears('painted')
  return cut(await loadImage(await on.page.screenshot({ scale: 'device' })), size, scale, ground)
}

function rgba(ground: Ground): Uint8Array {
  return Uint8Array.of(GREY[ground], GREY[ground], GREY[ground], 255)
}

/** The whole pixels of a display, on a ground: its last row or column may be a part of one. */
function cut(image: Image | Canvas, size: Size, scale: number, ground: Ground): Pixels {
  const [width, height] = [Math.floor(size[0] * scale), Math.floor(size[1] * scale)]
  const context = createCanvas(width, height).getContext('2d')
  context.fillStyle = ground
  context.fillRect(0, 0, width, height)
  context.drawImage(image, 0, 0)
  return { width, height, data: context.getImageData(0, 0, width, height).data }
}
