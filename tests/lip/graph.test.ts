/** The graph in a browser: drawn with the pointer and with keys, added to by Claude, sent and taken up again. */
import { existsSync, readFileSync } from 'node:fs'
import { imageSize } from 'image-size'
import type { Page } from 'playwright-core'
import {
  axe,
  closeBrowser,
  eventually,
  give,
  heard,
  homeWith,
  png,
  shot,
  show,
  tell,
  browserTest as test,
} from './browser.js'
import { type Served, served } from './support.js'

test.after.always(closeBrowser)

interface Diagram {
  readonly nodes: readonly {
    id: string
    label: string
    kind: string
    color: string
    x: number
    y: number
    url?: string
  }[]
  readonly edges: readonly { id: string; from: string; to: string; label: string }[]
}

/** The diagram, as Claude is told it. */
async function diagram(lets: Served, window: string): Promise<Diagram> {
  return (await lets.operator(`/lip/state?window=${window}`)).json.state
}

const board = (page: Page) => page.getByRole('application', { name: 'Diagram board' })

/** Writes into the field that is open, and ends it. */
async function write(page: Page, text: string): Promise<void> {
  const field = page.getByRole('textbox', { name: 'Text' })
  await field.fill(text)
  await field.press('Enter')
  await field.waitFor({ state: 'hidden' })
}

test('with the pointer: nodes are made, connected, moved, coloured, and every step is taken back', async (t) => {
  const lets = await served(t, { home: homeWith(t) })
  const { page, opened, faults } = await show(t, lets, 'graph')
  await page.getByText('to begin').waitFor()
  await shot(page, 'graph-empty')
  await board(page).dblclick({ position: { x: 300, y: 150 } })
  await write(page, 'Order comes in')
  t.like((await heard(lets, 'graph.changed')).data, { change: 'add', nodes: 1, text: 'n1: Order comes in' })
  await page.getByText('to begin').waitFor({ state: 'hidden' })
  await page.mouse.click(800, 500)
  await board(page).dblclick({ position: { x: 300, y: 400 } })
  await write(page, 'Ship it')

  await page.getByRole('button', { name: /^Connect/ }).click()
  await drag(page, [300, 150], [300, 400])
  await eventually(async () => (await diagram(lets, opened.window)).edges.length === 1, 'an edge')
  // Let go over nothing: a node is made there.
  await drag(page, [300, 400], [600, 400])
  await write(page, 'Send the bill')
  await page.keyboard.press('c')
  const connected = await diagram(lets, opened.window)
  t.deepEqual(
    connected.edges.map(({ from, to }) => [from, to]),
    [
      ['n1', 'n2'],
      ['n2', 'n3'],
    ],
  )

  await drag(page, [300, 150], [420, 110])
  await eventually(
    async () => (await diagram(lets, opened.window)).nodes[0]!.x !== connected.nodes[0]!.x,
    'it moved',
  )
  const [moved] = (await diagram(lets, opened.window)).nodes
  t.deepEqual([moved!.x - connected.nodes[0]!.x, moved!.y - connected.nodes[0]!.y], [120, -40])
  await onBoard(page, 420, 110)
  await eventually(async () => {
    const { labels } = (await heard(lets, 'graph.node.select')).data as { labels: string[] }
    return labels.join() === 'Order comes in'
  }, 'it is told')
  await page.getByRole('button', { name: 'Colour: blue' }).click()
  t.is((await diagram(lets, opened.window)).nodes[0]!.color, 'blue')
  await shot(page, 'graph-drawn')

  const undo = page.getByRole('button', { name: 'Undo' })
  for (let steps = 0; await undo.isEnabled(); steps++) {
    if (steps > 20) throw new Error('it never ends')
    await undo.click()
  }
  t.deepEqual(await diagram(lets, opened.window), { nodes: [], edges: [] })
  const redo = page.getByRole('button', { name: 'Redo' })
  while (await redo.isEnabled()) await redo.click()
  const again = await diagram(lets, opened.window)
  t.is(again.nodes.length, 3)
  t.is(again.nodes.find(({ id }) => id === 'n1')?.color, 'blue')
  t.deepEqual(faults, [])
})

