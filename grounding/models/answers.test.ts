import test from 'ava'
import type { Declared } from '../../protocol/overlay/spaces.js'
import { AnswerError, placesIn } from './answers.js'

const image = [1000, 500] as const
const pixels: Declared = { space: 'pixels', order: 'xy', image }
const thousand: Declared = { space: '0..1000', order: 'xy', image }

/** The same place, [500, 100] of a picture of 1000x500, as models of each kind say it. */
for (const [kind, answer, declared] of [
  ['our own schema', '{"found":true,"point":[500,100],"name":"Save","confidence":0.9}', pixels],
  ['0..1000', '{"found":true,"point":[500,200],"name":"Save"}', thousand],
  ['fractions', '{"x":0.5,"y":0.2}', { ...pixels, space: 'fractions' }],
  [
    'percent in attributes',
    '<point x="50.0" y="20.0" alt="Save">Save</point>',
    { ...pixels, space: 'percent' },
  ],
  ['y first', '[{"point": [200, 500], "label": "Save"}]', { ...thousand, order: 'yx' }],
  ['a box as corners', '```json\n[{"bbox_2d": [480, 90, 520, 110], "label": "Save"}]\n```', pixels],
  ['a box with y first', '[{"box_2d": [180, 480, 220, 520], "label": "Save"}]', { ...thousand, order: 'yx' }],
  ['point_2d', '{"point_2d": [500, 100]}', pixels],
  ['a computer-use action', '{"action":"left_click","coordinate":[500,100]}', pixels],
  [
    'a tool call',
    '<tool_call>\n{"name":"computer_use","arguments":{"action":"left_click","coordinate":[500,100]}}\n</tool_call>',
    pixels,
  ],
  ['UI-TARS, start_box', "Thought: I see Save.\nAction: click(start_box='(500,100)')", pixels],
  ['UI-TARS, 0..1000', "Action: click(start_box='(500,200)')", thousand],
  ['UI-TARS, tokens', "Action: click(start_box='<|box_start|>(500,100)<|box_end|>')", pixels],
  ['UI-TARS, point tags', "Action: click(point='<point>500 100</point>')", pixels],
  ['UI-TARS, a box', "Action: left_double(start_box='[480, 90, 520, 110]')", pixels],
  ['UI-TARS, the start of a drag', "Action: drag(start_box='(500,100)', end_box='(9,9)')", pixels],
  ['a call with named arguments', 'gui.click(x=500, y=100)', pixels],
  ['a tag', '<point>500 100</point>', pixels],
  ['a box tag', '<|box_start|>(500,100)<|box_end|>', pixels],
  ['brackets alone', '(500, 100)', pixels],
  ['thought before JSON', '<think>maybe {x}</think>Here: {"found":true,"point":[500,100]}', pixels],
] as const) {
  test(`B4: an answer as ${kind} is the place that its space declares`, (t) => {
    const [place, ...more] = placesIn(answer, declared)
    t.is(more.length, 0)
    const [x, y, width, height] = place!.rect
    t.deepEqual([x + width / 2, y + height / 2], [500, 100])
  })
}

for (const [kind, answer] of [
  ['our schema', '{"found":false,"point":[0,0],"name":"","confidence":0}'],
  ['an empty list', '[]'],
  ['UI-TARS that gives up', "Thought: there is none.\nAction: finished(content='not there')"],
  ['UI-TARS that asks', 'Action: call_user()'],
] as const) {
  test(`no place, as ${kind}`, (t) => t.deepEqual(placesIn(answer, pixels), []))
}

for (const [kind, answer, declared] of [
  ['beyond the picture', '{"found":true,"point":[1500,100]}', pixels],
  ['0..1000 where fractions were declared', '{"point":[500,200]}', { ...pixels, space: 'fractions' }],
  ['negative', "Action: click(start_box='(-5,100)')", pixels],
  ['a box that ends before it begins', '{"bbox_2d":[520,110,480,90]}', pixels],
  ['three numbers', '{"point":[1,2,3]}', pixels],
  ['prose', 'I am sorry, I cannot see that.', pixels],
  ['prose with numbers', 'There are 3 buttons and 2 links', pixels],
  ['nothing', '', pixels],
] as const) {
  test(`D4: an answer that is ${kind} is refused`, (t) => {
    t.throws(() => placesIn(answer, declared), { instanceOf: AnswerError })
  })
}

test('several places are all told, up to a bound', (t) => {
  const many = JSON.stringify(Array.from({ length: 50 }, (_, n) => ({ point: [n, n] })))
  t.is(placesIn(many, pixels).length, 20)
})

test('what a model says of itself is kept only where it makes sense', (t) => {
  t.is(placesIn('{"point":[1,1],"confidence":0.4}', pixels)[0]?.sure, 0.4)
  t.is(placesIn('{"point":[1,1],"confidence":95}', pixels)[0]?.sure, undefined)
})
