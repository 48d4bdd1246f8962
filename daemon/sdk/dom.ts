/** Making elements without markup: what anyone said is text, and never becomes anything else. */

type Child = Node | string | null | false | undefined
type Listener = (event: never) => void
export type Attributes = Readonly<Record<string, string | number | boolean | null | undefined | Listener>>

/** An element; `onclick` and the like are listeners, true is an empty attribute, null and false are none. */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[K] {
  return fill(document.createElement(tag), attributes, children)
}

function fill<E extends Element>(element: E, attributes: Attributes, children: readonly Child[]): E {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue
    if (typeof value === 'function') element.addEventListener(name.slice(2), value as EventListener)
    else element.setAttribute(name, value === true ? '' : String(value))
  }
  element.append(
    ...children.filter((child): child is Node | string => child instanceof Node || typeof child === 'string'),
  )
  return element
}

/** A style sheet for `adoptedStyleSheets`: inline styles are refused by the policy of every page. */
export function sheet(css: string): CSSStyleSheet {
  const made = new CSSStyleSheet()
  made.replaceSync(css)
  return made
}

/** Puts one of the SDK's own surfaces on the page, in a shadow of its own, so that neither styles the other. */
export function surface(
  name: string,
  ...sheets: readonly CSSStyleSheet[]
): { host: HTMLElement; root: ShadowRoot } {
  const host = h('div', { 'data-lets': name })
  const root = host.attachShadow({ mode: 'open' })
  root.adoptedStyleSheets = [...sheets]
  document.body.append(host)
  return { host, root }
}

/** Any value as a line that a person can read. */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  if (value === null || value === undefined) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

export function numberOf(value: unknown, otherwise: number): number {
  const number = typeof value === 'number' ? value : Number.NaN
  return Number.isFinite(number) ? number : otherwise
}

let last = 0
/** An id that no other element of the page has. */
export function uniqueId(): string {
  last++
  return `lets-${last}`
}
