import test from 'ava'
import type { Mark, Prompt } from '../overlay/marks.js'
import { checkFromPage, checkToPage, type FromPage, type ToPage } from './page.js'

type Scene = Extract<ToPage, { type: 'scene' }>
type Writable<T> = T extends object ? { -readonly [K in keyof T]: Writable<T[K]> } : T

// The schema and the types that hosts are handed say the same: this does not compile otherwise.
const fits = <A extends B, B>(value?: A): B | undefined => value
fits<Writable<Mark>, Scene['put'][number]>()
fits<Scene['put'][number], Writable<Mark>>()
fits<Writable<Prompt>, NonNullable<Scene['prompt']>>()
fits<NonNullable<Scene['prompt']>, Writable<Prompt>>()

const marks: readonly Scene['put'][number][] = [
  { kind: 'point', id: 'a', at: [1, 2], label: 'x', step: 3 },
  { kind: 'highlight', id: 'b', rect: [-5, 0, 10, 0.5], shape: 'ellipse', spotlight: true },
  { kind: 'textbox', id: 'c', rect: [1, 2, 3, 4], text: 'x', style: 'guide' },
  {
    kind: 'arrow',
    id: 'd',
    path: [
      [1, 2],
      [3, 4],
    ],
    width: 2,
    color: '#fff',
  },
]
const scene: Scene = {
  ...{ type: 'scene', seq: 0, size: [800, 600], offset: [0, 0], reduced_motion: false },
  ...{
    put: [...marks],
    pointer: 'a',
    thinking: false,
    prompt: { title: 't', body: 'b', answers: [{ label: 'y', keys: ['Y'] }] },
  },
  backdrop: [{ rect: [0, 0, 1, 1], width: 1, height: 1, rgba: 'AAAAAA==' }],
}

test('what main may tell a page passes', (t) => {
  const messages: ToPage[] = [
    scene,
    { ...scene, put: [], pointer: null, prompt: null },
    { type: 'change', seq: 1, put: [...marks], remove: ['a'], pointer: null, prompt: null, jump: ['b'] },
    { type: 'glyphs', id: 1, text: '' },
    { type: 'ping', id: 2 },
  ]
  for (const message of messages) t.deepEqual(checkToPage(message), { ok: true, message })
})

test('what a page may tell passes', (t) => {
  const messages: FromPage[] = [
    { type: 'ready', ratio: 1.25, pixels: [1, 2] },
    { type: 'surface', ratio: 2, pixels: [0, 0] },
    { type: 'painted', seq: 3, presented: true, ink: false },
    { type: 'missing', id: 1, graphemes: ['x'] },
    { type: 'pong', id: 1 },
    { type: 'refused', reason: 'x' },
    { type: 'refused', reason: 'x', seq: 4 },
    { type: 'fault', reason: 'x' },
  ]
  for (const message of messages) t.deepEqual(checkFromPage(message), { ok: true, message })
})

test('anything else is refused by the name of its field, with its number when it has one', (t) => {
  const refused = (value: unknown, check: (value: unknown) => unknown = checkToPage) => {
    const found = check(value) as { ok: boolean; reason: string; seq?: number }
    t.false(found.ok)
    return found.seq === undefined ? found.reason : `${found.seq}: ${found.reason}`
  }
  t.is(refused(undefined), 'a message is an object, got undefined')
  t.is(
    refused({ type: 'painted', seq: 3 }),
    '3: type must be one of scene, change, glyphs, ping, got "painted"',
  )
  t.regex(
    refused({ type: 'scene', seq: 3 }, checkFromPage),
    /^3: type must be one of ready, .*, got "scene"$/,
  )
  t.is(refused({ ...scene, size: [0, 600] }), '0: scene: size[0] must be > 0, got 0')
  t.is(refused({ ...scene, seq: -1 }), 'scene: seq must be >= 0, got -1')
  t.is(refused({ ...scene, size: [Number.NaN, 600] }).startsWith('0: scene: size[0]'), true)
  t.regex(refused({ ...scene, put: [{ ...marks[1], rect: [1, 2, -3, 4] }] }), /^0: scene: put\[0\]/)
  t.regex(refused({ ...scene, put: [{ ...marks[2], style: 'loud' }] }), /^0: scene: put\[0\]/)
  t.regex(refused({ ...scene, pointer: '' }), /^0: scene: pointer/)
  t.regex(
    refused({ ...scene, backdrop: [{ ...scene.backdrop![0], rgba: '<>' }] }),
    /^0: scene: backdrop\[0\]\.rgba/,
  )
  t.is(
    refused({ type: 'painted', seq: 0, presented: 'yes', ink: true }, checkFromPage),
    '0: painted: presented must be true or false, got "yes"',
  )
})
