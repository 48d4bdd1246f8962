import { h, sheet, textOf, uniqueId } from '../dom.js'
import { type Choice, Component, choices, hintOf, type Props } from './component.js'

const own = sheet(`
  .choice { display: flex; flex-direction: column; align-items: flex-start; width: 100%; padding: 8px 12px; text-align: left; }
  .choice[aria-pressed='true'] { border-color: var(--lets-accent); box-shadow: inset 0 0 0 1px var(--lets-accent); font-weight: 600; }
  .choice .muted { font-weight: 400; }
  .tick { display: grid; grid-template-columns: auto 1fr; gap: 2px 8px; align-items: baseline; }
  .tick .muted { grid-column: 2; }
`)

/** `{title?, text?, options: [{id, label, hint?}], multiple?, value?, submit?}`: `pick` with the id, or `submit` with all ids. */
export class Options extends Component {
  #picked = new Set<string>()
  #said: unknown

  constructor() {
    super(own)
  }

  protected render(props: Props): void {
    const { title = 'Choose', text, options, items, multiple = false, value, submit = 'Done' } = props
    // What the person has ticked stays when something else is said anew.
    if (JSON.stringify(value) !== JSON.stringify(this.#said)) {
      this.#said = value
      this.#picked = new Set((Array.isArray(value) ? value : value === undefined ? [] : [value]).map(textOf))
    }
    const all = choices(options ?? items)
    const body =
      multiple === true
        ? [
            ...all.map((choice) => this.#tick(choice)),
            h('div', { class: 'row' }, this.#submit(textOf(submit))),
          ]
        : all.map((choice) => this.#button(choice))
    const about = text === undefined ? null : h('p', { class: 'text' }, textOf(text))
    this.show(h('fieldset', {}, h('legend', {}, h('h2', {}, textOf(title))), about, ...body))
  }

  #button({ id, label, hint }: Choice): HTMLElement {
    const pressed = this.#picked.has(id) ? 'true' : 'false'
    const pick = () => {
      this.#picked = new Set([id])
      for (const one of this.root.querySelectorAll('.choice'))
        one.setAttribute('aria-pressed', String(one.getAttribute('data-key') === id))
      this.act('pick', id)
    }
    const about = hint === '' ? null : h('span', { class: 'muted' }, hint)
    return h(
      'button',
      { type: 'button', class: 'choice', 'data-key': id, 'aria-pressed': pressed, onclick: pick },
      h('span', {}, label),
      about,
    )
  }

  #tick({ id, label, hint }: Choice): HTMLElement {
    const control = uniqueId()
    const about = hintOf(hint)
    const box = h('input', {
      type: 'checkbox',
      id: control,
      'data-key': id,
      checked: this.#picked.has(id),
      'aria-describedby': about.id,
      onchange: () => (box.checked ? this.#picked.add(id) : this.#picked.delete(id)),
    })
    return h('div', { class: 'tick' }, box, h('label', { for: control }, label), about.element)
  }

  #submit(label: string): HTMLElement {
    const say = () => this.act('submit', [...this.#picked])
    return h('button', { type: 'button', class: 'primary', 'data-key': ' submit', onclick: say }, label)
  }
}
