/** The graph: a board to draw on, a row of tools, and an outline of it in words. */
import { connect } from '../../../sdk/index.js'
import { editingTools, showAllTool, Toolbar } from '../../shared/toolbar.js'
import { Board, isDark } from './board.js'
import { obey } from './commands.js'
import { Connecting } from './connecting.js'
import { Editor } from './editor.js'
import { listenToKeys } from './keys.js'
import { LabelField } from './label.js'
import { COLORS, textOf } from './model.js'
import { Outline } from './outline.js'

const one = <E extends HTMLElement>(id: string) => document.getElementById(id) as E
const container = one('board')
const board = new Board(container)
const { cy } = board
const said = one('said')
const say = (text: string) => {
  said.textContent = text
}

const lip = await connect()
const label = new LabelField(cy, one<HTMLTextAreaElement>('label'), container)
const changed = () => {
  const diagram = board.read()
  const selected = new Set(editor.selected)
  one('empty').hidden = diagram.nodes.length > 0
  outline.show(diagram, selected)
  tools.able('undo', editor.history.canUndo)
  tools.able('redo', editor.history.canRedo)
  tools.able('remove', selected.size > 0)
  for (const color of COLORS) tools.able(`color-${color}`, selected.size > 0)
}
const editor = new Editor(lip, board, label, () => changed(), say)
const outline = new Outline(one('outline'), (id) => editor.choose([id]))
const connecting = new Connecting(
  board,
  container,
  (from, to) => editor.connect(from, to),
  (on) => tools.press('connect', on),
)
const onBoard = (act: () => void) => () => {
  act()
  if (document.activeElement?.closest('#tools')) container.focus()
}
const toggleOutline = () => {
  const nav = one('outline')
  nav.hidden = !nav.hidden
  tools.expand('outline', !nav.hidden)
  cy.resize()
  changed()
}

const tools = new Toolbar(one('tools'), [
  [
    { id: 'box', name: 'Add a box', key: 'N', icon: ['M4 6h16v12H4z'], act: () => editor.add('box') },
    {
      id: 'round',
      name: 'Add an ellipse',
      key: 'R',
      icon: ['M3 12a9 6.5 0 1 0 18 0a9 6.5 0 1 0-18 0'],
      act: () => editor.add('round'),
    },
    {
      id: 'diamond',
      name: 'Add a decision',
      key: 'D',
      icon: ['M12 3l9 9-9 9-9-9z'],
      act: () => editor.add('diamond'),
    },
    {
      id: 'text',
      name: 'Add text',
      key: 'T',
      icon: ['M5 5h14M12 5v14M9 19h6'],
      act: () => editor.add('text'),
    },
    {
      id: 'note',
      name: 'Add a note',
      icon: ['M4 4h16v11l-5 5H4z', 'M15 20v-5h5'],
      act: () => editor.add('note'),
    },
    {
      id: 'image',
      name: 'Add a picture',
      icon: ['M4 5h16v14H4z', 'M4 16l5-5 4 4 3-3 4 4', 'M15 9h.01'],
      act: () => one('file').click(),
    },
    {
      id: 'connect',
      name: 'Connect by dragging from node to node',
      key: 'C',
      icon: ['M3 4h6v6H3z', 'M15 14h6v6h-6z', 'M9 8c5 0 2 9 6 9'],
      act: onBoard(() => {
        connecting.on = !connecting.on
      }),
    },
  ],
  COLORS.map((color) => ({
    id: `color-${color}`,
    name: `Colour: ${color}`,
    className: `swatch ${color}`,
    icon: ['M4 4h16v16H4z'],
    act: () => editor.recolor(color),
  })),
  editingTools(editor),
  [
    {
      id: 'arrange',
      name: 'Tidy up',
      key: 'L',
      icon: ['M9 3h6v5H9z', 'M3 16h6v5H3z', 'M15 16h6v5h-6z', 'M12 8v4M6 16v-4h12v4'],
      act: () => editor.arrange(),
    },
    showAllTool(() => board.fit()),
    {
      id: 'outline',
      name: 'Outline',
      icon: ['M8 6h12M8 12h12M8 18h12', 'M4 6h.01M4 12h.01M4 18h.01'],
      act: toggleOutline,
    },
  ],
])
tools.press('connect', false)
tools.expand('outline', false)

const file = document.createElement('input')
Object.assign(file, { type: 'file', accept: 'image/*', id: 'file', hidden: true })
file.setAttribute('aria-label', 'Picture')
file.addEventListener('change', () => {
  for (const picture of file.files ?? []) void editor.addImage(picture, 'file')
  file.value = ''
})
document.body.append(file)

listenToKeys(container, board, editor, connecting)
obey(lip, board, editor, () => changed())

cy.on('dbltap', ({ target, position }) => {
  if (target === cy) editor.add('box', position)
  else editor.edit(target.id())
})
cy.on('tap', () => container.focus({ preventScroll: true }))
cy.on('dragfree', 'node', () => editor.done('move', editor.selected))
let telling = false
cy.on('select unselect', () => {
  changed()
  // Selecting many is one act.
  if (telling) return
  telling = true
  setTimeout(() => {
    telling = false
    const ids = editor.selected.slice(0, 1000)
    const labels = ids.map((id) => String(cy.getElementById(id).data('label')))
    if (ids.length > 0) void lip.emit('graph.node.select', { ids, labels })
  }, 150)
})
cy.on('cxttap', ({ target, originalEvent }) => {
  const { clientX, clientY } = originalEvent as MouseEvent
  lip.summon(clientX, clientY, target === cy ? undefined : { id: target.id(), label: target.data('label') })
})
container.addEventListener('contextmenu', (event) => event.preventDefault())
new ResizeObserver(() => cy.resize()).observe(container)

lip.images(document, (files, source, event) => {
  const box = container.getBoundingClientRect()
  const pan = cy.pan()
  const at =
    event instanceof DragEvent
      ? {
          x: (event.clientX - box.left - pan.x) / cy.zoom(),
          y: (event.clientY - box.top - pan.y) / cy.zoom(),
        }
      : undefined
  for (const picture of files) void editor.addImage(picture, source, at)
})
document.addEventListener('paste', (event) => {
  if (event.defaultPrevented || document.activeElement !== container) return
  const lines =
    event.clipboardData
      ?.getData('text/plain')
      .split('\n')
      .map((line) => line.trim())
      .filter(Boolean) ?? []
  if (lines.length > 0) editor.addTexts(lines)
})

/** What is sent: the diagram, as words too, and how it looks. */
async function exported() {
  const diagram = board.read()
  if (diagram.nodes.length === 0) throw new Error('there is nothing on the board yet')
  const png = await cy.png({
    output: 'blob-promise',
    full: true,
    scale: 2,
    maxWidth: 3000,
    maxHeight: 3000,
    bg: isDark() ? '#1b1a18' : '#fbfaf8',
  })
  const { url: _, ...picture } = await lip.upload(png, { tell: false })
  return { text: textOf(diagram), picture, ...diagram }
}
one('send').append(lip.sendButton(exported))
changed()
say('Empty board. Press N to add a node.')
