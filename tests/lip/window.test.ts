/** A window from its opening to its end, with a real daemon. */
import { existsSync, readFileSync } from 'node:fs'
import { type ClientRequest, request } from 'node:http'
import { join } from 'node:path'
import test from 'ava'
import { ask, homeWithProbe, Page, served, until } from './support.js'

test.serial('a unique is opened, its page served, an event goes up and a command down', async (t) => {
  const lets = await served(t)
  const opened = await lets.open()
  t.is(opened.window, 'w1')
  t.regex(opened.guide, /probe\.picked/)
  const url = new URL(opened.url)
  t.is(url.hostname, 'probe.localhost')
  t.is(url.hash, `#lip=${opened.token}`)

  const host = url.host
  const first = await ask(url.pathname + url.search, { port: lets.port, headers: { host } })
  t.is(first.status, 303)
  t.is(first.headers.location, '/u/probe/ui/index.html')
  const [set = ''] = first.headers['set-cookie'] ?? []
  t.regex(set, /HttpOnly; SameSite=Strict/)
  const cookie = set.split(';')[0] ?? ''
  const page = await ask(String(first.headers.location), { port: lets.port, headers: { host, cookie } })
  t.is(page.status, 200)
  t.regex(page.text, /<title>Probe/)
  t.regex(
    String(page.headers['content-security-policy']),
    /^default-src 'self'; connect-src 'self' ws:\/\/probe\.localhost:\d+;/,
  )

  const window = await Page.connect(lets.port, opened.token)
  const ready = await window.next('lip.ready')
  t.like(ready, { lip: 1, dir: 'down', from: 'host', data: { window: 'w1', unique: 'probe' } })
  const heard = lets.listen()
  window.emit('probe.picked', { id: 'n3' })
  const { events, lost } = await heard
  t.is(lost, 0)
  t.like(events[0], { lip: 1, dir: 'up', from: 'unique:probe#w1', type: 'probe.picked', data: { id: 'n3' } })
  t.regex(events[0].id, /^ev_[0-9A-Z]{26}$/)

  const sent = await lets.operator('/lip/send', {
    window: 'w1',
    type: 'probe.show',
    data: { text: 'hello' },
    re: events[0].id,
  })
  t.like(sent.json, { window: 'w1', delivered: true })
  t.like(await window.next('probe.show'), {
    from: 'claude',
    data: { text: 'hello' },
    re: events[0].id,
    id: sent.json.id,
  })
})

test.serial('what a window says of itself does not count: from, id, dir and ts are the host’s', async (t) => {
  const lets = await served(t)
  const { token } = await lets.open()
  const page = await Page.connect(lets.port, token)
  page.emit(
    'probe.picked',
    { id: 'a' },
    { from: 'claude', dir: 'down', ts: 1, id: 'ev_01J9Q0Z8M3K7X4N2000000000' },
  )
  const { events } = await lets.listen()
  t.like(events[0], { from: 'unique:probe#w1', dir: 'up', data: { id: 'a' } })
  t.not(events[0].id, 'ev_01J9Q0Z8M3K7X4N2000000000')
  t.true(Math.abs(events[0].ts - Date.now()) < 60_000)
  t.like(await page.next('lip.ack'), { re: 'ev_01J9Q0Z8M3K7X4N2000000000', data: { id: events[0].id } })
  page.emit('probe.picked', { id: 'a' }, { id: 'ev_01J9Q0Z8M3K7X4N2000000000' })
  page.emit('probe.picked', { id: 'b' })
  const { events: next } = await lets.listen()
  t.deepEqual(
    next.map((event: { data: unknown }) => event.data),
    [{ id: 'b' }],
    'sent again with the same id, it counts once',
  )
})

