/** What the pointer looks like over the companion's surface: the person's own arrow, whatever the window below made of it. */
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test, { type ExecutionContext } from 'ava'
import { loadNative } from '../../native/index.js'
import { until } from '../support/xserver.js'
import { BLUE, PAINT } from './support.js'
import { grimHere, startSway, swayVersion } from './sway.js'

const sway = swayVersion !== undefined && grimHere ? test.serial : test.serial.skip

const SMALL = [0x22, 0xaa, 0x44]
const LARGE = [0xcc, 0x22, 0x88]
const FIGURE = [0xff, 0xff, 0xff]

sway(
  'over the figure the pointer is the arrow of the person’s theme, where the window below hides it',
  async (t) => {
    const XCURSOR_PATH = theme(t)
    // Where the compositor draws cursors by their names, it is its own theme that counts.
    const own = { XCURSOR_PATH, XCURSOR_THEME: 'lets-test', XCURSOR_SIZE: '24' }
    const before = Object.keys(own).map((name) => [name, process.env[name]] as const)
    Object.assign(process.env, own)
    t.teardown(() => {
      for (const [name, value] of before) {
        if (value === undefined) delete process.env[name]
        else process.env[name] = value
      }
    })
    const on = await startSway({
      outputs: [{ mode: '800x500' }],
      config: [...PAINT, 'seat * xcursor_theme lets-test 24'],
      serverEnv: own,
    })
    t.teardown(() => on.stop())
    const window = await on.window({ fullscreen: true, hidesCursor: true })
    const hand = await on.hand()
    await window.gets('enter')
    for (const scale of [1, 1.25, 2]) {
      await on.command(`output HEADLESS-1 scale ${scale}`)
      await window.gets('shown', { width: 800 / scale })
      const loaded = loadNative()
      if (!loaded.ok) return t.fail(loaded.reason)
      const host = await loaded.native.WaylandHost.connect(
        { display: on.display, timeoutMs: 10_000 },
        () => {},
      )
      const size = { width: 100, height: 80 }
      const pixels = Buffer.alloc(100 * scale * 80 * scale * 4, 255)
      const input = [{ x: 0, y: 0, ...size }]
      const { epoch } = await host.outputs()
      const place = { x: 200, y: 150, ...size }
      await host.showFigure({ epoch, output: 'HEADLESS-1', place, pixels, input })

      /** What is seen a little right of and below the tip of an arrow there. */
      const sees = async (wanted: readonly (readonly number[])[], x: number, y: number) => {
        await hand.move(x, y)
        const [px, py] = [x, y].map((side) => Math.round((side + 6) * scale)) as [number, number]
        await until(`${wanted} at ${x},${y}, scale ${scale}`, async () => {
          const seen = (await on.picture(undefined, true)).at(px, py)
          return wanted.some((colour) => colour.every((channel, index) => channel === seen[index]))
        })
      }
      const image = scale === 1 ? [SMALL] : scale === 2 ? [LARGE] : [SMALL, LARGE]
      await sees([BLUE], 50, 50)
      await sees(image, 220, 170)
      t.deepEqual((await on.picture()).at(280 * scale, 216 * scale), FIGURE, 'beside it the figure is seen')
      await sees([BLUE], 50, 60)
      await sees(image, 230, 180)
      // As when it moves to another place, of another size.
      const other = { x: 205, y: 155, width: 80, height: 60 }
      const fewer = Buffer.alloc(80 * scale * 60 * scale * 4, 255)
      await host.showFigure({ epoch, output: 'HEADLESS-1', place: other, pixels: fewer, input })
      await sees(image, 231, 181)
      await host.close()
      await sees([BLUE], 51, 61)
    }
    t.pass()
  },
)

/** A theme of one cursor in two sizes, each of one colour, with its tip in the corner. The folder of themes. */
function theme(t: ExecutionContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'lets-w-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  chmodSync(folder, 0o755)
  const cursors = join(folder, 'lets-test', 'cursors')
  mkdirSync(cursors, { recursive: true })
  writeFileSync(join(folder, 'lets-test', 'index.theme'), '[Icon Theme]\nName=lets-test\n')
  const images = [
    { size: 24, colour: SMALL },
    { size: 48, colour: LARGE },
  ].map(({ size, colour: [red = 0, green = 0, blue = 0] }) => ({
    size,
    chunk: Buffer.concat([
      words(36, IMAGE, size, 1, size, size, 0, 0, 0),
      Buffer.alloc(size * size * 4, Buffer.from([blue, green, red, 255])),
    ]),
  }))
  let at = 16 + 12 * images.length
  const contents = images.map(({ size, chunk }) => {
    at += chunk.length
    return words(IMAGE, size, at - chunk.length)
  })
  const head = Buffer.concat([Buffer.from('Xcur'), words(16, 0x10000, images.length)])
  const file = Buffer.concat([head, ...contents, ...images.map(({ chunk }) => chunk)])
  for (const name of ['default', 'left_ptr']) writeFileSync(join(cursors, name), file)
  return folder
}

const IMAGE = 0xfffd0002

function words(...numbers: number[]): Buffer {
  const bytes = Buffer.alloc(numbers.length * 4)
  for (const [index, number] of numbers.entries()) bytes.writeUInt32LE(number, index * 4)
  return bytes
}
