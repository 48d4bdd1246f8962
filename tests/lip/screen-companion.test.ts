/** The companion over LIP and MCP: it does what it is asked, says when nobody sees it, and what the person does with it is heard. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import test, { type ExecutionContext } from 'ava'
import { connect, type LipOperator } from '../../daemon/client/index.js'
import type { LipEvent } from '../../daemon/client/operator.js'
import { asEnvelope } from '../../protocol/lip/messages.js'
import { prompt } from '../mcp/hook.js'
import { agent, refused as refusedTool } from '../mcp/support.js'
import { runCli } from '../support/daemon.js'
import { type Rig, rig } from './companion-rig.js'
import { Page, until } from './support.js'

const send = (by: LipOperator, type: string, data: object = {}, re?: string) =>
  by.send({
    window: 'screen#d1',
    type,
    data: data as Record<string, unknown>,
    ...(re !== undefined && { re }),
  })

const says = (on: Rig) => on.scene()?.bubble?.text ?? null

/** The latest events of the claude cursor, waited for until there are so many. */
async function heard(by: LipOperator, count: number): Promise<LipEvent[]> {
  const events: LipEvent[] = []
  await until(async () => {
    events.push(...(await by.listen({ waitMs: 500 })).events)
    return events.length >= count
  })
  return events
}

/** Opens the menu as a click does, and picks the item with this label. */
async function pick(t: ExecutionContext, on: Rig, label: string): Promise<void> {
  on.does({ kind: 'clicked', button: 'primary', display: 1, at: [100, 100] })
  await choose(t, on, label)
}

/** Picks an item of the menu that is open. */
async function choose(t: ExecutionContext, on: Rig, label: string): Promise<void> {
  await until(() => on.scene()?.menu != null)
  const item = on.scene()?.menu?.items.findIndex((one) => one.label === label) ?? -1
  t.true(item >= 0, `${label} is offered`)
  on.does({ kind: 'picked', item })
}

test.serial('entity commands to a screen: it says, shows a mood, reacts, moves and offers', async (t) => {
  const on = await rig(t)
  const a = on.operator()
  const said = await send(a, 'entity.say', { text: 'Found it', mood: 'happy' })
  t.like(said, {
    window: 'screen#d1',
    delivered: true,
    painted: true,
    companion: { shown: true, says: 'Found it' },
  })
  t.is(says(on), 'Found it')
  t.is(on.scene()?.mood, 'happy')
  await send(a, 'entity.mood', { mood: 'thinking' })
  t.is(on.scene()?.mood, 'thinking')
  await send(a, 'entity.react', { name: 'wave' })
  t.is(on.scene()?.reaction?.name, 'wave')
  await a.send({ window: 'screen#d2', type: 'entity.move', data: { x: 300, y: 300 } })
  t.is(on.scene()?.place.display, 2)
  await send(a, 'entity.suggest', { items: [{ id: 'run', label: 'Run the tests' }] })
  t.true(on.scene()?.beckons)
  const { state } = await a.state('screen#d1', 1000)
  t.like(state.companion, { on: true, shown: true, mood: 'thinking' })
  // What it does not know is left out, and said; it is no error.
  const odd = await send(a, 'entity.react', { name: 'explode' })
  t.true(odd.delivered)
  t.regex(String(odd.left_out), /explode/)
  t.regex(String((await send(a, 'entity.mood', { mood: 'hungry' })).left_out), /hungry/)
  t.is(on.scene()?.mood, 'thinking')
  for (const [type, data] of [
    ['entity.say', {}],
    ['entity.say', { text: 5 }],
    ['entity.move', { x: 1 }],
    ['entity.suggest', { items: Array.from({ length: 100 }, (_, n) => ({ id: `i${n}`, label: `${n}` })) }],
    ['entity.persona', { name: 'Pip' }],
  ] as const) {
    const error = await t.throwsAsync(send(a, type, data))
    t.is((error as { code?: string }).code, 'bad_data', error?.message)
  }
})

test.serial('what is said in pieces is one bubble that grows; of a flood the last is seen', async (t) => {
  const on = await rig(t)
  const a = on.operator()
  const re = 'ev_01J9Q0Z8M3K7X4N2ABCDEFGHJK'
  for (const [seq, text] of ['Look', 'ing ', 'now'].entries()) await send(a, 'chat.say', { text, seq }, re)
  t.is(says(on), 'Looking now')
  t.deepEqual((await send(a, 'chat.say', { text: '!', seq: 4 }, re)).waits, 'for the pieces before it')
  await send(a, 'chat.say', { text: ' then', seq: 3, done: true }, re)
  t.is(says(on), 'Looking now then!')
  await Promise.all(Array.from({ length: 100 }, (_, n) => send(a, 'entity.say', { text: `flood ${n}` })))
  await send(a, 'entity.say', { text: 'the last' })
  t.is(says(on), 'the last')
  const long = await send(a, 'entity.say', { text: 'x'.repeat(4000) })
  t.true(long.delivered)
  await send(a, 'entity.say', { text: 'مرحبا، وجدته' })
  t.is(says(on), 'مرحبا، وجدته')
})