test.serial(
  'what is not a window’s to send is refused with lip.error; what nobody knows is ignored',
  async (t) => {
    const lets = await served(t)
    const { token } = await lets.open()
    const page = await Page.connect(lets.port, token)
    const refused: readonly (readonly [object, string])[] = [
      [{ lip: 1, type: 'chat.say', data: { text: 'x' } }, 'reserved_type'],
      [{ lip: 1, type: 'session.state', data: {} }, 'reserved_type'],
      [{ lip: 1, type: 'lip.ready', data: {} }, 'reserved_type'],
      [{ lip: 1, type: 'host.run.output', data: {} }, 'reserved_type'],
      [{ lip: 1, type: 'host.anything', data: {} }, 'reserved_type'],
      [
        { lip: 1, type: 'screen.invalidated', data: { annotation_id: 'a_1', reason: 'scroll' } },
        'reserved_type',
      ],
      [{ lip: 1, type: 'probe.show', data: { text: 'x' } }, 'not_yours'],
      [{ lip: 1, type: 'probe.picked', data: { id: 3 } }, 'bad_data'],
      [{ lip: 1, type: 'probe.picked', data: { id: 'NO' } }, 'bad_data'],
      [{ lip: 1, type: 'entity.summon', data: { x: 'left' } }, 'bad_data'],
      [
        {
          lip: 1,
          type: 'media.image',
          data: { path: '/etc/passwd', w: 1, h: 1, mime: 'image/png', bytes: 1, source: 'file' },
        },
        'not_yours',
      ],
      [
        {
          lip: 1,
          type: 'chat.message',
          data: { text: 'x', attachments: [{ path: '/etc/passwd', mime: 'text/plain' }] },
        },
        'not_yours',
      ],
      [{ lip: 2, type: 'probe.picked', data: { id: 'a' } }, 'version_unsupported'],
      [{ lip: '1', type: 'probe.picked', data: { id: 'a' } }, 'bad_envelope'],
      [{ lip: 1, type: 'nodomain' }, 'bad_envelope'],
      [{ lip: 1, type: 'probe.picked', data: [] }, 'bad_envelope'],
      [{ lip: 1, type: 'probe.picked', data: { id: 'a' }, ttl: 0 }, 'bad_envelope'],
      [{}, 'bad_envelope'],
    ]
    for (const [index, [envelope, code]] of refused.entries()) {
      const before = page.all.length
      page.send({ ...envelope, id: `mine-${index}` })
      const error = await page.next('lip.error', before)
      t.like(error, { re: `mine-${index}`, data: { code } }, JSON.stringify(envelope))
    }
    for (const text of ['not json', '[[1]]', '"x"', '3', 'null', '['.repeat(100) + ']'.repeat(100)]) {
      const before = page.all.length
      page.send(text)
      t.truthy(await page.next('lip.error', before), text)
    }
    const before = page.all.length
    page.emit('chat.future', {})
    page.emit('unheardof.type', {})
    page.emit('probe.undeclared', { any: 'thing' })
    const { events } = await lets.listen()
    t.deepEqual(
      events.map(({ type }: { type: string }) => type),
      ['probe.undeclared'],
    )
    t.is(page.all.length, before, 'ignored without a word')
    t.like((await lets.operator('/lip/windows')).json.windows[0].events, { taken: 1, ignored: 2 })
  },
)

test.serial('the members of an array are judged one by one, in their order', async (t) => {
  const lets = await served(t)
  const { token } = await lets.open()
  const page = await Page.connect(lets.port, token)
  page.send([
    { lip: 1, type: 'probe.picked', data: { id: 'a' } },
    { lip: 1, type: 'probe.picked', data: {}, id: 'bad' },
    { lip: 1, type: 'probe.picked', data: { id: 'c' } },
  ])
  t.like(await page.next('lip.error'), { re: 'bad', data: { code: 'bad_data' } })
  const posted = await ask('/lip/events', {
    port: lets.port,
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify([
      { lip: 1, type: 'host.x' },
      { lip: 1, type: 'probe.picked', data: { id: 'd' } },
      { lip: 1, type: 'un.known' },
    ]),
  })
  t.is(posted.json.taken, 1)
  t.is(posted.json.results[0].error.code, 'reserved_type')
  t.regex(posted.json.results[1].id, /^ev_/)
  t.deepEqual(posted.json.results[2], { ignored: true })
  const { events } = await lets.listen()
  t.deepEqual(
    events.map(({ data }: { data: { id: string } }) => data.id),
    ['a', 'c', 'd'],
  )
  const sent = await lets.operator('/lip/send', [
    { window: 'w1', type: 'probe.show', data: { text: 'one' } },
    { window: 'w1', type: 'probe.show', data: {} },
    { window: 'w9', type: 'probe.show', data: { text: 'x' } },
    { window: 'unique:probe#w1', type: 'probe.show', data: { text: 'two' } },
  ])
  t.like(sent.json.results, [
    { delivered: true },
    { error: { code: 'bad_data' } },
    { error: { code: 'unknown_window' } },
    { delivered: true },
  ])
})

