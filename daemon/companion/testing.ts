/** A host, a clock and a world for the companion's tests. */
import { type CompanionAccess, HostUnavailable, type HostWindow } from '../../overlay/host.js'
import type { CompanionScene, DisplayPoint, DisplayRect } from '../../protocol/overlay/companion.js'
import { WireError } from '../../protocol/overlay/errors.js'
import type { Display, Point, Rect } from '../../protocol/overlay/geometry.js'
import type { CompanionCommand, CompanionEventMessage } from '../../protocol/overlay/schema.js'
import type { Clock } from '../engine/clock.js'
import type { CompanionAsker, CompanionWorld } from '../engine/companion-seam.js'
import type { CaretSource, CaretWatcher } from './caret.js'
import { Companion } from './companion.js'
import { DEFAULTS, type Settings } from './settings.js'

class FakeClock implements Clock {
  #now = 0
  #timers: { due: number; task: () => void }[] = []
  #soon: (() => void)[] = []
  /** How many timers went off. */
  fired = 0

  now(): number {
    return this.#now
  }
  after(ms: number, task: () => void): () => void {
    const timer = { due: this.#now + ms, task }
    this.#timers.push(timer)
    return () => {
      this.#timers = this.#timers.filter((one) => one !== timer)
    }
  }
  soon(task: () => void): void {
    this.#soon.push(task)
  }
  get waiting(): number {
    return this.#timers.length
  }
  flush(): void {
    while (this.#soon.length > 0) this.#soon.shift()?.()
  }
  /** As time goes: a timer that sets another one within it is followed. */
  advance(ms: number): void {
    const end = this.#now + ms
    for (;;) {
      const next = this.#timers.filter(({ due }) => due <= end).sort((a, b) => a.due - b.due)[0]
      if (!next) break
      this.#timers = this.#timers.filter((one) => one !== next)
      this.#now = Math.max(this.#now, next.due)
      if (++this.fired > 10_000) throw new Error('timers without end')
      next.task()
    }
    this.#now = end
    this.flush()
  }
}

export class FakeSurface implements CompanionAccess {
  isCrowded = false
  readonly scenes: (CompanionScene | null)[] = []
  watching = false
  keyTaken = false
  keyFree = true
  /** What the server says of the key comes after this. */
  keyGate: Promise<void> | null = null
  at: DisplayPoint | null = null
  fault: string | null = null
  /** What `show` says of what it shows. */
  visible = true
  gate: Promise<void> | null = null
  readonly summonKey = {
    names: ['Summon'],
    take: async () => {
      this.keyTaken = true
      await this.keyGate
      return this.keyFree
    },
    release: async () => {
      this.keyTaken = false
    },
  }

  get scene(): CompanionScene | null {
    return this.scenes.at(-1) ?? null
  }
  async show(scene: CompanionScene | null) {
    await this.gate
    if (this.fault) throw new HostUnavailable(this.fault)
    this.scenes.push(scene)
    return { visible: this.visible }
  }
  async watchPointer(on: boolean): Promise<void> {
    this.watching = on
  }
  async pointer(): Promise<DisplayPoint | null> {
    return this.at
  }
}

class FakeCarets implements CaretSource {
  watcher: CaretWatcher | null = null
  looks = 0

  watch(watcher: CaretWatcher | null): void {
    this.watcher = watcher
  }
  look(): void {
    this.looks++
  }
}

export function display(id: number, more: Partial<Display> = {}): Display {
  return {
    id,
    scale: 1,
    logical_size: [1440, 900],
    origin: [(id - 1) * 1440, 0],
    primary: id === 1,
    name: `D${id}`,
    ...more,
  }
}

export function fakeWindow(id: number, app: string, rect: Rect, more: Partial<HostWindow> = {}): HostWindow {
  return {
    id,
    app,
    title: `${app} ${id}`,
    rects: new Map([[1, rect]]),
    visible: true,
    transient: false,
    ...more,
  }
}

export const PERSON: CompanionAsker = { session: 's_person', client: 'lets-cli', isPerson: true }
export const agent = (session: string): CompanionAsker => ({ session, client: session, isPerson: false })

type Commands = { [C in CompanionCommand as C['command']]: C['data'] }

export class Bench {
  readonly clock = new FakeClock()
  readonly surface = new FakeSurface()
  readonly carets = new FakeCarets()
  readonly companion: Companion
  readonly log: { readonly event: string; readonly [field: string]: unknown }[] = []
  readonly kept: Settings[] = []
  /** ms since 1970, less those of the clock; and minutes since midnight, likewise. */
  wallAt = 1_000_000
  minuteAt = 12 * 60
  displays: readonly Display[] = [display(1)]
  windows: HostWindow[] = []
  watchesWindows = false
  titles = false
  paused = false
  occupied: Rect[] = []
  hasSurface = true

  constructor(settings: Partial<Settings> = { on: true }) {
    this.companion = new Companion({
      clock: this.clock,
      wall: {
        now: () => this.wallAt + this.clock.now(),
        minuteOfDay: () => (this.minuteAt + this.clock.now() / 60_000) % (24 * 60),
      },
      settings: { ...DEFAULTS, ...settings },
      keep: (next) => void this.kept.push(next),
      carets: this.carets,
      log: (_level, event, fields) => void this.log.push({ event, ...fields }),
    })
    this.companion.attach(this.#world())
  }

  async start(): Promise<this> {
    this.companion.hostStarted()
    await this.rest()
    return this
  }

  get scene(): CompanionScene | null {
    return this.surface.scene
  }

  state(asker: CompanionAsker = PERSON) {
    return this.companion.state(asker)
  }

  async do<C extends CompanionCommand['command']>(
    asker: CompanionAsker,
    command: C,
    data: Commands[C],
    display?: number,
  ): Promise<readonly string[]> {
    const outcome = this.companion.command({ command, data } as CompanionCommand, asker, display)
    await this.rest()
    return (await outcome).ignored
  }

  /** Time goes by, and what follows from that is done. */
  async later(ms: number): Promise<void> {
    this.clock.advance(ms)
    await this.rest()
  }

  async rest(): Promise<void> {
    for (let turn = 0; turn < 30; turn++) {
      await Promise.resolve()
      this.clock.flush()
    }
  }

  async relist(windows: HostWindow[]): Promise<void> {
    this.windows = windows
    if (this.watchesWindows) this.companion.worldChanged('windows')
    await this.rest()
  }

  async relay(displays: readonly Display[]): Promise<void> {
    this.displays = displays
    this.companion.worldChanged('displays')
    await this.rest()
  }

  async click(button: 'primary' | 'secondary' = 'primary'): Promise<void> {
    const place = this.scene?.place
    if (!place) throw new Error('it is not shown')
    this.companion.happened({ kind: 'clicked', button, ...place })
    await this.rest()
  }

  async key(key: 'up' | 'down' | 'enter' | 'escape'): Promise<void> {
    this.companion.happened({ kind: 'key', key })
    await this.rest()
  }

  async pointer(at: Point, display = 1): Promise<void> {
    this.companion.happened({ kind: 'pointer', display, at })
    await this.rest()
  }

  async caret(rect: Rect | null, on = 1): Promise<void> {
    const place: DisplayRect | null = rect && { display: on, rect }
    this.carets.watcher?.moved(place)
    await this.rest()
  }

  listen(session: string | null, isPerson = false): CompanionEventMessage[] {
    const heard: CompanionEventMessage[] = []
    this.companion.listen({ session: () => session, isPerson, push: (message) => void heard.push(message) })
    return heard
  }

  #world(): CompanionWorld {
    return {
      access: () => (this.hasSurface ? this.surface : undefined),
      displays: () => this.displays,
      display: (id) => {
        const found = this.displays.find((one) => one.id === id)
        if (!found) throw new WireError('unknown_display', `display_id ${id} is not connected`)
        return found
      },
      windows: () => (this.watchesWindows ? this.windows : []),
      watchWindows: async (on) => {
        this.watchesWindows = on
      },
      readWindows: async () => this.windows,
      titles: () => this.titles,
      occupied: () => this.occupied,
      paused: () => this.paused,
      changed: () => {},
    }
  }
}
