import { h, numberOf, sheet, textOf, uniqueId } from '../dom.js'
import { Component, hintOf, type Props } from './component.js'

const sliderSheet = sheet(`
  .head { display: flex; justify-content: space-between; gap: 12px; }
  output { font-variant-numeric: tabular-nums; color: var(--lets-muted); }
  input { width: 100%; margin: 4px 0; }
`)

/** `{label, min?, max?, step?, value?, unit?, hint?}`: `change` with the number, when the person lets go. */
export class Slider extends Component {
  constructor() {
    super(sliderSheet)
  }

  protected render(props: Props): void {
    const { label, title = 'Value', unit = '', hint } = props
    const min = numberOf(props.min, 0)
    const max = Math.max(min, numberOf(props.max, 100))
    const value = Math.min(max, Math.max(min, numberOf(props.value, min)))
    const before = this.root.querySelector('input')
    // Nobody's hand is moved while it drags.
    if (before?.matches(':active')) return
    const id = uniqueId()
    const shown = h('output', { for: id }, `${value}${textOf(unit)}`)
    const about = hintOf(hint)
    const say = () => {
      shown.textContent = `${input.value}${textOf(unit)}`
      if (unit !== '') input.setAttribute('aria-valuetext', `${input.value}${textOf(unit)}`)
    }
    const input = h('input', {
      type: 'range',
      id,
      min,
      max,
      step: typeof props.step === 'number' && props.step > 0 ? props.step : 'any',
      'data-key': 'slider',
      'aria-describedby': about.id,
      oninput: say,
      onchange: () => this.act('change', Number(input.value)),
    })
    if (typeof props.step !== 'number') input.step = Number.isInteger(min) && max - min >= 10 ? '1' : 'any'
    input.value = String(value)
    say()
    this.show(
      h('div', { class: 'head' }, h('label', { for: id }, textOf(label ?? title)), shown),
      input,
      about.element,
    )
  }
}

const toggleSheet = sheet(`
  .line { display: flex; align-items: center; justify-content: space-between; gap: 12px; }
  button { position: relative; flex: none; width: 42px; min-height: 24px; padding: 0; border-radius: 12px; background: var(--lets-raised); }
  button::after { content: ''; position: absolute; top: 3px; left: 3px; width: 16px; height: 16px; border-radius: 50%;
    background: var(--lets-control); transition: translate 0.12s ease-out; }
  button[aria-checked='true'] { border-color: var(--lets-accent); background: var(--lets-accent); }
  button[aria-checked='true']::after { translate: 18px 0; background: var(--lets-on-accent); }
`)

/** `{label, value?, hint?}`: `change` with true or false. */
export class Toggle extends Component {
  constructor() {
    super(toggleSheet)
  }

  protected render({ label, title = 'On', value, hint }: Props): void {
    const id = uniqueId()
    const about = hintOf(hint)
    const turn = () => {
      const on = button.getAttribute('aria-checked') !== 'true'
      button.setAttribute('aria-checked', String(on))
      this.act('change', on)
    }
    const button = h('button', {
      type: 'button',
      role: 'switch',
      'aria-checked': String(value === true),
      'aria-labelledby': id,
      'aria-describedby': about.id,
      'data-key': 'toggle',
      onclick: turn,
    })
    const text = h('label', { id, onclick: turn }, textOf(label ?? title))
    this.show(h('div', { class: 'line' }, text, button), about.element)
  }
}

const progressSheet = sheet(`
  .head { display: flex; justify-content: space-between; gap: 12px; align-items: center; }
  progress { width: 100%; height: 8px; }
`)

/** `{label, value?, max?, text?, cancel?}`: how far something is; without a value, that it goes on. `cancel` when asked to end it. */
export class Progress extends Component {
  constructor() {
    super(progressSheet)
  }

  protected render({ label, title = 'Working', value, max: most, text, cancel }: Props): void {
    const id = uniqueId()
    const max = Math.max(Number.EPSILON, numberOf(most, 1))
    const known = typeof value === 'number' && Number.isFinite(value)
    const bar = h('progress', { 'aria-labelledby': id, max })
    if (known) bar.value = Math.min(max, Math.max(0, value))
    const end = () => this.act('cancel')
    const label_ = typeof cancel === 'string' ? cancel : 'Cancel'
    const button =
      cancel === true || typeof cancel === 'string'
        ? h('button', { type: 'button', 'data-key': 'cancel', onclick: end }, label_)
        : null
    const share = known ? `${Math.round((bar.value / max) * 100)} %` : ''
    this.show(
      h(
        'div',
        { class: 'head' },
        h('span', { id }, textOf(label ?? title)),
        h('span', { class: 'muted' }, share),
      ),
      bar,
      text === undefined ? null : h('p', { class: 'muted text', role: 'status' }, textOf(text)),
      button && h('div', { class: 'row' }, button),
    )
  }
}
