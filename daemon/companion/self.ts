/** What the companion is now: where, what it says and offers, and what the person decided about it. */
import { reactionMs } from '../../overlay/companion/index.js'
import type { Reaction } from '../../protocol/lip/domains.js'
import type { CompanionScene, DisplayPoint } from '../../protocol/overlay/companion.js'
import type { Display, Point, Rect } from '../../protocol/overlay/geometry.js'
import type { CompanionWorld } from '../engine/companion-seam.js'
import { Bubble } from './bubble.js'
import { Menu } from './menu.js'
import { aside, beside, home, reachable, towards } from './places.js'
import type { Persona, Settings } from './settings.js'
import { Voices } from './voices.js'

/** How long its menu stays open while the person does nothing with it, in ms: it takes keys that they may want to type with. */
const MENU_MS = 30_000

export class Self {
  readonly voices = new Voices()
  readonly bubble = new Bubble()
  world: CompanionWorld | null = null
  /** The person called it: it stays with them, whatever it would keep away from. */
  called = false
  #settings: Settings
  #place: DisplayPoint | null = null
  #menu: Menu | null = null
  /** When the menu closes by itself, unless it is used. */
  #menuUntil = 0
  /** The suggestions that the person has looked at, by their order. */
  #seen = 0
  #reaction: (NonNullable<CompanionScene['reaction']> & { readonly until: number }) | null = null
  #reactions = 0

  constructor(
    settings: Settings,
    private readonly now: () => number,
    private readonly onKept: (settings: Settings) => void,
  ) {
    this.#settings = settings
  }

  get settings(): Settings {
    return this.#settings
  }

  /** Where it is, or goes; null: there is no display. */
  get place(): DisplayPoint | null {
    return this.#place
  }

  get menu(): Menu | null {
    return this.#menu
  }

  keep(settings: Partial<Settings>): void {
    const next = { ...this.#settings, ...settings }
    if (JSON.stringify(next) === JSON.stringify(this.#settings)) return
    this.#settings = next
    this.onKept(next)
  }

  become(persona: Persona): void {
    this.keep({ persona })
  }

  /** Whatever the person decided before: now they want it here. */
  call(): void {
    this.called = true
    this.voices.show()
    this.keep({ away: false, quiet_until: null })
  }

  sendAway(): void {
    this.called = false
    this.bubble.stop()
    this.keep({ away: true })
  }

  react(name: Reaction, ms = reactionMs(name)): void {
    this.#reaction = { id: ++this.#reactions, name, ms, until: this.now() + ms }
  }

  /** Opens its menu, or closes it. `chosen`: the item that Enter picks at first. */
  unfold(open: boolean, chosen: number | null = null): void {
    const { suggested } = this.voices
    this.#menu = open ? new Menu(suggested, chosen) : null
    this.useMenu()
    if (open) this.#seen = suggested?.order ?? this.#seen
  }

  /** The person does something with the menu. */
  useMenu(): void {
    this.#menuUntil = this.now() + MENU_MS
  }

  /** When the menu closes by itself, in ms; Infinity: it is closed. */
  get menuDue(): number {
    return this.#menu ? this.#menuUntil : Number.POSITIVE_INFINITY
  }

  goTo(place: DisplayPoint): void {
    this.#place = place
    this.keep({ place })
  }

  comeTo(pointer: DisplayPoint): void {
    const place = beside(pointer, this.#displays(), this.#settings.persona.traits.distance)
    if (place) this.goTo(this.#offMarks(place, null))
  }

  /** A place that is there no more is left for the corner it starts in; any other is kept as far as it can be reached. */
  rehome(): void {
    const displays = this.#displays()
    const wanted = this.#place ?? this.#settings.place
    this.#place = (wanted && reachable(wanted, displays)) ?? home(displays)
  }

  /** Covers neither what is to be seen nor the person's pointer nor where they type, where there is room beside them. */
  stepAside(pointer: Point | null, caret: Rect | null): void {
    if (!this.#place || this.#menu) return
    this.#place = this.#offMarks(this.#place, pointer, caret)
  }

  /** The host starts anew: nothing that was under way goes on. */
  restart(): void {
    this.#menu = null
    this.#reaction = null
  }

  scene(asleep: boolean): CompanionScene | null {
    const place = this.#place
    if (!place) return null
    const { persona } = this.#settings
    const { suggested } = this.voices
    const { says } = this.bubble
    const latest = this.world?.occupied(place.display).at(-1)
    const playing = this.#reaction && this.now() < this.#reaction.until ? this.#reaction : null
    return {
      place,
      look: {
        name: persona.name,
        ...(persona.traits.color !== undefined && { color: persona.traits.color }),
        pace: persona.traits.pace ?? 1,
      },
      mood: this.voices.mostRecentMood,
      asleep,
      gaze: latest && !asleep ? towards(place.at, latest) : [0, 0],
      reaction: playing && { id: playing.id, name: playing.name, ms: playing.ms },
      // What is offered is answered first; what it says is there again afterwards, if its time is not over.
      bubble: says && !this.#menu ? { id: says.id, text: says.text } : null,
      menu: this.#menu?.scene ?? null,
      beckons: !this.#menu && (suggested?.order ?? 0) > this.#seen,
    }
  }

  #offMarks(place: DisplayPoint, pointer: Point | null, caret: Rect | null = null): DisplayPoint {
    const occupied = this.world?.occupied(place.display) ?? []
    return aside(place, this.#displays(), caret ? [...occupied, caret] : occupied, pointer)
  }

  #displays(): readonly Display[] {
    return this.world?.displays() ?? []
  }
}
