/** Screens as a medium: what is sent to `screen#d1` is on it, belongs to who sent it, and is told of when it goes. */
import test, { type ExecutionContext } from 'ava'
import { connect, LetsError, LipOperator } from '../../daemon/client/index.js'
import type { SentCommand } from '../../daemon/client/operator.js'
import { ManualClock } from '../../daemon/lip/testing.js'
import { ScreenMedium } from '../../daemon/medium/screen-medium.js'
import { runCli, startDaemonProcess } from '../support/daemon.js'
import { ask, homeWithProbe, Page, reachHost, type Served, served, until } from './support.js'

const DISPLAYS = ['--host', 'headless', '--display', '1440x900@2', '--display', '1920x1080']

interface Senders extends Served {
  /** A sender of its own. */
  sender(key: string): LipOperator
  /** How many marks all have together. */
  count(): Promise<number>
}

async function screens(t: ExecutionContext, setup: Parameters<typeof served>[1] = {}): Promise<Senders> {
  const lets = await served(t, { args: DISPLAYS, ...setup })
  const looker = await connect({ clientName: 'looker', socket: lets.daemon.socket, lingerMs: 0 })
  t.teardown(() => looker.close())
  return {
    ...lets,
    sender: (key) => LipOperator.find(`${lets.home}/host.json`, { key, name: `Agent ${key}` })!,
    count: async () => (await looker.status()).mark_count ?? -1,
  }
}

const point = { type: 'screen.point', data: { x: 100, y: 100, label: 'Here' } }

function send(by: LipOperator, window: string, type: string, data: object = {}): Promise<SentCommand> {
  return by.send({ window, type, data: data as Record<string, unknown> })
}

async function refused(t: ExecutionContext, what: Promise<unknown>, code: string, says: RegExp) {
  const error = await t.throwsAsync(what, { instanceOf: LetsError })
  t.is((error as LetsError).code, code, error?.message)
  t.regex(error?.message ?? '', says)
}

test.serial('screens are listed beside the windows, as many as there are displays', async (t) => {
  const lets = await screens(t)
  const listed = [
    { window: 'screen#d1', title: 'Screen, display 1 (1440×900)' },
    { window: 'screen#d2', title: 'Screen, display 2 (1920×1080)' },
  ]
  t.deepEqual(await lets.sender('a').windows(), { windows: [], screens: listed })
  const env = { LETS_HOME: lets.home }
  t.regex(
    (await runCli(['windows'], env)).stdout,
    /no windows are open\nscreen#d1 {2}Screen, display 1 \(1440×900\)\n/,
  )
  t.deepEqual(JSON.parse((await runCli(['windows', '--json'], env)).stdout), listed)
})

test.serial('every mark of the wire can be sent, on the display that it is sent to', async (t) => {
  const lets = await screens(t)
  const a = lets.sender('a')
  for (const [type, data] of [
    ['screen.point', { x: 1800, y: 1000 }],
    ['screen.point', { at: 'top-right' }],
    ['screen.highlight', { rect: [10, 10, 100, 100], spotlight: true }],
    ['screen.textbox', { rect: [10, 10, 100, 100], text: 'Hello' }],
    ['screen.textbox', { rect: [10, 10, 100, 100], text: 'اضغط هنا للحفظ' }],
    ['screen.textbox', { rect: [10, 10, 100, 100], text: 'x'.repeat(4000) }],
    [
      'screen.draw',
      {
        path: [
          [0, 0],
          [50, 50],
        ],
        style: { color: '#ff0000' },
      },
    ],
    ['screen.arrow', { from: [0, 0], to: 'center' }],
  ] as const) {
    const sent = await send(a, 'screen#d2', type, data)
    t.like(sent, { window: 'screen#d2', delivered: true, painted: true, display: { id: 2 } }, type)
    t.regex(sent.id, /^cm_/)
    t.regex(sent.annotation_id ?? '', /^a_/)
  }
  t.is(await lets.count(), 8)
  const { state } = await a.state('d2', 1000)
  t.is((state.marks as unknown[]).length, 8)
  t.deepEqual((await a.state('screen#d1', 1000)).state.marks, [])
  t.like(await send(a, 'd2', 'screen.clear', { all: true }), { cleared: 8, window: 'screen#d2' })
  t.is(await lets.count(), 0)
  t.deepEqual((await lets.listen({ wait_ms: 0 })).events, [], 'what was cleared on request is no news')
})

