/** Where the person types, asked of made-up programs: those that flood, that are silent, that lie, and of a bus that comes and goes. */

import test, { type ExecutionContext } from 'ava'
import { CaretWatch } from '../../grounding/accessibility/caret.js'
import type { DisplayRect } from '../../protocol/overlay/companion.js'
import { until } from '../support/xserver.js'
import type { FakeThing } from './fake-program.js'
import { DISPLAY, type Fake, RECT, shown } from './fakes.js'
import { type Session, startSession } from './support.js'

/** The first thing is the window, the second a field that is typed into, the third text that nobody types into. */
const EDITOR: FakeThing = {
  name: 'Fake',
  role: 23,
  rect: RECT,
  children: [
    { name: 'Note', role: 79, rect: [120, 200, 600, 300], caret: [130, 220, 9, 18] },
    { name: 'Log', role: 61, rect: [120, 520, 600, 100] },
  ],
}

async function watched(t: ExecutionContext, session: Session, programs: () => readonly Fake[]) {
  const places: (DisplayRect | null)[] = []
  const reasons: string[] = []
  const watch = new CaretWatch({
    env: session.env,
    screens: () => [
      {
        display: DISPLAY,
        windows: programs().map(({ pid }, index) => ({
          id: index + 1,
          app: 'Fake',
          title: 'Fake',
          pid,
          rect: RECT,
          content: RECT,
          transient: false,
        })),
      },
    ],
    moved: (place) => void places.push(place),
    unknown: (reason) => void reasons.push(reason),
  })
  t.teardown(() => watch.close())
  return { watch, places, reasons }
}

/** Tells until it is heard: to be registered takes a moment. */
async function heard(fake: Fake, places: readonly (DisplayRect | null)[]): Promise<void> {
  const before = places.length
  await until('it is heard', async () => {
    await fake.tell({ of: 2, what: 'caret' })
    return places.length > before
  })
}

const PLACE = { display: 1, rect: [130, 220, 1, 18] } as const

test.serial(
  'the caret of the field that is typed into, and nothing once the focus is elsewhere',
  async (t) => {
    const session = await startSession(t, process.env)
    const fake = await shown(t, session.bus, EDITOR)
    const { places } = await watched(t, session, () => [fake])
    await heard(fake, places)
    t.deepEqual(places, [PLACE])
    await fake.tell({ of: 3, what: 'caret' })
    await fake.tell({ of: 2, what: 'blur' })
    await until('it is left', () => places.length === 2)
    t.is(places[1], null, 'and text that only changes elsewhere is no place')
    await fake.tell({ of: 2, what: 'focus' })
    await until('it is back', () => places.length === 3)
    await fake.tell({ of: 1, what: 'deactivate' })
    await until('its window is not the active one', () => places.length === 4)
    await heard(fake, places)
    await fake.close()
    await until('its program is gone', () => places.at(-1) === null)
  },
)

test.serial('a flood of events is a few looks', async (t) => {
  const session = await startSession(t, process.env)
  const fake = await shown(t, session.bus, EDITOR)
  const { places } = await watched(t, session, () => [fake])
  await heard(fake, places)
  const before = await fake.count('GetState')
  const started = performance.now()
  for (let burst = 0; burst < 40; burst++) {
    await fake.tell({ of: 2, what: 'caret' }, 50)
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
  const looks = (await fake.count('GetState')) - before
  const most = Math.ceil((performance.now() - started) / 300) + 1
  t.true(looks >= 1 && looks <= most, `${looks} looks for 2000 events, ${most} at most`)
})

test.serial('one that does not answer is let alone; others are looked at', async (t) => {
  const session = await startSession(t, process.env)
  const [silent, other] = [await shown(t, session.bus, EDITOR), await shown(t, session.bus, EDITOR)]
  const { places } = await watched(t, session, () => [silent, other])
  await heard(silent, places)
  await silent.set({ answers: false })
  await silent.tell({ of: 2, what: 'caret' })
  await until('nothing is known of it any more', () => places.at(-1) === null, 5000)
  const asked = await silent.count('GetState')
  await silent.tell({ of: 2, what: 'caret' }, 20)
  await heard(other, places)
  t.deepEqual(places.at(-1), PLACE)
  t.is(await silent.count('GetState'), asked, 'it is not asked again')
})

test.serial('one whose answers make no sense harms nobody', async (t) => {
  const session = await startSession(t, process.env)
  const fake = await shown(t, session.bus, EDITOR)
  const { places } = await watched(t, session, () => [fake])
  await heard(fake, places)
  await fake.set({ nonsense: true })
  await fake.tell({ of: 2, what: 'caret' })
  await until('nothing is known of it', () => places.at(-1) === null)
  await fake.set({ nonsense: false })
  await heard(fake, places)
  t.deepEqual(places.at(-1), PLACE)
})

test.serial('a window that is not on the screen has no caret there', async (t) => {
  const session = await startSession(t, process.env)
  const fake = await shown(t, session.bus, EDITOR)
  const on: Fake[] = [fake]
  const { places, watch } = await watched(t, session, () => on)
  await heard(fake, places)
  on.pop()
  watch.look()
  await until('it is minimised', () => places.at(-1) === null)
  on.push(fake)
  watch.look()
  await until('it is back', () => places.length === 3)
  t.deepEqual(places.at(-1), PLACE)
})

test.serial('a bus that is not there is not started, is used once it is, and may go', async (t) => {
  const session = await startSession(t, process.env)
  await session.stopBus()
  const programs: Fake[] = []
  const { places, reasons } = await watched(t, session, () => programs)
  await until('it is known that there is none', () => reasons.length === 1)
  t.false(await session.hasBus(), 'and asking started none')
  await session.startBus()
  const first = await shown(t, await session.address(), EDITOR)
  programs.push(first)
  await heard(first, places)
  await session.stopBus()
  await until('it is gone', () => places.at(-1) === null)
  await first.close()
  await session.startBus()
  programs[0] = await shown(t, await session.address(), EDITOR)
  await heard(programs[0], places)
  t.deepEqual(places.at(-1), PLACE)
})

test.serial('without a session there is nothing to hear, and nothing breaks', async (t) => {
  const session = await startSession(t, process.env)
  const env = { ...session.env, DBUS_SESSION_BUS_ADDRESS: `unix:path=${session.env.HOME}/none` }
  const { places, reasons } = await watched(t, { ...session, env }, () => [])
  await until('it is said', () => reasons.length === 1)
  t.deepEqual(places, [])
})
