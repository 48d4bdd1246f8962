/** What every component is: an element with props, in a shadow of its own, that says what the person did with it. */
import { h, sheet, textOf, uniqueId } from '../dom.js'
import { baseSheet } from '../theme.js'

export type Props = Readonly<Record<string, unknown>>

const own = sheet(`
  :host { display: block; }
  .card { display: flex; flex-direction: column; gap: 10px; }
  h2 { margin: 0; font-size: 14px; font-weight: 600; line-height: 1.35; }
  label { cursor: pointer; }
  fieldset { display: flex; flex-direction: column; gap: 8px; margin: 0; padding: 0; border: 0; min-width: 0; }
  legend { padding: 0; }
  legend + * { margin-top: 10px; }
`)

/** Detail of the event `lets-action`. */
export interface Action {
  readonly action: string
  readonly value?: unknown
}

export abstract class Component extends HTMLElement {
  #props: Props = {}
  protected readonly root: ShadowRoot

  constructor(...sheets: readonly CSSStyleSheet[]) {
    super()
    this.root = this.attachShadow({ mode: 'open' })
    this.root.adoptedStyleSheets = [baseSheet, own, ...sheets]
  }

  get props(): Props {
    return this.#props
  }

  /** Shows these props; where the person is inside it, they stay. */
  set props(props: Props) {
    this.#props = props
    const at = this.root.activeElement?.getAttribute('data-key')
    this.render(props)
    if (at !== null && at !== undefined)
      this.root.querySelector<HTMLElement>(`[data-key="${CSS.escape(at)}"]`)?.focus()
  }

  /** Makes the shadow be what the props say. */
  protected abstract render(props: Props): void

  /** Says what the person did. */
  protected act(action: string, value?: unknown): void {
    const detail: Action = { action, ...(value !== undefined && { value }) }
    this.dispatchEvent(new CustomEvent('lets-action', { detail, bubbles: true, composed: true }))
  }

  protected show(...children: readonly (Node | null)[]): void {
    const card = h('div', { class: 'card' }, ...children)
    this.root.replaceChildren(card)
  }
}

/** The title and the text that most of them have. */
export function heading({ title, text }: Props): readonly (HTMLElement | null)[] {
  return [
    title === undefined ? null : h('h2', {}, textOf(title)),
    text === undefined ? null : h('p', { class: 'text' }, textOf(text)),
  ]
}

export interface Choice {
  readonly id: string
  readonly label: string
  readonly hint: string
}

/** A list of choices, however it was said: words, or objects with `id`, `label` and `hint`. */
export function choices(value: unknown): readonly Choice[] {
  if (!Array.isArray(value)) return []
  return value.map((one) => {
    if (typeof one !== 'object' || one === null) return { id: textOf(one), label: textOf(one), hint: '' }
    const { id, value: also, label, hint } = one as Props
    const name = textOf(id ?? also ?? label)
    return { id: name, label: textOf(label ?? name), hint: textOf(hint) }
  })
}

/** A hint below a control, and the id that it is described by. */
export function hintOf(hint: unknown): { readonly element: HTMLElement | null; readonly id: string | null } {
  if (hint === undefined || hint === '') return { element: null, id: null }
  const id = uniqueId()
  return { element: h('span', { class: 'muted', id }, textOf(hint)), id }
}