test.serial(
  'what belongs to one sender is out of reach for every other, and for other sessions of the wire',
  async (t) => {
    const lets = await screens(t)
    const [a, b] = [lets.sender('a'), lets.sender('b')]
    const wire = await connect({ clientName: 'wire', socket: lets.daemon.socket })
    t.teardown(() => wire.close())
    const foreign = await wire.point({ x: 5, y: 5 })
    const { annotation_id: mine } = await a.send({ window: 'screen#d1', ...point })
    await b.send({ window: 'd1', ...point })
    await refused(t, send(b, 'd1', 'screen.clear', { annotation_id: mine }), 'not_owner', /not a mark/)
    await refused(
      t,
      send(a, 'd1', 'screen.clear', { annotation_id: foreign.annotation_id }),
      'not_owner',
      /not a mark/,
    )
    await refused(t, send(a, 'd1', 'screen.clear', { all_sessions: true }), 'not_permitted', /its own marks/)
    t.is((await send(b, 'd1', 'screen.clear', { all: true })).cleared, 1)
    t.is(await lets.count(), 2)
    await t.throwsAsync(wire.clear(mine), { message: /not a mark/ })
    t.deepEqual((await b.state('d1', 1000)).state.marks, [])
    // A sender that names none is the command line, and that is one more.
    const cli = await runCli(['send', 'd1', 'screen.clear', JSON.stringify({ annotation_id: mine })], {
      LETS_HOME: lets.home,
    })
    t.is(cli.code, 1)
    t.regex(cli.stderr, /not a mark of this session/)
    const off = await runCli(['send', 'd1', 'ui.toast', '{}'], { LETS_HOME: lets.home })
    t.is(off.code, 2, 'the words were off')
    t.regex(off.stderr, /^lets: ui\.toast: text is missing\n$/)
    t.is((await send(a, 'd1', 'screen.clear', { annotation_id: mine })).cleared, 1)
  },
)

test.serial('on two displays, clearing one leaves the other', async (t) => {
  const lets = await screens(t)
  const a = lets.sender('a')
  await a.send({ window: 'd1', ...point })
  await a.send({ window: 'd2', ...point })
  t.is((await send(a, 'd1', 'screen.clear', { all: true })).cleared, 1)
  t.is(((await a.state('d2', 1000)).state.marks as unknown[]).length, 1)
})

test.serial('a mark that goes is told of once, with the command that put it there', async (t) => {
  const lets = await screens(t)
  const a = lets.sender('a')
  const sent = await Promise.all(
    Array.from({ length: 40 }, () => send(a, 'd2', 'screen.point', { x: 9, y: 9, ttl_ms: 1 })),
  )
  const events: { re: string; from: string; data: { annotation_id: string; reason: string } }[] = []
  await until(async () => {
    events.push(...(await lets.listen({ wait_ms: 200 })).events)
    return events.length >= 40
  })
  events.push(...(await lets.listen({ wait_ms: 100 })).events)
  t.is(events.length, 40)
  t.deepEqual(events.map(({ re }) => re).sort(), sent.map(({ id }) => id).sort())
  for (const { from, data, re } of events) {
    t.is(from, 'screen#d2')
    t.deepEqual(data, {
      annotation_id: sent.find(({ id }) => id === re)?.annotation_id,
      reason: 'ttl',
    } as never)
  }
  const { id, annotation_id } = await a.send({ window: 'd1', ...point })
  await runCli(['clear', '--all-sessions'], { LETS_HOME: lets.home })
  const heard = await lets.listen()
  t.like(heard.events, [
    { type: 'screen.invalidated', from: 'screen#d1', re: id, data: { annotation_id, reason: 'cleared' } },
  ])
})

