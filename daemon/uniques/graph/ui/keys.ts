/** The keys of the board. */
import type { Board } from './board.js'
import type { Connecting } from './connecting.js'
import type { Editor } from './editor.js'

const ARROWS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
}

export function listenToKeys(
  container: HTMLElement,
  board: Board,
  editor: Editor,
  connecting: Connecting,
): void {
  const { cy } = board
  const plain: Readonly<Record<string, () => void>> = {
    n: () => editor.add('box'),
    r: () => editor.add('round'),
    d: () => editor.add('diamond'),
    t: () => editor.add('text'),
    c: () => connect(),
    l: () => editor.arrange(),
    Enter: () => editSelected(),
    F2: () => editSelected(),
    Delete: () => editor.remove(),
    Backspace: () => editor.remove(),
    '+': () => zoom(cy.zoom() * 1.2),
    '=': () => zoom(cy.zoom() * 1.2),
    '-': () => zoom(cy.zoom() / 1.2),
    '0': () => board.fit(),
  }
  const withControl: Readonly<Record<string, () => void>> = {
    z: () => editor.undo(),
    y: () => editor.redo(),
    a: () => void cy.elements().select(),
  }
  const editSelected = () => {
    const [id] = editor.selected
    if (id !== undefined) editor.edit(id)
  }
  const zoom = (level: number) =>
    void cy.zoom({ level, renderedPosition: { x: cy.width() / 2, y: cy.height() / 2 } })
  /** Two that are selected are connected at once; else the pointer draws. */
  const connect = () => {
    const [from, to] = cy.nodes(':selected').toArray()
    if (from && to && cy.nodes(':selected').length === 2) editor.connect(from.id(), to.id())
    else connecting.on = !connecting.on
  }

  container.addEventListener('keydown', (event) => {
    const { key, shiftKey, altKey } = event
    const control = event.ctrlKey || event.metaKey
    const act = () => {
      if (altKey) return false
      if (control)
        return run(
          key.toLowerCase() === 'z' && shiftKey ? () => editor.redo() : withControl[key.toLowerCase()],
        )
      if (key === 'Tab') return editor.step(shiftKey ? -1 : 1)
      if (key === 'Escape') return leave()
      const arrow = ARROWS[key]
      if (arrow) return arrows(arrow, shiftKey ? 50 : 10)
      return run(plain[key.length === 1 ? key.toLowerCase() : key])
    }
    if (act()) event.preventDefault()
  })

  const run = (what: (() => void) | undefined) => {
    what?.()
    return what !== undefined
  }
  const leave = () => {
    const was = connecting.on || editor.selected.length > 0
    connecting.on = false
    cy.$(':selected').unselect()
    return was
  }
  const arrows = ([dx, dy]: readonly [number, number], by: number) => {
    if (cy.nodes(':selected').nonempty()) editor.move(dx * by, dy * by)
    else cy.panBy({ x: -dx * by * 4, y: -dy * by * 4 })
    return true
  }
}