test.serial('a command that makes no sense is refused to the operator, with the reason', async (t) => {
  const lets = await served(t)
  await lets.open()
  const bad: readonly (readonly [string, object, number, string])[] = [
    ['probe.show', { text: 3 }, 400, 'bad_data'],
    ['probe.picked', { id: 'a' }, 403, 'not_yours'],
    ['graph.node.add', {}, 403, 'not_yours'],
    ['chat.shout', {}, 400, 'unknown_type'],
    ['lip.ready', {}, 403, 'reserved_type'],
    ['host.run.end', {}, 403, 'reserved_type'],
    ['entity.mood', { mood: 'grumpy' }, 400, 'bad_data'],
    ['entity.move', { x: 1 }, 400, 'bad_data'],
    ['screen.point', { x: 1, y: 1, display_id: 1 }, 403, 'not_yours'],
    ['nonsense', {}, 400, 'bad_envelope'],
  ]
  for (const [type, data, status, code] of bad) {
    const answer = await lets.operator('/lip/send', { window: 'w1', type, data })
    t.is(answer.status, status, type)
    t.is(answer.json.error.code, code, type)
  }
  t.like(
    (await lets.operator('/lip/send', { window: 'w7', type: 'ui.toast', data: { text: 'x' } })).json.error,
    { code: 'unknown_window' },
  )
  t.like(
    (await lets.operator('/lip/send', { window: 'screen#d1', type: 'screen.clear', data: { all: true } }))
      .json.error,
    { code: 'unknown_window' },
  )
  await lets.operator('/lip/close', { window: 'w1' })
  const closed = await lets.operator('/lip/send', { window: 'w1', type: 'ui.toast', data: { text: 'x' } })
  t.is(closed.status, 410)
  t.is(closed.json.error.code, 'window_closed')
})

test.serial(
  'G12: a stream that is cut for two seconds goes on with each command once and in order',
  async (t) => {
    const lets = await served(t)
    const { token } = await lets.open()
    const send = (n: number, more = {}) =>
      lets.operator('/lip/send', { window: 'w1', type: 'probe.show', data: { text: String(n) }, ...more })
    const first = new Stream(lets.port, token)
    await first.until((seen) => seen.some(({ type }) => type === 'lip.ready'))
    for (let n = 0; n < 6; n++) await send(n)
    await first.until((seen) => texts(seen).length >= 6)
    first.cut()
    const began = Date.now()
    for (let n = 6; n < 20; n++) await send(n, n === 10 ? { ttl: 1000 } : {})
    while (Date.now() - began < 2000) await new Promise((resolve) => setTimeout(resolve, 50))
    const second = new Stream(lets.port, token, first.lastId)
    await second.until((seen) => texts(seen).includes('19'))
    const all = [...texts(first.seen), ...texts(second.seen)]
    t.deepEqual(all, [...Array(20).keys()].filter((n) => n !== 10).map(String), 'but for what had its time')
    second.cut()

    const page = await Page.connect(lets.port, token)
    await send(20)
    const last = (await page.next('probe.show')).id
    page.socket.terminate()
    const many = Array(500).fill({ window: 'w1', type: 'probe.show', data: { text: 'x' } })
    for (let n = 0; n < 3; n++) await lets.operator('/lip/send', many)
    const again = await Page.connect(lets.port, token, { last })
    t.true((await again.next('lip.ready')).data.missed > 400, 'a gap is said')
    await again.close()
  },
)

