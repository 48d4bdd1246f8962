/** The companion's menu while it is open: its own items at once, then what was suggested. */
import type { CompanionItem, CompanionScene } from '../../protocol/overlay/companion.js'

export const OWN_ITEMS = [
  { id: 'what', label: 'What can you do here?' },
  { id: 'quiet', label: 'Be quiet for an hour' },
  { id: 'away', label: 'Go away' },
] as const satisfies readonly CompanionItem[]
export type OwnItem = (typeof OWN_ITEMS)[number]['id']

/** What the person chose: an item of the companion's own, or one that a session suggested. */
export type Choice =
  | { readonly own: OwnItem; readonly label: string }
  | { readonly session: string; readonly id: string; readonly label: string }

interface Suggested {
  readonly session: string
  readonly items: readonly CompanionItem[]
}

export class Menu {
  #suggested: Suggested | null
  #chosen: number | null

  /** `chosen`: the item that Enter picks at first. */
  constructor(suggested: Suggested | null, chosen: number | null) {
    this.#suggested = suggested
    this.#chosen = chosen
  }

  /** Suggestions that come while it is open go below; what is there already stays under the pointer that aims at it. */
  add(suggested: Suggested | null): void {
    this.#suggested ??= suggested
  }

  get scene(): NonNullable<CompanionScene['menu']> {
    return { items: this.#items(), chosen: this.#chosen }
  }

  hover(item: number | null): void {
    this.#chosen = item !== null && item < this.#items().length ? item : null
  }

  /** To the next or the previous item, round and round. */
  step(by: 1 | -1): void {
    const count = this.#items().length
    if (this.#chosen === null) this.#chosen = by === 1 ? 0 : count - 1
    else this.#chosen = (this.#chosen + by + count) % count
  }

  /** What this item is; by default the chosen one; null: there is none. */
  at(item: number | null = this.#chosen): Choice | null {
    if (item === null) return null
    const own = OWN_ITEMS[item]
    if (own) return { own: own.id, label: own.label }
    const suggestion = this.#suggested?.items[item - OWN_ITEMS.length]
    return suggestion && this.#suggested
      ? { session: this.#suggested.session, id: suggestion.id, label: suggestion.label }
      : null
  }

  #items(): readonly CompanionItem[] {
    return [...OWN_ITEMS, ...(this.#suggested?.items ?? [])]
  }
}
