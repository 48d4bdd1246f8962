/** The figure: a small surface with an input region of its own, which takes clicks where it is meant to, and nowhere else. */
import test from 'ava'
import { loadNative, type WaylandEvent } from '../../native/index.js'
import { until } from '../support/xserver.js'
import { LEFT } from './clients.js'
import { BLUE, inked, PAINT } from './support.js'
import { grimHere, startSway, swayVersion } from './sway.js'

const sway = swayVersion !== undefined && grimHere ? test.serial : test.serial.skip

for (const scale of [1, 1.25]) {
  sway(
    `the figure at scale ${scale} takes clicks within its input region alone, and never the keyboard`,
    async (t) => {
      const on = await startSway({ outputs: [{ mode: '1600x1000', scale }], config: PAINT })
      t.teardown(() => on.stop())
      const loaded = loadNative()
      if (!loaded.ok) return t.fail(loaded.reason)
      const touched: string[] = []
      const tell = (event: WaylandEvent) => {
        if (event.type === 'figure') {
          const { kind, x, y, button } = event.touch
          touched.push([kind, Math.round(x), Math.round(y), ...(button ? [button] : [])].join(' '))
        }
      }
      const host = await loaded.native.WaylandHost.connect({ display: on.display, timeoutMs: 3000 }, tell)
      t.teardown(() => host.close())
      const window = await on.window({ fullscreen: true })
      const hand = await on.hand()
      await window.gets('enter')

      const size = { width: 100, height: 80 }
      const pixels = Buffer.alloc(Math.ceil(100 * scale) * Math.ceil(80 * scale) * 4, 255)
      const input = [{ x: 20, y: 20, width: 40, height: 40 }]
      const show = (x: number, y: number) =>
        host.showFigure({ epoch: 1, output: 'HEADLESS-1', place: { x, y, ...size }, pixels, input })
      t.true((await show(200, 150)).shown)
      const at = (x: number, y: number) => [Math.round(x * scale), Math.round(y * scale)] as const
      const screen = await on.picture()
      t.true(inked(screen.at(...at(202, 152))), 'it is shown')
      t.false(inked(screen.at(...at(190, 152))), 'beside it is nothing')

      window.taken()
      await hand.move(230, 180)
      await hand.click()
      await until('the figure is clicked', () => touched.includes(`release 230 180 ${LEFT}`))
      t.true(touched.includes(`press 230 180 ${LEFT}`))
      t.deepEqual(
        window.taken().filter(({ event }) => event === 'button' || event === 'blur'),
        [],
      )
      await hand.move(205, 155)
      await hand.click()
      await window.gets('button', { down: false })
      await until('the pointer has left it', () => touched.at(-1)?.startsWith('leave'))

      t.true((await show(500, 300)).shown)
      const moved = await on.picture()
      t.true(inked(moved.at(...at(505, 305))))
      t.deepEqual(moved.at(...at(250, 190)), BLUE, 'it is where it was no more')
      window.taken()
      await hand.move(230, 180)
      await hand.click()
      await window.gets('button', { down: false })
      await hand.move(525, 325)
      await until('it is entered in its new place', () => touched.at(-1)?.startsWith('enter 525 325'))

      const data = new Uint8Array(400)
      await host.captureInto(
        { output: 'HEADLESS-1', x: at(520, 0)[0], y: at(0, 320)[1], width: 10, height: 10, overlay: false },
        data,
      )
      t.deepEqual([...data.subarray(0, 3)], BLUE, 'it is in no picture')

      await host.hideFigure()
      window.taken()
      await hand.move(524, 324)
      await hand.click()
      await window.gets('button', { down: false })
      await t.throwsAsync(
        show(0, 0).then(() =>
          host.showFigure({
            epoch: 1,
            output: 'HEADLESS-1',
            place: { x: 0, y: 0, width: 5000, height: 5000 },
            pixels,
            input,
          }),
        ),
        { message: /at most 1024 points a side/ },
      )
    },
  )
}
