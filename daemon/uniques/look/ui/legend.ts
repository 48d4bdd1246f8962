/** The places as a list: what each is, what is said of it, and a way to take it away. */
import { nameOf, type Place } from './model.js'

export interface LegendParts {
  readonly choose: (place: Place) => void
  readonly say: (place: Place, text: string) => void
  readonly remove: (place: Place) => void
}

export class Legend {
  constructor(
    private readonly aside: HTMLElement,
    private readonly parts: LegendParts,
  ) {}

  show(places: readonly Place[], selected: Place | null): void {
    const at = this.aside.querySelector<HTMLElement>(':focus')?.dataset.key
    const mine = places.filter(({ by }) => by === 'person')
    const theirs = places.filter(({ by }) => by === 'claude')
    const empty = document.createElement('p')
    empty.className = 'muted'
    empty.textContent = 'Click a spot, or drag over what you mean.'
    this.aside.replaceChildren(
      heading('Places'),
      mine.length > 0 ? this.#list(mine, selected) : empty,
      ...(theirs.length > 0 ? [heading('From Claude'), this.#list(theirs, selected)] : []),
    )
    if (at !== undefined) this.#find(at)?.focus()
  }

  /** Lets the person write about a place. */
  write(place: Place): void {
    this.#find(`text ${place.n}`)?.focus()
  }

  #find(key: string): HTMLElement | null {
    return this.aside.querySelector(`[data-key="${CSS.escape(key)}"]`)
  }

  #list(places: readonly Place[], selected: Place | null): HTMLElement {
    const list = document.createElement('ul')
    for (const place of places) {
      const item = document.createElement('li')
      item.toggleAttribute('data-selected', place === selected)
      item.append(this.#choose(place, place === selected))
      if (place.by === 'claude') item.append(place.text || nameOf(place))
      else item.append(this.#field(place))
      item.append(this.#remove(place))
      list.append(item)
    }
    return list
  }

  #choose(place: Place, selected: boolean): HTMLElement {
    const button = document.createElement('button')
    button.type = 'button'
    button.dataset.key = `choose ${place.n ?? place.id}`
    button.textContent = place.by === 'claude' ? '✦' : String(place.n)
    button.setAttribute('aria-label', `Select ${nameOf(place)}`)
    button.setAttribute('aria-pressed', String(selected))
    button.addEventListener('click', () => this.parts.choose(place))
    return button
  }

  #field(place: Place): HTMLElement {
    const field = document.createElement('input')
    field.dataset.key = `text ${place.n}`
    field.value = place.text
    field.maxLength = 2000
    field.placeholder = nameOf(place).replace(/^\d+: /, '')
    field.setAttribute('aria-label', `What about ${nameOf(place)}?`)
    field.addEventListener('change', () => this.parts.say(place, field.value.trim()))
    return field
  }

  #remove(place: Place): HTMLElement {
    const button = document.createElement('button')
    button.type = 'button'
    button.textContent = '×'
    button.setAttribute('aria-label', `Remove ${nameOf(place)}`)
    button.addEventListener('click', () => this.parts.remove(place))
    return button
  }
}

function heading(text: string): HTMLElement {
  const element = document.createElement('h2')
  element.textContent = text
  return element
}
