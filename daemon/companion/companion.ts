import type { CompanionEvent, DisplayRect } from '../../protocol/overlay/companion.js'
import type { CompanionCommand, CompanionStateFields } from '../../protocol/overlay/schema.js'
import type { Clock } from '../engine/clock.js'
import type {
  CommandOutcome,
  CompanionAsker,
  CompanionListener,
  CompanionSettings,
  CompanionWorld,
  Companion as Seam,
} from '../engine/companion-seam.js'
import { Caret, type CaretSource } from './caret.js'
import { carryOut } from './commands.js'
import { Hand } from './hand.js'
import { Journal } from './journal.js'
import { Listeners } from './listeners.js'
import { Pointer } from './pointer.js'
import {
  type Hidden,
  hiddenByDecision,
  hiddenByWindows,
  isOn,
  isQuiet,
  type Presence,
  untilTimesChange,
  type WallClock,
} from './presence.js'
import { Self } from './self.js'
import { decided, type Settings } from './settings.js'
import { Showing } from './showing.js'
import { stateOf } from './state.js'

/** After so long in which neither the person nor an agent did anything it sleeps, in ms. */
export const SLEEP_MS = 240_000

export interface CompanionOptions {
  readonly clock: Clock
  readonly wall: WallClock
  /** What was kept of it. */
  readonly settings: Settings
  /** Keeps what it is from now on. */
  readonly keep: (settings: Settings) => void
  /** Absent: nobody knows where the person types. */
  readonly carets?: CaretSource
  readonly log: (level: 'debug' | 'info' | 'warn', event: string, fields?: Record<string, unknown>) => void
}

/**
 * The companion: a state machine like the engine, to which time, the host and what is kept are handed in. Everything that
 * happens to it ends in `#update`, which says what is so now, and when to look again.
 */
export class Companion implements Seam {
  readonly #options: CompanionOptions
  readonly #self: Self
  readonly #journal = new Journal()
  readonly #listeners = new Listeners()
  readonly #pointer: Pointer
  readonly #caret: Caret
  readonly #showing: Showing
  readonly #hand: Hand
  #world: CompanionWorld | null = null
  #hostServes = false
  /** When anybody last did anything that it could know of. */
  #stirredAt = Number.NEGATIVE_INFINITY
  #asleep = false
  #hidden: Hidden | null = 'off'
  #watchesWindows = false
  /** Pending while it is not known what windows there are: until then it is as it was. */
  #windowsKnown: Promise<void> | null = null
  #cancelAlarm: (() => void) | null = null

