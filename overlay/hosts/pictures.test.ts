/** Pictures through the addon, alike on every display server it draws on. */
import test from 'ava'
import type { Monitor, NativeBinding, WaylandEvent, WaylandOutput, X11Event } from '../../native/index.js'
import { HostUnavailable, type OverlayHost } from '../host.js'
import { NativeHost } from './native/host.js'
import { WaylandHost } from './wayland/host.js'

/** A connection whose layout and pictures are what the test says, and a host on it. */
interface Bench {
  readonly host: OverlayHost
  /** What fills a picture. */
  pictured: (target: Uint8Array) => Promise<void>
  /** The display is elsewhere from now on; nothing tells of it. */
  move(): void
  /** There is no display any more, and an event says so. */
  unplug(): void
  /** The display server goes. */
  exit(): void
}

const size = { x: 0, y: 0, width: 64, height: 48, primary: true, scale: 1, name: 'DP-1' }

async function onX11(): Promise<Bench> {
  let monitors: Monitor[] = [{ ...size, mmWidth: 0, mmHeight: 0 }]
  let epoch = 1
  let tell = (_event: X11Event) => {}
  const connection = {
    monitors: async () => ({ epoch, monitors }),
    captureInto: (_area: unknown, target: Uint8Array) => bench.pictured(target),
    info: () => ({ hotkey: 'ready', reducedMotion: false, notes: [], compositor: true }),
    close: async () => {},
  }
  const native = {
    X11Host: {
      connect: async (_options: unknown, onEvent: (event: X11Event) => void) => {
        tell = onEvent
        return connection
      },
    },
  } as unknown as NativeBinding
  const bench: Bench = {
    host: new NativeHost(native, ':7'),
    pictured: async () => {},
    move() {
      epoch = 2
      monitors = monitors.map((monitor) => ({ ...monitor, x: 64 }))
    },
    unplug: () => tell({ type: 'displays', epoch: 2, monitors: [] }),
    exit: () => tell({ type: 'exit', reason: 'the X server went away' }),
  }
  return started(bench)
}

async function onWayland(): Promise<Bench> {
  let outputs: WaylandOutput[] = [size]
  let epoch = 1
  let tell = (_event: WaylandEvent) => {}
  const connection = {
    outputs: async () => ({ epoch, outputs }),
    captureInto: (_area: unknown, target: Uint8Array) => bench.pictured(target),
    info: () => ({ capture: 'wlr-screencopy', viewports: true }),
    close: async () => {},
  }
  const native = {
    WaylandHost: {
      connect: async (_options: unknown, onEvent: (event: WaylandEvent) => void) => {
        tell = onEvent
        return connection
      },
    },
  } as unknown as NativeBinding
  const bench: Bench = {
    host: new WaylandHost(native, 'wayland-7'),
    pictured: async () => {},
    move() {
      epoch = 2
      outputs = outputs.map((output) => ({ ...output, x: 64 }))
    },
    unplug: () => tell({ type: 'displays', epoch: 2, outputs: [] }),
    exit: () => tell({ type: 'exit', reason: 'the Wayland compositor went away' }),
  }
  return started(bench)
}

async function started(bench: Bench): Promise<Bench> {
  bench.host.on({ displays() {}, clearRequested() {}, exit() {} })
  await bench.host.start()
  return bench
}

const request = { display: 1, marks: false, backdrop: 'screen' } as const

for (const [name, setup] of [
  ['X11', onX11],
  ['Wayland', onWayland],
] as const) {
  test(`${name}: a picture is the screen’s own pixels, in memory that may change hands`, async (t) => {
    const bench = await setup()
    bench.pictured = async (target) => void target.fill(9)
    const { data, width, height, impression } = await bench.host.capture(request)
    t.deepEqual([width, height, data.length, data.buffer.byteLength, data[5]], [64, 48, 12_288, 12_288, 9])
    t.deepEqual(
      impression?.light.every((light) => light === 9),
      true,
    )
  })

  test(`${name}: a display that changes while it is pictured is said so: its place may be another’s now`, async (t) => {
    const bench = await setup()
    bench.pictured = async () => bench.move()
    await t.throwsAsync(bench.host.capture(request), {
      instanceOf: HostUnavailable,
      message: /the displays changed while display 1 was pictured/,
    })
  })

  test(`${name}: a display that goes while it is pictured, and a server that goes, are said so`, async (t) => {
    const bench = await setup()
    bench.pictured = async () => bench.unplug()
    await t.throwsAsync(bench.host.capture(request), { instanceOf: HostUnavailable })
    await t.throwsAsync(bench.host.capture(request), { message: /display 1 is not connected/ })
    const other = await setup()
    other.pictured = async () => {
      other.exit()
      throw new Error('it went away')
    }
    await t.throwsAsync(other.host.capture(request), {
      instanceOf: HostUnavailable,
      message: /gone|went away/,
    })
  })
}
