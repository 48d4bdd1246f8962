import { h, sheet, textOf } from '../dom.js'
import { Component, choices, type Props } from './component.js'

const own = sheet(`
  .head { display: flex; justify-content: space-between; align-items: center; gap: 8px; }
  pre { margin: 0; padding: 12px; overflow: auto; max-height: 420px; border: 1px solid var(--lets-line); border-radius: 8px;
    background: var(--lets-raised); font: 12.5px/1.55 var(--lets-mono); tab-size: 2; }
`)

/** `{code, language?, title?, actions?}`: text to copy; `copy`, and whatever buttons `actions` names. */
export class Code extends Component {
  constructor() {
    super(own)
  }

  protected render({ code, text, language, title, actions }: Props): void {
    const said = textOf(code ?? text)
    const name = textOf(title ?? language ?? 'Code')
    const done = h('span', { class: 'muted', role: 'status' })
    const copy = async () => {
      try {
        await navigator.clipboard.writeText(said)
        done.textContent = 'Copied'
        this.act('copy')
      } catch {
        done.textContent = 'The browser does not let this page copy: select the text instead'
      }
    }
    const buttons = choices(actions).map(({ id, label }) =>
      h('button', { type: 'button', 'data-key': id, onclick: () => this.act(id) }, label),
    )
    this.show(
      h(
        'div',
        { class: 'head' },
        h('h2', {}, name),
        h(
          'div',
          { class: 'row' },
          done,
          h('button', { type: 'button', 'data-key': ' copy', onclick: copy }, 'Copy'),
        ),
      ),
      h('pre', { tabindex: 0, role: 'region', 'aria-label': name, 'data-key': ' code' }, h('code', {}, said)),
      buttons.length > 0 ? h('div', { class: 'row' }, ...buttons) : null,
    )
  }
}
