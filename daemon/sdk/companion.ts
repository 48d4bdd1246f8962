/** The companion in a window: a small figure that says things, offers some, and can be clicked. It never takes the focus. */
import type { DownData, UpData } from '../../protocol/lip/schema.js'
import { figure, moodOf, reactionOf } from './companion-figure.js'
import { h, sheet, surface } from './dom.js'
import { baseSheet } from './theme.js'

const own = sheet(`
  :host { position: fixed; z-index: 2147483050; left: 0; top: 0; width: 64px; pointer-events: none; transition: transform 0.7s cubic-bezier(0.3, 0, 0.2, 1); }
  #figure { position: relative; width: 64px; height: 64px; padding: 0; border: 0; border-radius: 32px; background: none; pointer-events: auto; }
  #figure svg { display: block; width: 64px; height: 64px; overflow: visible; filter: drop-shadow(0 3px 6px #00000033); }
  #figure:hover svg { filter: drop-shadow(0 3px 8px #00000055); }
  #bubble, #menu { position: absolute; bottom: 74px; left: 0; width: max-content; max-width: min(280px, calc(100vw - 32px)); border: 1px solid var(--lets-line);
    border-radius: 12px; background: var(--lets-surface); box-shadow: var(--lets-shadow); pointer-events: auto; }
  #bubble { display: flex; gap: 6px; align-items: flex-start; padding: 8px 6px 8px 12px; }
  #bubble > span { padding-top: 3px; white-space: pre-wrap; overflow-wrap: anywhere; }
  #menu { display: flex; flex-direction: column; gap: 2px; padding: 6px; }
  #menu button { display: flex; flex-direction: column; align-items: flex-start; border-color: transparent; text-align: left; }
  :host([data-right]) :is(#bubble, #menu) { left: auto; right: 0; }
  :host([data-top]) :is(#bubble, #menu) { bottom: auto; top: 74px; }
  @media (prefers-reduced-motion: reduce) { :host { transition: none; } }
`)

export interface CompanionParts {
  readonly emit: <T extends 'entity.click' | 'entity.pick' | 'entity.summon' | 'entity.dismiss'>(
    type: T,
    data: UpData[T],
  ) => void
  /** Offered when Claude has offered nothing yet. */
  readonly own: readonly { readonly label: string; readonly act: () => void }[]
}

type Suggestion = DownData['entity.suggest']['items'][number]

const SIZE = 64

export class Companion {
  readonly #host: HTMLElement
  readonly #figure: HTMLButtonElement
  readonly #drawing = figure()
  readonly #bubble = h('div', { id: 'bubble', hidden: true })
  readonly #menu = h('div', { id: 'menu', role: 'group', 'aria-label': 'Suggestions', hidden: true })
  readonly #said = h('div', { class: 'quiet', role: 'status' })
  #items: Suggestion[] = []
  #pointer = { x: 0, y: 0 }
  #at = { x: 20, y: 0 }
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
      this.#drawing,
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
    // For `to: "cursor"` alone; where the pointer was is told to nobody.
    addEventListener('pointermove', ({ clientX: x, clientY: y }) => (this.#pointer = { x, y }), {
      passive: true,
    })
    addEventListener('resize', () => this.#place(this.#at.x, this.#at.y))
    addEventListener('keydown', (event) => {
      if (event.altKey && event.key.toLowerCase() === 'c' && !event.ctrlKey && !event.metaKey) {
        event.preventDefault()
        this.summon()
      }
    })
    this.#place(20, innerHeight - SIZE - 20)
  }

  /** The person calls it: it comes to where they point. */
  summon(x = this.#pointer.x, y = this.#pointer.y, context?: unknown): void {
    this.show()
    this.#place(x + 12, y + 12)
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
    moodOf(this.#drawing, mood)
  }

  suggest({ items, replace = true }: DownData['entity.suggest']): void {
    this.#items = replace ? [...items] : [...this.#items, ...items]
    this.#figure.setAttribute(
      'aria-label',
      this.#items.length > 0 ? `Companion, ${this.#items.length} suggestions` : 'Companion',
    )
    if (!this.#menu.hidden) this.#fill()
  }

  move({ x, y, to = 'center' }: DownData['entity.move']): void {
    const place = x !== undefined && y !== undefined ? { x, y } : this.#placeOf(to)
    if (place) this.#place(place.x, place.y)
  }

  react({ name, ms }: DownData['entity.react']): void {
    reactionOf(this.#drawing, name, ms)
  }

  persona({ name }: DownData['entity.persona']): void {
    this.#figure.title = name
  }

  show(): void {
    this.#host.hidden = false
  }

  hide(): void {
    this.#host.hidden = true
  }

  #clicked({ clientX: x, clientY: y }: MouseEvent): void {
    this.#unfold(this.#menu.hidden === true)
    this.parts.emit('entity.click', { x, y })
  }

  #unfold(open: boolean): void {
    if (open) this.#fill()
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

  #placeOf(to: string): { readonly x: number; readonly y: number } | null {
    if (to === 'cursor') return { x: this.#pointer.x + 12, y: this.#pointer.y + 12 }
    if (to === 'center') return { x: (innerWidth - SIZE) / 2, y: (innerHeight - SIZE) / 2 }
    const box = find(to)?.getBoundingClientRect()
    return box ? { x: box.right + 8, y: box.top + box.height / 2 - SIZE / 2 } : null
  }

  /** Goes there, all of it inside the window; what it says opens to where there is room. */
  #place(x: number, y: number): void {
    const left = Math.max(8, Math.min(x, innerWidth - SIZE - 8))
    const top = Math.max(8, Math.min(y, innerHeight - SIZE - 8))
    this.#at = { x: left, y: top }
    this.#host.style.transform = `translate(${left}px, ${top}px)`
    this.#host.toggleAttribute('data-right', left > innerWidth / 2)
    this.#host.toggleAttribute('data-top', top < 240)
  }
}

function find(selector: string): Element | null {
  try {
    return document.querySelector(selector)
  } catch {
    return null
  }
}
