/** The diagram as a list: for eyes that want words, and for who does not see the board. */
import type { Diagram } from './model.js'

export class Outline {
  constructor(
    private readonly nav: HTMLElement,
    private readonly choose: (id: string) => void,
  ) {}

  show({ nodes, edges }: Diagram, selected: ReadonlySet<string>): void {
    if (this.nav.hidden) return
    const at = this.nav.querySelector<HTMLElement>(':focus')?.dataset.id
    const name = (id: string) => nodes.find((node) => node.id === id)?.label || id
    const heading = document.createElement('h2')
    heading.textContent = `${nodes.length} nodes, ${edges.length} connections`
    const list = document.createElement('ul')
    for (const { id, label, kind } of nodes) {
      const button = document.createElement('button')
      button.type = 'button'
      button.dataset.id = id
      button.setAttribute('aria-pressed', String(selected.has(id)))
      button.append(label || `(${kind})`)
      for (const edge of edges.filter(({ from }) => from === id)) {
        const line = document.createElement('span')
        line.textContent = `to ${name(edge.to)}${edge.label === '' ? '' : `: ${edge.label}`}`
        button.append(line)
      }
      button.addEventListener('click', () => this.choose(id))
      const item = document.createElement('li')
      item.append(button)
      list.append(item)
    }
    this.nav.replaceChildren(heading, list)
    if (at !== undefined) this.nav.querySelector<HTMLElement>(`[data-id="${CSS.escape(at)}"]`)?.focus()
  }
}
