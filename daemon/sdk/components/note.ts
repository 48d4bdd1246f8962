import { h, sheet, textOf } from '../dom.js'
import { Component, choices, heading, type Props } from './component.js'

const own = sheet(`
  .card[data-level] { padding-left: 12px; border-left: 3px solid var(--lets-line); }
  .card[data-level='ok'] { border-color: var(--lets-ok); }
  .card[data-level='warn'] { border-color: var(--lets-warn); }
  .card[data-level='error'] { border-color: var(--lets-error); }
  pre { margin: 0; padding: 10px; overflow: auto; max-height: 260px; border-radius: 8px; background: var(--lets-raised);
    font: 12px/1.5 var(--lets-mono); white-space: pre-wrap; overflow-wrap: anywhere; }
`)

/** `{title?, text?, level?, actions?}`: something to read; an action is a button. */
export class Note extends Component {
  constructor() {
    super(own)
  }

  protected render(props: Props): void {
    const { level, actions } = props
    const buttons = choices(actions).map(({ id, label }) =>
      h('button', { type: 'button', 'data-key': id, onclick: () => this.act(id) }, label),
    )
    this.show(...heading(props), buttons.length > 0 ? h('div', { class: 'row' }, ...buttons) : null)
    if (level !== undefined) this.root.querySelector('.card')?.setAttribute('data-level', textOf(level))
  }
}

/** What a type that nobody knows here becomes: its props as they came, so that nothing is lost. */
export class RawNote extends Component {
  constructor() {
    super(own)
  }

  /** The type that was asked for. */
  type = ''

  protected render(props: Props): void {
    const raw = h('pre', { tabindex: 0, 'aria-label': 'What was sent' }, JSON.stringify(props, null, 2))
    this.show(h('h2', {}, textOf(props.title ?? this.type)), raw)
  }
}
