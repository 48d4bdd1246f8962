import test from 'ava'
import { WireError } from '../../protocol/overlay/errors.js'
import type { CaptureGate, CapturePolicy } from './captures.js'
import { shownName } from './shown-name.js'
import { Bench, type Client, display } from './testing.js'

/** A gate that asks by its policy, and counts the pictures that were taken. */
class Gate implements CaptureGate {
  taken = 0
  /** When set, a picture that is allowed waits for it. */
  turn: Promise<void> | null = null
  constructor(private current: CapturePolicy = 'ask') {}

  policy(): CapturePolicy {
    return this.current
  }
  decide({ capture }: { readonly capture: CapturePolicy }): CapturePolicy {
    this.current = capture
    return capture
  }
  decideAsPerson(policy: CapturePolicy): CapturePolicy {
    this.current = policy
    return policy
  }
  onChanged(): void {}
  isPerson(token: string | undefined): boolean {
    return token === 'secret'
  }
  async capture(...[, , , asking]: Parameters<CaptureGate['capture']>) {
    if (this.current === 'ask') await asking.ask()
    await this.turn
    if (this.current !== 'always' && !asking.stands()) throw new WireError('not_permitted', 'taken back')
    return { ack: { path: `${++this.taken}.png` } }
  }
}

function setup(displays = [display(1)]) {
  const gate = new Gate()
  const bench = new Bench(displays, undefined, () => gate)
  return {
    gate,
    bench,
    host: bench.host,
    client: (name: string) => bench.client().start({ client_name: name }),
  }
}

type Outcome = { readonly path?: string; readonly code?: string; readonly why?: string }

/** Asks for a picture, and lets the question come up. */
async function asks(client: Client, display_id = 1): Promise<{ readonly now: () => Outcome | null }> {
  let outcome: Outcome | null = null
  client.sendAsync({ type: 'capture', display_id }).then(
    ({ path }) => {
      outcome = { path: path as string }
    },
    ({ code, message }: WireError) => {
      outcome = { code, why: message }
    },
  )
  await client.bench.rest()
  return { now: () => outcome }
}

/** Presses a key once the question could be read. */
async function press(bench: Bench, yes: boolean): Promise<void> {
  bench.clock.advance(700)
  bench.engine.answered(yes)
  await bench.rest()
}

/** A refusal whose text fits. */
function refused(
  t: { like: (a: unknown, b: object) => unknown; regex: (a: string, b: RegExp) => unknown },
  outcome: Outcome | null,
  why: RegExp,
) {
  t.like(outcome, { code: 'not_permitted' })
  t.regex(outcome?.why ?? '', why)
}

test('the question names the client, on the display that is to be pictured, and a yes lets the picture through', async (t) => {
  const { bench, host, client } = setup([display(1), display(2)])
  const picture = await asks(client('claude'), 2)
  t.is(host.prompts.get(2)?.title, '“claude” asks for pictures of this screen')
  t.deepEqual(host.prompts.get(2)?.answers, [
    { label: 'Allow', keys: ['Y'] },
    { label: 'Refuse', keys: ['N'] },
  ])
  t.false(host.prompts.has(1))
  await press(bench, true)
  t.deepEqual(picture.now(), { path: '1.png' })
  t.is(host.prompts.size, 0)
  t.false(host.keysTaken)
  t.deepEqual(
    bench.log.filter(({ event }) => event.startsWith('consent')),
    [
      { event: 'consent_prompt', client: 'claude', display: 2 },
      { event: 'consent_answer', client: 'claude', display: 2, answer: 'yes', why: 'key' },
    ],
  )
})

test('a yes is for this session and this display, for ten minutes', async (t) => {
  const { bench, gate, host, client } = setup([display(1), display(2)])
  const claude = client('claude')
  await asks(claude)
  await press(bench, true)
  await asks(claude)
  t.is(gate.taken, 2, 'not asked again')
  await asks(claude, 2)
  t.is(host.prompts.size, 1, 'another display is another question')
  await press(bench, false)
  await asks(client('other'))
  t.is(host.prompts.size, 1, 'another client is another question')
  await press(bench, true)
  bench.clock.advance(600_000)
  await asks(claude)
  t.is(host.prompts.size, 1, 'the time is over')
  await press(bench, true)
  claude.start({ client_name: 'impostor' })
  await asks(claude)
  t.is(host.prompts.size, 1, 'another session of the same connection')
})

