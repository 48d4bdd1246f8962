/** One host, and another that takes over for good when the first cannot start or go on: with all that was shown. */
import type { CompanionScene } from '../../protocol/overlay/companion.js'
import { type Display, differs } from '../../protocol/overlay/geometry.js'
import type {
  AnswerKeys,
  Applied,
  CaptureRequest,
  CompanionAccess,
  ContentAccess,
  ContentPlace,
  Frame,
  HostEvents,
  HostFacts,
  NextKey,
  OverlayHost,
  Panel,
  PanelState,
  SceneChange,
  WindowAccess,
} from '../host.js'
import { SceneRecord } from './scene-record.js'

/** What was asked for besides the scene, for whoever takes over. */
interface Wishes {
  watching: boolean
  answers: boolean
  next: boolean
  panel: PanelState | null
  companion: CompanionScene | null
  pointer: boolean
  summon: boolean
  readonly follows: Map<string, ContentPlace>
}

/**
 * Both hosts draw on the same screen and know its windows by the same numbers. Each is made when it is needed, and the first is
 * stopped before the second starts: nothing of it is on the screen, and no key is its any more.
 */
export class WithStandby implements OverlayHost {
  readonly #records = new Map<number, SceneRecord>()
  readonly #wishes: Wishes = {
    watching: false,
    answers: false,
    next: false,
    panel: null,
    companion: null,
    pointer: false,
    summon: false,
    follows: new Map(),
  }
  #current: OverlayHost
  #displays: readonly Display[] = []
  #events: HostEvents | null = null
  /** The one that is used is a first. */
  #isFirst = true
  /** Why the first is not used, once it is not. */
  #reason: string | null = null
  #switching: Promise<void> | null = null
  #running = false

  constructor(
    private readonly first: () => OverlayHost,
    private readonly second: () => OverlayHost,
    private readonly log: (level: 'info' | 'warn', event: string, fields: Record<string, unknown>) => void,
  ) {
    this.#current = first()
  }

  get kind() {
    return this.#current.kind
  }

  on(events: HostEvents): void {
    this.#events = events
    this.#listen(this.#current)
  }

  async start(): Promise<readonly Display[]> {
    this.#records.clear()
    this.#wishes.follows.clear()
    this.#wishes.companion = null
    try {
      this.#displays = await this.#current.start()
    } catch (error) {
      if (!this.#isFirst) throw error
      await this.#current.stop()
      this.#displays = await this.#take((error as Error).message)
    }
    this.#running = true
    return this.#displays
  }

  async displays(): Promise<readonly Display[]> {
    await this.#switching
    return this.#current.displays()
  }

  async apply(change: SceneChange): Promise<Applied> {
    let record = this.#records.get(change.display)
    if (!record) {
      record = new SceneRecord()
      this.#records.set(change.display, record)
    }
    record.take(change)
    if (!this.#switching) {
      const host = this.#current
      try {
        return await host.apply(change)
      } catch (error) {
        // It may just have gone, and its change with it: the other host is told of it with all the rest.
        if (!this.#switching && host === this.#current) throw error
      }
    }
    await this.#switching
    return { visible: true }
  }

  async capture(request: CaptureRequest): Promise<Frame> {
    await this.#switching
    return this.#current.capture(request)
  }

  async missingGlyphs(text: string): Promise<readonly string[]> {
    await this.#switching
    return this.#current.missingGlyphs(text)
  }

  /** Of what both hosts have, or neither: they are on the same screen. */
  get windows(): WindowAccess | undefined {
    return this.#current.windows && this.#windows
  }

  get content(): ContentAccess | undefined {
    return this.#current.content && this.#content
  }

  readonly #windows: WindowAccess = {
    list: async () => (await this.#part('windows')).list(),
    watch: async (on) => {
      this.#wishes.watching = on
      return (await this.#part('windows')).watch(on)
    },
    activate: async (id) => (await this.#part('windows')).activate(id),
  }

  readonly #content: ContentAccess = {
    follow: (id, place) => {
      this.#wishes.follows.set(id, place)
      if (!this.#switching) this.#current.content?.follow(id, place)
    },
    release: (id) => {
      this.#wishes.follows.delete(id)
      if (!this.#switching) this.#current.content?.release(id)
    },
    recheck: (window) => {
      if (!this.#switching) this.#current.content?.recheck(window)
    },
  }

  get answerKeys(): AnswerKeys | undefined {
    const names = this.#current.answerKeys?.names
    return names && { names, ...this.#answerKeys }
  }

  readonly #answerKeys: Omit<AnswerKeys, 'names'> = {
    take: async () => {
      this.#wishes.answers = true
      return (await this.#part('answerKeys')).take()
    },
    release: async () => {
      this.#wishes.answers = false
      return (await this.#part('answerKeys')).release()
    },
  }

  get nextKey(): NextKey | undefined {
    const names = this.#current.nextKey?.names
    return names && { names, ...this.#nextKey }
  }

  readonly #nextKey: Omit<NextKey, 'names'> = {
    take: async () => {
      this.#wishes.next = true
      return (await this.#part('nextKey')).take()
    },
    release: async () => {
      this.#wishes.next = false
      return (await this.#part('nextKey')).release()
    },
  }

  get companion(): CompanionAccess | undefined {
    const current = this.#current.companion
    if (!current) return undefined
    return {
      show: async (scene) => {
        this.#wishes.companion = scene
        return (await this.#part('companion')).show(scene)
      },
      watchPointer: async (on) => {
        this.#wishes.pointer = on
        return (await this.#part('companion')).watchPointer(on)
      },
      get isCrowded() {
        return current.isCrowded
      },
      pointer: async () => (await this.#part('companion')).pointer(),
      ...(current.nearsighted && { nearsighted: true }),
      ...(current.summonKey && { summonKey: this.#summonKey(current.summonKey.names) }),
    }
  }

  get panel(): Panel | undefined {
    if (!this.#current.panel) return undefined
    return {
      show: (state) => {
        this.#wishes.panel = state
        this.#current.panel?.show(state)
      },
    }
  }

  facts(): HostFacts {
    const facts = this.#current.facts()
    if (this.#reason === null) return facts
    return { ...facts, notes: [`Electron is not used: ${this.#reason}.`, ...facts.notes] }
  }

  async stop(): Promise<void> {
    this.#running = false
    await this.#switching?.catch(() => {})
    await this.#current.stop()
  }

  async #part<K extends 'windows' | 'answerKeys' | 'nextKey' | 'companion'>(
    name: K,
  ): Promise<NonNullable<OverlayHost[K]>> {
    await this.#switching
    return this.#current[name] as NonNullable<OverlayHost[K]>
  }

  #summonKey(names: readonly string[]): NonNullable<CompanionAccess['summonKey']> {
    return {
      names,
      take: async () => {
        this.#wishes.summon = true
        return (await (await this.#part('companion')).summonKey?.take()) ?? false
      },
      release: async () => {
        this.#wishes.summon = false
        await (await this.#part('companion')).summonKey?.release()
      },
    }
  }

  #listen(host: OverlayHost): void {
    const isCurrent = () => host === this.#current && !this.#switching
    host.on({
      displays: (displays) => {
        if (!isCurrent()) return
        this.#lay(displays)
        this.#events?.displays(displays)
      },
      windows: (change) => isCurrent() && this.#events?.windows?.(change),
      content: (change) => isCurrent() && this.#events?.content?.(change),
      clearRequested: () => isCurrent() && this.#events?.clearRequested(),
      answered: (yes) => isCurrent() && this.#events?.answered?.(yes),
      next: () => isCurrent() && this.#events?.next?.(),
      companion: (event) => isCurrent() && this.#events?.companion?.(event),
      chosen: (id) => isCurrent() && this.#events?.chosen?.(id),
      exit: (reason) => {
        if (!isCurrent()) return
        if (this.#isFirst && this.#running) this.#switch(reason)
        else this.#events?.exit(reason)
      },
    })
  }

  /** Displays that went or changed show nothing, which is for the engine to put right. */
  #lay(displays: readonly Display[]): void {
    for (const display of changed(this.#displays, displays)) this.#records.delete(display)
    this.#displays = displays
  }

  #switch(reason: string): void {
    this.#switching = this.#takeOver(reason).finally(() => {
      this.#switching = null
    })
    this.#switching.catch(() => {})
  }

  async #takeOver(reason: string): Promise<void> {
    await this.#current.stop()
    const before = this.#displays
    let displays: readonly Display[]
    try {
      displays = await this.#take(reason)
    } catch (error) {
      // The screen itself is gone, most likely, and not what draws on it: the next start begins with the first again.
      this.#current = this.first()
      this.#listen(this.#current)
      this.#isFirst = true
      this.#reason = null
      this.#records.clear()
      this.#events?.exit(reason)
      throw error
    }
    this.#lay(displays)
    await this.#tellAll()
    if (JSON.stringify(before) !== JSON.stringify(displays)) this.#events?.displays(displays)
    // Windows may have moved while nobody looked.
    if (this.#wishes.watching) this.#events?.windows?.({ moved: [], relisted: true })
  }

  /** Starts the second in the place of the first. */
  async #take(reason: string): Promise<readonly Display[]> {
    const host = this.second()
    this.#listen(host)
    const displays = await host.start()
    this.log('warn', 'standby_host', { from: this.#current.kind, to: host.kind, reason })
    this.#current = host
    this.#isFirst = false
    this.#reason = reason
    return displays
  }

  async #tellAll(): Promise<void> {
    const host = this.#current
    const { watching, answers, next, panel, companion, pointer, summon, follows } = this.#wishes
    if (watching) await host.windows?.watch(true)
    if (answers) await host.answerKeys?.take()
    if (next) await host.nextKey?.take()
    if (panel) host.panel?.show(panel)
    for (const [id, place] of follows) host.content?.follow(id, place)
    if (pointer) await host.companion?.watchPointer(true)
    if (summon) await host.companion?.summonKey?.take()
    // Without its reaction, which was played.
    if (companion) await host.companion?.show({ ...companion, reaction: null })
    await Promise.all(
      [...this.#records].map(([display, record]) => host.apply({ display, remove: [], ...record.all })),
    )
  }
}

/** The ids of displays of `before` that are not in `after` as they were. */
function changed(before: readonly Display[], after: readonly Display[]): number[] {
  return before
    .filter((then) =>
      differs(
        then,
        after.find(({ id }) => id === then.id),
      ),
    )
    .map(({ id }) => id)
}
