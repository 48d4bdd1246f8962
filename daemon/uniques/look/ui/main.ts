/** Look: a picture to draw on, a row of tools, and a legend of what is marked. */
import { connect, type Data } from '../../../sdk/index.js'
import { editingTools, showAllTool, type Tool, Toolbar } from '../../shared/toolbar.js'
import { Editor } from './editor.js'
import { Hands } from './hands.js'
import { Legend } from './legend.js'
import { COLORS, type Color, type Kind, type Place } from './model.js'
import { Source } from './source.js'
import { View } from './view.js'

const one = <E extends HTMLElement>(id: string) => document.getElementById(id) as E
const container = one<HTMLDivElement>('picture')
const said = one('said')

const lip = await connect()
const view = new View(container)
const changed = () => {
  const { picture, places, marks } = editor.look
  container.hidden = picture === null
  one('legend').hidden = picture === null
  container.classList.toggle('drawing', editor.kind !== 'select')
  legend.show([...places, ...marks], editor.selected)
  for (const { id } of drawing) {
    tools.press(id, editor.kind === id)
    tools.able(id, picture !== null)
  }
  for (const color of colors) tools.press(`color-${color}`, editor.color === color)
  tools.able('undo', editor.history.canUndo)
  tools.able('redo', editor.history.canRedo)
  tools.able('remove', editor.selected !== null)
}
const editor: Editor = new Editor(
  lip,
  view,
  () => legend,
  () => changed(),
)
const legend = new Legend(one('legend'), {
  choose: (place) => editor.choose(place),
  say: (place, text) => editor.say(place, text),
  remove: (place) => editor.remove(place),
})
const source = new Source(lip, editor)
const use = (kind: Kind | 'select') => () => {
  editor.kind = kind
  // What comes next is a new one, and the colour that is chosen is its.
  if (kind !== 'select') editor.choose(null)
  changed()
}
const drawing: readonly Tool[] = [
  { id: 'select', name: 'Select and move', key: 'V', icon: ['M5 3l13 8-6 1.5L9 19z'], act: use('select') },
  {
    id: 'spot',
    name: 'Point at a spot',
    key: 'S',
    icon: ['M12 3v5M12 16v5M3 12h5M16 12h5', 'M10 12a2 2 0 1 0 4 0a2 2 0 1 0-4 0'],
    act: use('spot'),
  },
  { id: 'region', name: 'Rectangle', key: 'R', icon: ['M4 6h16v12H4z'], act: use('region') },
  {
    id: 'ellipse',
    name: 'Ellipse',
    key: 'E',
    icon: ['M3 12a9 6.5 0 1 0 18 0a9 6.5 0 1 0-18 0'],
    act: use('ellipse'),
  },
  { id: 'arrow', name: 'Arrow', key: 'A', icon: ['M5 19L19 5', 'M11 5h8v8'], act: use('arrow') },
  { id: 'pen', name: 'Pen', key: 'P', icon: ['M3 17c4-8 6 4 9-2s4-9 9-4'], act: use('pen') },
  {
    id: 'number',
    name: 'Number',
    key: 'N',
    icon: ['M3 12a9 9 0 1 0 18 0a9 9 0 1 0-18 0', 'M10 9.5l2.5-2v9'],
    act: use('number'),
  },
  { id: 'text', name: 'Text', key: 'T', icon: ['M5 5h14M12 5v14M9 19h6'], act: use('text') },
]
const colors = Object.keys(COLORS) as Color[]

const tools = new Toolbar(one('tools'), [
  drawing,
  colors.map((color) => ({
    id: `color-${color}`,
    name: `Colour: ${color}`,
    className: `swatch ${color}`,
    icon: ['M4 12a8 8 0 1 0 16 0a8 8 0 1 0-16 0'],
    act: () => editor.recolor(color),
  })),
  editingTools(editor),
  [
    showAllTool(() => view.fit()),
    {
      id: 'in',
      name: 'Larger',
      key: '+',
      icon: ['M4 11a7 7 0 1 0 14 0a7 7 0 1 0-14 0', 'M16 16l5 5', 'M8 11h6M11 8v6'],
      act: () => view.zoom(1.25),
    },
    {
      id: 'out',
      name: 'Smaller',
      key: '-',
      icon: ['M4 11a7 7 0 1 0 14 0a7 7 0 1 0-14 0', 'M16 16l5 5', 'M8 11h6'],
      act: () => view.zoom(0.8),
    },
    {
      id: 'again',
      name: 'Take another picture',
      icon: ['M4 8h4l2-3h4l2 3h4v11H4z', 'M9 13a3 3 0 1 0 6 0a3 3 0 1 0-6 0'],
      act: () => source.open(one('start').hidden === true),
    },
  ],
])

new Hands(container, view, editor, (text) => {
  said.textContent = text
})

const keys: Readonly<Record<string, () => void>> = {
  ...Object.fromEntries(drawing.map(({ key = '', act }) => [key.toLowerCase(), act])),
  '0': () => view.fit(),
  '+': () => view.zoom(1.25),
  '=': () => view.zoom(1.25),
  '-': () => view.zoom(0.8),
}
document.addEventListener('keydown', (event) => {
  const writes = event
    .composedPath()
    .some((target) => target instanceof HTMLElement && target.matches('input, textarea, [data-lets]'))
  if (writes || event.altKey || editor.look.picture === null) return
  const key = event.key.toLowerCase()
  const steps = { z: () => (event.shiftKey ? editor.redo() : editor.undo()), y: () => editor.redo() }
  const act = event.ctrlKey || event.metaKey ? steps[key as 'z' | 'y'] : keys[key]
  if (!act) return
  event.preventDefault()
  act()
})

let marks = 0
lip.on('look.mark', (data) => {
  const given = (data as { readonly marks: readonly (Partial<Place> & Pick<Place, 'kind' | 'x' | 'y'>)[] })
    .marks
  editor.mark(
    given.map((mark) => ({ color: 'blue', text: '', ...mark, by: 'claude', id: mark.id ?? `m${++marks}` })),
  )
})
lip.on('look.unmark', (data) => editor.unmark((data as { readonly ids?: readonly string[] }).ids))
lip.on('look.capture', (data) => {
  const { display = 1, text = '' } = data as { readonly display?: number; readonly text?: string }
  source.asked(display, text)
})
lip.state({
  save: () => editor.state(),
  load: (data: Data) => void editor.load(data).then(() => source.open(editor.look.picture === null)),
})

one('send').append(lip.sendButton(() => editor.exported()))
changed()
