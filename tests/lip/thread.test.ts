/** The thread that the LIP host works on: there when it is needed, and what becomes of everyone when it fails. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { BroadcastChannel } from 'node:worker_threads'
import test, { type ExecutionContext } from 'ava'
import { serveLip } from '../../daemon/lip/serve.js'
import { paths as pathsFor } from '../../daemon/paths.js'
import { type Ask, openUniquesHere } from '../../daemon/uniques-host.js'
import { UniquesThread } from '../../daemon/uniques-thread.js'
import { loadNative } from '../../native/index.js'
import type { DaemonProcess } from '../support/daemon.js'
import { ask, homeWithProbe, Page, reachHost, served, until } from './support.js'

interface Line {
  readonly level: string
  readonly event: string
  readonly fields: Readonly<Record<string, unknown>> | undefined
}

const nobody: Ask = async () => null

/** The host as a daemon of this process has it, on a thread that runs `script`, or on none. */
async function serving(t: ExecutionContext, script: URL | null, answer: Ask = nobody) {
  const home = homeWithProbe(t)
  const paths = pathsFor({ LETS_HOME: home })
  const lines: Line[] = []
  const log = (level: string, event: string, fields?: Line['fields']) =>
    void lines.push({ level, event, fields })
  const loaded = loadNative()
  const duplicate = loaded.ok ? loaded.native.duplicateDescriptor : null
  if (!duplicate) throw new Error('these tests need the addon')
  const lip = await serveLip({
    paths,
    log,
    open: (address) =>
      script
        ? UniquesThread.open({ paths, address, consentToken: '' }, { log, ask: answer, duplicate, script })
        : openUniquesHere({ paths, address, consentToken: '' }, log, answer),
  })
  t.teardown(() => lip.stop())
  const lets = reachHost(null as unknown as DaemonProcess, home)
  const channel = new BroadcastChannel(home)
  t.teardown(() => channel.close())
  return { lets, home, lines, fail: () => channel.postMessage('fail') }
}

const FAILING = new URL('./failing-worker.js', import.meta.url)
const threads = (pid: number) => readdirSync(`/proc/${pid}/task`).length

test.serial('there is no thread until somebody connects', async (t) => {
  const lets = await served(t)
  const before = threads(lets.daemon.pid)
  t.false(lets.daemon.logText().includes('lip_loaded'))
  await lets.operator('/lip/windows')
  t.true(threads(lets.daemon.pid) > before)
  t.true(lets.daemon.logText().includes('lip_loaded'))
})

test.serial(
  'the thread fails: it is said, pages come back to a new one, and what was kept is there',
  async (t) => {
    const { lets, home, lines, fail } = await serving(t, FAILING)
    const { token } = await lets.open()
    const page = await Page.connect(lets.port, token)
    page.emit('probe.picked', { id: 'before' })
    const queue = join(home, 'lip', 'queue.json')
    await until(() => existsSync(queue) && readFileSync(queue, 'utf8').includes('before'))
    fail()
    t.is((await page.closed).code, 1006)
    await until(() => lines.some(({ event }) => event === 'lip_thread_ended'))
    const said = lines.find(({ event }) => event === 'lip_thread_ended')
    t.is(said?.level, 'error')
    t.regex(String(said?.fields?.error), /the test says so/)

    const again = await Page.connect(lets.port, token)
    again.emit('probe.picked', { id: 'after' })
    await until(async () => (await lets.operator('/lip/windows')).json.windows[0].events.taken > 0)
    const { events } = await lets.listen()
    t.deepEqual(
      events.map(({ data }: { data: { id: string } }) => data.id),
      ['before', 'after'],
    )
    t.is(lines.filter(({ event }) => event === 'lip_loaded').length, 2)
  },
)

test.serial(
  'a thread that cannot start hangs up on who came, and the next connection tries again',
  async (t) => {
    const broken = new URL(
      `data:text/javascript,${encodeURIComponent('throw new Error("it does not start")')}`,
    )
    const { lets, lines } = await serving(t, broken)
    for (let round = 1; round <= 2; round++) {
      await t.throwsAsync(lets.operator('/lip/windows'))
      t.is(lines.filter(({ event }) => event === 'lip_not_served').length, round)
    }
    t.regex(JSON.stringify(lines), /it does not start/)
  },
)

test.serial('who is on the way when the thread ends is hung up on', async (t) => {
  // Serves, and takes nobody.
  const deaf = new URL(
    `data:text/javascript,${encodeURIComponent(`
      import { parentPort } from 'node:worker_threads'
      parentPort.postMessage({ ready: true })
      parentPort.on('message', () => setTimeout(() => { throw new Error('before it took anyone') }, 100))
    `)}`,
  )
  const { lets } = await serving(t, deaf)
  const socket = connect(lets.port, '127.0.0.1')
  await new Promise((resolve) => socket.once('close', resolve))
  t.pass()
})

test.serial(
  'the person is asked across the threads; a thread that fails takes its question back',
  async (t) => {
    let withdrawn = false
    let asked: (() => void) | undefined
    const wasAsked = new Promise<void>((resolve) => {
      asked = resolve
    })
    let first = true
    const { lets, fail } = await serving(t, FAILING, async (question, signal) => {
      t.deepEqual(question, { unique: 'probe', title: question.title, language: 'python' })
      if (!first) return 'allow'
      first = false
      asked?.()
      return new Promise((resolve) =>
        signal.addEventListener('abort', () => {
          withdrawn = true
          resolve(null)
        }),
      )
    })
    const { token } = await lets.open()
    const page = await Page.connect(lets.port, token)
    const run = () =>
      ask('/lip/run', {
        port: lets.port,
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ language: 'python', code: 'print(6 * 7)' }),
      })
    const unanswered = run()
    await wasAsked
    await until(() => existsSync(join(lets.home, 'lip', 'windows.json')))
    fail()
    await t.throwsAsync(unanswered, undefined, 'nobody waits for a thread that is gone')
    await page.closed
    await until(() => withdrawn)

    const again = await Page.connect(lets.port, token)
    t.is((await run()).status, 202)
    t.like((await again.next('host.run.output')).data, { text: '42\n' })
  },
)

test.serial('where connections cannot change threads, the host works on the daemon’s own', async (t) => {
  const { lets } = await serving(t, null)
  const { token } = await lets.open()
  const page = await Page.connect(lets.port, token)
  page.emit('probe.picked', { id: 'here' })
  t.like(await lets.listen(), { events: [{ data: { id: 'here' } }] })
})