test.serial('bad input to a screen: what is wrong is named, and nothing is drawn', async (t) => {
  const lets = await screens(t)
  const a = lets.sender('a')
  for (const [window, type, data, code, says] of [
    ['screen#d9', 'screen.point', { x: 1, y: 1 }, 'unknown_display', /there is screen#d1, screen#d2/],
    ['d9', 'ui.toast', { text: 'x' }, 'unknown_display', /no screen#d9/],
    ['screen#d0', 'entity.say', { text: 'x' }, 'unknown_display', /no screen#d0/],
    ['screen#1', 'ui.toast', { text: 'x' }, 'unknown_window', /no window "screen#1".*is screen#d1$/],
    ['screen', 'ui.toast', { text: 'x' }, 'unknown_window', /a screen, .* is screen#d1$/],
    ['entity#d2', 'entity.say', { text: 'x' }, 'unknown_window', /the companion on it, is screen#d2$/],
    ['graph', 'entity.say', { text: 'x' }, 'unknown_window', /no window "graph"; (?!.*screen#d1$)/],
    ['screen#d1', 'screen.point', { x: 1 }, 'bad_data', /screen\.point: send exactly one of x and y/],
    ['screen#d1', 'screen.point', { x: 1, y: 1, display_id: 2 }, 'bad_data', /display_id says 2.*screen#d1/],
    [
      'screen#d1',
      'screen.textbox',
      { anchor: { screen_rect: [1, 1, 9, 9], display_id: 2 }, text: 'x' },
      'bad_data',
      /display_id says 2/,
    ],
    ['screen#d1', 'screen.point', { x: 5000, y: 1 }, 'bad_data', /1440x900/],
    ['screen#d1', 'screen.point', { x: 1, y: 1, ttl_ms: 0 }, 'bad_data', /ttl_ms/],
    ['screen#d1', 'screen.point', { x: 1, y: 1, frame: 'f_x' }, 'stale_frame', /frame/],
    ['screen#d1', 'screen.point', { query: 'Save' }, 'no_resolver', /resolver/],
    ['screen#d1', 'screen.point', { x: 1, y: 1, window: 'Nothing' }, 'unavailable', /windows/],
    ['screen#d1', 'screen.textbox', { rect: [1, 1, 9, 9], text: 'x'.repeat(4001) }, 'bad_data', /4000/],
    ['screen#d1', 'screen.textbox', { rect: [1, 1, 9, 9], text: ' ' }, 'bad_data', /text/],
    ['screen#d1', 'ui.toast', { text: 'x'.repeat(4001) }, 'bad_data', /^ui\.toast: text .*4000/],
    ['screen#d1', 'ui.toast', { text: ' ' }, 'bad_data', /^ui\.toast: text /],
    ['screen#d1', 'ui.toast', {}, 'bad_data', /text is missing/],
    ['screen#d1', 'component.create', { id: 'a', type: 'note' }, 'bad_data', /props is missing/],
    ['screen#d1', 'screen.clear', {}, 'bad_data', /annotation_id, all or/],
    ['screen#d1', 'lip.ready', {}, 'reserved_type', /by the host alone/],
    ['screen#d1', 'nonsense', {}, 'bad_envelope', /domain\.name/],
  ] as const)
    await refused(t, send(a, window, type, data), code, says)
  t.is(await lets.count(), 0)
  // Types that a screen does not know are never an error, and never taken for done.
  for (const [type, says] of [
    ['graph.node.add', /command for windows/],
    ['screen.explode', /no command has the type/],
    ['chat.open', /no conversation/],
    ['chat.typing', /no conversation/],
    ['ui.theme', /look of the person/],
    ['session.close', /does not close/],
    ['session.state', /ask for its state/],
  ] as const) {
    const { delivered, ignored } = await send(a, 'd1', type)
    t.false(delivered)
    t.regex(ignored ?? '', says, type)
  }
  await refused(t, a.close('screen#d1'), 'bad_request', /does not close/)
  await refused(t, a.state('screen#d7', 100), 'unknown_display', /no screen#d7/)
})

test.serial(
  'an array of commands is judged one by one; an envelope that is forged is stamped anew',
  async (t) => {
    const lets = await screens(t)
    const { json } = await lets.operator('/lip/send', [
      { window: 'screen#d1', ...point, id: 'cm_forged', from: 'host', dir: 'up', ts: 1 },
      { window: 'screen#d1', type: 'screen.point', data: { x: 1 } },
      { window: 'screen#d1', type: 'screen.clear', data: { all: true } },
    ])
    t.like(json.results[0], { delivered: true, window: 'screen#d1' })
    t.not(json.results[0].id, 'cm_forged')
    t.is(json.results[1].error.code, 'bad_data')
    t.is(json.results[2].cleared, 1)
  },
)

test.serial('no page, no window and nobody without the token drives a screen', async (t) => {
  const lets = await screens(t)
  const { token, window } = await lets.open()
  const page = await Page.connect(lets.port, token)
  const body = JSON.stringify({ window: 'screen#d1', ...point })
  const json = { 'content-type': 'application/json' }
  const authorization = `Bearer ${token}`
  for (const [headers, status] of [
    [json, 401],
    [{ ...json, authorization }, 401],
    [{ ...json, authorization: `Bearer ${lets.file.token}`, origin: `http://127.0.0.1:${lets.port}` }, 403],
    [{ ...json, authorization: `Bearer ${lets.file.token}`, 'x-lets-sender': '../x' }, 400],
    [{ ...json, authorization: `Bearer ${lets.file.token}`, 'x-lets-sender-name': '%E0%A4%A' }, 400],
  ] as const)
    t.is((await ask('/lip/send', { port: lets.port, method: 'POST', headers, body })).status, status)
  for (const path of ['/lip/present', '/lip/windows', '/lip/state?window=screen%23d1'])
    t.is((await ask(path, { port: lets.port, headers: { authorization } })).status, 401, path)
  for (const type of ['screen.point', 'screen.clear', 'screen.invalidated'])
    page.emit(type, point.data, { from: 'screen#d1', id: `x-${type}` })
  page.emit('probe.picked', { id: 'last' }, { id: 'last' })
  await page.next('lip.ack')
  t.deepEqual(
    page.all.filter(({ type }) => type === 'lip.error').map(({ data }) => data.code),
    ['reserved_type', 'reserved_type', 'reserved_type'],
  )
  t.is(await lets.count(), 0)
  await refused(
    t,
    send(lets.sender('a'), window, 'screen.point', point.data),
    'not_yours',
    /for a screen, such as screen#d1/,
  )
})

test.serial('the limit of a session is a sender’s limit, and does not touch another’s', async (t) => {
  const lets = await screens(t)
  const [a, b] = [lets.sender('a'), lets.sender('b')]
  for (let n = 0; n < 16; n++)
    await Promise.all(Array.from({ length: 16 }, () => a.send({ window: 'd1', ...point })))
  await refused(t, a.send({ window: 'd1', ...point }), 'limit', /256/)
  t.true((await b.send({ window: 'd1', ...point })).delivered)
})

test.serial('a sender that is there keeps its marks; when it leaves, or dies, they go', async (t) => {
  const lets = await screens(t)
  const [a, b] = [lets.sender('a'), lets.sender('b')]
  const leaving = new AbortController()
  await a.present(leaving.signal)
  const second = new AbortController()
  await a.present(second.signal)
  await a.send({ window: 'd1', ...point })
  await send(a, 'd1', 'component.create', { id: 'n', type: 'note', props: { text: 'x' } })
  await b.send({ window: 'd1', ...point })
  second.abort()
  await new Promise((resolve) => setTimeout(resolve, 100))
  t.is(await lets.count(), 3, 'one connection of it is left')
  leaving.abort()
  await until(async () => (await lets.count()) === 1)
  t.deepEqual((await lets.listen({ wait_ms: 100 })).events, [], 'nobody is left to be told')
  t.like(await send(a, 'd1', 'component.update', { id: 'n', props: {} }), { delivered: false })
})

test.serial('a notice takes the place of the one before it, and its end is no news', async (t) => {
  const lets = await screens(t)
  const a = lets.sender('a')
  await Promise.all(
    ['one', 'two', 'three'].map((text) => send(a, 'd1', 'ui.toast', { text, level: 'ok', ttl: 60_000 })),
  )
  await until(async () => (await lets.count()) === 1)
  const { annotation_id } = await send(a, 'd1', 'ui.toast', { text: 'four', ttl: 50 })
  t.truthy(annotation_id)
  await until(async () => (await lets.count()) === 0)
  t.deepEqual((await lets.listen({ wait_ms: 100 })).events, [])
  const again = await send(a, 'd1', 'ui.toast', { text: 'five', level: 'error' })
  t.like(again, { delivered: true, painted: true })
})

test.serial(
  'notes and progress are drawn: one mark each, which changes, goes on request, or is told of',
  async (t) => {
    const lets = await screens(t)
    const a = lets.sender('a')
    const made = await send(a, 'd1', 'component.create', {
      id: 'p',
      type: 'progress',
      props: { label: 'Building' },
    })
    t.like(made, { window: 'screen#d1', delivered: true, painted: true })
    await send(a, 'd1', 'component.create', {
      id: 'n',
      type: 'note',
      props: { text: 'Hi' },
      at: { x: 40, y: 50 },
    })
    await send(a, 'd1', 'component.create', { id: 'h', type: 'hologram', props: { power: 3 } })
    t.is(await lets.count(), 3)
    const update = (value: number) => send(a, 'd1', 'component.update', { id: 'p', props: { value } })
    await Promise.all(Array.from({ length: 50 }, (_, n) => update(n / 50)))
    await update(0.98)
    t.is(await lets.count(), 3)
    const { state } = await a.state('d1', 1000)
    const [progress, note] = state.components as { annotation_id: string; props: object }[]
    t.deepEqual(progress?.props, { label: 'Building', value: 0.98 }, 'what was not sent again stays')
    const marks = state.marks as { annotation_id: string; rect: number[] }[]
    t.deepEqual(marks.find((mark) => mark.annotation_id === note?.annotation_id)?.rect.slice(0, 2), [40, 50])
    t.like(await send(a, 'd1', 'component.remove', { id: 'n' }), { delivered: true })
    t.is(await lets.count(), 2)
    t.deepEqual((await lets.listen({ wait_ms: 0 })).events, [])
    t.like(await send(a, 'd1', 'component.update', { id: 'n', props: {} }), { delivered: false })
    t.like(await send(a, 'd2', 'component.update', { id: 'p', props: {} }), { delivered: false })
    t.like(await send(lets.sender('b'), 'd1', 'component.remove', { id: 'p' }), { delivered: false })
    // The person clears the screen: the components are gone with it, and the sender hears which.
    await runCli(['clear', '--all-sessions'], { LETS_HOME: lets.home })
    const gone = (await lets.listen()).events
    t.deepEqual(gone.map(({ data }: { data: { component: string } }) => data.component).sort(), ['h', 'p'])
    const { delivered, ignored } = await send(a, 'd1', 'component.update', { id: 'p', props: { value: 1 } })
    t.false(delivered)
    t.regex(ignored ?? '', /not on the screen any more/)
    await send(a, 'd1', 'component.create', { id: 'p', type: 'progress', props: {} })
    t.is(await lets.count(), 1)
  },
)

test.serial(
  'what has to be answered opens in one window, and the answer comes back with its id',
  async (t) => {
    const lets = await screens(t)
    const a = lets.sender('a')
    const options = { title: 'Which?', options: ['one', 'two'] }
    const [first, second] = await Promise.all([
      send(a, 'd1', 'component.create', { id: 'q', type: 'options', props: options, at: { x: 900, y: 9 } }),
      send(a, 'd1', 'component.create', { id: 's', type: 'slider', props: { label: 'How much' } }),
    ])
    t.is(first.window, second.window)
    t.is([first, second].filter(({ url }) => url !== undefined).length, 1, 'one of them has it shown')
    const url = new URL((first.url ?? second.url) as string)
    t.is(url.hostname, 'cards.localhost')
    const page = await Page.connect(lets.port, url.hash.slice('#lip='.length))
    await until(() => page.all.filter(({ type }) => type === 'component.create').length === 2)
    const made = page.all.find(({ data }) => data.id === 'q')
    t.like(made.data, { id: 'q', type: 'options', slot: 'inline', props: options })
    t.false('at' in made.data, 'a place on the screen is none in a window')
    t.like(await send(a, 'd1', 'component.update', { id: 'q', props: { value: 'two' } }), {
      window: first.window,
      delivered: true,
    })
    t.like((await page.next('component.update')).data, { id: 'q', props: { value: 'two' } })
    page.emit('component.action', { id: 'q', action: 'pick', value: 'two' })
    t.like((await lets.listen()).events, [
      { from: `unique:cards#${first.window}`, type: 'component.action', data: { id: 'q', value: 'two' } },
    ])
    // A note that is drawn becomes one to answer: it leaves the screen for the window.
    await send(a, 'd1', 'component.create', { id: 'n', type: 'note', props: { text: 'Done' } })
    t.is(await lets.count(), 1)
    const moved = await send(a, 'd1', 'component.update', { id: 'n', props: { actions: ['Undo'] } })
    t.is(moved.window, first.window)
    t.is(await lets.count(), 0)
    await until(() => page.all.some(({ type, data }) => type === 'component.create' && data.id === 'n'))
    // And back: the same id made anew as something to read.
    await send(a, 'd1', 'component.create', { id: 'n', type: 'note', props: { text: 'Undone' } })
    t.is(await lets.count(), 1)
    t.like((await page.next('component.remove')).data, { id: 'n' })
    // Another sender has another window; a long text needs room to be read in.
    const other = await send(lets.sender('b'), 'd1', 'component.create', {
      id: 'q',
      type: 'note',
      props: { text: 'x'.repeat(3000) },
    })
    t.not(other.window, first.window)
    // A window that the person closed is not opened again behind their back.
    page.emit('session.close', { reason: 'done' })
    await page.closed
    await refused(t, send(a, 'd1', 'component.update', { id: 's', props: {} }), 'window_closed', /closed/)
    const anew = await send(a, 'd1', 'component.create', { id: 's', type: 'toggle', props: {} })
    t.truthy(anew.url)
  },
)

test.serial('a sender may show 64 components, and no more', async (t) => {
  const lets = await screens(t)
  const a = lets.sender('a')
  const note = (n: number) => ({ id: `c${n}`, type: 'note', props: { text: String(n) } })
  await Promise.all(Array.from({ length: 64 }, (_, n) => send(a, 'd1', 'component.create', note(n))))
  await refused(t, send(a, 'd1', 'component.create', note(64)), 'limit', /64/)
  await send(a, 'd1', 'component.remove', { id: 'c0' })
  t.true((await send(a, 'd1', 'component.create', note(64))).delivered)
})

test.serial('a daemon that ends tells of what was on its screens, in the next one', async (t) => {
  const home = homeWithProbe(t)
  const lets = await screens(t, { home })
  const { annotation_id, id } = await lets.sender('a').send({ window: 'd1', ...point })
  await send(lets.sender('a'), 'd1', 'ui.toast', { text: 'x' })
  await lets.daemon.stop()
  const next = reachHost(
    await startDaemonProcess({ args: DISPLAYS, env: { LETS_HOME: home } }).then((daemon) => {
      t.teardown(() => daemon.stop())
      return daemon
    }),
    home,
  )
  t.like((await next.listen()).events, [
    { type: 'screen.invalidated', re: id, data: { annotation_id, reason: 'connection_lost' } },
  ])
})

test.serial('nothing is connected before somebody sends or listens, and nothing runs after', async (t) => {
  const lets = await served(t, { args: DISPLAYS })
  const opened = () => lets.daemon.log().filter(({ event }) => event === 'session_start').length
  await lets.operator('/lip/sessions')
  t.is(opened(), 0)
  await lets.operator('/lip/send', { window: 'd1', ...point })
  t.is(opened(), 1)
  await lets.operator('/lip/send', { window: 'd1', ...point })
  t.is(opened(), 1, 'one session for a sender')
})

test.serial(
  'what a sender that nobody knows to be there put up goes ten minutes after it was last heard',
  async (t) => {
    const lets = await screens(t)
    const clock = new ManualClock()
    const told: string[] = []
    const medium = new ScreenMedium({
      socket: lets.daemon.socket,
      token: 'none',
      clock,
      log: () => {},
      tell: (_from, { type }) => void told.push(type),
    })
    t.teardown(() => medium.stop())
    const put = (key: string) =>
      medium.send({
        id: 'cm_1',
        to: 'screen#d1',
        type: point.type,
        data: { ...point.data, display_id: 1 },
        sender: { key, name: 'One' },
      })
    await put('a')
    clock.pass(590_000)
    await put('a')
    medium.present('b', true)
    await put('b')
    clock.pass(590_000)
    t.is(await lets.count(), 3, 'heard of meanwhile')
    clock.pass(20_000)
    await until(async () => (await lets.count()) === 1)
    clock.pass(3_600_000)
    t.is(await lets.count(), 1, 'who is there stays')
    medium.present('b', false)
    await until(async () => (await lets.count()) === 0)
    t.deepEqual(told, [], 'nobody is left to be told')
  },
)
