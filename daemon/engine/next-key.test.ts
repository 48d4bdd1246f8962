import test from 'ava'
import { Bench } from './testing.js'

const ask = { type: 'await_next' } as const

test('the key is taken while somebody waits, and given back with the press', async (t) => {
  const bench = new Bench()
  const client = bench.client().start()
  t.false(bench.host.nextTaken)
  const next = client.sendAsync(ask)
  await bench.rest()
  t.true(bench.host.nextTaken)
  t.deepEqual(bench.log.at(-1), { event: 'next_key_taken', client: 'test' })
  bench.engine.nextPressed()
  t.deepEqual(await next, { next: true })
  t.false(bench.host.nextTaken)
  t.is(bench.clock.waiting, 0, 'nothing runs any more')
  bench.engine.nextPressed()
})

test('without a press it is a no when its time is over, by default a minute', async (t) => {
  const bench = new Bench()
  const client = bench.client().start()
  for (const [fields, ms] of [
    [{}, 60_000],
    [{ timeout_ms: 500 }, 500],
  ] as const) {
    const next = client.sendAsync({ ...ask, ...fields })
    await bench.rest()
    bench.clock.advance(ms - 1)
    t.true(bench.host.nextTaken)
    bench.clock.advance(1)
    t.deepEqual(await next, { next: false })
    t.false(bench.host.nextTaken)
  }
})

test('one client at a time; its own second wait takes the place of its first, and 0 ms end it', async (t) => {
  const bench = new Bench()
  const client = bench.client().start()
  const first = client.sendAsync(ask)
  await bench.rest()
  await t.throwsAsync(bench.client().start().sendAsync(ask), { message: /one client at a time/ })
  const second = client.sendAsync(ask)
  t.deepEqual(await first, { next: false })
  await bench.rest()
  t.true(bench.host.nextTaken)
  t.deepEqual(await client.sendAsync({ ...ask, timeout_ms: 0 }), { next: false })
  t.deepEqual(await second, { next: false })
  t.false(bench.host.nextTaken)
  t.deepEqual(await client.sendAsync({ ...ask, timeout_ms: 0 }), { next: false }, 'nothing to end')
})

test('a client that goes, a new session, a person who clears the screen and a daemon that ends give it back', async (t) => {
  for (const end of [
    (_: Bench, client: ReturnType<Bench['client']>) => client.connection.close(),
    (_: Bench, client: ReturnType<Bench['client']>) => client.connection.ending(),
    (_: Bench, client: ReturnType<Bench['client']>) => void client.start(),
    (bench: Bench) => void bench.engine.clearForPerson(),
    (bench: Bench) => bench.engine.ending(),
  ]) {
    const bench = new Bench()
    const client = bench.client().start()
    const next = client.sendAsync(ask)
    await bench.rest()
    t.true(bench.host.nextTaken)
    end(bench, client)
    t.deepEqual(await next, { next: false })
    t.false(bench.host.nextTaken)
    t.is(bench.clock.waiting, 0)
  }
})

test('a key that another program has, a host that goes, and no session: refused, saying so', async (t) => {
  const bench = new Bench()
  bench.host.nextFree = false
  const client = bench.client().start()
  await t.throwsAsync(client.sendAsync(ask), { message: /another program has Next already/ })
  t.false(bench.host.nextTaken)
  bench.host.nextFree = true
  const next = client.sendAsync(ask)
  await bench.rest()
  bench.engine.hostExited('the X server went away')
  await t.throwsAsync(next, { message: /await_next: the X server went away/ })
  t.throws(() => bench.client().raw(ask), { message: /no session/ })
})
