/** Where components that Claude makes are put: beside the page, over it, or in it; the person can put each away. */
import type { DownData } from '../../protocol/lip/schema.js'
import type { Action, Component, Props } from './components/component.js'
import { ImageDrop, type Take } from './components/image-drop.js'
import { makeComponent } from './components/index.js'
import { h, sheet, surface, textOf } from './dom.js'
import { baseSheet } from './theme.js'

type Slot = 'dock' | 'float' | 'panel' | 'inline'

export interface Kept {
  readonly id: string
  readonly type: string
  readonly props: Props
  readonly slot?: Slot
  readonly at?: { readonly x: number; readonly y: number }
}

export interface BoardParts {
  readonly act: (id: string, action: Action) => void
  /** For an image-drop: takes its pictures to the host. */
  readonly takeFor: (id: string) => Take
}

interface Shown {
  readonly frame: HTMLElement
  readonly element: Component
  kept: Kept
}

const frameSheet = sheet(`
  article { position: relative; padding: 14px; border: 1px solid var(--lets-line); border-radius: var(--lets-radius);
    background: var(--lets-surface); box-shadow: var(--lets-shadow); color: var(--lets-text); }
  article > button.plain { position: absolute; top: 6px; right: 6px; z-index: 1; line-height: 1; font-size: 16px; }
  article > :first-child { margin-right: 24px; }
`)
const inlineSheet = sheet(':host { display: block; margin: 12px 0; }')
const placeSheet = sheet(`
  section { position: fixed; z-index: 2147483000; display: flex; flex-direction: column; gap: 10px; pointer-events: none; }
  section > * { pointer-events: auto; flex: none; }
  section:empty { display: none; }
  #fold { align-self: flex-end; min-height: 28px; padding: 2px 12px; border-radius: 14px; box-shadow: var(--lets-shadow); font-size: 13px; }
  #fold[aria-expanded='false'] ~ article { display: none; }
  #dock { right: 4px; bottom: 48px; width: min(364px, 100vw); max-height: calc(100vh - 100px); overflow-y: auto; overscroll-behavior: contain; padding: 12px 12px 28px; }
  #panel { top: 0; left: 0; bottom: 0; width: min(360px, 90vw); overflow-y: auto; padding: 16px; border-right: 1px solid var(--lets-line);
    background: var(--lets-bg); pointer-events: auto; }
  #float { inset: 0; }
  #float > article { position: absolute; width: min(320px, calc(100vw - 32px)); }
`)

export class Board {
  readonly #shown = new Map<string, Shown>()
  readonly #places: Readonly<Record<'dock' | 'panel' | 'float', HTMLElement>>
  /** What is docked is over the page: the person may fold it away, and have it back. */
  readonly #fold = h('button', {
    id: 'fold',
    type: 'button',
    'aria-expanded': 'true',
    onclick: () => this.#folded(),
  })
  readonly #news = h('div', { class: 'quiet', role: 'status' })

  constructor(private readonly parts: BoardParts) {
    const { root } = surface('components', baseSheet, placeSheet, frameSheet)
    this.#places = {
      panel: h('section', { id: 'panel', 'aria-label': 'Panel from Claude' }),
      float: h('section', { id: 'float', 'aria-label': 'On the page, from Claude' }),
      dock: h('section', { id: 'dock', 'aria-label': 'From Claude' }),
    }
    root.append(this.#places.panel, this.#places.float, this.#places.dock, this.#news)
  }

  create({ id, type, props, slot, at }: DownData['component.create']): void {
    const before = this.#shown.get(id)
    if (before) this.#drop(before)
    const element = makeComponent(type)
    if (element instanceof ImageDrop) element.take = this.parts.takeFor(id)
    element.addEventListener('lets-action', (event) => {
      event.stopPropagation()
      this.parts.act(id, (event as CustomEvent<Action>).detail)
    })
    const away = () => {
      this.remove({ id })
      this.parts.act(id, { action: 'dismiss' })
    }
    const close = h(
      'button',
      { type: 'button', class: 'plain', onclick: away, 'aria-label': `Put away: ${nameOf(props, type)}` },
      '×',
    )
    const frame = h('article', { 'aria-label': nameOf(props, type), 'data-component': id }, element, close)
    const kept: Kept = { id, type, props, ...(slot && { slot }), ...(at && { at }) }
    this.#shown.set(id, { frame, element, kept })
    this.#put(frame, slot ?? (at ? 'float' : 'dock'), at)
    this.#makeRoom()
    element.props = props
    this.#news.textContent = `Claude shows: ${nameOf(props, type)}`
  }

  update({ id, props }: DownData['component.update']): void {
    const shown = this.#shown.get(id)
    if (!shown) return
    const merged = { ...shown.kept.props, ...props }
    shown.kept = { ...shown.kept, props: merged }
    shown.element.props = merged
  }

  remove({ id }: DownData['component.remove']): void {
    const shown = this.#shown.get(id)
    if (shown) this.#drop(shown)
    this.#shown.delete(id)
  }

  keep(): readonly Kept[] {
    return [...this.#shown.values()].map(({ kept }) => kept)
  }

  restore(kept: readonly Kept[]): void {
    for (const one of kept) this.create(one)
  }

  #put(frame: HTMLElement, slot: Slot, at: Kept['at']): void {
    const inline = slot === 'inline' ? document.querySelector('[data-lets-inline]') : null
    if (inline) {
      const host = h('div')
      const root = host.attachShadow({ mode: 'open' })
      root.adoptedStyleSheets = [baseSheet, frameSheet, inlineSheet]
      root.append(frame)
      inline.append(host)
      return
    }
    const place = slot === 'inline' ? 'dock' : slot
    this.#places[place].append(frame)
    if (place !== 'float') return
    // Wherever it was asked for, all of it can be reached.
    const { x, y } = at ?? { x: (innerWidth - 320) / 2, y: innerHeight / 3 }
    frame.style.left = `${Math.max(8, Math.min(x, innerWidth - 336))}px`
    frame.style.top = `${Math.max(8, Math.min(y, innerHeight - 160))}px`
  }

  #drop({ frame }: Shown): void {
    const root = frame.getRootNode()
    if (root instanceof ShadowRoot && root.host.parentElement?.matches('[data-lets-inline]'))
      root.host.remove()
    else frame.remove()
    this.#makeRoom()
  }

  #folded(): void {
    this.#fold.setAttribute('aria-expanded', String(this.#fold.getAttribute('aria-expanded') === 'false'))
  }

  #makeRoom(): void {
    const { dock } = this.#places
    const docked = dock.querySelectorAll('article').length
    this.#fold.textContent = `From Claude: ${docked}`
    if (docked === 0) this.#fold.remove()
    else if (!this.#fold.isConnected) dock.prepend(this.#fold)
    document.documentElement.toggleAttribute('data-lets-panel', this.#places.panel.childElementCount > 0)
  }
}

function nameOf(props: Props, type: string): string {
  const said = textOf(props.title ?? props.label ?? props.text).slice(0, 80)
  return said === '' ? type : said
}
