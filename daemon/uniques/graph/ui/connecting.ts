/** Drawing a line from one node to another with the pointer. */
import type { Board } from './board.js'

export class Connecting {
  #on = false
  #from: string | null = null

  /** `connected` is called with both ends; a line let go over nothing makes a node there first. */
  constructor(
    private readonly board: Board,
    private readonly container: HTMLElement,
    private readonly connected: (
      from: string,
      to: string | { readonly x: number; readonly y: number },
    ) => void,
    private readonly changed: (on: boolean) => void,
  ) {
    const { cy } = board
    cy.on('tapstart', 'node', ({ target, position, originalEvent }) => {
      if (!this.#on && !(originalEvent as MouseEvent | undefined)?.altKey) return
      this.#begin(target.id(), position)
    })
    cy.on('tapdrag', ({ position }) => this.#from !== null && cy.getElementById('ghost').position(position))
    cy.on('tapend', ({ position }) => this.#end(position))
  }

  get on(): boolean {
    return this.#on
  }

  set on(on: boolean) {
    this.#on = on
    this.board.cy.autoungrabify(on)
    this.container.classList.toggle('connecting', on)
    this.changed(on)
  }

  #begin(id: string, position: { x: number; y: number }): void {
    const { cy } = this.board
    this.#from = id
    cy.autoungrabify(true)
    cy.add({
      group: 'nodes',
      data: { id: 'ghost', label: '', kind: 'box', color: 'plain', w: 1, h: 1 },
      position: { ...position },
      classes: 'ghost',
    })
    cy.add({
      group: 'edges',
      data: { id: 'rubber', source: id, target: 'ghost', label: '', color: 'plain' },
      classes: 'rubber',
    })
  }

  #end(position: { x: number; y: number }): void {
    if (this.#from === null) return
    const from = this.#from
    this.#from = null
    const { cy } = this.board
    cy.remove('#ghost, #rubber')
    cy.autoungrabify(this.#on)
    const under = cy.nodes().filter((node) => {
      const { x1, x2, y1, y2 } = node.boundingBox({ includeLabels: false })
      return position.x >= x1 && position.x <= x2 && position.y >= y1 && position.y <= y2
    })
    const target = under.last()
    if (target.nonempty() && target.id() === from) return
    this.connected(from, target.empty() ? position : target.id())
  }
}