  constructor(options: CompanionOptions) {
    const { clock, log } = options
    this.#options = options
    this.#self = new Self(options.settings, () => clock.now(), options.keep)
    this.#pointer = new Pointer(() => this.#world?.displays() ?? [], clock.now())
    this.#caret = new Caret(options.carets, {
      moved: (caret) => this.#caretMoved(caret),
      displays: () => this.#world?.displays() ?? [],
      windows: () => this.#world?.windows() ?? [],
    })
    this.#hand = new Hand(
      this.#self,
      this.#pointer,
      this.#listeners,
      () => clock.now(),
      (settings) => {
        void this.set(settings)
      },
    )
    this.#showing = new Showing(
      () => this.#access(),
      clock,
      log,
      () => this.#update(),
    )
  }

  attach(world: CompanionWorld): void {
    this.#world = world
    this.#self.world = world
  }

  state(asker: CompanionAsker, withLog = false): CompanionStateFields {
    const { clock, wall } = this.#options
    const state = stateOf(this.#self, asker, {
      on: isOn(this.#self.settings),
      hidden: this.#hidden,
      asleep: this.#asleep,
      key: this.#showing.key,
      crowded: this.#hidden === null && (this.#access()?.isCrowded ?? false),
      wall: wall.now(),
    })
    return withLog ? { ...state, log: this.#journal.of(asker, clock.now()) } : state
  }

  async command(command: CompanionCommand, asker: CompanionAsker, display?: number): Promise<CommandOutcome> {
    const { clock, log } = this.#options
    const world = this.#world
    if (!world) throw new Error('the companion was not attached')
    this.#stir()
    this.#showing.retry()
    const ignored = await carryOut(command, asker, display, this.#self, world, () => clock.now())
    // Marks are above it: what it says and offers is not read below them.
    if (command.command === 'entity.move' && this.#hidden === null) this.#self.stepAside(null, null)
    this.#update()
    await this.#windowsKnown
    const note = ignored.length > 0 ? { note: ignored.join('; ') } : {}
    this.#journal.add({
      at: clock.now(),
      session: asker.session,
      client: asker.client,
      command: command.command,
      ...(command.command === 'entity.say' && { text: command.data.text }),
      shown: this.#hidden === null,
      ...note,
    })
    log(ignored.length > 0 ? 'info' : 'debug', 'companion_command', {
      command: command.command,
      client: asker.client,
      ...note,
    })
    const painted = async () => {
      const visible = await this.#showing.painted()
      return visible && !(command.command === 'entity.say' && this.#access()?.isCrowded)
    }
    return { ignored, painted }
  }

  async set(settings: CompanionSettings): Promise<void> {
    const { log, wall } = this.#options
    if (settings.on !== undefined) this.#self.voices.show()
    // Said after it was called: what was called before does not count any more.
    if (settings.on === false || settings.quiet_ms || settings.hours || settings.mute)
      this.#self.called = false
    this.#stir()
    this.#showing.retry()
    this.#self.rehome()
    this.#self.keep(decided(this.#self.settings, settings, wall.now()))
    log('info', 'companion_set', { ...settings })
    this.#update()
    await this.#windowsKnown
    await this.#showing.keyKnown
  }

  listen(listener: CompanionListener): () => void {
    return this.#listeners.add(listener)
  }

  heard(session: string): void {
    this.#self.voices.heard(session, this.#options.clock.now())
  }

  sessionEnded(session: string, lingerMs: number): void {
    const at = this.#options.clock.now() + lingerMs
    this.#self.voices.ends(session, at)
    this.#self.bubble.sessionEnds(session, at)
    this.#update()
  }

  sessionBack(session: string): void {
    this.#self.voices.ends(session, null)
    this.#self.bubble.sessionEnds(session, null)
    this.#update()
  }

  worldChanged(what: 'displays' | 'windows' | 'marks' | 'pause'): void {
    if (what === 'displays') this.#self.rehome()
    // Somebody draws: it is awake while there is something to look at.
    if (what === 'marks') this.#stir()
    if (what === 'marks' && this.#hidden === null)
      this.#self.stepAside(null, this.#caret.on(this.#self.place?.display))
    if (what === 'windows' || what === 'displays') this.#caret.recheck()
    this.#update()
  }

  hostStarted(): void {
    this.#hostServes = true
    this.#forgetHost()
    this.#self.rehome()
    this.#stir()
    this.#update()
  }

  hostExited(): void {
    this.#hostServes = false
    this.#forgetHost()
    this.#update()
  }

  cleared(): void {
    this.#self.bubble.stop()
    this.#self.unfold(false)
    this.#update()
  }

  happened(event: CompanionEvent): void {
    // Of a moment ago: it is not there any more. But it can be called from wherever it is.
    if (event.kind !== 'summoned' && this.#hidden !== null) return
    if (event.kind === 'summoned' && (!isOn(this.#self.settings) || this.#world?.paused())) return
    if (event.kind === 'arrived') return
    this.#stir()
    if (event.kind === 'pointer') {
      // Most moves change nothing, and there are many.
      if (this.#hand.moved(event)) this.#update()
      return
    }
    this.#hand.did(event)
    this.#update()
  }

  close(): void {
    this.#hand.report(true)
    this.#caret.watch(false)
    this.#cancelAlarm?.()
    this.#cancelAlarm = null
  }

  #stir(): void {
    this.#stirredAt = this.#options.clock.now()
  }

  #forgetHost(): void {
    this.#showing.reset()
    this.#pointer.forget()
    this.#self.restart()
    this.#watchWindows(false)
  }

  #access() {
    return this.#hostServes ? this.#world?.access() : undefined
  }

  #presence(): Presence {
    return {
      settings: this.#self.settings,
      hasSurface: this.#access() !== undefined && this.#showing.fault === null,
      hides: this.#self.voices.isHidden,
      called: this.#self.called,
      place: this.#self.place,
    }
  }

  #caretMoved(at: DisplayRect | null): void {
    if (this.#hidden !== null) return
    this.#stir()
    const before = this.#caret.settlesAt
    this.#caret.moved(at)
    this.#caret.look(this.#options.clock.now(), this.#self.place)
    // As with the pointer: most moves change nothing.
    if (this.#caret.settlesAt !== before) this.#update()
  }

  /** Steps aside for what the person works at, once that is in the way for good. While its menu is open it stays. */
  #keepOff(now: number): void {
    const self = this.#self
    const caret = this.#caret
    if (now >= this.#pointer.settlesAt) self.stepAside(this.#pointer.settle(), caret.on(self.place?.display))
    caret.look(now, self.place)
    if (self.menu || now < caret.settlesAt) return
    const { at } = this.#pointer
    self.stepAside(at && at.display === self.place?.display ? at.at : null, caret.settle())
    caret.look(now, self.place)
  }

  /** Says what is so now, to the surface and to whoever shows it, and when that may be different by itself. */
  #update(): void {
    const world = this.#world
    if (!world) return
    const { clock, wall, log } = this.#options
    const self = this.#self
    const now = clock.now()
    self.voices.prune(now)
    self.bubble.prune(now)
    if (now >= self.menuDue) self.unfold(false)
    if (self.settings.quiet_until !== null && !isQuiet(self.settings, wall)) self.keep({ quiet_until: null })
    this.#keepOff(now)
    const isIdle = !self.menu && !self.bubble.says && now - this.#stirredAt >= SLEEP_MS
    if (isIdle) self.called = false
    const presence = this.#presence()
    const decision = hiddenByDecision(presence, world.paused(), wall)
    this.#watchWindows(decision === null)
    const before = this.#hidden
    if (decision !== null) this.#hidden = decision
    else if (presence.called || !this.#windowsKnown) this.#hidden = hiddenByWindows(presence, world)
    this.#asleep = isIdle && this.#hidden === null
    if (this.#hidden !== null) self.unfold(false)
    else self.menu?.add(self.voices.suggested)
    const isWatching = this.#hidden === null && !this.#asleep
    if (!isWatching) this.#pointer.forget()
    this.#showing.watch(isWatching)
    this.#caret.watch(isWatching)
    this.#showing.holdKey(isOn(presence.settings) && !world.paused())
    this.#showing.show(this.#hidden === null ? self.scene(this.#asleep) : null)
    this.#wakeAgain(now, isWatching)
    if (before === this.#hidden) return
    log('info', 'companion', { shown: this.#hidden === null, ...(this.#hidden && { because: this.#hidden }) })
    world.changed()
  }

  #watchWindows(on: boolean): void {
    if (on === this.#watchesWindows) return
    this.#watchesWindows = on
    this.#windowsKnown = null
    const known = this.#world?.watchWindows(on)
    if (!on || !known) return
    const settled = known
      .catch(() => {})
      .then(() => {
        if (this.#windowsKnown !== settled) return
        this.#windowsKnown = null
        this.#update()
      })
    this.#windowsKnown = settled
  }

  #wakeAgain(now: number, isWatching: boolean): void {
    const { clock, wall } = this.#options
    this.#cancelAlarm?.()
    this.#cancelAlarm = null
    const sleepsAt = this.#stirredAt + SLEEP_MS
    const due = Math.min(
      this.#self.bubble.due,
      this.#self.menuDue,
      this.#self.voices.due(),
      this.#pointer.settlesAt,
      this.#self.menu ? Number.POSITIVE_INFINITY : this.#caret.settlesAt,
      isWatching && now < sleepsAt ? sleepsAt : Number.POSITIVE_INFINITY,
      isOn(this.#self.settings)
        ? now + untilTimesChange(this.#self.settings, wall)
        : Number.POSITIVE_INFINITY,
    )
    if (Number.isFinite(due)) this.#cancelAlarm = clock.after(Math.max(0, due - now), () => this.#update())
  }
}
