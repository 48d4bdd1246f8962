import test, { type ExecutionContext } from 'ava'
import { judge, loadResolvers, type Query, type Resolver, ResolverThread } from '../../grounding/index.js'
import { until } from '../support/xserver.js'
import type { FakeThing } from './fake-program.js'
import { DISPLAY, type Fake, RECT, shown } from './fakes.js'
import { type Session, startSession } from './support.js'

/** The windows that the made-up programs say are theirs, as the daemon would tell of them. */
function query(text: string, ...programs: readonly Fake[]): Query {
  const windows = programs.map(({ pid }, index) => ({
    id: index + 1,
    app: 'Fake',
    title: 'Fake',
    pid,
    rect: RECT,
    content: RECT,
    transient: false,
  }))
  return { text, display: DISPLAY, windows }
}

function windowOf(children: readonly FakeThing[]): FakeThing {
  return { name: 'Fake', role: 23, rect: RECT, children }
}

const button = (name: string, at = 0): FakeThing => ({
  name,
  role: 43,
  rect: [110 + (at % 60) * 12, 110 + (Math.floor(at / 60) % 50) * 10, 10, 8],
})

async function setup(t: ExecutionContext): Promise<{ session: Session; resolver: Resolver }> {
  const session = await startSession(t, process.env)
  const [resolver] = await loadResolvers(['accessibility'], { env: session.env, log: () => {} })
  t.teardown(() => resolver!.close?.())
  return { session, resolver: resolver! }
}

const never = () => new AbortController().signal

test.serial(
  'a tree of 200 levels is read to its end, listed or not; a deeper one is cut, and the answer says so',
  async (t) => {
    const { session, resolver } = await setup(t)
    const nest = (levels: number): FakeThing => {
      let inner = button('Deep down')
      for (let level = 0; level < levels; level++)
        inner = { name: '', role: 39, rect: RECT, children: [inner] }
      return inner
    }
    const program = await shown(t, session.bus, windowOf([nest(197), button('On top', 3)]))
    for (const hasList of [true, false]) {
      await program.set({ hasList })
      t.like(judge((await resolver.resolve(query('Deep down', program), null, never())).candidates), {
        kind: 'found',
      })
    }
    await program.close()
    const deeper = await shown(t, session.bus, windowOf([nest(400), button('On top', 3)]))
    const found = await until('the deeper one is read', async () => {
      const resolution = await resolver.resolve(query('On top', deeper), null, never())
      return resolution.candidates.length > 0 && resolution
    })
    t.like(judge(found.candidates), { kind: 'found' })
    t.regex(found.notes.join(), /Fake was not looked at as a whole: it is more than 200 levels deep/)
    t.like(judge((await resolver.resolve(query('Deep down', deeper), null, never())).candidates), {
      kind: 'unsure',
    })
  },
)

test.serial(
  'of 20,000 things the one that is meant is found; of more the answer says that not all were looked at',
  async (t) => {
    t.timeout(180_000)
    const { session, resolver } = await setup(t)
    const many = (count: number) => Array.from({ length: count }, (_, at) => button(`Button ${at}`, at))
    const program = await shown(t, session.bus, windowOf(many(19_000)))
    const started = performance.now()
    const resolution = await resolver.resolve(query('the Button 18765 button', program), null, never())
    t.log(`${Math.round(performance.now() - started)} ms for 19,000 things`)
    t.like(judge(resolution.candidates), { kind: 'found', candidate: { name: 'Button 18765' } })
    // On a machine that is busy with other things it may not be all that there was time for.
    t.true(resolution.notes.every((note) => note.includes('more than 4000 ms')))
    await program.close()
    const larger = await shown(t, session.bus, windowOf(many(25_000)))
    // One that did not answer in time, as on a busy machine, is let be for half a minute.
    const read = async () => {
      const more = await resolver.resolve(query('Button 5', larger), null, never())
      return more.notes.some((note) => note.includes('not looked at as a whole')) && more
    }
    const cut = await until('the larger one is read', read, 100_000)
    t.regex(cut.notes.join(), /more than 20000 things|more than 4000 ms/)
  },
)