test.serial(
  'G12: a WebSocket that is cut for two seconds goes on with each command once and in order',
  async (t) => {
    const lets = await served(t)
    const { token } = await lets.open()
    const send = (n: number) =>
      lets.operator('/lip/send', { window: 'w1', type: 'probe.show', data: { text: String(n) } })
    const shown = ({ all }: Page) => all.filter(({ type }) => type === 'probe.show')
    const first = await Page.connect(lets.port, token)
    for (let n = 0; n < 6; n++) await send(n)
    await until(() => shown(first).length >= 6)
    first.socket.terminate()
    const began = Date.now()
    for (let n = 6; n < 20; n++) await send(n)
    while (Date.now() - began < 2000) await new Promise((resolve) => setTimeout(resolve, 50))
    const second = await Page.connect(lets.port, token, { last: shown(first).at(-1).id })
    await until(() => shown(second).length >= 14)
    t.deepEqual(
      [...shown(first), ...shown(second)].map(({ data }) => data.text),
      [...Array(20).keys()].map(String),
    )
  },
)

for (const signal of ['SIGTERM', 'SIGKILL'] as const)
  test.serial(
    `an event whose acknowledgement was lost with the daemon (${signal}) counts once, over both transports`,
    async (t) => {
      const home = homeWithProbe(t)
      const before = await served(t, { home })
      const { token } = await before.open()
      const page = await Page.connect(before.port, token)
      const events = ['one', 'two', 'three'].map((id) => ({
        lip: 1,
        type: 'probe.picked',
        data: { id },
        id: `mine-${id}`,
      }))
      page.send(events)
      await until(() => page.all.filter(({ type }) => type === 'lip.ack').length === 3)
      page.emit('un.known', {}, { id: 'mine-unknown' })
      await until(() => page.all.some(({ data }) => data.ignored))
      t.like(
        page.all.find(({ data }) => data.ignored),
        { type: 'lip.ack', re: 'mine-unknown', data: { id: 'mine-unknown', ignored: true } },
        'what nobody knows is not sent again',
      )
      const named = new Map(
        page.all.flatMap(({ type, re, data }) => (type === 'lip.ack' ? [[re, data.id]] : [])),
      )
      const queue = join(home, 'lip', 'queue.json')
      if (signal === 'SIGKILL')
        await until(() => existsSync(queue) && readFileSync(queue, 'utf8').includes('mine-three'))
      before.daemon.kill(signal)
      await before.daemon.exited

      const after = await served(t, { home })
      const again = await Page.connect(after.port, token)
      again.send([
        events[0],
        events[1],
        { lip: 1, type: 'probe.picked', data: { id: 'four' }, id: 'mine-four' },
      ])
      await until(() => again.all.filter(({ type }) => type === 'lip.ack').length === 3)
      for (const { type, re, data } of again.all)
        if (type === 'lip.ack' && re !== 'mine-four')
          t.is(data.id, named.get(re), 'it has the name that it had')
      const posted = await ask('/lip/events', {
        port: after.port,
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify(events[2]),
      })
      t.deepEqual(posted.json, { taken: 1, results: [{ id: named.get('mine-three') }] })
      t.deepEqual(
        (await after.listen()).events.map(({ data }: { data: { id: string } }) => data.id),
        ['one', 'two', 'three', 'four'],
      )
    },
  )

interface Seen {
  readonly type: string
  readonly data: { readonly text?: string }
}

function texts(seen: readonly Seen[]): string[] {
  return seen.flatMap(({ type, data }) => (type === 'probe.show' ? [String(data.text)] : []))
}

class Stream {
  readonly seen: Seen[] = []
  lastId: string | undefined
  #asking: ClientRequest
  #wake: (() => void) | null = null

