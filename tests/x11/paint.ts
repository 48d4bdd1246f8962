/** Windows that show exactly given pixels, through `xwud`. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ExecutionContext } from 'ava'
import { until, type XServer } from '../support/xserver.js'

export interface Painting {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
  /** 0xrrggbb of each pixel, row by row. */
  readonly pixels: (index: number) => number
}

/** Shows a painting on the root, without a frame around it, until the test ends. */
export async function paint(t: ExecutionContext, x: XServer, painting: Painting): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'lets-paint-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'painting.xwd')
  writeFileSync(file, dump(painting))
  const { width, height } = painting
  x.spawn('xwud', ['-noclick', '-geometry', `${width}x${height}+${painting.x}+${painting.y}`, '-in', file])
  await until('it is painted', async () => (await x.tree()).includes('"xwud"'))
}

/** What no encoder makes small; `harsh`: each channel is all or nothing. */
export function noise(harsh: boolean): () => number {
  let state = 1
  return () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return harsh ? ((state >>> 7) & 0x010101) * 0xff : state & 0xffffff
  }
}

/** The file format of `xwd`, 24 bits in 32. */
function dump({ width, height, pixels }: Painting): Buffer {
  const fields = [
    101,
    7,
    2,
    24,
    width,
    height,
    0,
    0,
    32,
    0,
    32,
    32,
    width * 4,
    4,
    0xff0000,
    0xff00,
    0xff,
    8,
    256,
  ]
  const header = Buffer.alloc(101)
  for (const [index, field] of [...fields, 0, width, height, 0, 0, 0].entries())
    header.writeUInt32BE(field, index * 4)
  const data = new Uint32Array(width * height)
  for (let index = 0; index < data.length; index++) data[index] = pixels(index)
  return Buffer.concat([header, new Uint8Array(data.buffer)])
}