test.serial(
  'what the person does with it comes up once, in envelopes, from the companion of that display',
  async (t) => {
    const on = await rig(t)
    const a = on.operator()
    t.deepEqual((await a.listen({})).events, [], 'it listens from here on')
    await send(a, 'entity.suggest', { items: [{ id: 'run', label: 'Run the tests' }] })
    await pick(t, on, 'Run the tests')
    const [click, picked] = await heard(a, 2)
    t.like(click, { type: 'entity.click', from: 'entity#d1', dir: 'up', data: { x: 100, y: 100 } })
    t.like(picked, { type: 'entity.pick', from: 'entity#d1', data: { id: 'run', label: 'Run the tests' } })
    for (const event of [click, picked]) t.notThrows(() => asEnvelope(event))
    // Another agent suggests over a session of its own; what is picked is heard all the same.
    const wire = await connect({ clientName: 'another', socket: on.socket })
    t.teardown(() => wire.close())
    await send(a, 'entity.suggest', { items: [], replace: true })
    await wire.companion({ command: 'entity.suggest', data: { items: [{ id: 'w', label: 'By wire' }] } })
    await pick(t, on, 'By wire')
    t.like((await heard(a, 2))[1], { type: 'entity.pick', data: { id: 'w' } })
    on.does({ kind: 'clicked', button: 'secondary', display: 1, at: [100, 100] })
    t.is((await heard(a, 1))[0]?.type, 'entity.summon')
    await choose(t, on, 'Go away')
    const gone = await heard(a, 1)
    t.true(
      gone.some(({ type }) => type === 'entity.dismiss'),
      JSON.stringify(gone),
    )
    t.is(on.scene(), null)
    const hidden = await send(a, 'entity.say', { text: 'Still here' })
    t.like(hidden, { companion: { shown: false, hidden_because: 'sent_away' } })
    t.is(on.scene(), null, 'who was sent away stays away')
    // The hook tells it, too, with the next prompt; it asks no host that has kept nothing yet.
    await until(() => existsSync(join(on.home, 'lip', 'queue.json')))
    const { context } = await prompt({ LETS_HOME: on.home })
    t.regex(context ?? '', /entity\.pick from entity#d1/)
  },
)

test.serial('the companion of a window is another one: its page does not drive the screen’s', async (t) => {
  const on = await rig(t)
  const a = on.operator()
  const opened = await a.open('probe')
  const url = new URL(opened.url)
  const page = await Page.connect(Number(url.port), url.hash.slice('#lip='.length))
  page.emit('entity.say', { text: 'From the page' }, { id: 'one' })
  page.emit('entity.click', { x: 1, y: 2 }, { id: 'two', from: 'entity#d1' })
  await page.next('lip.ack')
  t.is(page.all.find(({ type }) => type === 'lip.error')?.data.code, 'reserved_type')
  t.like(await heard(a, 1), [{ type: 'entity.click', from: `unique:probe#${opened.window}` }])
  await a.send({ window: opened.window, type: 'entity.say', data: { text: 'In the window' } })
  t.is((await page.next('entity.say')).data.text, 'In the window')
  t.is(says(on), null)
})

test.serial('a sender that leaves takes its mood and its offers along', async (t) => {
  const on = await rig(t)
  const a = on.operator()
  const leaving = new AbortController()
  await a.present(leaving.signal)
  await send(a, 'entity.mood', { mood: 'thinking' })
  await send(a, 'entity.suggest', { items: [{ id: 'x', label: 'X' }] })
  leaving.abort()
  await until(() => on.scene()?.mood === 'idle' && on.scene()?.beckons === false)
  t.pass()
})

test.serial(
  'the tool: says, suggests, and hears of the pick; never believes it spoke when it did not',
  async (t) => {
    const on = await rig(t)
    const mcp = await agent(t, { LETS_HOME: on.home })
    t.like((await mcp.call('companion', { do: 'status' })).fields, { do: 'status', shown: true })
    const said = await mcp.call('companion', {
      do: 'say',
      text: 'Two tests fail',
      mood: 'alert',
      ttl_ms: 60_000,
    })
    t.regex(said.text, /^companion say: shown on display 1, alert/)
    t.is(says(on), 'Two tests fail')
    const items = [{ id: 'run', label: 'Run them' }]
    t.regex((await mcp.call('companion', { do: 'suggest', items })).text, /offers 1 of yours/)
    await pick(t, on, 'Run them')
    const listened = await mcp.call('listen', { wait_ms: 5000 })
    const events = [...(listened.fields.events as LipEvent[])]
    if (events.length < 2)
      events.push(...((await mcp.call('listen', { wait_ms: 5000 })).fields.events as LipEvent[]))
    t.deepEqual(
      events.map(({ type }) => type),
      ['entity.click', 'entity.pick'],
    )
    for (const args of [
      { do: 'mood', mood: 'proud' },
      { do: 'react', name: 'cheer' },
      { do: 'move', to: 'top-right' },
      { do: 'move', x: 200, y: 300, display_id: 2 },
      { do: 'persona', name: 'Pip', traits: { color: '#2266aa' } },
    ])
      t.true((await mcp.call('companion', args)).fields.shown as boolean, JSON.stringify(args))
    t.is(on.scene()?.look.name, 'Pip')
    t.regex(
      String((await mcp.call('companion', { do: 'react', name: 'explode' })).fields.left_out),
      /explode/,
    )
    for (const [args, saying] of [
      [{ do: 'fly' }, /do must be one of/],
      [{ do: 'say' }, /say needs text/],
      [{ do: 'suggest', text: 'x' }, /suggest takes items, replace; got text/],
      [{ do: 'move' }, /what goes with move is exactly one of x and y, or to/],
      [{ do: 'move', to: 'nowhere' }, /bad_schema: to must be cursor, one of/],
      [{ do: 'say', text: 'x', mood: 3 }, /companion: mood must be a string, got 3/],
      [{ do: 'say', text: 'x', ttl_ms: 0 }, /ttl/],
      [{ do: 'status', text: 'x' }, /takes nothing else/],
    ] as const)
      refusedTool(t, await mcp.call('companion', args), 'bad_schema', saying)
    await mcp.call('companion', { do: 'hide' })
    const hidden = await mcp.call('companion', { do: 'say', text: 'Hello?' })
    t.false(hidden.isError)
    t.like(hidden.fields, { shown: false, hidden_because: 'hidden' })
    t.regex(hidden.text, /NOT SHOWN, nobody sees it/)
    await mcp.call('companion', { do: 'show' })
    await mcp.mcp.close()
    await until(() => on.scene()?.mood === 'idle')
    t.deepEqual(mcp.noise, [])
  },
)

test.serial('turned off it stays off, whoever asks; the tool and the command line say so', async (t) => {
  const on = await rig(t, { on: false })
  const mcp = await agent(t, { LETS_HOME: on.home })
  for (const args of [
    { do: 'show' },
    { do: 'say', text: 'Hi' },
    { do: 'suggest', items: [{ id: 'a', label: 'A' }] },
  ]) {
    const answer = await mcp.call('companion', args)
    t.like(answer.fields, { shown: false, hidden_because: 'off' })
    t.regex(answer.text, /NOT SHOWN.*has not turned it on, or has turned it off/)
  }
  const sent = await mcp.call('send', { window: 'screen#d1', type: 'entity.say', data: { text: 'Hi' } })
  t.regex(sent.text, /not shown \(off\): nobody sees it/)
  const cli = await runCli(['send', 'd1', 'entity.say', '{"text":"Hi"}'], { LETS_HOME: on.home })
  t.is(cli.code, 0)
  t.regex(cli.stderr, /the companion is not on the screen \(off\): nobody sees it now/)
  t.true(on.scenes.every((scene) => scene === null))
})

test.serial('an agent’s own marks by send go with it, however it ends', async (t) => {
  const on = await rig(t)
  const mcp = await agent(t, { LETS_HOME: on.home })
  const looker = await connect({ clientName: 'looker', socket: on.socket, lingerMs: 0 })
  t.teardown(() => looker.close())
  const listed = await mcp.call('windows')
  t.regex(listed.text, /Screens: screen#d1 \(Screen, display 1 \(1440×900\)\), screen#d2/)
  const made = await mcp.call('send', {
    window: 'screen#d1',
    type: 'component.create',
    data: { id: 'b', type: 'progress', props: { label: 'Building' } },
  })
  t.regex(made.text, /is on screen#d1, as mark a_/)
  t.like((await mcp.call('state', { window: 'screen#d1' })).fields.state, { components: [{ id: 'b' }] })
  t.regex(
    (await mcp.call('send', { window: 'd1', type: 'ui.theme' })).text,
    /was ignored: nothing came of it/,
  )
  const question = await mcp.call('send', {
    window: 'screen#d1',
    type: 'component.create',
    data: { id: 'q', type: 'toggle', props: { label: 'Sure?' } },
  })
  t.regex(question.text, /is to be answered in w1, a window that opens for it.*no browser shows w1 yet/s)
  refusedTool(
    t,
    await mcp.call('send', { window: 'screen#d8', type: 'ui.toast', data: { text: 'x' } }),
    'unknown_display',
    /there is screen#d1, screen#d2/,
  )
  t.is((await looker.status()).mark_count, 1)
  process.kill(mcp.pid, 'SIGKILL')
  await until(async () => (await looker.status()).mark_count === 0)
})
