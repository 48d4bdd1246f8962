/** Finding things by the text on the pixels, through a daemon: the first look, looks at the same screen, and others meanwhile. */
import { spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { connect } from '../../daemon/client/index.js'
import { EvalDesk } from '../grounding-eval/desk.js'
import { SCREENS } from '../grounding-eval/screens.js'
import { stage } from '../grounding-eval/stage.js'
import { startDaemonProcess, tempHome } from '../support/daemon.js'
import { busyMs } from '../support/processor.js'
import { figure, ms, percentile } from './figures.js'

for (const scale of [1, 2] as const) await onDesk(scale)

async function onDesk(scale: 1 | 2): Promise<void> {
  const desk = await EvalDesk.set(scale)
  const home = tempHome()
  const daemon = await startDaemonProcess({
    env: { ...desk.x.env, LETS_HOME: home },
    args: [
      '--host',
      'x11',
      '--resolver',
      'ocr',
      '--grounding-consent',
      'always',
      '--capture-consent',
      'always',
    ],
  })
  const client = await connect({ clientName: 'bench', socket: daemon.socket })
  const other = await connect({ clientName: 'other', socket: daemon.socket })
  const first: number[] = []
  const repeated: number[] = []
  const waited: number[] = []
  const processor: number[] = []
  const alone: number[] = []
  const wait = async () => {
    const before = performance.now()
    await other.status()
    const took = performance.now() - before
    // A client that asks without pause needs one of the two processors that reading needs.
    await new Promise((done) => setTimeout(done, 2))
    return took
  }
  const locate = async (query: string) => {
    const fault: unknown = await client.locate({ display_id: 1, query }).then(
      () => 'found',
      (error: { code?: unknown }) => error.code,
    )
    if (fault !== 'resolve_failed') throw new Error(`it should look in vain: ${String(fault)}`)
  }
  try {
    const specs = SCREENS.filter((spec) => spec.scale === scale && spec.kind === 'page').slice(0, 5)
    for (const [n, spec] of specs.entries()) {
      await stage(desk, spec, async () => {
        for (let count = 0; count < 200; count++) alone.push(await wait())
        let over = false
        const busy = busyMs(daemon.pid)
        const started = performance.now()
        const look = locate('there is no such thing as this').finally(() => {
          over = true
        })
        while (!over) waited.push(await wait())
        await look
        // The first one also starts the threads.
        if (n > 0) {
          first.push(performance.now() - started)
          processor.push(busyMs(daemon.pid) - busy)
        } else
          figure(
            `${scale}x: the first look of all, with the start of its threads`,
            ms(performance.now() - started),
          )
        for (let count = 0; count < 5; count++) {
          const before = performance.now()
          await locate(`nothing ${count}`)
          repeated.push(performance.now() - before)
        }
      })
    }
    const screen = `${1280 * scale}x${800 * scale}`
    figure(
      `first look at a screen of ${screen}, p50 / most`,
      `${ms(percentile(first, 0.5))} / ${ms(Math.max(...first))}`,
      scale === 1 ? '< 2500 ms' : '',
    )
    figure('  processor time of it, p50', ms(percentile(processor, 0.5)))
    figure(
      'another look at the same screen, p50 / p95',
      `${ms(percentile(repeated, 0.5))} / ${ms(percentile(repeated, 0.95))}`,
      '< 400 ms',
    )
    figure(
      'others while nothing is looked for, p50 / p99',
      `${ms(percentile(alone, 0.5))} / ${ms(percentile(alone, 0.99))}`,
    )
    figure(
      'others meanwhile, request to reply, p50 / p99',
      `${ms(percentile(waited, 0.5))} / ${ms(percentile(waited, 0.99))}`,
      'p99 < 2 ms',
    )
  } finally {
    client.close()
    other.close()
    await daemon.stop()
    await desk.end()
    rmSync(home, { recursive: true, force: true })
  }
}

const [load] = spawnSync('cat', ['/proc/loadavg'], { encoding: 'utf8' }).stdout.split(' ')
figure('how many processes wanted a processor meanwhile', load ?? '?')
