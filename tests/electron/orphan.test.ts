/** The daemon is killed, with no moment to say anything: nothing of Electron stays, whatever Electron is doing, or hangs in. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import test, { type ExecutionContext } from 'ava'
import { connect } from '../../daemon/client/index.js'
import { cleanEnv, spawnDaemon, tempHome } from '../support/daemon.js'
import { startX, until } from '../support/xserver.js'
import { overlayWindows } from '../x11/support.js'
import { browserServer } from './browsers.js'
import { hostRig, point } from './host-rig.js'
import { electronOf, isRunning } from './processes.js'
import type { Behaviour } from './standin/program.js'
import { standInScript } from './standin/script.js'
import { inBrowser } from './support.js'

/** How long Electron may be there without a daemon, in ms: a second to leave by itself, and what a busy machine takes. */
const GONE_MS = 10_000

/** What waits to end this process. */
function reapersOf(pid: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => {
      try {
        const words = readFileSync(join('/proc', name, 'cmdline'), 'utf8').split('\0')
        return words.includes('lets-reaper') && words.includes(String(pid))
      } catch {
        return false
      }
    })
    .map(Number)
}

async function doomed(t: ExecutionContext, behaviour: Omit<Behaviour, 'control'>) {
  const x = await startX({ compositor: true })
  t.teardown(() => x.stop())
  const browser = behaviour.windows === 'painted' && (await browserServer())
  const script = standInScript(t, { ...behaviour, ...(browser && { browser }) })
  const home = tempHome()
  const env = cleanEnv({ LETS_HOME: home, DISPLAY: x.display })
  const daemon = spawnDaemon(env, ['--host', 'electron', '--electron', script.path])
  t.teardown(() => daemon.kill('SIGKILL'))
  const electron = await until('Electron is started', () => electronOf(join(home, 'electron')) || undefined)
  t.teardown(() => {
    if (isRunning(electron)) process.kill(electron, 'SIGKILL')
  })
  return {
    script,
    electron,
    daemon,
    windows: () => overlayWindows({ x }),
    client: async () => {
      const socket = join(home, 'run', 'lets.sock')
      const client = await until(
        'it serves',
        () => connect({ clientName: 'test', socket, acks: 'painted' }).catch(() => undefined),
        30_000,
      )
      t.teardown(() => client.close())
      return client
    },
    /** Kills the daemon, and waits until nothing of Electron is there. */
    async killed() {
      const since = performance.now()
      daemon.kill('SIGKILL')
      await t.notThrowsAsync(until('Electron is gone', () => !isRunning(electron), GONE_MS))
      await t.notThrowsAsync(
        until('nothing is on the screen', async () => (await overlayWindows({ x })).length === 0, 5000),
      )
      t.log(`gone after ${(performance.now() - since).toFixed()} ms`)
      await until('nobody waits for it any more', () => reapersOf(electron).length === 0)
    },
  }
}

for (const [how, hang] of [
  [
    'in a loop of its own',
    async ({ script, electron }) => {
      const ticks = () =>
        Number(readFileSync(`/proc/${electron}/stat`, 'utf8').split(') ')[1]?.split(' ')[11])
      const before = ticks()
      script.command({ do: 'hang' })
      await until('it does nothing else', () => ticks() - before > 30)
    },
  ],
  [
    'stopped by a signal',
    async ({ electron }) => {
      process.kill(electron, 'SIGSTOP')
    },
  ],
] as [string, (on: Awaited<ReturnType<typeof doomed>>) => Promise<void>][]) {
  inBrowser(`Electron hangs, ${how}, and the daemon is killed: no window is left`, async (t) => {
    const on = await doomed(t, { windows: 'painted' })
    const client = await on.client()
    await client.highlight({ rect: [100, 100, 300, 200], display_id: 1 })
    t.is((await on.windows()).length, 1)
    t.is(reapersOf(on.electron).length, 1)
    await hang(on)
    await on.killed()
  })
}

inBrowser('the daemon is killed while the page loads', async (t) => {
  const on = await doomed(t, { windows: 'painted' })
  const client = await on.client()
  client.highlight({ rect: [100, 100, 300, 200], display_id: 1 }).catch(() => {})
  await until('its window is there', async () => (await on.windows()).length === 1)
  await on.killed()
})

inBrowser('the daemon is killed while Electron starts, and says nothing yet', async (t) => {
  await (await doomed(t, { windows: 'answering', start: 'hangs' })).killed()
})

test.serial('one that ended leaves nobody behind who waits for it', async (t) => {
  const { host, pid } = await hostRig(t)
  await host.apply({ display: 1, put: [point('a')], remove: [] })
  const first = pid()
  const [waits] = reapersOf(first)
  t.truthy(waits)
  const used = () => readFileSync(`/proc/${waits}/stat`, 'utf8').split(') ')[1]?.split(' ').slice(11, 13)
  const before = used()
  process.kill(first, 'SIGKILL')
  await until('another one is there', () => pid() !== first && pid() !== 0)
  t.deepEqual(before, ['0', '0'], 'it waits, and nothing else')
  await until('nobody waits for the first', () => reapersOf(first).length === 0)
  const second = pid()
  t.is(reapersOf(second).length, 1)
  await host.stop()
  await until('nobody waits for the second', () => reapersOf(second).length === 0)
})