test('with keys alone: a flow is written, gone through, changed, and read out', async (t) => {
  const lets = await served(t, { home: homeWith(t) })
  const { page, opened, faults } = await show(t, lets, 'graph')
  await board(page).focus()
  await page.keyboard.press('n')
  await write(page, 'Start')
  await page.keyboard.press('d')
  await write(page, 'Enough?')
  await page.keyboard.press('n')
  await write(page, 'Stop')
  const { nodes, edges } = await diagram(lets, opened.window)
  t.deepEqual(
    nodes.map(({ label, kind }) => [label, kind]),
    [
      ['Start', 'box'],
      ['Enough?', 'diamond'],
      ['Stop', 'box'],
    ],
  )
  t.deepEqual(
    edges.map(({ from, to }) => [from, to]),
    [
      ['n1', 'n2'],
      ['n2', 'n3'],
    ],
  )

  await page.keyboard.press('Escape')
  await page.keyboard.press('Tab')
  await page.getByRole('status').getByText('Start, box, to Enough?').waitFor()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await write(page, 'Is it enough?')
  await page.keyboard.press('Shift+ArrowRight')
  const changed = (await diagram(lets, opened.window)).nodes[1]!
  t.deepEqual([changed.label, changed.x - nodes[1]!.x], ['Is it enough?', 50])

  await page.getByRole('button', { name: 'Outline' }).click()
  t.regex(
    await page.getByRole('navigation', { name: 'Outline' }).ariaSnapshot(),
    /button "Is it enough\? to Stop" \[pressed\]/,
  )
  await page.getByRole('button', { name: 'Start to Is it enough?' }).press('Enter')
  await board(page).focus()
  await page.keyboard.press('Delete')
  t.is((await diagram(lets, opened.window)).nodes.length, 2)
  await page.keyboard.press('Control+z')
  t.is((await diagram(lets, opened.window)).nodes.length, 3)
  t.deepEqual(await axe(page), [])
  // Tab leaves the board when there is no node to go on to.
  await board(page).focus()
  for (let presses = 0; presses < 5; presses++) await page.keyboard.press('Tab')
  t.not(await page.evaluate('document.activeElement.id'), 'board')
  t.deepEqual(faults, [])
})

test('Claude adds, changes, arranges and points out; the person takes it back', async (t) => {
  const lets = await served(t, { home: homeWith(t) })
  const { page, opened, faults } = await show(t, lets, 'graph', { dark: true })
  const nodes = [
    { id: 'api', label: 'API', color: 'blue' },
    { id: 'db', label: 'Database', kind: 'round', color: 'green' },
    { id: 'q', label: 'Cached?', kind: 'diamond', color: 'orange' },
  ]
  const edges = [
    { id: 'a', from: 'api', to: 'q' },
    { id: 'b', from: 'q', to: 'db', label: 'no' },
  ]
  await tell(lets, opened, 'graph.load', { nodes, edges })
  await tell(lets, opened, 'graph.node.add', { id: 'cache', label: 'Cache', kind: 'note', near: 'q' })
  await tell(lets, opened, 'graph.edge.add', { from: 'q', to: 'cache', label: 'yes' })
  await tell(lets, opened, 'graph.node.update', { id: 'api', label: 'The API' })
  await tell(lets, opened, 'graph.layout', {})
  await tell(lets, opened, 'graph.focus', { ids: ['cache'] })
  const full = await diagram(lets, opened.window)
  t.deepEqual(
    full.nodes.map(({ label }) => label),
    ['The API', 'Database', 'Cached?', 'Cache'],
  )
  t.is(full.edges.length, 3)
  const y = (id: string) => full.nodes.find((node) => node.id === id)!.y
  t.true(y('api') < y('q') && y('q') < y('db'))
  await page.getByRole('button', { name: 'Show all' }).click()
  await shot(page, 'graph-dark')
  t.deepEqual(await axe(page), [])
  await tell(lets, opened, 'graph.node.remove', { ids: ['q', 'nobody'] })
  t.deepEqual((await diagram(lets, opened.window)).edges, [])
  await page.getByRole('button', { name: 'Undo' }).click()
  t.is((await diagram(lets, opened.window)).edges.length, 3)
  const refused = await lets.operator('/lip/send', {
    window: opened.window,
    type: 'graph.node.add',
    data: { label: 'x', kind: 'cube' },
  })
  t.like(refused.json.error, { code: 'bad_data' })
  t.deepEqual(faults, [])
})

