/** The companion in a window: a small figure that says things, offers some, and can be clicked. It never takes the focus. */

import type { Part } from '../../overlay/companion/actor.js'
import { REACH } from '../../overlay/companion/figure.js'
import { Gestures } from '../../overlay/companion/gestures.js'
import { Profile, regionOf } from '../../overlay/companion/profile.js'
import { PLAYS } from '../../overlay/companion/reactions.js'
import type { Reaction } from '../../protocol/lip/domains.js'
import type { DownData, UpData } from '../../protocol/lip/schema.js'
import type { Point } from '../../protocol/overlay/geometry.js'
import { Figure, SIZE } from './companion-figure.js'
import { h, numberOf, sheet, surface } from './dom.js'
import { baseSheet } from './theme.js'

const own = sheet(`
  :host { position: fixed; z-index: 2147483050; left: 0; top: 0; width: ${SIZE}px; pointer-events: none; }
  #figure { position: relative; width: ${SIZE}px; height: ${SIZE}px; padding: 0; border: 0; border-radius: ${SIZE / 2}px; background: none; pointer-events: auto; }
  #figure canvas { position: absolute; left: ${SIZE / 2 - REACH.across}px; top: ${SIZE / 2 - REACH.up}px; width: ${2 * REACH.across}px; height: ${REACH.up + REACH.down}px; pointer-events: none; }
  #bubble, #menu { position: absolute; bottom: ${SIZE + 16}px; left: 0; width: max-content; max-width: min(280px, calc(100vw - 32px)); border: 1px solid var(--lets-line);
    border-radius: 12px; background: var(--lets-surface); box-shadow: var(--lets-shadow); pointer-events: auto; }
  #bubble { display: flex; gap: 6px; align-items: flex-start; padding: 8px 6px 8px 12px; }
  #bubble > span { padding-top: 3px; max-height: min(40vh, 300px); overflow-y: auto; white-space: pre-wrap; overflow-wrap: anywhere; }
  #menu { display: flex; flex-direction: column; gap: 2px; padding: 6px; max-height: min(60vh, 480px); overflow-y: auto; }
  #menu button { display: flex; flex: none; flex-direction: column; align-items: flex-start; border-color: transparent; text-align: left; }
  :host([data-right]) :is(#bubble, #menu) { left: auto; right: 0; }
  :host([data-top]) :is(#bubble, #menu) { bottom: auto; top: ${SIZE + 8}px; }
`)

type CompanionEvents = `entity.${'click' | 'pick' | 'summon' | 'dismiss' | 'profile' | 'secret'}`

export interface CompanionParts {
  readonly emit: <T extends CompanionEvents>(type: T, data: UpData[T]) => void
  /** Offered when Claude has offered nothing yet. */
  readonly own: readonly { readonly label: string; readonly act: () => void }[]
}

type Suggestion = DownData['entity.suggest']['items'][number]

/** Secrets of this window that were told, also before the page was loaded anew. */
const TOLD = 'lets-secrets'
/** Between it and what it comes to. */
const DISTANCE = 12

export class Companion {
  readonly #host: HTMLElement
  readonly #figure: HTMLButtonElement
  readonly #drawing = new Figure((at) => this.#moved(at))
  readonly #gestures = new Gestures()
  readonly #profile = new Profile(performance.now())
  readonly #bubble = h('div', { id: 'bubble', hidden: true })
  readonly #menu = h('div', { id: 'menu', role: 'group', 'aria-label': 'Suggestions', hidden: true })
  readonly #said = h('div', { class: 'quiet', role: 'status' })
  #items: Suggestion[] = []
  #pointer = { x: 0, y: 0 }
  #part: Part
  #distance = DISTANCE
  #reactions = 0
  #hush: ReturnType<typeof setTimeout> | undefined

