import { setTimeout as delay } from 'node:timers/promises'
import test from 'ava'
import { NativeHost } from '../../overlay/hosts/native/host.js'
import { native } from '../native/support.js'
import { startX, until } from '../support/xserver.js'

test('J2: a host tells within a second that a window is full screen, and that it is not; maximised is neither', async (t) => {
  const x = await startX({ windowManager: true })
  t.teardown(() => x.stop())
  const host = new NativeHost(native, x.display)
  let listed = 0
  host.on({
    displays() {},
    clearRequested() {},
    exit() {},
    windows: ({ relisted }) => {
      if (relisted) listed += 1
    },
  })
  await host.start()
  const { windows } = host
  if (!windows) throw new Error('an X server without windows')
  t.teardown(() => host.stop())
  x.spawn('xterm', ['-T', 'film', '-geometry', '60x20+200+120', '-e', 'sleep', '99'])
  const film = async () => (await windows.list()).find(({ title }) => title === 'film')
  await until('it is there', async () => (await film())?.visible)
  await delay(200)
  await windows.watch(true)

  /** Whether it is full screen after what is asked, as a listener who looks when he is told to sees it. */
  async function ask(how: string, wanted: boolean): Promise<void> {
    let seen = 0
    await x.run('wmctrl', '-r', 'film', '-b', how)
    await until(
      `${how} is told`,
      async () => {
        if (listed === seen) return false
        seen = listed
        return (await film())?.fullScreen === wanted
      },
      1000,
    )
  }
  t.false((await film())?.fullScreen)
  await ask('add,fullscreen', true)
  await ask('remove,fullscreen', false)
  await x.run('wmctrl', '-r', 'film', '-b', 'add,maximized_vert,maximized_horz')
  await delay(400)
  t.false((await film())?.fullScreen)
  await ask('add,fullscreen', true)
  x.spawn('xterm', ['-T', 'other', '-e', 'sleep', '99'])
  await until('the other is listed', async () =>
    (await windows.list()).some(({ title }) => title === 'other'),
  )
  t.true((await film())?.fullScreen)
})
