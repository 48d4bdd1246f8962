/** What the person sends is saved whole, told, and taken up again. */
import { chmodSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'ava'
import { startDaemonProcess } from '../support/daemon.js'
import { homeWithProbe, Page, reachHost, served } from './support.js'

const WORK = { title: 'A plan', nodes: [{ id: 'n1' }], session: 'mine' }

test.serial(
  'sent: saved, told with the session first, the window closed, and opened again as it was',
  async (t) => {
    const lets = await served(t)
    const { token } = await lets.open()
    const page = await Page.connect(lets.port, token)
    page.emit('probe.export', WORK)
    const { events } = await lets.listen()
    const { data } = events[0]
    t.is(Object.keys(data)[0], 'session', 'as its first key')
    const { id } = data.session
    t.deepEqual(data, {
      session: { id, handoff: true, saved: true, summary: 'A plan' },
      title: 'A plan',
      nodes: [{ id: 'n1' }],
    })
    t.like(await page.next('session.close'), { data: { reason: 'handoff', session: id } })
    t.is((await page.closed).code, 4410)
    t.deepEqual((await lets.operator('/lip/windows')).json.windows, [])
    const saved = JSON.parse(readFileSync(join(lets.home, 'sessions', 'probe', `${id}.json`), 'utf8'))
    t.like(saved, {
      lip: 1,
      id,
      unique: 'probe',
      summary: 'A plan',
      type: 'probe.export',
      data: { title: 'A plan' },
    })
    t.like((await lets.operator('/lip/sessions')).json.sessions, [{ id, unique: 'probe', summary: 'A plan' }])

    for (const [resume, nodes] of [
      ['last', [{ id: 'n1' }]],
      [id, []],
    ]) {
      const again = await lets.open('probe', { resume })
      t.is(again.resumed, id)
      const next = await Page.connect(lets.port, again.token)
      t.like(await next.next('lip.ready'), { data: { resume: { session: id } } })
      t.deepEqual((await next.next('probe.load')).data, { title: 'A plan', nodes })
      // It goes on changing: what is said of it without being asked is saved in silence.
      next.emit('probe.snapshot', { title: 'A plan', nodes: [] }, { id: 'snap' })
      await next.next('lip.ack')
      await next.close()
    }
    t.deepEqual((await lets.operator(`/lip/sessions/probe/${id}`)).json.data.nodes, [])
    t.deepEqual((await lets.listen({ wait_ms: 0 })).events, [], 'and nobody is told')
    const never = await lets.operator('/lip/open', {
      unique: 'probe',
      resume: 's_00000000000000000000000000',
    })
    t.is(never.status, 404)
    t.is(never.json.error.code, 'unknown_session')
    for (const resume of ['../../host', '..', 'last/x'])
      t.is(
        (await lets.operator('/lip/open', { unique: 'probe', resume })).json.error.code,
        'unknown_session',
        resume,
      )
  },
)

test.serial('a window stays where the person has set so, and where it could not be saved', async (t) => {
  const lets = await served(t)
  writeFileSync(join(lets.home, 'config.json'), '{"handoff":"stay"}')
  const { token } = await lets.open()
  const page = await Page.connect(lets.port, token)
  page.emit('probe.export', { nodes: [1, 2] }, { id: 'first' })
  await page.next('lip.ack')
  t.like((await lets.listen()).events[0].data.session, {
    handoff: false,
    saved: true,
    summary: 'Probe: what a page of a unique can do: 2 nodes',
  })
  t.like((await lets.operator('/lip/windows')).json.windows[0], { state: 'open' })
  if (process.geteuid?.() === 0) {
    // For root no mode is in the way: a file is.
    const { rmSync } = await import('node:fs')
    rmSync(join(lets.home, 'sessions'), { recursive: true })
    writeFileSync(join(lets.home, 'sessions'), '')
  } else chmodSync(join(lets.home, 'sessions', 'probe'), 0o500)
  writeFileSync(join(lets.home, 'config.json'), '{}')
  page.emit('probe.export', { nodes: [] }, { id: 'second' })
  t.like(await page.next('lip.error'), { re: 'second', data: { code: 'not_saved' } })
  t.like((await lets.listen()).events[0].data.session, { handoff: false, saved: false })
  t.like((await lets.operator('/lip/windows')).json.windows[0], { state: 'open' })
})

test.serial('a window is asked for its state; one that does not answer is told apart', async (t) => {
  const lets = await served(t)
  const { token } = await lets.open()
  t.is((await lets.operator('/lip/state?window=w1')).json.error.code, 'unavailable')
  const page = await Page.connect(lets.port, token)
  const asked = lets.operator('/lip/state?window=w1&wait_ms=5000')
  const { id } = await page.next('session.state')
  page.emit('probe.snapshot', { nodes: [7] }, { re: id })
  t.like(await asked, { json: { window: 'w1', type: 'probe.snapshot', state: { nodes: [7] } } })
  const silent = await lets.operator('/lip/state?window=w1&wait_ms=50')
  t.is(silent.status, 504)
  t.is(silent.json.error.code, 'timeout')
  t.false(existsSync(join(lets.home, 'sessions', 'probe')), 'what was not sent is not saved')
  const sent = await lets.operator('/lip/send', { window: 'w1', type: 'session.state' })
  page.emit('probe.snapshot', { nodes: [8] }, { re: sent.json.id })
  t.like((await lets.listen()).events, [{ type: 'probe.snapshot', re: sent.json.id, data: { nodes: [8] } }])
})

test.serial('killed at any moment while sessions are saved, every file is whole', async (t) => {
  const rounds = Number(process.env.LETS_SOAK ?? 8)
  const home = homeWithProbe(t)
  writeFileSync(join(home, 'config.json'), '{"handoff":"stay"}')
  const big = { text: 'x'.repeat(200_000) }
  let whole = 0
  for (let round = 0; round < rounds; round++) {
    const daemon = await startDaemonProcess({ args: ['--host', 'headless'], env: { LETS_HOME: home } })
    const lets = reachHost(daemon, home)
    const { token } = await lets.open()
    const page = await Page.connect(lets.port, token)
    for (let n = 0; n < 8; n++)
      page.emit(n % 2 === 0 ? 'probe.export' : 'probe.snapshot', big, { id: `r${round}n${n}` })
    await page.next('lip.ack')
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 40))
    daemon.kill('SIGKILL')
    await daemon.exited
    const acked = page.all.filter(({ type }) => type === 'lip.ack').length
    const folder = join(home, 'sessions', 'probe')
    const files = readdirSync(folder).filter((name) => !name.startsWith('.'))
    for (const name of files) {
      const { id, data } = JSON.parse(readFileSync(join(folder, name), 'utf8'))
      t.is(`${id}.json`, name)
      t.is(data.text.length, 200_000)
    }
    t.true(acked >= 1 && files.length > whole, 'what was acknowledged is there')
    whole = files.length
  }
})
