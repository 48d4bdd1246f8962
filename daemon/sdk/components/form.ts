import { h, sheet, textOf, uniqueId } from '../dom.js'
import { Component, choices, heading, hintOf, type Props } from './component.js'

const own = sheet(`
  form { display: flex; flex-direction: column; gap: 12px; }
  .field { display: flex; flex-direction: column; gap: 4px; }
  .field > label { font-weight: 500; }
  .field.inline { flex-direction: row; align-items: center; gap: 8px; }
  .field.inline > label { font-weight: 400; }
  textarea { min-height: 76px; resize: vertical; }
  .needed { color: var(--lets-error); }
`)

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement
type Controls = ReadonlyMap<string, { readonly control: Control; readonly said: string }>

const TYPES = ['text', 'number', 'checkbox', 'date', 'time', 'color', 'email', 'url', 'tel', 'range']

/**
 * `{title?, text?, fields: [{name, label, type?, value?, required?, options?, hint?, placeholder?, min?, max?, step?}], submit?}`:
 * `submit` with the values by name.
 */
export class Form extends Component {
  #controls = new Map<string, { readonly control: Control; readonly said: string }>()

  constructor() {
    super(own)
  }

  protected render(props: Props): void {
    const before = this.#controls
    this.#controls = new Map()
    const fields = (Array.isArray(props.fields) ? props.fields : []).filter(
      (field): field is Props => typeof field === 'object' && field !== null,
    )
    const made = fields.map((field) => this.#field(field, before))
    const button = h('button', { class: 'primary', 'data-key': ' submit' }, textOf(props.submit ?? 'Send'))
    const form = h(
      'form',
      {
        'aria-label': textOf(props.title ?? 'Form'),
        onsubmit: (event: Event) => {
          event.preventDefault()
          this.act('submit', this.#values())
        },
      },
      ...made,
      h('div', { class: 'row' }, button),
    )
    this.show(...heading(props), form)
  }

  #values(): Record<string, unknown> {
    return Object.fromEntries([...this.#controls].map(([name, { control }]) => [name, entered(control)]))
  }

  #field(field: Props, before: Controls): HTMLElement {
    const name = textOf(field.name ?? field.id ?? field.label)
    const id = uniqueId()
    const about = hintOf(field.hint)
    const control = controlOf(field, { id, name, 'data-key': name, 'aria-describedby': about.id })
    const said = JSON.stringify(field.value ?? null)
    const known = before.get(name)
    if (field.value !== undefined) setValue(control, field.value)
    // What the person wrote stays, unless this very field was said anew.
    if (known && known.said === said && known.control.type === control.type)
      setValue(control, entered(known.control))
    this.#controls.set(name, { control, said })
    const label = h('label', { for: id }, textOf(field.label ?? name))
    if (field.required === true) label.append(' ', h('span', { class: 'needed', 'aria-hidden': 'true' }, '*'))
    const inline = control.type === 'checkbox'
    return h(
      'div',
      { class: inline ? 'field inline' : 'field' },
      ...(inline ? [control, label] : [label, control]),
      about.element,
    )
  }
}

function controlOf(field: Props, common: Record<string, string | null>): Control {
  const { type = 'text', options, required, placeholder, min, max, step } = field
  const shared = { ...common, required: required === true }
  if (type === 'select' || (options !== undefined && type === 'text')) {
    const all = choices(options).map(({ id, label }) => h('option', { value: id }, label))
    return h('select', shared, required === true ? null : h('option', { value: '' }, ''), ...all)
  }
  const more = {
    ...shared,
    placeholder: placeholder === undefined ? null : textOf(placeholder),
    maxlength: 10_000,
  }
  if (type === 'textarea') return h('textarea', more)
  const bounds = Object.fromEntries(
    Object.entries({ min, max, step }).filter(([, bound]) => ['number', 'string'].includes(typeof bound)),
  ) as Record<string, string>
  return h('input', { ...more, ...bounds, type: TYPES.includes(String(type)) ? String(type) : 'text' })
}

function entered(control: Control): unknown {
  if (control instanceof HTMLInputElement && control.type === 'checkbox') return control.checked
  if (control instanceof HTMLInputElement && (control.type === 'number' || control.type === 'range'))
    return control.value === '' ? null : control.valueAsNumber
  return control.value
}

function setValue(control: Control, value: unknown): void {
  if (control instanceof HTMLInputElement && control.type === 'checkbox') control.checked = value === true
  else control.value = textOf(value)
}