test('a no is remembered for a minute: for the connection, and for new ones of that name', async (t) => {
  const { bench, host, client } = setup()
  const claude = client('claude')
  const first = await asks(claude)
  bench.engine.answered(false)
  await bench.rest()
  refused(t, first.now(), /the person said no/)
  claude.start({ client_name: 'fresh' })
  for (const again of [claude, client('claude')]) {
    const { now } = await asks(again)
    refused(t, now(), /asked a moment ago.*another 60 s.*lets consent always --for 10m/)
  }
  t.is(host.prompts.size, 0)
  t.is((await asks(client('other'))).now(), null, 'somebody else is asked about')
  bench.engine.answered(false)
  await bench.rest()
  bench.clock.advance(60_000)
  await asks(client('claude'))
  t.is(host.prompts.size, 1)
})

test('after three noes within a minute nobody is asked about, whatever the name', async (t) => {
  const { bench, host, client } = setup()
  for (const name of ['one', 'two', 'three']) {
    await asks(client(name))
    bench.engine.answered(false)
    await bench.rest()
    bench.clock.advance(1000)
  }
  refused(t, (await asks(client('four'))).now(), /asked a moment ago.*another 57 s/)
  t.is(host.prompts.size, 0)
  bench.clock.advance(57_000)
  await asks(client('four'))
  t.is(host.prompts.size, 1)
})

test('without an answer in 30 s it is a no', async (t) => {
  const { bench, host, client } = setup()
  const picture = await asks(client('claude'))
  bench.clock.advance(29_999)
  await bench.rest()
  t.is(picture.now(), null)
  bench.clock.advance(1)
  await bench.rest()
  refused(t, picture.now(), /nobody answered the question on the screen within 30 s/)
  t.is(host.prompts.size, 0)
  t.false(host.keysTaken)
  t.is(bench.clock.waiting, 0, 'nothing goes on')
})

test('a yes counts once the question was seen for 700 ms, a no at once; keys are taken only when it is seen', async (t) => {
  const { bench, host, gate, client } = setup()
  let paint = () => {}
  host.gate = new Promise((resolve) => {
    paint = resolve
  })
  const picture = await asks(client('claude'))
  t.false(host.keysTaken, 'not painted yet')
  await press(bench, true)
  t.is(picture.now(), null, 'a yes before it was seen')
  host.gate = null
  paint()
  await bench.rest()
  t.true(host.keysTaken)
  bench.clock.advance(699)
  bench.engine.answered(true)
  await bench.rest()
  t.is(picture.now(), null)
  t.throws(() => bench.client().send({ type: 'consent', answer: 'yes', token: 'secret' }), {
    message: /only just come up/,
  })
  bench.clock.advance(1)
  bench.engine.answered(true)
  await bench.rest()
  t.is(gate.taken, 1)
})

for (const [what, happens, why] of [
  ['cannot be seen', ({ host }: Bench) => (host.visible = false), /cannot be seen on that display/],
  ['cannot be painted', ({ host }: Bench) => (host.fault = 'gone'), /cannot be seen on that display/],
] as const) {
  test(`a question that ${what} is a no at once, and is not held against the client`, async (t) => {
    const { bench, host, client } = setup()
    happens(bench)
    const claude = client('claude')
    refused(t, (await asks(claude)).now(), why)
    t.false(host.keysTaken)
    host.visible = true
    host.fault = null
    t.is((await asks(claude)).now(), null, 'asked again')
  })
}

