import test from 'ava'
import { HostUnavailable } from '../../overlay/host.js'
import type { WireError } from '../../protocol/overlay/errors.js'
import type { Rect } from '../../protocol/overlay/geometry.js'
import type { Found, GroundElement, Outcome } from './grounder.js'
import { Bench, fakeWindow } from './testing.js'

const NOTHING = { notes: [], sentTo: [] }

function found(more: Partial<Found> = {}): Outcome {
  return {
    ...NOTHING,
    kind: 'found',
    found: {
      name: 'Save',
      role: 'button',
      rect: [100, 200, 80, 30],
      confidence: 0.95,
      resolver: 'accessibility',
      draw: 'pointer',
      ...more,
    },
  }
}

/** A thing that is where a test says, and says itself whether it can be seen there. */
class Thing implements GroundElement {
  rect: Rect | null = [100, 200, 80, 30]
  seen = true
  kept = 0
  looks = 0
  async locate() {
    this.looks++
    return this.rect
  }
  async isAt() {
    return this.seen
  }
  keep() {
    this.kept++
    return () => {
      this.kept--
    }
  }
}

function setup(outcome: Outcome = found()) {
  const bench = new Bench()
  bench.host.desk = [fakeWindow(7, 'Gedit', [50, 150, 600, 500])]
  bench.grounding.order = [{ name: 'accessibility', remote: false, needsFrame: false }]
  bench.grounding.answer = async () => outcome
  return { bench, client: bench.client().start({ client_name: 'claude' }) }
}

const QUERY = { query: 'the Save button', display_id: 1 }

test('a query of a point puts the pointer in the middle of what was found, and the ack says what that is', async (t) => {
  const { bench, client } = setup()
  const ack = await client.sendAsync({ type: 'point', ...QUERY, label: 'here' })
  t.like(ack, {
    resolved_coords: { x: 140, y: 215 },
    confidence: 0.95,
    resolved_by: 'accessibility',
    matched: { name: 'Save', role: 'button', rect: [100, 200, 80, 30] },
    kind: 'point',
    display: { id: 1 },
  })
  await bench.rest()
  t.like(bench.host.shown.get(ack.annotation_id as string), { kind: 'point', at: [140, 215], label: 'here' })
  t.like(bench.grounding.asked[0], {
    text: 'the Save button',
    display: { id: 1 },
    windows: [{ id: 7, app: 'Gedit', rect: [50, 150, 600, 500] }],
  })
})

test('what is only likely is outlined, also for a point; a highlight has the rectangle of its thing', async (t) => {
  const { bench, client } = setup(found({ confidence: 0.7, draw: 'region' }))
  const point = await client.sendAsync({ type: 'point', ...QUERY })
  t.is(point.kind, 'highlight')
  const highlight = await client.sendAsync({ type: 'highlight', ...QUERY, shape: 'ellipse' })
  await bench.rest()
  for (const { annotation_id } of [point, highlight]) {
    t.like(bench.host.shown.get(annotation_id as string), { kind: 'highlight', rect: [100, 200, 80, 30] })
  }
  t.is(bench.host.pointer, null)
})

test('locate says where it is, draws nothing, and needs no session', async (t) => {
  const { bench } = setup()
  const ack = await bench.client().sendAsync({ type: 'locate', ...QUERY })
  t.like(ack, { resolved_coords: { x: 140, y: 215 } })
  t.is(ack.annotation_id, undefined)
  t.is(bench.host.shown.size, 0)
})

test('D3: several that fit equally are an error that lists them, and nothing is drawn', async (t) => {
  const candidates = [
    { name: 'Save', role: 'button', rect: [1, 2, 3, 4] as Rect, confidence: 0.7 },
    { name: 'Save', role: 'button', rect: [1, 20, 3, 4] as Rect, confidence: 0.7 },
  ]
  const { bench, client } = setup({ ...NOTHING, kind: 'ambiguous', candidates, count: 2 })
  const error = await t.throwsAsync(client.sendAsync({ type: 'point', ...QUERY }))
  t.like(error, { code: 'ambiguous' })
  t.like((error as WireError).data, {
    candidates: [{ name: 'Save', rect: [1, 2, 3, 4], display_id: 1 }, { rect: [1, 20, 3, 4] }],
  })
  t.is(bench.host.shown.size, 0)
})

