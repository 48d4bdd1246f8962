/** The row of tools: one stop of the Tab key, and arrows between them. */

export interface Tool {
  readonly id: string
  readonly name: string
  /** Paths of the icon, in a box of 24; none between groups. */
  readonly icon?: readonly string[]
  readonly key?: string
  readonly className?: string
  readonly act: () => void
}

const SVG = 'http://www.w3.org/2000/svg'

export class Toolbar {
  readonly #buttons = new Map<string, HTMLButtonElement>()

  constructor(bar: HTMLElement, groups: readonly (readonly Tool[])[]) {
    for (const [at, group] of groups.entries()) {
      if (at > 0) bar.append(Object.assign(document.createElement('span'), { className: 'line' }))
      for (const tool of group) bar.append(this.#button(tool))
    }
    const all = [...this.#buttons.values()]
    for (const button of all.slice(1)) button.tabIndex = -1
    bar.addEventListener('keydown', (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
      if (step === undefined) return
      event.preventDefault()
      const usable = all.filter(({ disabled }) => !disabled)
      const next =
        usable[(usable.indexOf(event.target as HTMLButtonElement) + step + usable.length) % usable.length]
      for (const button of all) button.tabIndex = button === next ? 0 : -1
      next?.focus()
    })
  }

  press(id: string, on: boolean): void {
    this.#buttons.get(id)?.setAttribute('aria-pressed', String(on))
  }

  expand(id: string, on: boolean): void {
    this.#buttons.get(id)?.setAttribute('aria-expanded', String(on))
  }

  able(id: string, can: boolean): void {
    const button = this.#buttons.get(id)
    if (button) button.disabled = !can
  }

  #button({ id, name, icon = [], key, className, act }: Tool): HTMLButtonElement {
    const button = document.createElement('button')
    button.type = 'button'
    button.dataset.tool = id
    if (className) button.className = className
    button.title = key === undefined ? name : `${name} (${key})`
    button.setAttribute('aria-label', name)
    if (key !== undefined) button.setAttribute('aria-keyshortcuts', key.replace('Ctrl', 'Control'))
    const svg = document.createElementNS(SVG, 'svg')
    svg.setAttribute('viewBox', '0 0 24 24')
    svg.setAttribute('aria-hidden', 'true')
    for (const d of icon) {
      const path = document.createElementNS(SVG, 'path')
      path.setAttribute('d', d)
      svg.append(path)
    }
    button.append(svg)
    button.addEventListener('click', act)
    this.#buttons.set(id, button)
    return button
  }
}

/** What the tools for taking back and removing work on. */
interface Editing {
  undo(): void
  redo(): void
  remove(): void
}

/** The group of tools that takes back, does again and removes. */
export function editingTools(editor: Editing): readonly Tool[] {
  return [
    {
      id: 'undo',
      name: 'Undo',
      key: 'Ctrl+Z',
      icon: ['M9 14L4 9l5-5', 'M4 9h10a6 6 0 0 1 0 12h-3'],
      act: () => editor.undo(),
    },
    {
      id: 'redo',
      name: 'Redo',
      key: 'Ctrl+Y',
      icon: ['M15 14l5-5-5-5', 'M20 9H10a6 6 0 0 0 0 12h3'],
      act: () => editor.redo(),
    },
    {
      id: 'remove',
      name: 'Remove what is selected',
      key: 'Delete',
      icon: ['M4 7h16', 'M9 7V4h6v3', 'M6 7l1 13h10l1-13'],
      act: () => editor.remove(),
    },
  ]
}

/** The tool that brings all of it into view. */
export function showAllTool(act: () => void): Tool {
  return {
    id: 'fit',
    name: 'Show all',
    key: '0',
    icon: ['M4 9V4h5', 'M15 4h5v5', 'M20 15v5h-5', 'M9 20H4v-5'],
    act,
  }
}
