/** Short notices in a corner: gone by themselves, or at once when the person says so. */
import type { DownData } from '../../protocol/lip/schema.js'
import { h, sheet, surface } from './dom.js'
import { baseSheet } from './theme.js'

const own = sheet(`
  :host { position: fixed; z-index: 2147483200; top: 16px; left: 50%; translate: -50% 0; width: min(420px, calc(100vw - 32px)); pointer-events: none; }
  div { display: flex; flex-direction: column; gap: 8px; }
  p { display: flex; align-items: flex-start; gap: 8px; padding: 8px 8px 8px 14px; border: 1px solid var(--lets-line); border-left: 4px solid var(--lets-focus);
    border-radius: 8px; background: var(--lets-surface); box-shadow: var(--lets-shadow); pointer-events: auto; animation: in 0.15s ease-out; }
  p > span { flex: 1; padding-top: 3px; white-space: pre-wrap; overflow-wrap: anywhere; }
  p[data-level='ok'] { border-left-color: var(--lets-ok); }
  p[data-level='warn'] { border-left-color: var(--lets-warn); }
  p[data-level='error'] { border-left-color: var(--lets-error); }
  @keyframes in { from { opacity: 0; translate: 0 -6px; } }
`)

const MOST = 4

export class Toasts {
  readonly #polite = h('div', { role: 'status', 'aria-label': 'Notices' })
  readonly #urgent = h('div', { role: 'alert', 'aria-label': 'Warnings' })

  constructor() {
    surface('toasts', baseSheet, own).root.append(this.#urgent, this.#polite)
  }

  show({ text, level = 'info', ttl }: DownData['ui.toast']): void {
    const close = h(
      'button',
      { type: 'button', class: 'plain', 'aria-label': 'Close this notice', onclick: () => toast.remove() },
      '×',
    )
    const toast = h('p', { 'data-level': level }, h('span', {}, text), close)
    const list = level === 'error' || level === 'warn' ? this.#urgent : this.#polite
    list.append(toast)
    if (list.children.length > MOST) list.firstElementChild?.remove()
    const stay = ttl ?? Math.min(15_000, 4000 + text.length * 50)
    const end = () =>
      setTimeout(
        () =>
          toast.matches(':hover, :focus-within')
            ? toast.addEventListener('pointerleave', end, { once: true })
            : toast.remove(),
        stay,
      )
    end()
  }
}
