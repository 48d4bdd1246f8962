/** What the person has to know of the connection: that it is broken, and when the window is over. */
import { h, sheet, surface } from './dom.js'
import type { LinkState } from './link.js'
import { baseSheet } from './theme.js'

const own = sheet(`
  #pill { position: fixed; z-index: 2147483300; top: 12px; right: 12px; padding: 6px 14px; border: 1px solid var(--lets-line); border-radius: 16px;
    background: var(--lets-surface); box-shadow: var(--lets-shadow); color: var(--lets-text); pointer-events: none; }
  #over { position: fixed; z-index: 2147483400; inset: 0; display: grid; place-content: center; justify-items: center; gap: 14px; padding: 32px; text-align: center; background: var(--lets-bg); }
  h1:focus { outline: none; }
  h1 { margin: 0; font-size: 22px; font-weight: 600; }
  #over p { max-width: 46ch; color: var(--lets-muted); }
`)

const OVER = {
  handoff: [
    'Sent to Claude',
    'You can close this window. What you sent is saved, and Claude can open it again.',
  ],
  closed: ['This window is closed', 'It can be opened again with Lets.'],
  refused: [
    'This page is not connected',
    'Each link opens a window once. Open it again with “lets open”, or ask Claude to.',
  ],
  taken: ['This window is open in another tab', 'Only one tab at a time can speak for it.'],
} as const

/** How long the connection may be away before it is worth a word, in ms. */
const PATIENCE = 1200

export class Notice {
  readonly #root: ShadowRoot
  readonly #pill = h('div', { id: 'pill', role: 'status', hidden: true })
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor() {
    this.#root = surface('notice', baseSheet, own).root
    this.#root.append(this.#pill)
  }

  show(state: LinkState, reason: string, takeBack: () => void): void {
    clearTimeout(this.#timer)
    this.#pill.hidden = true
    this.#root.querySelector('#over')?.remove()
    if (state === 'online') return
    if (state === 'waiting') {
      this.#timer = setTimeout(() => {
        this.#pill.hidden = false
        this.#pill.textContent = 'Connecting again … nothing is lost'
      }, PATIENCE)
      return
    }
    const [title, text] = OVER[state === 'closed' && reason === 'handoff' ? 'handoff' : state]
    const here =
      state === 'taken'
        ? h('button', { type: 'button', class: 'primary', onclick: takeBack }, 'Use it here')
        : null
    const heading = h('h1', { tabindex: -1 }, title)
    this.#root.append(
      h('div', { id: 'over', role: 'region', 'aria-label': title }, heading, h('p', {}, text), here),
    )
    heading.focus()
  }
}