test('lines are pasted and a picture dropped; the whole is sent with how it looks, and comes back as it was', async (t) => {
  const lets = await served(t, { home: homeWith(t) })
  const { page, opened, context } = await show(t, lets, 'graph')
  await page.getByRole('button', { name: 'Send to Claude' }).click()
  await page.getByText('Not sent: there is nothing on the board yet').waitFor()
  await board(page).focus()
  await page.evaluate(`navigator.clipboard.writeText('One\\n\\n  Two  ')`)
  await page.keyboard.press('Control+v')
  await eventually(async () => (await diagram(lets, opened.window)).nodes.length === 2, 'two nodes')
  await give(page, board(page), 'drop', 'error.png', png(60, 40))
  t.like((await heard(lets, 'media.image')).data, { w: 60, source: 'drop' })
  await eventually(async () => (await diagram(lets, opened.window)).nodes.length === 3, 'a picture')
  await shot(page, 'graph-picture')
  const before = await diagram(lets, opened.window)
  t.like(before.nodes[2], { kind: 'image', label: 'error' })

  await page.getByRole('button', { name: 'Send to Claude' }).click()
  const { data } = await heard(lets, 'graph.export')
  const { session, text, picture } = data as {
    session: { id: string }
    text: string
    picture: { path: string; w: number }
  }
  t.regex(text, /n1: One\nn2: Two\nn3: error \(image\) .*\.png/)
  t.true(existsSync(picture.path))
  t.is(imageSize(readFileSync(picture.path)).width, picture.w)
  await page.getByRole('heading', { name: 'Sent to Claude' }).waitFor()

  const again = await show(t, lets, 'graph', { context }, { resume: session.id })
  await again.page.getByText('to begin').waitFor({ state: 'hidden' })
  t.deepEqual(await diagram(lets, again.opened.window), before)
  await shot(again.page, 'graph-again')
  t.deepEqual(again.faults, [])
})

test('a board that nobody touches asks for no frame; the next touch draws', async (t) => {
  const lets = await served(t, { home: homeWith(t) })
  const { page, opened } = await show(t, lets, 'graph')
  await page.addInitScript(`{
    const schedule = window.requestAnimationFrame.bind(window)
    window.asked = 0
    window.requestAnimationFrame = (callback) => { window.asked++; return schedule(callback) }
  }`)
  await page.reload()
  await board(page).dblclick({ position: { x: 300, y: 150 } })
  await write(page, 'Quiet')
  const asked = () => page.evaluate('window.asked') as Promise<number>
  let before = -1
  await eventually(async () => {
    const now = await asked()
    const still = now === before
    before = now
    await page.evaluate('new Promise((done) => setTimeout(done, 400))')
    return still
  }, 'it rests')
  t.is(await asked(), before)
  await onBoard(page, 300, 150)
  await drag(page, [300, 150], [400, 250])
  await eventually(
    async () => (await diagram(lets, opened.window)).nodes[0]!.x !== 0 && (await asked()) > before,
    'it draws',
  )
  t.true((await asked()) > before)
})

async function at(page: Page, x: number, y: number): Promise<[number, number]> {
  const box = (await board(page).boundingBox())!
  return [box.x + x, box.y + y]
}

async function onBoard(page: Page, x: number, y: number): Promise<void> {
  await page.mouse.click(...(await at(page, x, y)))
}

async function drag(
  page: Page,
  from: readonly [number, number],
  to: readonly [number, number],
): Promise<void> {
  await page.mouse.move(...(await at(page, ...from)))
  await page.mouse.down()
  await page.mouse.move(...(await at(page, (from[0] + to[0]) / 2, (from[1] + to[1]) / 2)))
  await page.mouse.move(...(await at(page, ...to)))
  await page.mouse.up()
}
