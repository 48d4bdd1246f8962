/** What it costs to leave another process's marks out: lists and pictures of a desk with forty windows. */

import type { Owner } from '../../native/index.js'
import { Other } from '../native/other.js'
import { connect } from '../native/support.js'
import { startX, until } from '../support/xserver.js'
import { figure, ms, percentile } from './figures.js'

const x = await startX({ screen: '3840x2160x24', windowManager: true, compositor: true })
const ending: (() => unknown)[] = []
const keeper = { teardown: (end: () => unknown) => void ending.push(end) }
const [app, renderer] = [await Other.start(keeper, x), await Other.start(keeper, x)]
const eyes = await connect(x.display, () => {}, false, true)
for (let n = 0; n < 40; n++)
  await app.open({ x: n * 80, y: n * 40, width: 600, height: 400, color: 0x555555 + n, title: `window ${n}` })
await until(
  'all are there',
  async () => (await eyes.windows()).filter(({ id, client }) => id !== client).length === 40,
)

async function median(run: () => Promise<unknown>, count = 60): Promise<string> {
  const samples: number[] = []
  for (let n = 0; n < count; n++) {
    const started = performance.now()
    await run()
    samples.push(performance.now() - started)
  }
  return ms(percentile(samples, 0.5))
}

const whole = { x: 0, y: 0, width: 3840, height: 2160, overlay: false }
const part = { ...whole, x: 1000, y: 500, width: 300, height: 200 }
const claimed = { pids: [renderer.pid], windows: [] }
const cases: readonly [string, Owner][] = [
  ['nothing claimed', { pids: [], windows: [] }],
  ['marks over the whole screen claimed', claimed],
]
for (const [how, owner] of cases) {
  await eyes.claim(owner)
  if (owner === claimed) {
    const veil = { x: 0, y: 0, width: 3840, height: 2160, color: 0 }
    await renderer.open({ ...veil, alpha: true, overrideRedirect: true, input: [] })
  }
  figure(`40 windows listed, ${how}`, await median(() => eyes.windows()))
  figure(`4K pictured without marks, ${how}`, await median(() => eyes.capture(whole), 20))
  figure(`300x200 pictured without marks, ${how}`, await median(() => eyes.capture(part)))
}
figure("another process's windows examined", await median(() => eyes.surfacesOf(claimed)))
await eyes.close()
for (const end of ending) await end()
await x.stop()
