/** The scene's golden pictures, drawn by the Wayland host on a real compositor: what a person sees is what was painted. */
import { fileURLToPath } from 'node:url'
import { ImageData, loadImage } from '@napi-rs/canvas'
import test from 'ava'
import { loadNative } from '../../native/index.js'
import { WaylandHost } from '../../overlay/hosts/wayland/host.js'
import { golden, screen } from '../golden/canvas.js'
import { SIZE, scenes } from '../golden/scenes.js'
import { until } from '../support/xserver.js'
import { grimHere, startSway, swayVersion } from './sway.js'

const sway = swayVersion !== undefined && grimHere ? test.serial : test.serial.skip

// Nothing flies or glides: a picture may be taken at once.
process.env.LETS_REDUCED_MOTION = '1'

const pictures = new URL('../../../tests/golden/', import.meta.url)

/** Those that stand still, and whose colours are chosen for what they are on. */
const still = Object.entries(scenes).filter(
  ([, { now, thinking, over, size }]) => now === undefined && !thinking && !over && !size,
)

for (const scale of [1, 1.25, 2]) {
  sway(`every scene at scale ${scale} is shown by the compositor as it was painted`, async (t) => {
    const [width, height] = SIZE.map((side) => Math.ceil(side * scale)) as [number, number]
    const on = await startSway({ outputs: [{ mode: `${width}x${height}`, scale }] })
    t.teardown(() => on.stop())
    const loaded = loadNative()
    if (!loaded.ok) return t.fail(loaded.reason)
    const host = new WaylandHost(loaded.native, on.display)
    host.on({ displays() {}, clearRequested() {}, exit: (reason) => t.fail(reason) })
    const [display] = await host.start()
    t.teardown(() => host.stop())
    t.is(display?.scale, scale)
    // Not through grim: it resizes what is no whole number of points.
    const eye = await loaded.native.WaylandHost.connect({ display: on.display, timeoutMs: 3000 }, () => {})
    t.teardown(() => eye.close())
    const look = async () => {
      const data = new Uint8ClampedArray(width * height * 4)
      const area = { output: 'HEADLESS-1', x: 0, y: 0, width, height, overlay: true }
      await eye.captureInto(area, new Uint8Array(data.buffer))
      return new ImageData(data, width, height)
    }
    for (const [name, { marks, pointer = null, prompt = null, ground = '#fff' }] of still) {
      const [hex, light] = ground === '#fff' ? ['ffffff', 255] : ['222222', 34]
      await on.command(`output HEADLESS-1 bg #${hex} solid_color`)
      await until(`the ground is ${ground}`, async () => (await look()).data[0] === light)
      await host.apply({ display: 1, put: marks, remove: [], pointer, prompt })
      const shown = screen(SIZE, scale)
      shown.context.putImageData(await look(), 0, 0)
      // A last row that is half a point belongs to no window, not even the ground, and is not compared.
      const whole = Math.floor(SIZE[1] * scale)
      shown.context.resetTransform()
      shown.context.clearRect(0, whole, width, 1)
      const wanted = await loadImage(fileURLToPath(new URL(`${name}@${scale}.png`, pictures)))
      shown.context.drawImage(wanted, 0, whole, width, 1, 0, whole, width, 1)
      t.is(await golden(`${name}@${scale}`, shown), null)
      await host.apply({
        display: 1,
        put: [],
        remove: marks.map(({ id }) => id),
        pointer: null,
        prompt: null,
      })
    }
  })
}
