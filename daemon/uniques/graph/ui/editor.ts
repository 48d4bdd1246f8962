/** What the person does to a diagram: each act is one step back, and is told. */
import type { Core } from 'cytoscape'
import { History, type ImageSource, type Lip } from '../../../sdk/index.js'
import type { Board } from './board.js'
import type { LabelField } from './label.js'
import { type Color, type Diagram, type Kind, textOf } from './model.js'

export type Change = 'add' | 'edit' | 'move' | 'connect' | 'remove' | 'undo' | 'redo' | 'arrange'

const TEXT = 20_000

export class Editor {
  readonly history: History<Diagram>
  readonly #cy: Core

  constructor(
    private readonly lip: Lip,
    private readonly board: Board,
    private readonly label: LabelField,
    /** Called after every change, whoever made it. */
    private readonly changed: () => void,
    private readonly say: (text: string) => void,
  ) {
    this.#cy = board.cy
    this.history = new History(
      () => board.read(),
      (diagram) => board.write(diagram),
    )
  }

  get selected(): string[] {
    return this.#cy.$(':selected').map((element) => element.id())
  }

  /** A new node, to be written in at once; connected from the one that is selected, below it. */
  add(kind: Kind, at?: { readonly x: number; readonly y: number }): void {
    const from = this.#cy.nodes(':selected')
    const base = from.length === 1 && at === undefined ? from.first() : null
    const place = base ? { x: base.position('x'), y: base.position('y') + 110 } : (at ?? this.board.middle())
    const node = this.board.addNode({ kind, ...place })
    if (base && kind !== 'text' && kind !== 'note') this.board.addEdge({ from: base.id(), to: node.id })
    this.#select([node.id])
    this.#reveal(node.id)
    this.label.edit(node.id, (text) => {
      // Nothing was written, and nothing is to be left.
      if (text === '' && kind !== 'box' && kind !== 'round' && kind !== 'diamond')
        this.board.remove([node.id])
      else this.board.change(node.id, { label: text })
      this.done('add', [node.id])
    })
    this.changed()
  }

  /** Lines of text become a node each. */
  addTexts(texts: readonly string[]): void {
    const { x, y } = this.board.middle()
    const ids = texts.slice(0, 100).map((label, at) => this.board.addNode({ label, x, y: y + at * 70 }).id)
    this.#select(ids)
    this.done('add', ids)
  }

  async addImage(
    file: File,
    source: ImageSource,
    at?: { readonly x: number; readonly y: number },
  ): Promise<void> {
    try {
      const { path, url } = await this.lip.upload(file, { source })
      const label = source === 'paste' ? '' : file.name.replace(/\.[a-z]+$/i, '')
      const node = this.board.addNode({ kind: 'image', label, url, path, ...at })
      this.#select([node.id])
      this.done('add', [node.id])
    } catch (error) {
      this.lip.toast(`The picture was not added: ${(error as Error).message}`, 'error')
    }
  }

  connect(from: string, to: string | { readonly x: number; readonly y: number }): void {
    if (typeof to === 'string') {
      const edge = this.board.addEdge({ from, to })
      if (edge) this.done('connect', [edge.id])
      return
    }
    const node = this.board.addNode({ ...to })
    this.board.addEdge({ from, to: node.id })
    this.#select([node.id])
    this.label.edit(node.id, (label) => {
      this.board.change(node.id, { label })
      this.done('add', [node.id])
    })
    this.changed()
  }

  edit(id: string): void {
    const before = this.#cy.getElementById(id).data('label')
    this.label.edit(id, (label) => {
      if (label === before) return
      this.board.change(id, { label })
      this.done('edit', [id])
    })
  }

  recolor(color: Color): void {
    this.#changeAll({ color })
  }

  reshape(kind: Kind): void {
    this.#changeAll({ kind })
  }

  move(dx: number, dy: number): void {
    const nodes = this.#cy.nodes(':selected')
    nodes.positions((node) => ({ x: node.position('x') + dx, y: node.position('y') + dy }))
    if (nodes.nonempty()) this.done('move', this.selected)
  }

  remove(): void {
    const gone = this.board.remove(this.selected)
    if (gone.length > 0) this.done('remove', gone)
  }

  undo(): void {
    if (this.history.undo()) this.#tell('undo', [])
  }

  redo(): void {
    if (this.history.redo()) this.#tell('redo', [])
  }

  arrange(): void {
    this.board.arrange('down')
    this.done('arrange', [])
  }

  /** Selects the next node in reading order; the board is left at its end. */
  step(by: 1 | -1): boolean {
    const nodes = this.#cy
      .nodes()
      .sort((a, b) => a.position('y') - b.position('y') || a.position('x') - b.position('x'))
    const at = nodes.toArray().findIndex((node) => node.selected())
    const next = at === -1 ? (by === 1 ? 0 : nodes.length - 1) : at + by
    const node = nodes[next]
    if (!node) return false
    this.#select([node.id()])
    this.#reveal(node.id())
    return true
  }

  /** A step of the person is over. */
  done(change: Change, ids: readonly string[]): void {
    if (this.history.note()) this.#tell(change, ids)
    else this.changed()
  }

  choose(ids: readonly string[]): void {
    this.#select(ids)
    if (ids[0] !== undefined) this.#reveal(ids[0])
  }

  #tell(change: Change, ids: readonly string[]): void {
    this.changed()
    const diagram = this.board.read()
    const { nodes, edges } = diagram
    const text = textOf(diagram).slice(0, TEXT)
    void this.lip.emit('graph.changed', {
      change,
      ids: ids.slice(0, 1000),
      nodes: nodes.length,
      edges: edges.length,
      text,
    })
  }

  #changeAll(what: { readonly color?: Color; readonly kind?: Kind }): void {
    const ids = this.selected.filter((id) => this.board.change(id, what))
    if (ids.length > 0) this.done('edit', ids)
  }

  #select(ids: readonly string[]): void {
    this.#cy.batch(() => {
      this.#cy.$(':selected').unselect()
      for (const id of ids) this.#cy.getElementById(id).select()
    })
    const [only] = ids
    if (ids.length === 1 && only !== undefined) this.say(this.#spoken(only))
  }

  #spoken(id: string): string {
    const element = this.#cy.getElementById(id)
    const { label, kind } = element.data()
    const to = element.outgoers('node').map((node) => node.data('label') || 'a node without text')
    return `${label || 'without text'}, ${kind ?? 'connection'}${to.length > 0 ? `, to ${to.join(', ')}` : ''}`
  }

  #reveal(id: string): void {
    const element = this.#cy.getElementById(id)
    const { x1, x2, y1, y2 } = element.renderedBoundingBox()
    if (x1 < 0 || y1 < 0 || x2 > this.#cy.width() || y2 > this.#cy.height()) this.#cy.center(element)
  }
}
