/** What the person does with the companion, and what comes of it. */
import type { HostWindow } from '../../overlay/host.js'
import type { CompanionEvent, DisplayPoint } from '../../protocol/overlay/companion.js'
import type { CompanionSettings } from '../engine/companion-seam.js'
import { contextOf, type Listeners } from './listeners.js'
import type { Choice } from './menu.js'
import type { Pointer } from './pointer.js'
import type { Self } from './self.js'

/** "Be quiet for an hour". */
const HOUR_MS = 3_600_000

const NOBODY_MS = 12_000
const NOBODY_LISTENS =
  'No agent is listening to me now. Start one and ask it to, or try `lets companion say` in a terminal.'

type Moved = Extract<CompanionEvent, { kind: 'pointer' }>
type Did = Exclude<CompanionEvent, { kind: 'pointer' | 'arrived' }>

export class Hand {
  /** Found since the daemon began. */
  readonly #secrets = new Set<string>()

  constructor(
    private readonly self: Self,
    private readonly pointer: Pointer,
    private readonly listeners: Listeners,
    private readonly now: () => number,
    private readonly decide: (settings: CompanionSettings) => void,
  ) {}

  /** The pointer is elsewhere; returns whether anything comes of that. */
  moved(at: Moved): boolean {
    const { place, menu } = this.self
    if (!place) return false
    const before = this.pointer.settlesAt
    const reaction = this.pointer.moved(at, this.now(), place)
    const secret = this.pointer.secret()
    if (secret !== null && !this.#secrets.has(secret)) {
      this.#secrets.add(secret)
      this.#tell('entity.secret', { name: secret })
    }
    this.report()
    if (reaction && !menu) this.self.react(reaction)
    return reaction !== null || this.pointer.settlesAt !== before
  }

  /** Anything else. */
  did(event: Did): void {
    const { self } = this
    self.useMenu()
    switch (event.kind) {
      case 'clicked':
        if (event.button === 'secondary') this.#summoned(event)
        else this.#clicked(event)
        break
      case 'summoned':
        this.#summoned(event)
        break
      case 'hovered':
        self.menu?.hover(event.item)
        break
      case 'picked':
        this.#picked(self.menu?.at(event.item) ?? null)
        break
      case 'key':
        if (event.key === 'up' || event.key === 'down') self.menu?.step(event.key === 'down' ? 1 : -1)
        else {
          // Enter where nothing is chosen was meant for another program: it gets the next one.
          const choice = event.key === 'enter' ? self.menu?.at() : null
          self.unfold(false)
          this.#picked(choice ?? null)
        }
        break
      case 'elsewhere':
        self.unfold(false)
        break
    }
  }

  /** Tells what all moves amount to, when it is time; `closing`: at once. */
  report(closing = false): void {
    // Who does not move over it may well move elsewhere.
    if (this.self.world?.access()?.nearsighted) return
    const report = this.pointer.report(this.now(), closing)
    if (report) this.#tell('entity.profile', report)
  }

  #clicked(at: DisplayPoint): void {
    const { self } = this
    const reaction = self.place && this.pointer.clicked(at, this.now(), self.place)
    if (self.world) this.#tell('entity.click', contextOf(at, self.world), at.display)
    self.unfold(self.menu === null)
    if (reaction && !self.menu) self.react(reaction)
  }

  /** The person called it, from there: it comes, and asks what they want. Called again it closes its menu. */
  #summoned(at: DisplayPoint): void {
    const { self } = this
    const wasOpen = self.menu !== null
    self.call()
    self.unfold(!wasOpen, 0)
    if (wasOpen) return
    self.comeTo(at)
    const { world } = self
    if (!world) return
    const tell = (windows?: readonly HostWindow[]) =>
      this.#tell('entity.summon', contextOf(at, world, windows), at.display)
    // Asked anew: what was just opened may not be known yet, and nothing is while it is hidden.
    world.readWindows().then(tell, () => tell())
  }

  #picked(choice: Choice | null): void {
    if (!choice) return
    this.self.unfold(false)
    if (!('own' in choice)) {
      this.self.react('nod')
      this.#tell('entity.pick', { id: choice.id, label: choice.label }, undefined, choice.session)
      return
    }
    const { own, label } = choice
    if (own === 'away') {
      this.#tell('entity.dismiss', {})
      this.self.sendAway()
      return
    }
    if (own === 'quiet') this.decide({ quiet_ms: HOUR_MS })
    else if (this.listeners.isNobody) this.self.bubble.say(NOBODY_LISTENS, null, this.now() + NOBODY_MS)
    this.#tell('entity.pick', { id: `own:${own}`, label })
  }

  #tell(event: string, data: Readonly<Record<string, unknown>>, display?: number, owner?: string): void {
    this.listeners.tell(event, data, display ?? this.self.place?.display, owner)
  }
}