  constructor(private readonly parts: CompanionParts) {
    const { host, root } = surface('companion', baseSheet, own)
    this.#host = host
    host.role = 'complementary'
    host.ariaLabel = 'Companion'
    this.#figure = h(
      'button',
      {
        id: 'figure',
        type: 'button',
        'aria-label': 'Companion',
        'aria-expanded': 'false',
        onclick: (event: MouseEvent) => this.#clicked(event),
      },
      this.#drawing.canvas,
    )
    root.append(this.#figure, this.#bubble, this.#menu, this.#said)
    root.addEventListener('keydown', (event) => {
      if ((event as KeyboardEvent).key !== 'Escape' || this.#menu.hidden) return
      this.#unfold(false)
      this.#figure.focus()
    })
    addEventListener('pointerdown', (event) => {
      if (!event.composedPath().includes(host)) this.#unfold(false)
    })
    addEventListener('pointermove', (event) => this.#pointed(event), { passive: true })
    // What is told then may be the last; it is none of the moves, only what they come to.
    addEventListener('pagehide', () => this.#tell(true))
    addEventListener('keydown', (event) => {
      if (event.altKey && event.key.toLowerCase() === 'c' && !event.ctrlKey && !event.metaKey) {
        event.preventDefault()
        this.summon()
      }
    })
    const corner = 20 + SIZE / 2
    this.#part = {
      place: { display: 0, at: [corner, innerHeight - corner] },
      look: { name: 'Companion', pace: 1 },
      mood: 'idle',
      asleep: false,
      gaze: [0, 0],
      reaction: null,
      beckons: false,
    }
    this.#drawing.set(this.#part)
  }

  /** The person calls it: it comes to where they point. */
  summon(x = this.#pointer.x, y = this.#pointer.y, context?: unknown): void {
    this.show()
    this.#goBeside(x, y)
    this.parts.emit('entity.summon', { x, y, ...(context !== undefined && { context }) })
  }

  say({ text, mood, ttl }: DownData['entity.say']): void {
    if (mood) this.mood({ mood })
    const close = h(
      'button',
      { type: 'button', class: 'plain', 'aria-label': 'Close what it says', onclick: () => this.#quiet() },
      '×',
    )
    this.#bubble.replaceChildren(h('span', {}, text), close)
    this.#bubble.hidden = !this.#menu.hidden
    this.#said.textContent = text
    clearTimeout(this.#hush)
    this.#hush = setTimeout(() => this.#quiet(), ttl ?? Math.min(20_000, 5000 + text.length * 60))
  }

  mood({ mood }: DownData['entity.mood']): void {
    this.#set({ mood })
  }

  suggest({ items, replace = true }: DownData['entity.suggest']): void {
    this.#items = replace ? [...items] : [...this.#items, ...items]
    this.#figure.setAttribute(
      'aria-label',
      this.#items.length > 0 ? `Companion, ${this.#items.length} suggestions` : 'Companion',
    )
    this.#set({ beckons: this.#items.length > 0 && this.#menu.hidden === true })
    if (!this.#menu.hidden) this.#fill()
  }

  move({ x, y, to = 'center' }: DownData['entity.move']): void {
    if (x !== undefined && y !== undefined) this.#go(x, y)
    else if (to === 'cursor') this.#goBeside(this.#pointer.x, this.#pointer.y)
    else if (to === 'center') this.#go(innerWidth / 2, innerHeight / 2)
    else {
      const box = find(to)?.getBoundingClientRect()
      if (box) this.#go(box.right + this.#distance + SIZE / 2, box.top + box.height / 2)
    }
  }

  react({ name, ms }: DownData['entity.react']): void {
    if (Object.hasOwn(PLAYS, name)) this.#react(name as Reaction, ms)
  }

  /** Its name, and of its traits how fast it goes, how far it keeps, and its colour. */
  persona({ name, traits }: DownData['entity.persona']): void {
    this.#figure.title = name
    const { speed, pace = speed, distance, color } = traits
    this.#distance = Math.max(0, Math.min(400, numberOf(distance, DISTANCE)))
    const look = { name, pace: numberOf(pace, 1), ...(typeof color === 'string' && { color }) }
    this.#set({ look })
  }

  show(): void {
    if (!this.#host.hidden) return
    this.#host.hidden = false
    this.#drawing.set(this.#part)
  }

  hide(): void {
    this.#host.hidden = true
    this.#drawing.set(null)
  }

  #clicked(event: MouseEvent): void {
    const { clientX: x, clientY: y } = event
    const at = this.#drawing.at()
    const now = performance.now()
    this.#profile.clicked(now, regionOf([x, y], [innerWidth, innerHeight]))
    // A click by a key is on no place of it.
    const reaction = at && event.detail > 0 ? this.#gestures.clicked(now, [x, y], at) : null
    this.#felt(reaction)
    this.#unfold(this.#menu.hidden === true)
    this.parts.emit('entity.click', { x, y })
  }

  #unfold(open: boolean): void {
    if (open) {
      this.#fill()
      this.#set({ beckons: false })
    }
    this.#menu.hidden = !open || this.#menu.childElementCount === 0
    this.#bubble.hidden = true
    this.#figure.setAttribute('aria-expanded', String(!this.#menu.hidden))
  }

  #fill(): void {
    const theirs = this.#items.map(({ id, label, hint }) =>
      this.#entry(label, hint, () => this.parts.emit('entity.pick', { id, label })),
    )
    const ours = this.parts.own.map(({ label, act }) => this.#entry(label, undefined, act))
    const away = this.#entry('Go away', undefined, () => {
      this.hide()
      this.parts.emit('entity.dismiss', {})
    })
    this.#menu.replaceChildren(...(theirs.length > 0 ? theirs : ours), away)
  }

