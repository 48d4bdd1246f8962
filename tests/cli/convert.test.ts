import test from 'ava'
import { emptyHome, json, served } from './home.js'

const THOUSAND = ['--space', '0..1000', '--order', 'yx'] as const

test('a place is converted without a daemon, and none is started', async (t) => {
  const lets = emptyHome(t)
  const { code, stdout, stderr } = await lets('convert', '500', '300', ...THOUSAND, '--image', '1568x882')
  t.deepEqual([code, stdout, stderr], [0, '470.4,441 pixels of 1568x882\n', ''])
  const machine = await lets('convert', '500,300', ...THOUSAND, '--image', '1568x882', '--json')
  t.deepEqual(json(t, machine), { pixels: [470.4, 441], image_size: [1568, 882] })
  t.is((await lets('status')).code, 1, 'nothing runs')
})

test('with a frame the picture, the display and the part are known', async (t) => {
  const lets = await served(t, { args: ['--display', '1440x900@2'] })
  const taken = json(t, await lets('capture', `${lets.home}/a.png`, '--rect', '100,50,400,300', '--json'))
  const frame = String(taken.frame_id)
  t.deepEqual(json(t, await lets('convert', '1000', '0', ...THOUSAND, '--frame', frame, '--json')), {
    pixels: [0, 600],
    image_size: [800, 600],
    points: [100, 350],
    display_id: 1,
  })
  const other = await lets('convert', '1', '1', ...THOUSAND, '--frame', frame, '--image', '400x300')
  t.is(other.code, 2)
  t.regex(other.stderr, /--image 400x300 is not the picture of this frame, which is 800x600/)
  const stale = await lets('convert', '1', '1', ...THOUSAND, '--frame', 'f_none')
  t.is(stale.code, 1)
  t.regex(stale.stderr, /frame: the frame "f_none" is unknown, .*; capture again/)
})

test('what is off exits 2 with one line that names the option or the number', async (t) => {
  const lets = await served(t, { args: ['--display', '1440x900'] })
  const image = ['--image', '100x100']
  for (const [args, says] of [
    [['1', '2', ...image], /--space must be one of pixels, .*; it was not declared/],
    [['1', '2', '--space', 'pixels', ...image], /--order must be one of xy, yx; it was not declared/],
    [['1', '2', ...THOUSAND], /say which picture: --image WIDTHxHEIGHT .* or --frame/],
    [['1', '2', ...THOUSAND, '--image', '0x5'], /--image must be WIDTHxHEIGHT in pixels, .*; got "0x5"/],
    [['1001', '2', ...THOUSAND, ...image], /y must be 0 to 1000 from the top .*; got 1001/],
    [['1', 'b', ...THOUSAND, ...image], /number 2 must be a number; got "b"/],
    [['1', '2', '3', ...THOUSAND, ...image], /two numbers or four; got \[1,2,3\]/],
    [['1', '2', '3', '4', ...THOUSAND, ...image], /--form must be one of size, corners/],
    [['1', '2', ...THOUSAND, ...image, '--part', '1,2,3,4'], /--part is a part of a display/],
    [['1', '2', ...THOUSAND, ...image, '--display', '4'], /--display 4 is not connected; the displays are 1/],
    [['1', '2', ...THOUSAND, '--frame', 'f_1', '--display', '1'], /leave --display and --part out/],
  ] as const) {
    const { code, stdout, stderr } = await lets('convert', ...args)
    t.deepEqual([code, stdout], [2, ''], stderr)
    t.regex(stderr, /^lets: [^\n]+\n$/)
    t.regex(stderr, says)
  }
})
