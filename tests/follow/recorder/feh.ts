import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Book } from './book.js'
import { chance } from './chance.js'
import { desktop, version } from './desktop.js'
import { Pan } from './pan.js'
import { png } from './png.js'
import type { Stage } from './stage.js'

/** An image viewer with a photograph larger than its window. */
export async function feh(stage: Stage): Promise<void> {
  const book = new Book('feh', version('feh'))
  const command = ['feh', '--geometry', '560x420', '--zoom', '100', 'one.png', 'two.png']
  await desktop(
    stage,
    command,
    [560, 420],
    async (window) => {
      const pan = new Pan(window, book, [0, 0, window.width, window.height], [60, 40])
      const drag = (dx: number, dy: number) => async () => {
        await window.pointer(280, 210)
        await stage.x.run('xdotool', 'mousedown', '1')
        await window.pointer(280 + Math.round(dx / 2), 210 + Math.round(dy / 2))
        await window.pointer(280 + dx, 210 + dy)
        await stage.x.run('xdotool', 'mouseup', '1')
      }
      await pan.step('drag', 'both ways at once', drag(-80, -50), 5)
      await pan.step('drag', 'both ways at once', drag(37, -91), 5)
      await pan.step('drag', 'both ways at once', drag(150, 120), 5)
      await pan.step('keys', 'sideways', () => window.keys('ctrl+Right'), 4)
      await pan.step('keys', 'sideways', () => window.keys('ctrl+Left', 'ctrl+Left'), 4)
      await pan.step('keys', 'scroll by a line', () => window.keys('ctrl+Down'), 4)
      await pan.step('far', 'flick out of sight', drag(-260, -190), 4)
      await pan.gone('zoom', 'zoom', () => window.keys('Up'), 4)
      await pan.gone('next', 'replaced', () => window.keys('Right'), 4)
    },
    (folder) => {
      writeFileSync(join(folder, 'one.png'), photograph(1300, 1000, 3))
      writeFileSync(join(folder, 'two.png'), photograph(1300, 1000, 4))
    },
  )
  book.save()
}

/** Hills in haze with the grain of a film: no flat part, and nothing that comes twice. */
function photograph(width: number, height: number, seed: number): Buffer {
  const pick = chance(seed)
  const noise = Array.from({ length: 5 }, (_, octave) => {
    const cells = 5 * 2 ** octave
    const grid = Float32Array.from({ length: (cells + 2) ** 2 }, () => pick(1000) / 1000)
    return (x: number, y: number) => {
      const [gx, gy] = [x * cells, y * cells]
      const [ix, iy] = [Math.floor(gx), Math.floor(gy)]
      const [fx, fy] = [gx - ix, gy - iy].map((f) => f * f * (3 - 2 * f)) as [number, number]
      const at = (cx: number, cy: number) => grid[cy * (cells + 2) + cx]!
      const top = at(ix, iy) * (1 - fx) + at(ix + 1, iy) * fx
      const low = at(ix, iy + 1) * (1 - fx) + at(ix + 1, iy + 1) * fx
      return (top * (1 - fy) + low * fy) / 2 ** octave
    }
  })
  const rgba = Buffer.alloc(width * height * 4)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const light = noise.reduce((sum, at) => sum + at(x / width, y / width), 0) / 1.94
      // Few shades, so that a picture of it is small.
      const shade = Math.max(0, Math.min(47, Math.round((light - 0.2) * 78 + pick(2))))
      rgba.set([shade * 5 + 8, shade * 4 + 30, 90 + shade * 3, 255], (y * width + x) * 4)
    }
  }
  return png(width, height, rgba)
}