for (const [what, happens, why] of [
  [
    'the host is gone',
    ({ engine }: Bench) => engine.hostExited('the X server went away'),
    /the screen went away/,
  ],
  ['the display is gone', ({ engine }: Bench) => engine.displaysChanged([display(2)]), /the display changed/],
  ['the person clears the screen', ({ engine }: Bench) => void engine.clearForPerson(), /cleared the screen/],
] as const) {
  test(`it is a no when ${what}`, async (t) => {
    const { bench, host, client } = setup()
    const picture = await asks(client('claude'))
    happens(bench)
    await bench.rest()
    refused(t, picture.now(), why)
    t.false(host.keysTaken)
    t.is(bench.clock.waiting, 0)
  })
}

for (const [what, leave] of [
  ['hangs up', (client: Client) => client.connection.close()],
  ['sends no more', (client: Client) => client.connection.ending()],
  ['ends its session', (client: Client) => void client.send({ type: 'session_end' })],
  ['starts another session', (client: Client) => void client.start()],
] as const) {
  test(`the question goes at once when its client ${what}, and a yes that comes then takes no picture`, async (t) => {
    const { bench, gate, host, client } = setup()
    const claude = client('claude')
    await asks(claude)
    leave(claude)
    await bench.rest()
    t.is(host.prompts.size, 0)
    t.false(host.keysTaken)
    await press(bench, true)
    t.is(gate.taken, 0)
  })
}

test('the picture is taken once the question is off the screen', async (t) => {
  const { bench, gate, host, client } = setup()
  const picture = await asks(client('claude'))
  let paint = () => {}
  host.gate = new Promise((resolve) => {
    paint = resolve
  })
  await press(bench, true)
  t.is(gate.taken, 0)
  paint()
  await bench.rest()
  t.deepEqual(picture.now(), { path: '1.png' })
})

test('a client that leaves after the yes, before its turn, gets no picture', async (t) => {
  const { bench, gate, client } = setup()
  let turn = () => {}
  gate.turn = new Promise((resolve) => {
    turn = resolve
  })
  const claude = client('claude')
  const picture = await asks(claude)
  await press(bench, true)
  claude.connection.close()
  turn()
  await bench.rest()
  t.is(gate.taken, 0)
  t.like(picture.now(), { code: 'not_permitted' })
})

test('keys that another program has are not named: the terminal answers instead', async (t) => {
  const { bench, host, client } = setup()
  host.freeKeys = { yes: false, no: true }
  const picture = await asks(client('claude'))
  t.deepEqual(
    host.prompts.get(1)?.answers.map(({ keys }) => keys),
    [['lets consent yes'], ['N']],
  )
  bench.clock.advance(700)
  const asker = bench.client()
  t.throws(() => asker.send({ type: 'consent', answer: 'yes' }), { message: /only the person says yes/ })
  t.deepEqual(asker.send({ type: 'consent', answer: 'yes', token: 'secret' }), {
    answered: { client: 'claude', display_id: 1, answer: 'yes', about: 'capture' },
  })
  await bench.rest()
  t.deepEqual(picture.now(), { path: '1.png' })
  t.like(
    t.throws(() => asker.send({ type: 'consent', answer: 'no' })),
    { code: 'not_found' },
  )
})

test('one question at a time, in order; asking twice is one question; others go on meanwhile', async (t) => {
  const { bench, gate, host, client } = setup()
  const [one, two] = [client('one'), client('two')]
  await asks(one)
  await asks(one)
  await asks(two)
  t.regex(host.prompts.get(1)?.title ?? '', /one/)
  t.truthy(one.point(), 'the client that waits goes on drawing')
  await press(bench, true)
  t.is(gate.taken, 2)
  t.regex(host.prompts.get(1)?.title ?? '', /two/)
  bench.engine.answered(true)
  await bench.rest()
  t.is(gate.taken, 2, 'a yes for the one before it is none for this one')
  await press(bench, true)
  t.is(gate.taken, 3)
})

test('eight clients wait at most, and those that leave make room', async (t) => {
  const { bench, client } = setup()
  const waiting: Client[] = []
  for (let index = 0; index < 9; index++) {
    const one = client(`c${index}`)
    waiting.push(one)
    t.is((await asks(one)).now(), null)
  }
  t.like((await asks(client('late'))).now(), { code: 'limit' })
  waiting[4]?.connection.close()
  await bench.rest()
  t.is((await asks(client('later'))).now(), null)
})