test('D4: what is not there is an error that says what was looked at, and nothing is drawn', async (t) => {
  const { bench, client } = setup({
    ...NOTHING,
    kind: 'unsure',
    candidates: [],
    notes: ['XTerm shows itself to no accessibility'],
  })
  const error = await t.throwsAsync(client.sendAsync({ type: 'highlight', ...QUERY }))
  t.like(error, { code: 'resolve_failed' })
  t.regex(error?.message ?? '', /"the Save button" was not found on display 1\. XTerm shows itself/)
  t.is(bench.host.shown.size, 0)
})

test('D4: what was found is drawn only where it can be seen: covered, it is not', async (t) => {
  const thing = new Thing()
  thing.seen = false
  const { bench, client } = setup(found({ element: thing }))
  const pointing = client.sendAsync({ type: 'point', ...QUERY })
  for (let time = 0; time < 6; time++) {
    await bench.rest()
    bench.clock.advance(150)
  }
  t.like(await t.throwsAsync(pointing), { code: 'resolve_failed' })
  t.is(bench.host.shown.size, 0)
  t.is(thing.kept, 0)
})

test('what is on the move is pointed at where it comes to rest', async (t) => {
  const thing = new Thing()
  thing.seen = false
  thing.rect = [100, 300, 80, 30]
  const { bench, client } = setup(found({ element: thing }))
  const pointing = client.sendAsync({ type: 'point', ...QUERY })
  await bench.rest()
  thing.seen = true
  bench.clock.advance(150)
  t.like(await pointing, { resolved_coords: { x: 140, y: 315 } })
})

test('D1: a mark found by words stays on its thing when others look alike, and goes with it', async (t) => {
  const thing = new Thing()
  const { bench, client } = setup(found({ element: thing }))
  const { annotation_id: id } = (await client.sendAsync({ type: 'point', ...QUERY })) as {
    annotation_id: string
  }
  await bench.rest()
  t.is(thing.kept, 1)
  t.true(bench.host.followed.get(id)?.live)
  // A row is inserted above: what is under the mark looks as before, and is another row.
  thing.rect = [100, 230, 80, 30]
  bench.engine.contentChanged({ moved: [], lost: [], still: [id] })
  await bench.rest()
  bench.clock.advance(250)
  await bench.rest()
  t.like(bench.host.shown.get(id), { at: [140, 245] })
  // Pixels lost sight of it; it says itself where it is.
  thing.rect = [100, 260, 80, 30]
  bench.engine.contentChanged({ moved: [], lost: [id] })
  bench.clock.advance(250)
  await bench.rest()
  t.like(bench.host.shown.get(id), { at: [140, 275] })
  t.deepEqual(client.pushes, [])
  thing.rect = null
  bench.engine.contentChanged({ moved: [], lost: [], still: [id] })
  bench.clock.advance(250)
  await bench.rest()
  t.like(client.pushes, [{ annotation_id: id, reason: 'scroll' }])
  t.is(bench.host.shown.size, 0)
  t.is(thing.kept, 0)
})

test('D1: a thing that cannot be made sure of takes its mark along, within a second', async (t) => {
  const thing = new Thing()
  const { bench, client } = setup(found({ element: thing }))
  const { annotation_id: id } = (await client.sendAsync({ type: 'highlight', ...QUERY })) as {
    annotation_id: string
  }
  await bench.rest()
  bench.clock.advance(300)
  thing.seen = false
  bench.engine.contentChanged({ moved: [], lost: [], still: [id] })
  for (let ms = 0; ms < 1000; ms += 80) {
    await bench.rest()
    bench.clock.advance(80)
  }
  await bench.rest()
  t.like(client.pushes, [{ annotation_id: id, reason: 'scroll' }])
  t.is(bench.clock.waiting, 0)
})

test('a mark that its owner moves is on no thing any more', async (t) => {
  const thing = new Thing()
  const { bench, client } = setup(found({ element: thing }))
  const { annotation_id: id } = (await client.sendAsync({ type: 'point', ...QUERY })) as {
    annotation_id: string
  }
  await bench.rest()
  client.send({ type: 'move', annotation_id: id, to: [10, 10] })
  t.is(thing.kept, 0)
  bench.engine.contentChanged({ moved: [], lost: [], still: [id] })
  await bench.rest()
  t.is(thing.looks, 0)
})