  #entry(label: string, hint: string | undefined, act: () => void): HTMLElement {
    const chosen = () => {
      this.#unfold(false)
      act()
    }
    return h(
      'button',
      { type: 'button', onclick: chosen },
      label,
      hint === undefined ? null : h('span', { class: 'muted' }, hint),
    )
  }

  #quiet(): void {
    clearTimeout(this.#hush)
    this.#bubble.hidden = true
    this.#said.textContent = ''
  }

  #set(change: Partial<Part>): void {
    this.#part = { ...this.#part, ...change }
    if (!this.#host.hidden) this.#drawing.set(this.#part)
  }

  #react(name: Reaction, ms = 0): void {
    this.#reactions++
    this.#set({ reaction: { id: this.#reactions, name, ms } })
  }

  #go(x: number, y: number): void {
    this.#set({ place: { display: 0, at: [x, y] } })
  }

  #goBeside(x: number, y: number): void {
    const off = this.#distance + SIZE / 2
    this.#go(x + off, y + off)
  }

  /** The pointer moved: where it was is told to nobody. */
  #pointed({ clientX: x, clientY: y }: PointerEvent): void {
    this.#pointer = { x, y }
    const now = performance.now()
    this.#profile.moved([x, y], now, regionOf([x, y], [innerWidth, innerHeight]))
    const at = this.#drawing.at()
    if (at) this.#felt(this.#gestures.moved([x, y], now, at))
    this.#tell(false)
  }

  /** Reacts to what the person did with it, and tells of a secret that was found. */
  #felt(reaction: Reaction | null): void {
    if (reaction) this.#react(reaction)
    const name = this.#gestures.secret()
    if (name === null) return
    const told = sessionStorage.getItem(TOLD)?.split(' ') ?? []
    if (told.includes(name)) return
    sessionStorage.setItem(TOLD, [...told, name].join(' '))
    this.parts.emit('entity.secret', { name })
  }

  #tell(closing: boolean): void {
    const profile = this.#profile.take(performance.now(), closing)
    if (profile) this.parts.emit('entity.profile', profile)
  }

  /** It is there now; what it says opens to where there is room. */
  #moved([x, y]: Point): void {
    const host = this.#host
    const whole = (value: number) => Math.round((value - SIZE / 2) * devicePixelRatio) / devicePixelRatio
    host.style.transform = `translate(${whole(x)}px, ${whole(y)}px)`
    host.toggleAttribute('data-right', x > innerWidth / 2)
    host.toggleAttribute('data-top', y < 272)
  }
}

function find(selector: string): Element | null {
  try {
    return document.querySelector(selector)
  } catch {
    return null
  }
}
