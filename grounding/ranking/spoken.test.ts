import test from 'ava'
import type { Item } from '../items.js'
import { judge } from '../policy.js'
import { rank } from './rank.js'

const display = {
  id: 1,
  scale: 1,
  logical_size: [1000, 800],
  origin: [0, 0],
  primary: true,
  name: 'test',
} as const

function item(role: string, name: string, at: readonly [number, number], more: Partial<Item> = {}): Item {
  return { role, name, rect: [at[0], at[1], 80, 24], ...more }
}

const query = (text: string) => ({ text, display, windows: [] })

/** The name of what is found; or that nothing is, or several are. A mark of interrogation: not for sure. */
function said(text: string, items: readonly Item[]): string {
  const verdict = judge(rank(query(text), items))
  if (verdict.kind !== 'found') return verdict.kind
  return `${verdict.candidate.name}${verdict.draw === 'pointer' ? '' : '?'}`
}

const TABLE = ['Item', 'Monthly', 'Rent', '1,150.00', 'Power', '74.00'].map((name, n) =>
  item(n < 2 ? 'column header' : 'cell', name, [20 + (n % 2) * 100, 20 + Math.floor(n / 2) * 30], {
    row: `r${Math.floor(n / 2)}`,
  }),
)

test('where a column meets a row is a cell, and not the head of the column', (t) => {
  t.is(said('monthly of Power', TABLE), '74.00?')
  t.is(said('the monthly rent', TABLE), '1,150.00?')
  t.is(said('monthly of Water', TABLE), 'unsure')
})

test('another number is another thing', (t) => {
  const items = [item('button', 'Page 2', [20, 20]), item('cell', 'web', [20, 60])]
  t.is(said('page 2', items), 'Page 2')
  t.is(said('page 7', items), 'unsure')
  t.is(said('web-03', items), 'unsure')
})

test('what is done to a row of a list is not done by a button elsewhere', (t) => {
  const element = { locate: async () => null, isAt: async () => false, keep: () => () => {} }
  const items = [
    item('list item', 'Slow train Ida', [20, 20], { row: 'a', element }),
    item('text', 'Slow train', [20, 20], { row: 'a', element: { ...element } }),
    item('button', 'Play', [400, 300], { element: { ...element } }),
  ]
  t.not(said('play Slow train', items), 'Play')
  t.is(said('play', items), 'Play')
})

test('only what can be ticked is ticked', (t) => {
  const items = [item('link', 'Dan Lee', [100, 20]), item('checkbox', 'Select Dan Lee', [20, 20])]
  t.regex(said('tick Dan Lee', items), /^Select Dan Lee/)
  t.is(said('tick Dan Lee', items.slice(0, 1)), 'unsure')
})

test('switches are counted among switches, and what only looks like a box is never counted for sure', (t) => {
  const items = [
    item('checkbox', 'Mirror', [20, 20]),
    item('switch', 'Night light', [20, 60]),
    item('switch', 'TV', [20, 100]),
  ].map((one) => ({
    ...one,
    element: { locate: async () => null, isAt: async () => false, keep: () => () => {} },
  }))
  t.is(said('the second switch', items), 'TV')
  t.is(said('the second switch', items.slice(0, 2)), 'unsure')
  const seen = [item('checkbox', 'One', [20, 20]), item('checkbox', 'Two', [20, 60])]
  t.is(said('the second checkbox', seen), 'Two?')
})

test('signs, values and numbers beside a name are none of it', (t) => {
  const items = [
    item('button', 'Status ▾', [20, 20]),
    item('button', 'Role: any', [120, 20]),
    item('link', '1. Address', [220, 20]),
  ]
  t.is(said('the Status button', items), 'Status ▾')
  t.is(said('the Role button', items), 'Role: any')
  t.is(said('the address', items), '1. Address')
  t.is(said('the Save (draft) button', [item('button', 'Save', [20, 20])]), 'unsure')
})

test('a deed whose object is plain is what the control says', (t) => {
  const items = [item('button', 'Apply', [20, 20]), item('button', 'Write a comment', [20, 60])]
  t.is(said('apply the changes', items), 'Apply')
  t.is(said('write a post', items), 'unsure')
})

test('a part of a window that nobody saw makes it less sure', (t) => {
  t.is(said('Bruno in the list', [item('unknown', 'Bruno', [20, 20])]), 'Bruno?')
})

test('a word for a kind of thing that stands before an article says what to do, and a thing that is told so is not e-mailed', (t) => {
  const items = [item('button', 'Scan', [20, 20]), item('button', 'Save all', [200, 20])]
  for (const words of ['e-mail the scan', 'email the scan', 'book the scan', 'post my scan'])
    t.true((rank(query(words), items)[0]?.confidence ?? 0) < 0.5, words)
})

test('what is called something is not what it is', (t) => {
  const items = [item('column header', 'Ship', [20, 20]), item('cell', 'Måsen', [20, 50])]
  t.is(rank(query('ships called Måsen'), items)[0]?.name, 'Måsen')
  t.true((rank(query('ships called Havsörn'), items)[0]?.confidence ?? 0) < 0.5)
  t.is(rank(query('the button called Ship'), [item('button', 'Ship', [20, 20])])[0]?.name, 'Ship')
})

test('a verb in its other forms, with its last letter twice, and one that stands in two places', (t) => {
  const items = [item('button', 'Scan', [20, 20]), item('button', 'Discard page', [200, 20])]
  t.is(rank(query('start scanning'), items)[0]?.name, 'Scan')
  t.is(rank(query('throw this page away'), items)[0]?.name, 'Discard page')
})