test('the pointer shows that it thinks only while a query takes its time, and nothing runs afterwards', async (t) => {
  const { bench, client } = setup()
  let answer = (_: Outcome) => {}
  bench.grounding.answer = () =>
    new Promise((resolve) => {
      answer = resolve
    })
  const pointing = client.sendAsync({ type: 'point', ...QUERY })
  await bench.rest()
  t.deepEqual(bench.host.changes, [])
  bench.clock.advance(200)
  await bench.rest()
  t.like(bench.host.changes.at(-1), { display: 1, thinking: true })
  answer(found())
  await pointing
  await bench.rest()
  t.deepEqual(
    bench.host.changes.map(({ thinking }) => thinking).filter((one) => one !== undefined),
    [true, false],
  )
  t.is(bench.clock.waiting, 0)
})

test('a client that hangs up, or clears, calls its query off', async (t) => {
  const { bench, client } = setup()
  const signals: AbortSignal[] = []
  bench.grounding.answer = (_words, _pixels, signal) =>
    new Promise((_, reject) => {
      signals.push(signal)
      signal.addEventListener('abort', () => reject(signal.reason))
    })
  const cleared = client.sendAsync({ type: 'point', ...QUERY })
  await bench.rest()
  client.send({ type: 'clear', all: true })
  t.like(await t.throwsAsync(cleared), { code: 'resolve_failed' })
  const gone = client.sendAsync({ type: 'locate', ...QUERY })
  await bench.rest()
  client.connection.close()
  t.like(await t.throwsAsync(gone), { code: 'resolve_failed' })
  t.true(signals.every(({ aborted }) => aborted))
  await bench.rest()
  t.is(bench.clock.waiting, 0)
})

test('a newer query does not wait behind a dead one: the older is called off after 5 s', async (t) => {
  const { bench, client } = setup()
  bench.grounding.answer = (_words, _pixels, signal) =>
    new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
  const dead = client.sendAsync({ type: 'point', ...QUERY })
  await bench.rest()
  bench.clock.advance(2000)
  client.connection.announced({ v: '0.2', type: 'locate', ...QUERY })
  bench.clock.advance(2900)
  await bench.rest()
  let ended = false
  dead.catch(() => {
    ended = true
  })
  await bench.rest()
  t.false(ended)
  bench.clock.advance(100)
  t.regex((await t.throwsAsync(dead))?.message ?? '', /a newer query of this client waited/)
})

test('a query without an end is ended after 30 s', async (t) => {
  const { bench, client } = setup()
  bench.grounding.answer = (_words, _pixels, signal) =>
    new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
  const locating = client.sendAsync({ type: 'locate', ...QUERY })
  await bench.rest()
  bench.clock.advance(30_000)
  t.like(await t.throwsAsync(locating), { code: 'resolve_failed' })
})

test('a query goes with a display, not with a frame or a window', async (t) => {
  const { client } = setup()
  for (const more of [{ frame: 'f_1' }, { window: 'Gedit' }]) {
    t.like(
      t.throws(() => client.raw({ type: 'point', query: 'Save', display_id: 1, ...more })),
      { code: 'bad_schema' },
    )
  }
  t.like(
    t.throws(() => client.raw({ type: 'locate', query: 'Save', display_id: 9 })),
    { code: 'unknown_display' },
  )
})

test('pixels are read for resolvers that need them, and not where pictures are turned off', async (t) => {
  const { bench, client } = setup()
  bench.grounding.answer = async (_words, pixels) => {
    const frame = await pixels().catch((error: Error) => error)
    return {
      ...NOTHING,
      kind: 'unsure',
      candidates: [],
      notes: [frame instanceof Error ? frame.message : 'seen'],
    }
  }
  bench.host.picture = async () => {
    throw new HostUnavailable('the screen is locked')
  }
  t.regex(
    (await t.throwsAsync(client.sendAsync({ type: 'locate', ...QUERY })))?.message ?? '',
    /The screen is locked/,
  )
})

