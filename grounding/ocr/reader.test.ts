import test from 'ava'
import { Reader } from './reader.js'
import { Counting, draw } from './testing.js'

const page = (lines: readonly string[], shift = 0) =>
  draw(400, 300, 1, (pen) => {
    for (const [n, line] of lines.entries()) pen.text(line, 20 + shift, 40 + n * 30 + shift, '#000000')
  })
const never = () => new AbortController().signal

test('an unchanged screen costs nothing twice', async (t) => {
  const engine = new Counting()
  const reader = new Reader(engine)
  const first = await reader.read(page(['Save', 'Cancel', 'Help']), never())
  t.like(first, { lines: 3, read: 3, unread: 0 })
  const second = await reader.read(page(['Save', 'Cancel', 'Help']), never())
  t.like(second, { lines: 3, read: 0, unread: 0 })
  t.deepEqual(second.items, first.items)
  t.is(engine.given.length, 3)
})

test('of a changed screen only what is new is read, and what moved is known again', async (t) => {
  const engine = new Counting()
  const reader = new Reader(engine)
  await reader.read(page(['Save', 'Cancel', 'Help']), never())
  const changed = await reader.read(page(['Save', 'Quit', 'Help'], 7), never())
  t.is(changed.read, 1)
  t.is(engine.given.length, 4)
})

test('the same label many times is read once', async (t) => {
  const engine = new Counting()
  const { items, read } = await new Reader(engine).read(page(['Edit', 'Edit', 'Edit', 'Edit']), never())
  t.is(read, 1)
  t.is(items.length, 4)
})

test('when nobody waits any more it stops between lines, and what was read until then is kept', async (t) => {
  const engine = new Counting()
  const reader = new Reader(engine)
  const gone = new AbortController()
  engine.onCrop = (count) => {
    if (count === 2) gone.abort(new Error('never mind'))
  }
  const lines = ['Save', 'Cancel', 'Help', 'About']
  await t.throwsAsync(reader.read(page(lines), gone.signal), { message: 'never mind' })
  t.is(engine.given.length, 2)
  engine.onCrop = () => {}
  t.is((await reader.read(page(lines), never())).read, 2)
})

test('a button is its box, and a field is named by its label', async (t) => {
  const { items } = await new Reader(new Counting()).read(
    draw(500, 300, 1, (pen) => {
      pen.box(0, 0, 500, 300, '#ffffff')
      pen.text('Email', 20, 40, '#222222')
      pen.frame(20, 48, 300, 34, '#777777')
      pen.box(20, 120, 110, 36, '#0b5cad')
      pen.text('Send it', 44, 143, '#ffffff')
      pen.frame(20, 190, 14, 14, '#555555')
      pen.text('Remember', 42, 202, '#222222')
    }),
    never(),
  )
  const byRole = (role: string) => items.filter((item) => item.role === role)
  t.deepEqual(items.map(({ role }) => role).sort(), ['button', 'checkbox', 'field'])
  t.like(byRole('button')[0], { color: 'blue', rect: [20, 120, 110, 36] })
  t.true(byRole('field')[0]!.rect[2] > 280)
  t.true(byRole('checkbox')[0]!.rect[2] < 20)
})