test.serial(
  'a program without a list of its things, that has thousands, is asked for as many as there is time for',
  async (t) => {
    const { session, resolver } = await setup(t)
    const program = await shown(
      t,
      session.bus,
      windowOf(Array.from({ length: 6000 }, (_, at) => button(`Button ${at}`, at))),
    )
    await program.set({ hasList: false })
    const started = performance.now()
    const { notes } = await resolver.resolve(query('Button 5999', program), null, never())
    t.true(performance.now() - started < 45_000)
    t.regex(notes.join(), /Fake was not looked at as a whole/)
  },
)

test.serial(
  'a program that never answers keeps nobody from finding what others show, and is tried again later',
  async (t) => {
    const { session, resolver } = await setup(t)
    const dead = await shown(t, session.bus, windowOf([button('Save')]))
    await dead.set({ answers: false })
    const open = await shown(t, session.bus, windowOf([button('Open')]))
    const started = performance.now()
    const first = await resolver.resolve(query('Open', dead, open), null, never())
    t.true(performance.now() - started < 20_000, 'bounded')
    t.like(judge(first.candidates), { kind: 'found', candidate: { name: 'Open' } })
    const before = await dead.count('Get')
    const second = await resolver.resolve(query('Save', dead, open), null, never())
    t.is(await dead.count('Get'), before, 'it is not waited for every time')
    t.regex(second.notes.join(), /one application does not answer to accessibility/)
  },
)

test.serial(
  'a bus that goes away is an error that says so, and one that comes back serves again',
  async (t) => {
    const { session, resolver } = await setup(t)
    const old = await shown(t, session.bus, windowOf([button('Save')]))
    t.like(judge((await resolver.resolve(query('Save', old), null, never())).candidates), { kind: 'found' })
    await session.endBus()
    // The programs of the old bus are gone with it; those of the new one are found.
    await until('the old one is forgotten', async () => {
      try {
        const empty = await resolver.resolve(query('Save', old), null, never())
        return empty.candidates.length === 0
      } catch (error) {
        t.is((error as Error).name, 'ResolverError')
        return false
      }
    })
    const program = await shown(t, await session.address(), windowOf([button('Save')]))
    const found = await until('it is found on the new bus', async () => {
      const { candidates } = await resolver.resolve(query('Save', program), null, never())
      return candidates.length > 0 && judge(candidates)
    })
    t.like(found, { kind: 'found' })
  },
)

test.serial('what is missing is said, with what fixes it', async (t) => {
  const settings = { log: () => {} }
  const [none] = await loadResolvers(['accessibility'], { ...settings, env: {} })
  const nowhere = await none!.available()
  t.regex(nowhere.available ? '' : nowhere.reason, /there is no session bus/)
  const [dead] = await loadResolvers(['accessibility'], {
    ...settings,
    env: { DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nowhere/bus' },
  })
  const answer = await dead!.available()
  t.false(answer.available)
  t.regex(answer.available ? '' : answer.fix, /log in again/)
  const off = await startSession(t, process.env, false)
  const [hidden] = await loadResolvers(['accessibility'], { ...settings, env: off.env })
  const note = await hidden!.available()
  t.true(note.available)
  t.regex((note.available && note.note) || '', /gsettings set/)
})

test.serial(
  'a question that is called off ends at once, and a thread that dies is started again',
  async (t) => {
    const session = await startSession(t, process.env)
    const program = await shown(t, session.bus, windowOf([button('Save')]))
    const env = { ...process.env }
    Object.assign(process.env, { DBUS_SESSION_BUS_ADDRESS: session.env.DBUS_SESSION_BUS_ADDRESS })
    t.teardown(() => {
      process.env = env
    })
    const thread = new ResolverThread(['accessibility'], () => {})
    t.teardown(() => thread.close())
    const [resolver] = await thread.resolvers()
    await program.set({ answers: false })
    const controller = new AbortController()
    const asked = resolver!.resolve(query('Save', program), null, controller.signal)
    controller.abort(new Error('enough'))
    t.is((await t.throwsAsync(asked))?.message, 'enough')
    thread.close()
    await program.set({ answers: true })
    const { candidates } = await resolver!.resolve(query('Save', program), null, never())
    t.like(judge(candidates), { kind: 'found' })
  },
)
