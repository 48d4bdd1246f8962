import { existsSync, mkdtempSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test from 'ava'
import type { OverlayHost } from '../overlay/host.js'
import { WireError } from '../protocol/overlay/errors.js'
import type { RequestOf } from '../protocol/overlay/schema.js'
import { Captures } from './captures.js'
import type { Asking, CapturePolicy, PolicyRequest } from './engine/captures.js'
import { Bench, display } from './engine/testing.js'
import { chooseHost } from './hosts.js'

const HOUR = 3_600_000

function setup(t: { teardown(task: () => void): void }, policy: CapturePolicy = 'ask') {
  const folder = mkdtempSync(join(tmpdir(), 'lets-captures-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  const { clock } = new Bench()
  return { folder, clock, captures: new Captures(folder, policy, 'secret', clock, () => {}) }
}

const request = (fields: object = {}): RequestOf<'capture'> => ({
  v: '0.2',
  type: 'capture',
  display_id: 1,
  ...fields,
})
const consent = (capture: CapturePolicy, for_ms?: number): PolicyRequest => ({
  v: '0.2',
  type: 'consent',
  token: 'secret',
  capture,
  ...(for_ms !== undefined && { for_ms }),
})

/** Nobody there. */
const noAnswer: Asking = {
  ask: async () => {
    throw new WireError('not_permitted', 'nobody answered')
  },
  stands: () => false,
}

/** A display in memory. */
async function inMemory(spec: string): Promise<OverlayHost> {
  const events = { displays() {}, clearRequested() {}, exit() {} }
  return (await chooseHost({ kind: 'headless', displays: [spec] }, events, () => {})).host
}

/** A host with a real screen, that fails the test when it is looked at. */
async function realScreen(onLook: () => void): Promise<OverlayHost> {
  const host = await inMemory('100x80@2')
  return Object.create(host, {
    kind: { value: 'x11' },
    capture: {
      value: (...args: Parameters<OverlayHost['capture']>) => {
        onLook()
        return host.capture(...args)
      },
    },
  })
}

for (const policy of ['ask', 'never'] as const) {
  test(`with ${policy} a picture of the screen is refused before anything is captured`, async (t) => {
    const { captures } = setup(t, policy)
    const host = await realScreen(() => t.fail('the screen was looked at'))
    const error = await t.throwsAsync(captures.capture(request(), display(1), host, noAnswer))
    t.like(error, { code: 'not_permitted' })
  })
}

test('the marks alone, and a display in memory, need no consent', async (t) => {
  const { captures } = setup(t, 'never')
  let looks = 0
  const real = await realScreen(() => looks++)
  await captures.capture(
    request({ backdrop: 'none' }),
    display(1, { logical_size: [100, 80] }),
    real,
    noAnswer,
  )
  await captures.capture(
    request(),
    display(1, { logical_size: [100, 80] }),
    await inMemory('100x80'),
    noAnswer,
  )
  t.is(looks, 1)
})

test('a grant for a time falls back to asking, and a later decision replaces it', async (t) => {
  const { captures, clock } = setup(t)
  captures.decide(consent('always', 1000))
  t.is(captures.policy(), 'always')
  clock.advance(1000)
  t.is(captures.policy(), 'ask')
  captures.decide(consent('always', 1000))
  captures.decide(consent('never'))
  clock.advance(5000)
  t.is(captures.policy(), 'never', 'the first grant’s end is not the second decision’s')
})

test('a picture is the owner’s alone, is kept for an hour, and does not outlive the daemon', async (t) => {
  const { captures, clock } = setup(t, 'always')
  const host = await inMemory('100x80@2')
  const where = display(1, { logical_size: [100, 80], scale: 2 })
  const { path, image_size, scale_to_logical } = (await captures.capture(request(), where, host, noAnswer))
    .ack
  t.deepEqual([image_size, scale_to_logical], [[200, 160], 2])
  t.is(statSync(path as string).mode & 0o777, 0o600)
  clock.advance(HOUR)
  t.false(existsSync(path as string))
  const { ack: later } = await captures.capture(request(), where, host, noAnswer)
  captures.close()
  t.false(existsSync(later.path as string))
})

test('max_edge shrinks a picture and says by how much', async (t) => {
  const { captures } = setup(t, 'always')
  const host = await inMemory('100x80@2')
  const where = display(1, { logical_size: [100, 80], scale: 2 })
  const { ack } = await captures.capture(
    request({ max_edge: 50, rect: [50, 0, 200, 40] }),
    where,
    host,
    noAnswer,
  )
  t.deepEqual([ack.image_size, ack.scale_to_logical, ack.origin], [[50, 40], 1, [50, 0]])
})

test('a rectangle off the display is refused with the display’s size', async (t) => {
  const { captures } = setup(t, 'always')
  const error = await t.throwsAsync(
    captures.capture(
      request({ rect: [500, 0, 10, 10] }),
      display(1, { logical_size: [100, 80] }),
      await inMemory('100x80'),
      noAnswer,
    ),
  )
  t.regex(error.message, /100x80/)
})

test('what daemons that are gone have left is removed at the next start, and nothing else', (t) => {
  const { folder, clock } = setup(t)
  const dead = join(folder, `${2 ** 22 + 1}-a.png`)
  const own = join(folder, `${process.pid}-b.png`)
  const another = join(folder, `${process.ppid}-c.png`)
  const old = join(folder, `${process.ppid}-d.png`)
  const notes = join(folder, 'notes.txt')
  for (const file of [dead, own, another, old, notes]) writeFileSync(file, '')
  const longAgo = new Date(Date.now() - 2 * HOUR)
  for (const file of [old, notes]) utimesSync(file, longAgo, longAgo)
  new Captures(folder, 'ask', 'secret', clock, () => {})
  t.deepEqual(
    [dead, own, another, old, notes].map((file) => existsSync(file)),
    [false, false, true, false, true],
  )
})

test('pictures are taken one after the other, and only so many wait', async (t) => {
  const { captures } = setup(t, 'always')
  const host = await inMemory('100x80')
  let atOnce = 0
  let most = 0
  const slow = Object.create(host, {
    capture: {
      value: async (...args: Parameters<OverlayHost['capture']>) => {
        most = Math.max(most, ++atOnce)
        const frame = await host.capture(...args)
        atOnce--
        return frame
      },
    },
  }) as OverlayHost
  const asked = Array.from({ length: 20 }, () => captures.capture(request(), display(1), slow, noAnswer))
  const settled = await Promise.allSettled(asked)
  t.is(most, 1)
  t.is(settled.filter(({ status }) => status === 'fulfilled').length, 8)
  const refused = settled.filter((one) => one.status === 'rejected')
  t.true(refused.every(({ reason }) => reason.code === 'limit'))
  await t.notThrowsAsync(
    captures.capture(request(), display(1), slow, noAnswer),
    'and then there is room again',
  )
})

test('a daemon started with never stays so, whatever a client decides', (t) => {
  const { captures, clock } = setup(t, 'never')
  for (const decision of [consent('always'), consent('ask'), consent('always', 10)]) {
    t.like(
      t.throws(() => captures.decide(decision)),
      { code: 'not_permitted' },
    )
  }
  captures.decide(consent('never', 10))
  clock.advance(10)
  t.is(captures.policy(), 'never')
})

test('a client allows less at any time, and more only with the secret that the person’s own command reads', (t) => {
  const { captures } = setup(t)
  const { token: _, ...without } = consent('always')
  t.like(
    t.throws(() => captures.decide(without)),
    { code: 'not_permitted' },
  )
  t.like(
    t.throws(() => captures.decide({ ...without, token: 'guess' })),
    { code: 'not_permitted' },
  )
  t.is(captures.policy(), 'ask')
  t.is(captures.decide({ ...without, capture: 'never' }), 'never')
  t.throws(() => captures.decide({ ...without, capture: 'ask' }))
  t.is(captures.decide(consent('always')), 'always')
})
