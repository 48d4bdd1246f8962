import test from 'ava'
import type { NativeBinding } from '../../../native/index.js'
import { NativeHost } from './host.js'

/** An addon on an Xwayland that lets clicks through. */
function guest(): NativeBinding {
  const connection = {
    monitors: async () => ({
      epoch: 1,
      monitors: [{ name: 'DP-1', x: 0, y: 0, width: 1280, height: 800, scale: 1, primary: true }],
    }),
    info: () => ({
      xwayland: true,
      hotkey: 'ready',
      compositor: true,
      reducedMotion: false,
      notes: ['The hotkey Ctrl+Shift+K is free.', 'No shared memory.'],
    }),
    close: async () => {},
  }
  return { X11Host: { connect: async () => connection } } as unknown as NativeBinding
}

test('on a Wayland desktop, through Xwayland, nothing is offered that is only half known', async (t) => {
  const host = new NativeHost(guest(), ':1')
  await host.start()
  t.teardown(() => host.stop())
  t.deepEqual([host.windows, host.content, host.answerKeys, host.nextKey], Array(4).fill(undefined))
  const { hotkey, capture, compositor, notes } = host.facts()
  t.regex(hotkey, /^off: /)
  t.regex(capture ?? '', /no picture of the Wayland desktop/)
  t.is(compositor, undefined)
  t.is(notes.length, 2, 'what is said of keys is not so')
  t.regex(notes[0] ?? '', /through Xwayland/)
  await t.throwsAsync(host.capture({ display: 1, marks: false, backdrop: 'screen' }), {
    name: 'HostUnavailable',
    message: /no picture/,
  })
})
