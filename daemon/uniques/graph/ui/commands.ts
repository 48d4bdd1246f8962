/** What Claude does to the diagram: one step back each, and none of it is told back. */
import type { Data, Lip } from '../../../sdk/index.js'
import type { Board } from './board.js'
import type { Editor } from './editor.js'
import type { Diagram, Edge, Node } from './model.js'

const POINTED_MS = 4000

export function obey(lip: Lip, board: Board, editor: Editor, changed: () => void): void {
  const { cy } = board
  const on = <T>(type: string, act: (data: T) => void) =>
    lip.on(type, (data: Data) => {
      act(data as T)
      editor.history.note()
      changed()
    })

  on<Partial<Node> & { near?: string }>('graph.node.add', ({ near, ...node }) => {
    const beside = near === undefined ? undefined : cy.getElementById(near)
    const at = beside?.nonempty() ? { x: beside.position('x') + 240, y: beside.position('y') } : {}
    const first = cy.nodes().empty()
    board.addNode({ ...at, ...node })
    if (first) cy.center()
  })
  on<Partial<Node> & { id: string }>('graph.node.update', ({ id, ...what }) => board.change(id, what))
  on<{ ids: string[] }>('graph.node.remove', ({ ids }) => board.remove(ids))
  on<Edge>('graph.edge.add', (edge) => board.addEdge(edge))
  on<Edge>('graph.edge.update', ({ id, label, color }) =>
    board.change(id, { ...(label !== undefined && { label }), ...(color !== undefined && { color }) }),
  )
  on<{ ids: string[] }>('graph.edge.remove', ({ ids }) => board.remove(ids))
  on<{ direction?: 'down' | 'right' }>('graph.layout', ({ direction = 'down' }) => board.arrange(direction))
  on<{ ids: string[] }>('graph.focus', ({ ids }) => {
    let meant = cy.collection()
    for (const id of ids) meant = meant.union(cy.getElementById(id))
    if (meant.empty()) return
    cy.fit(meant, Math.max(80, cy.width() / 4))
    if (cy.zoom() > 1.4) cy.zoom(1.4)
    cy.center(meant)
    meant.addClass('pointed-out')
    setTimeout(() => meant.removeClass('pointed-out'), POINTED_MS)
  })
  lip.state({
    save: () => board.read() as unknown as Data,
    load: (data) => {
      const { nodes = [], edges = [] } = data as unknown as Partial<Diagram>
      board.write({ nodes, edges })
      board.fit()
      editor.history.reset()
      changed()
    },
  })
}
