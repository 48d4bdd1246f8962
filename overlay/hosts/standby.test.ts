import test, { type ExecutionContext } from 'ava'
import type { CompanionEvent, CompanionScene } from '../../protocol/overlay/companion.js'
import type { Display } from '../../protocol/overlay/geometry.js'
import type { Mark } from '../../protocol/overlay/marks.js'
import type { HostEvents, OverlayHost, SceneChange } from '../host.js'
import { HostUnavailable } from '../host.js'
import { WithStandby } from './standby.js'
import { UnusableHost } from './unusable.js'

const ONE: Display = { id: 1, scale: 1, logical_size: [800, 600], origin: [0, 0], primary: true, name: 'one' }
const TWO: Display = { ...ONE, id: 2, origin: [800, 0], primary: false, name: 'two' }
const point = (id: string): Mark => ({ id, kind: 'point', at: [1, 1] })

/** A host that notes what it is told. */
class Noting implements OverlayHost {
  events: HostEvents | null = null
  readonly told: string[] = []
  readonly changes: SceneChange[] = []
  /** Why applying fails, when it does. */
  failing: string | null = null
  starts: (() => Promise<readonly Display[]>) | null = null

  constructor(
    readonly kind: 'electron' | 'x11',
    readonly layout: readonly Display[] = [ONE],
  ) {}

  on(events: HostEvents): void {
    this.events = events
  }
  async start() {
    this.told.push('start')
    return this.starts ? this.starts() : this.layout
  }
  async displays() {
    return this.layout
  }
  async apply(change: SceneChange) {
    if (this.failing !== null) throw new HostUnavailable(this.failing)
    this.changes.push(change)
    return { visible: true }
  }
  async capture(): Promise<never> {
    throw new HostUnavailable(`a picture by ${this.kind}`)
  }
  async missingGlyphs() {
    return []
  }
  windows = {
    list: async () => [],
    watch: async (on: boolean) => void this.told.push(`watch ${on}`),
    activate: async () => {},
  }
  content = {
    follow: (id: string) => void this.told.push(`follow ${id}`),
    release: (id: string) => void this.told.push(`release ${id}`),
    recheck: () => {},
  }
  answerKeys = {
    names: { yes: ['Y'], no: ['N'] },
    take: async () => {
      this.told.push('take answers')
      return { yes: true, no: true }
    },
    release: async () => void this.told.push('release answers'),
  }
  nextKey = {
    names: ['Space'],
    take: async () => {
      this.told.push('take next')
      return true
    },
    release: async () => void this.told.push('release next'),
  }
  panel = { show: () => void this.told.push('panel') }
  companion = {
    isCrowded: false,
    show: async (scene: CompanionScene | null) => {
      this.told.push(`companion ${scene?.bubble?.text} ${scene?.reaction?.name}`)
      return { visible: true }
    },
    watchPointer: async (on: boolean) => void this.told.push(`pointer ${on}`),
    pointer: async () => ({ display: 1, at: [1, 2] as const }),
    summonKey: {
      names: ['.'],
      take: async () => {
        this.told.push('take summon')
        return true
      },
      release: async () => void this.told.push('release summon'),
    },
  }
  facts() {
    return { hotkey: 'ready', reduced_motion: false, notes: [`of ${this.kind}`] }
  }
  async stop() {
    this.told.push('stop')
  }
}

async function pair(t: ExecutionContext, second = new Noting('x11')) {
  const firsts: Noting[] = []
  const host = new WithStandby(
    () => {
      const first = new Noting('electron')
      firsts.push(first)
      return first
    },
    () => second,
    () => {},
  )
  const [heard, layouts]: [string[], (readonly Display[])[]] = [[], []]
  host.on({
    displays: (displays) => void layouts.push(displays),
    windows: ({ relisted }) => void heard.push(`windows ${relisted}`),
    clearRequested: () => void heard.push('clear'),
    exit: (reason) => void heard.push(`exit ${reason}`),
  })
  t.deepEqual(await host.start(), [ONE])
  const [first] = firsts
  if (!first) throw new Error('there is no first')
  return { host, first, firsts, second, heard, layouts }
}

const settle = () => new Promise((resolve) => setTimeout(resolve, 20))

test('while the first goes on, the second is not even made', async (t) => {
  const { host, first, second } = await pair(t)
  await host.apply({ display: 1, put: [point('a')], remove: [] })
  t.is(host.kind, 'electron')
  t.is(first.changes.length, 1)
  t.deepEqual(second.told, [])
  await host.stop()
  t.deepEqual(first.told, ['start', 'stop'])
})

