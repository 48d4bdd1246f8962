import test from 'ava'
import type { Monitor, NativeBinding, X11Event } from '../../../native/index.js'
import { HostUnavailable } from '../../host.js'
import { NativeHost } from './host.js'

const monitor: Monitor = {
  name: 'DP-1',
  x: 0,
  y: 0,
  width: 64,
  height: 48,
  mmWidth: 0,
  mmHeight: 0,
  primary: true,
  scale: 1,
}

/** A connection whose layout is what the test says, and a host on it. */
async function setup() {
  const state = {
    epoch: 1,
    monitors: [monitor],
    pictured: async (_target: Uint8Array) => {},
    event: (_event: X11Event) => {},
  }
  const connection = {
    monitors: async () => ({ epoch: state.epoch, monitors: state.monitors }),
    captureInto: (_area: unknown, target: Uint8Array) => state.pictured(target),
    info: () => ({ hotkey: 'ready', reducedMotion: false, notes: [], compositor: true }),
    close: async () => {},
  }
  const native = {
    X11Host: {
      connect: async (_options: unknown, onEvent: (event: X11Event) => void) => {
        state.event = onEvent
        return connection
      },
    },
  } as unknown as NativeBinding
  const host = new NativeHost(native, ':7')
  host.on({ displays() {}, clearRequested() {}, exit() {} })
  await host.start()
  return { host, state }
}

const request = { display: 1, marks: false, backdrop: 'screen' } as const

test('a picture is the screen’s own pixels, in memory that may change hands', async (t) => {
  const { host, state } = await setup()
  state.pictured = async (target) => void target.fill(9)
  const { data, width, height } = await host.capture(request)
  t.deepEqual([width, height, data.length, data.buffer.byteLength, data[5]], [64, 48, 12_288, 12_288, 9])
})

test('a display that changes while it is pictured is said so: its place may be another’s now', async (t) => {
  const { host, state } = await setup()
  state.pictured = async () => {
    state.epoch = 2
    state.monitors = [{ ...monitor, x: 64 }]
  }
  await t.throwsAsync(host.capture(request), {
    instanceOf: HostUnavailable,
    message: /the displays changed while display 1 was pictured/,
  })
})

test('a display that goes while it is pictured, and a server that goes, are said so', async (t) => {
  const { host, state } = await setup()
  state.pictured = async () => state.event({ type: 'displays', epoch: 2, monitors: [] })
  await t.throwsAsync(host.capture(request), { instanceOf: HostUnavailable })
  await t.throwsAsync(host.capture(request), { message: /display 1 is not connected/ })
  const other = await setup()
  other.state.pictured = async () => {
    other.state.event({ type: 'exit', reason: 'the X server went away' })
    throw new Error('the X server went away')
  }
  await t.throwsAsync(other.host.capture(request), { instanceOf: HostUnavailable, message: /gone|went away/ })
})