test('consent: each client is asked about by name and process, what leaves the machine is said, and a yes holds for an hour', async (t) => {
  const { bench } = setup()
  bench.grounding.policy = 'ask'
  bench.grounding.order = [
    { name: 'accessibility', remote: false, needsFrame: false },
    { name: 'claude', remote: true, destination: 'api.example.com', needsFrame: true },
  ]
  const client = bench.client(4242).start({ client_name: 'claude' })
  const locating = client.sendAsync({ type: 'locate', ...QUERY })
  await bench.rest()
  const prompt = bench.host.prompts.get(1)
  t.is(prompt?.title, '“claude” (process 4242) asks to find things on this screen')
  t.regex(
    prompt?.body ?? '',
    /read with accessibility and claude\. Claude sends a picture of this screen to api\.example\.com\. A yes holds for an hour/,
  )
  bench.clock.advance(700)
  bench.engine.answered(true)
  await bench.rest()
  t.like(await locating, { resolved_by: 'accessibility' })
  bench.clock.advance(3_599_000)
  await client.sendAsync({ type: 'locate', ...QUERY })
  bench.clock.advance(2000)
  const again = client.sendAsync({ type: 'locate', ...QUERY })
  await bench.rest()
  t.is(bench.host.prompts.size, 1)
  bench.engine.answered(false)
  t.like(await t.throwsAsync(again), { code: 'not_permitted' })
})

test('consent: ask, and nobody answers, is a no', async (t) => {
  const { bench, client } = setup()
  bench.grounding.policy = 'ask'
  const locating = client.sendAsync({ type: 'locate', ...QUERY })
  await bench.rest()
  t.is(bench.host.prompts.get(1)?.title, '“claude” asks to find things on this screen')
  bench.clock.advance(30_000)
  const error = await t.throwsAsync(locating)
  t.like(error, { code: 'not_permitted' })
  t.is(bench.grounding.asked.length, 0)
  // Not asked again at once.
  t.regex(
    (await t.throwsAsync(client.sendAsync({ type: 'locate', ...QUERY })))?.message ?? '',
    /asked a moment ago/,
  )
})

test('consent: a yes holds for the session, is told by status, and is taken back', async (t) => {
  const { bench, client } = setup()
  bench.grounding.policy = 'ask'
  const locating = client.sendAsync({ type: 'locate', ...QUERY })
  await bench.rest()
  bench.clock.advance(700)
  bench.engine.answered(true)
  await bench.rest()
  t.like(await locating, { resolved_by: 'accessibility' })
  await client.sendAsync({ type: 'point', ...QUERY })
  t.like(client.send({ type: 'status' }), {
    grounding_consent: 'ask',
    grants: [{ what: 'grounding', client: 'claude', display_id: 1, left_ms: 3_600_000 }],
  })
  // Another client sees nothing of it, and is asked about itself.
  const other = bench.client().start({ client_name: 'other' })
  t.is(other.send({ type: 'status' }).grants, undefined)
  client.send({ type: 'consent', grounding: 'never' })
  const error = await t.throwsAsync(client.sendAsync({ type: 'locate', ...QUERY }))
  t.like(error, { code: 'not_permitted' })
  t.is(client.send({ type: 'status' }).grants?.length ?? 0, 0)
})

test('consent: a question goes when nobody wants its answer any more', async (t) => {
  const { bench, client } = setup()
  bench.grounding.policy = 'ask'
  const pointing = client.sendAsync({ type: 'point', ...QUERY })
  await bench.rest()
  t.is(bench.host.prompts.size, 1)
  client.send({ type: 'clear', all: true })
  t.like(await t.throwsAsync(pointing), { code: 'resolve_failed' })
  await bench.rest()
  t.is(bench.host.prompts.size, 0)
  t.false(bench.host.keysTaken)
})

test('consent: pictures and queries are two things', async (t) => {
  const { bench, client } = setup()
  bench.grounding.policy = 'ask'
  const locating = client.sendAsync({ type: 'locate', ...QUERY })
  await bench.rest()
  // A decision about pictures says nothing about the question that is up.
  client.send({ type: 'consent', capture: 'never' })
  await bench.rest()
  t.is(bench.host.prompts.size, 1)
  client.send({ type: 'consent', grounding: 'never' })
  t.like(await t.throwsAsync(locating), { code: 'not_permitted' })
})