  constructor(port: number, token: string, last?: string) {
    this.#asking = request(
      {
        host: '127.0.0.1',
        port,
        path: `/lip/stream?t=${token}`,
        headers: last === undefined ? {} : { 'last-event-id': last },
        agent: false,
      },
      (answer) => {
        let buffer = ''
        answer.setEncoding('utf8').on('data', (chunk: string) => {
          buffer += chunk
          const blocks = buffer.split('\n\n')
          buffer = blocks.pop() ?? ''
          for (const block of blocks) {
            const id = /^id: (.*)$/m.exec(block)?.[1]
            if (id !== undefined) this.lastId = id
            this.seen.push(JSON.parse(/^data: (.*)$/m.exec(block)?.[1] ?? ''))
          }
          this.#wake?.()
        })
        answer.on('error', () => {})
      },
    )
    this.#asking.on('error', () => {})
    this.#asking.end()
  }

  async until(done: (seen: readonly Seen[]) => boolean): Promise<void> {
    while (!done(this.seen)) await new Promise<void>((resolve) => (this.#wake = resolve))
  }

  cut(): void {
    this.#asking.destroy()
  }
}

test.serial(
  'a page comes back after the daemon was restarted, with the token it has; nothing is lost',
  async (t) => {
    const home = homeWithProbe(t)
    const before = await served(t, { home })
    const { token } = await before.open()
    const page = await Page.connect(before.port, token)
    page.emit('probe.picked', { id: 'one' })
    page.emit('probe.picked', { id: 'two' })
    t.like(await before.listen({ max: 1 }), { events: [{ data: { id: 'one' } }], more: true })
    await before.daemon.stop()
    t.is((await page.closed).code, 1012)

    const after = await served(t, { home })
    t.is(after.port, before.port, 'the port is where the page looks')
    t.not(after.file.token, before.file.token)
    t.like(
      await after.operator('/lip/send', { window: 'w1', type: 'probe.show', data: { text: 'waited' } }),
      {
        json: { delivered: false },
      },
    )
    const again = await Page.connect(after.port, token, { last: page.all.at(-1)?.id })
    t.like(await again.next('probe.show'), { data: { text: 'waited' } })
    t.like(await after.listen(), { lost: 0, events: [{ data: { id: 'two' } }], more: false })
    t.is((await after.open()).window, 'w2', 'no window is called like another was')
  },
)

test.serial('a second page of a window takes the place of the first', async (t) => {
  const lets = await served(t)
  const { token } = await lets.open()
  const first = await Page.connect(lets.port, token)
  const second = await Page.connect(lets.port, token)
  t.is((await first.closed).code, 4409)
  t.like((await lets.operator('/lip/windows')).json.windows[0], { state: 'open' })
  await second.close()
  await until(async () => (await lets.operator('/lip/windows')).json.windows[0].state === 'away')
  t.pass()
})

test.serial(
  'a window that floods is slowed down, and loses nothing; a message that is too large ends its connection',
  async (t) => {
    const lets = await served(t)
    const { token } = await lets.open()
    const page = await Page.connect(lets.port, token)
    const count = 8000
    const began = Date.now()
    for (let n = 0; n < count; n++) page.emit('probe.picked', { id: `n${n}` })
    let got = 0
    let lost = 0
    while (got + lost < count) {
      const heard = await lets.listen({ max: 1000 })
      got += heard.events.length
      lost += heard.lost
    }
    t.is(got + lost, count)
    t.true(Date.now() - began > 1000, 'more than a burst is taken at its pace')
    const { token: other } = await lets.open()
    const posts = []
    for (let n = 0; n < 12; n++)
      posts.push(
        await ask('/lip/events', {
          port: lets.port,
          method: 'POST',
          headers: { authorization: `Bearer ${other}`, 'content-type': 'application/json' },
          body: JSON.stringify(Array(1000).fill({ lip: 1, type: 'probe.picked', data: { id: 'a' } })),
        }),
      )
    const refused = posts.filter(({ status }) => status === 429)
    t.true(refused.length > 0)
    t.truthy(refused[0]?.headers['retry-after'])
    const { socket, closed } = await Page.connect(lets.port, other)
    socket.send(`"${'x'.repeat(1024 * 1024)}"`)
    t.is((await closed).code, 1009)
  },
)