for (const [capture, taken] of [
  ['always', 2],
  ['never', 0],
] as const) {
  test(`${capture} settles the question that is up, and those that wait`, async (t) => {
    const { bench, gate, host, client } = setup()
    await asks(client('one'))
    await asks(client('two'))
    bench.client().send({ type: 'consent', capture, token: 'secret' })
    await bench.rest()
    t.is(gate.taken, taken)
    t.is(host.prompts.size, 0)
  })
}

test('`ask` takes back what was allowed, and leaves the question that is up', async (t) => {
  const { bench, gate, host, client } = setup()
  const [one, two] = [client('one'), client('two')]
  await asks(one)
  await press(bench, true)
  await asks(two)
  bench.clock.advance(1)
  bench.client().send({ type: 'consent', capture: 'ask' })
  await bench.rest()
  t.regex(host.prompts.get(1)?.title ?? '', /two/)
  await press(bench, true)
  await asks(one)
  t.regex(host.prompts.get(1)?.title ?? '', /one/)
  t.is(gate.taken, 2)
})

test('no client sees, counts, moves or clears the question, and it is of no window', async (t) => {
  const { bench, host, client } = setup()
  await asks(client('claude'))
  const other = client('other')
  t.like(other.send({ type: 'status' }), { mark_count: 0, marks: [] })
  t.is(other.send({ type: 'clear', all_sessions: true }).cleared, 0)
  other.send({ type: 'clear', all: true })
  await bench.relist([])
  t.is(host.prompts.size, 1)
  t.false(host.watching, 'windows are not watched for it')
})

test('a name is shown as its client’s own word: quoted, without what hides or turns text, and not without end', (t) => {
  t.is(shownName('claude'), 'claude')
  t.is(shownName(undefined), 'unnamed')
  t.is(shownName('\u202e\u2066\u200b\u0007'), 'unnamed')
  t.is(shownName('a\u202eb\u0000c\u2028d\ne'), 'abc d e')
  t.is(shownName('the system” asks. “'), "the system' asks. '")
  t.is(shownName('x'.repeat(41)), `${'x'.repeat(39)}…`)
  t.is(shownName('x'.repeat(40)), 'x'.repeat(40))
  t.is([...shownName('𐍈'.repeat(200))].length, 40)
  t.is(shownName('\ud800x'), '\ufffdx')
})

test('a unique that wants to run code is asked about in its turn; only a press is an answer', async (t) => {
  const { bench, host, client } = setup()
  const wish = { unique: 'probe', title: 'Pro“be\u202e', language: 'python' }
  const answers: (boolean | null)[] = []
  const wants = (signal = new AbortController().signal) => {
    bench.engine.askToRun(wish, signal).then((answer) => answers.push(answer))
  }
  const picture = await asks(client('agent'))
  wants()
  await bench.rest()
  t.regex(host.prompts.get(1)?.title ?? '', /pictures/, 'the question that was there first')
  await press(bench, true)
  t.truthy(picture.now())
  t.regex(host.prompts.get(1)?.title ?? '', /^“Pro'be” \(probe\) asks to run python code/)
  t.is(host.prompts.get(1)?.sign, 'terminal')
  bench.engine.answered(true)
  await bench.rest()
  t.deepEqual(answers, [], 'nobody could have read it yet')
  await press(bench, true)
  t.deepEqual(answers, [true])
  wants()
  await bench.rest()
  await press(bench, false)
  t.deepEqual(answers, [true, false])
  wants()
  await bench.rest()
  bench.clock.advance(30_000)
  await bench.rest()
  t.deepEqual(answers, [true, false, null])
  const leaving = new AbortController()
  wants(leaving.signal)
  await bench.rest()
  t.is(host.prompts.size, 1)
  leaving.abort()
  await bench.rest()
  t.is(host.prompts.size, 0)
  t.is(answers.at(-1), null)
  bench.engine.hostExited('gone')
  wants()
  await bench.rest()
  t.deepEqual(answers, [true, false, null, null, null])
})
