/**
 * The marks on the screen, through an Electron process that is kept alive: started again when it dies or hangs, and told
 * everything once more. Nothing runs while nothing is shown and nothing is wrong.
 */
import type {
  GlobalKey,
  HostPanel,
  HostPlace,
  HostScreen,
  HostSelfReport,
} from '../../../protocol/host/orders-schema.js'
import type { SentBackdrop } from '../../../protocol/host/page.js'
import type { Rect } from '../../../protocol/overlay/geometry.js'
import { type Applied, HostUnavailable, type PanelState, type SceneChange } from '../../host.js'
import { SceneRecord } from '../scene-record.js'
import { ChildGone, HostChild } from './child.js'
import { Inspection } from './inspection.js'
import { orderOf } from './surface-orders.js'
import { refuse, type SurfaceSetup, type SurfaceTimes, TIMES, tooOld, UnfitHost } from './surface-setup.js'

export class ElectronSurface {
  readonly #times: SurfaceTimes
  readonly #records = new Map<number, SceneRecord>()
  /** Whether a person sees what a new process was told of a display. */
  readonly #replayed = new Map<number, boolean>()
  readonly #keys = new Set<GlobalKey>()
  #panel: HostPanel | null = null
  #child: HostChild | null = null
  /** Settles when the process that is being started is up; null while there is one, or none is wanted. */
  #starting: Promise<void> | null = null
  #report: HostSelfReport | null = null
  #deaths: number[] = []
  #lastDeath: string | null = null
  #heartbeat: NodeJS.Timeout | null = null
  #stopped = false
  /** Settles once a process that was given up is gone, and its windows with it. */
  #last: Promise<unknown> = Promise.resolve()
  /** Cuts a wait before a new start short. */
  #hurry = () => {}
  readonly #inspection = new Inspection(
    (wanted) => this.#inspect(wanted),
    () => this.#child !== null && this.#report !== null,
  )
  /** Whose number was told last. */
  #claimed: HostChild | null = null

  constructor(private readonly setup: SurfaceSetup) {
    this.#times = { ...TIMES, ...setup.times }
  }

  /** Starts the first process. Rejects with why there is none; nothing is tried again then. */
  async start(): Promise<readonly HostScreen[]> {
    this.#stopped = false
    this.#deaths = []
    // Whoever starts it again says anew what is to be shown: what was shown before is gone, and its owners know.
    this.#records.clear()
    this.#keys.clear()
    return this.#open(this.#times.start)
  }

  get report(): HostSelfReport | null {
    return this.#report
  }

  /** What a person should know, one sentence each. */
  get notes(): readonly string[] {
    const died = this.#deaths.length
    const notes = [...(this.#report?.notes ?? [])]
    if (this.#starting) notes.push(`Electron is being started again: ${this.#lastDeath}.`)
    else if (died > 0)
      notes.push(
        `Electron was started again ${died === 1 ? 'once' : `${died} times`}, last because ${this.#lastDeath}.`,
      )
    return notes
  }

  /** The displays are these now. */
  lay(places: readonly HostPlace[]): void {
    for (const id of this.#records.keys()) {
      if (!places.some((place) => place.id === id)) this.#records.delete(id)
    }
    this.#arm()
    const child = this.#child
    child
      ?.ask({ type: 'lay', displays: [...places] }, 'done')
      // What only changed its place has a new window there.
      .then(() => (this.hasInk && child === this.#child ? this.#inspection.ask(true) : undefined))
      .catch(() => {})
  }

  /** Forgets what a display showed: it shows nothing any more, and the engine says anew what it is to show. */
  forget(display: number): void {
    this.#records.delete(display)
  }

  recordOf(display: number): SceneRecord {
    let record = this.#records.get(display)
    if (!record) {
      record = new SceneRecord()
      this.#records.set(display, record)
    }
    return record
  }

  get hasInk(): boolean {
    return [...this.#records.values()].some((record) => !record.isEmpty)
  }

  /** Resolves when it is painted, if need be by a process that was started anew. */
  async apply(change: SceneChange, backdrop: SentBackdrop[] | null): Promise<Applied> {
    this.recordOf(change.display).take(change)
    this.#arm()
    for (;;) {
      const child = this.#child
      if (!child) {
        // Taking something off what is off already.
        if (this.#stopped && change.put.length === 0 && !change.prompt) return { visible: false }
        if (!this.#starting) throw new HostUnavailable(this.#lastDeath ?? 'Electron does not run')
        // What is recorded by now, the new process is told.
        await this.#starting
        return { visible: this.#replayed.get(change.display) ?? true }
      }
      try {
        const { visible, mapped } = await child.ask(orderOf(change, backdrop), 'painted')
        if (mapped) await this.#inspection.ask(true)
        return { visible }
      } catch (error) {
        if (!(error instanceof ChildGone)) throw error
        // Its end is noticed by `#died`, which may come a moment later.
        await child.ended
      }
    }
  }

  /** Draws no mark there, or everywhere again. */
  keepOpen(display: number, opening: Rect | null): void {
    const change = { display, put: [], remove: [], opening }
    this.recordOf(display).take(change)
    // A process that is not there, or goes, is followed by one that is told all of it.
    this.#child?.ask(orderOf(change, null), 'painted').catch(() => {})
  }

  async takeKeys(keys: readonly GlobalKey[]): Promise<readonly GlobalKey[]> {
    const { had } = await this.#up().then((child) =>
      child.ask({ type: 'take_keys', keys: [...keys] }, 'keys'),
    )
    for (const key of had) this.#keys.add(key)
    return had
  }

  async releaseKeys(keys: readonly GlobalKey[]): Promise<void> {
    for (const key of keys) this.#keys.delete(key)
    await this.#child?.ask({ type: 'release_keys', keys: [...keys] }, 'done')
  }

  /** While `during` runs, nothing of it is on the screen. */
  async hidden<T>(during: () => Promise<T>): Promise<T> {
    const child = await this.#up()
    await child.ask({ type: 'hide', hidden: true }, 'done')
    try {
      return await during()
    } finally {
      await child.ask({ type: 'hide', hidden: false }, 'done').catch(() => {})
    }
  }

  async screens(): Promise<readonly HostScreen[]> {
    return (await (await this.#up()).ask({ type: 'look' }, 'screens')).screens
  }

  async missingGlyphs(text: string): Promise<readonly string[]> {
    return (await (await this.#up()).ask({ type: 'glyphs', text }, 'missing')).graphemes
  }

  /** Asks the process that is there now; a new one after it is told through `onAgain`. */
  async companion<K extends Parameters<HostChild['ask']>[1]>(
    order: Parameters<HostChild['ask']>[0],
    wanted: K,
  ): ReturnType<typeof HostChild.prototype.ask<K>> {
    return (await this.#up()).ask(order, wanted)
  }

  show(state: PanelState): void {
    // What the host was given is for reading only; the channel writes it out at once.
    const panel = state as HostPanel
    this.#panel = panel
    this.#child?.ask({ type: 'panel', panel }, 'done').catch((error: Error) => {
      if (!(error instanceof ChildGone)) this.setup.log('warn', 'tray', { reason: error.message })
    })
  }

  /** Something about the windows changed: looks at what is on the screen, and gives the process up at once when that is not as it should be. */
  verify(): void {
    // While it starts, this is due as soon as it has.
    this.#inspection.ask(false).catch(() => {
      // It was given up, which is told.
    })
  }

  /** It is not to be used any more, though it may live. */
  giveUp(reason: string): void {
    if (this.#stopped) return
    this.#stopped = true
    this.#lastDeath = reason
    this.#disarm()
    const child = this.#child
    this.#child = null
    child?.kill(reason)
    this.#last = child?.ended ?? this.#last
    this.#hurry()
    // At once, so that whoever waits for it knows of the end before his wait ends.
    this.setup.onGivenUp(reason)
  }

  async stop(): Promise<void> {
    this.#stopped = true
    this.#disarm()
    this.#hurry()
    const child = this.#child
    this.#child = null
    this.#records.clear()
    this.#keys.clear()
    await child?.stop()
    await this.#last
    await this.#starting?.catch(() => {})
  }

  async #up(): Promise<HostChild> {
    await this.#starting
    if (!this.#child) throw new HostUnavailable(this.#lastDeath ?? 'Electron does not run')
    return this.#child
  }

  /** A process from nothing to everything on the screen. */
  async #open(limit: number): Promise<readonly HostScreen[]> {
    const { program, version, reducedMotion, places, fault, onProcess } = this.setup
    const child: HostChild = new HostChild(program, (told) => this.#told(child, told), this.#times.answer)
    this.#claimed = child
    void child.ended.then(() => this.#disclaim(child))
    try {
      if (child.pid !== undefined) await onProcess?.(child.pid)
      const { screens, report } = await child.ask(
        { type: 'start', version, reduced_motion: reducedMotion() },
        'started',
        limit,
      )
      // Of a wrapper that goes on as another process, that one has the windows.
      if (child.pid !== undefined && report.pid !== child.pid) await onProcess?.(child.pid, report.pid)
      await refuse(tooOld(report.version) ?? fault(report, true))
      const backdrops = new Map<number, SentBackdrop[] | null>()
      for (const [display, { marks }] of this.#records)
        backdrops.set(display, await this.setup.backdrop(display, marks).catch(() => null))
      if (this.#stopped) throw new HostUnavailable('the host was stopped while it started')
      this.#report = report
      const told = this.#tellAll(child, places(screens), backdrops)
      // From here on a change goes to it directly, after all that it was just told.
      this.#child = child
      void child.ended.then((why) => this.#died(child, why))
      const painted = await told
      const mapped = painted.some((one) => one.mapped)
      if (mapped || this.#inspection.isDue) await this.#inspection.ask(mapped)
      this.#arm()
      return screens
    } catch (error) {
      const why = (error as Error).message
      if (this.#child === child) this.#child = null
      child.kill(why)
      const ended = await child.ended
      // What it said last tells more than that the channel closed.
      const reason = error instanceof ChildGone ? ended : why
      throw error instanceof UnfitHost ? error : new HostUnavailable(reason)
    }
  }

  async #tellAll(
    child: HostChild,
    places: readonly HostPlace[],
    backdrops: ReadonlyMap<number, SentBackdrop[] | null>,
  ): Promise<{ readonly mapped: boolean }[]> {
    this.#replayed.clear()
    const laid = child.ask({ type: 'lay', displays: [...places] }, 'done')
    const painted = [...this.#records]
      .filter(([, record]) => !record.isEmpty)
      .map(async ([display, record]) => {
        const change = { display, remove: [], ...record.all }
        const painted = await child.ask(orderOf(change, backdrops.get(display) ?? null), 'painted')
        this.#replayed.set(display, painted.visible)
        return painted
      })
    const panel = this.#panel && child.ask({ type: 'panel', panel: this.#panel }, 'done').catch(() => {})
    const keys = this.#keys.size > 0 && child.ask({ type: 'take_keys', keys: [...this.#keys] }, 'keys')
    await Promise.all([laid, panel, keys])
    return Promise.all(painted)
  }

  #told(child: HostChild, report: Parameters<ConstructorParameters<typeof HostChild>[1]>[0]): void {
    if (report.type === 'noted') {
      this.setup.log('warn', 'electron', { event: report.event, detail: report.detail })
      return
    }
    if (child !== this.#child) return
    if (report.type === 'layout') this.setup.onScreens(report.screens)
    else if (report.type === 'pressed') this.setup.onPressed(report.key)
    else if (report.type === 'touched') this.setup.onTouched?.(report.touch)
    else this.setup.onChosen(report.id)
  }

  #disclaim(child: HostChild): void {
    if (this.#claimed !== child) return
    this.#claimed = null
    this.setup.onProcess?.().catch(() => {
      // Whoever would have to know is gone as well.
    })
  }

  async #inspect(wanted: boolean): Promise<void> {
    const child = this.#child
    if (!child || !this.#report) return
    try {
      await refuse(this.setup.fault(this.#report, wanted))
    } catch (error) {
      // What was looked at is gone, and its windows with it.
      if (this.#child !== child) return
      this.giveUp((error as Error).message)
      throw error
    }
  }

  #died(child: HostChild, why: string): void {
    if (child !== this.#child) return
    this.#child = null
    this.#disarm()
    if (this.#stopped) return
    this.#starting = this.#again(why).finally(() => {
      this.#starting = null
    })
    // Whoever waits hears of it; nobody may.
    this.#starting.catch(() => {})
  }

  async #again(first: string): Promise<void> {
    let why = first
    for (;;) {
      const now = performance.now()
      this.#deaths = [...this.#deaths.filter((at) => now - at < this.#times.forgive), now]
      this.#lastDeath = why
      const died = this.#deaths.length
      this.setup.log('warn', 'electron_died', { reason: why, deaths: died })
      if (died > this.#times.deaths) break
      await this.#pause(this.#times.backoff * 2 ** (died - 1))
      if (this.#stopped) throw new HostUnavailable(why)
      try {
        // It started before: somebody waits for it now, and there may be another host that could draw.
        await this.#open(Math.min(this.#times.start, this.#times.answer))
        this.setup.log('info', 'electron_restarted', { deaths: died })
        this.setup.onAgain?.()
        return
      } catch (error) {
        why = (error as Error).message
        if (error instanceof UnfitHost || this.#stopped) break
      }
    }
    const reason = `Electron was given up: ${why}`
    this.giveUp(reason)
    throw new HostUnavailable(reason)
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms)
      this.#hurry = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }

  /** A heartbeat while something is shown, and none while nothing is: a process that hangs then shows what may become untrue. */
  #arm(): void {
    if (!this.hasInk) {
      this.#disarm()
      return
    }
    if (this.#heartbeat || !this.#child) return
    this.#heartbeat = setTimeout(async () => {
      this.#heartbeat = null
      // A process that does not answer in time is ended by its child's own limit.
      await this.#child?.ask({ type: 'ping' }, 'done').catch(() => {})
      this.#arm()
    }, this.#times.heartbeat)
    this.#heartbeat.unref()
  }

  #disarm(): void {
    if (this.#heartbeat) clearTimeout(this.#heartbeat)
    this.#heartbeat = null
  }
}
