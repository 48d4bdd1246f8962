/** Writing on the board: a field over the node or the line whose text it is. */
import type { Core } from 'cytoscape'

export class LabelField {
  #id: string | null = null
  #done: (text: string) => void = () => {}

  constructor(
    private readonly cy: Core,
    private readonly field: HTMLTextAreaElement,
    private readonly board: HTMLElement,
  ) {
    field.addEventListener('keydown', (event) => {
      event.stopPropagation()
      if (event.key === 'Escape') this.#end(false)
      else if (event.key === 'Enter' && !event.shiftKey && !event.isComposing) {
        event.preventDefault()
        this.#end(true)
      }
    })
    field.addEventListener('blur', () => this.#end(true))
    cy.on('viewport position', () => this.#place())
  }

  /** Lets the person write the text of an element; `done` gets it, also when they go elsewhere. */
  edit(id: string, done: (text: string) => void): void {
    this.#end(true)
    const element = this.cy.getElementById(id)
    if (element.empty()) return
    this.#id = id
    this.#done = done
    this.field.value = element.data('label')
    this.field.hidden = false
    this.#place()
    this.field.focus()
    this.field.select()
  }

  #place(): void {
    if (this.#id === null) return
    const element = this.cy.getElementById(this.#id)
    // Claude took it away meanwhile.
    if (element.empty()) {
      this.#end(false)
      return
    }
    const { x1, x2, y1, y2 } = element.renderedBoundingBox({ includeOverlays: false })
    this.field.style.left = `${(x1 + x2) / 2}px`
    this.field.style.top = `${(y1 + y2) / 2}px`
  }

  #end(keep: boolean): void {
    if (this.#id === null) return
    const text = this.field.value.trim()
    this.#id = null
    this.field.hidden = true
    if (keep) this.#done(text)
    this.board.focus()
  }
}