test('the second takes over with the scene, what is watched and followed, the keys and the panel', async (t) => {
  const { host, first, second, heard, layouts } = await pair(t)
  await host.apply({ display: 1, put: [point('a'), point('b'), point('c')], remove: [], pointer: 'b' })
  await host.apply({ display: 1, put: [], remove: ['a'] })
  await host.windows!.watch(true)
  host.content!.follow('b', { window: 7, display: 1, rect: [0, 0, 1, 1] })
  host.content!.follow('c', { window: 7, display: 1, rect: [0, 0, 1, 1] })
  host.content!.release('c')
  await host.answerKeys!.take()
  await host.nextKey!.take()
  await host.nextKey!.release()
  host.panel?.show({ summary: '2 marks', items: [] })
  first.events?.exit('it was given up')
  t.deepEqual(await host.apply({ display: 1, put: [point('d')], remove: [] }), { visible: true })
  t.is(first.told.at(-1), 'stop', 'the first lets go before the second begins')
  t.deepEqual(second.told, ['start', 'watch true', 'take answers', 'panel', 'follow b'])
  t.deepEqual(
    second.changes.flatMap(({ put }) => put.map(({ id }) => id)),
    ['b', 'c', 'd'],
  )
  t.is(second.changes[0]?.pointer, 'b')
  t.is(host.kind, 'x11')
  t.deepEqual(host.facts().notes, ['Electron is not used: it was given up.', 'of x11'])
  await settle()
  t.deepEqual(heard, ['windows true'], 'nobody hears of an exit; windows are to be looked at anew')
  t.deepEqual(layouts, [], 'the displays are the same')
  await host.apply({ display: 1, put: [point('e')], remove: [] })
  t.is(second.changes.at(-1)?.put[0]?.id, 'e')
  first.events?.clearRequested()
  t.deepEqual(heard, ['windows true'], 'what the first still says counts no more')
})

test('a change that failed because the first went is the second’s', async (t) => {
  const { host, first, second } = await pair(t)
  first.failing = 'gone'
  const applied = host.apply({ display: 1, put: [point('a')], remove: [] })
  first.events?.exit('it was given up')
  t.deepEqual(await applied, { visible: true })
  t.is(second.changes[0]?.put[0]?.id, 'a')
})

test('a change that failed while the first goes on is an error', async (t) => {
  const { host, first } = await pair(t)
  first.failing = 'no'
  await t.throwsAsync(host.apply({ display: 1, put: [point('a')], remove: [] }), { message: 'no' })
})

test('displays that are others for the second are announced, and nothing of before is put on them', async (t) => {
  const second = new Noting('x11', [{ ...ONE, scale: 2 }, TWO])
  const { host, first, layouts } = await pair(t, second)
  await host.apply({ display: 1, put: [point('a')], remove: [] })
  first.events?.exit('it was given up')
  await settle()
  t.deepEqual(layouts, [[{ ...ONE, scale: 2 }, TWO]])
  t.deepEqual(second.changes, [])
})

test('when the second cannot start either, the end is told; the next start begins with a first again', async (t) => {
  const second = new Noting('x11')
  second.starts = () => Promise.reject(new HostUnavailable('the X display is gone'))
  const { host, first, firsts, heard } = await pair(t, second)
  first.events?.exit('the X display is gone')
  await t.throwsAsync(host.apply({ display: 1, put: [point('a')], remove: [] }))
  t.deepEqual(heard, ['exit the X display is gone'])
  t.deepEqual(await host.start(), [ONE])
  t.is(firsts.length, 2)
  t.is(host.kind, 'electron')
})

test('a first that does not start leaves it to the second, with the reason', async (t) => {
  const second = new Noting('x11')
  const host = new WithStandby(
    () => new UnusableHost('electron', 'it could not be fetched'),
    () => second,
    () => {},
  )
  host.on({ displays() {}, clearRequested() {}, exit() {} })
  t.deepEqual(await host.start(), [ONE])
  t.is(host.kind, 'x11')
  t.is(host.facts().notes[0], 'Electron is not used: it could not be fetched.')
})

test('the second shows the companion as it was, without playing again what was played, and takes its key', async (t) => {
  const { host, first, second } = await pair(t)
  const scene: CompanionScene = {
    place: { display: 1, at: [100, 100] },
    look: { name: 'Bun', pace: 1 },
    mood: 'idle',
    asleep: false,
    gaze: [0, 0],
    reaction: { id: 1, name: 'dizzy', ms: 500 },
    bubble: { id: 'a', text: 'Hello' },
    menu: null,
    beckons: false,
  }
  await host.companion?.show(scene)
  await host.companion?.watchPointer(true)
  t.true(await host.companion?.summonKey?.take())
  t.deepEqual(first.told.slice(1), ['companion Hello dizzy', 'pointer true', 'take summon'])
  first.events?.exit('it was given up')
  t.deepEqual(await host.companion?.pointer(), { display: 1, at: [1, 2] })
  t.deepEqual(second.told.slice(1), ['pointer true', 'take summon', 'companion Hello undefined'])
  const told: CompanionEvent[] = []
  host.on({ displays() {}, clearRequested() {}, exit() {}, companion: (event) => told.push(event) })
  second.events?.companion?.({ kind: 'elsewhere' })
  first.events?.companion?.({ kind: 'elsewhere' })
  t.deepEqual(told, [{ kind: 'elsewhere' }])
})
