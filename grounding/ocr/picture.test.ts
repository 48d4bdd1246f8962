import { createCanvas, GlobalFonts } from '@napi-rs/canvas'
import test from 'ava'
import { findChunks } from './chunks.js'
import { colorName } from './colors.js'
import { cropOf } from './crop.js'
import { findGrounds } from './grounds.js'
import { findInk } from './ink.js'
import { draw, type Pen } from './testing.js'

function seen(paint: (pen: Pen) => void, scale = 1) {
  const picture = draw(400, 200, scale, paint)
  const found = findGrounds(picture)
  const ink = findInk(found, picture.width, scale)
  return { picture, ...found, ink, chunks: findChunks(ink.glyphs, scale) }
}

test('text differs from its ground, whichever of them is light', (t) => {
  const { chunks, distance, picture } = seen((pen) => {
    pen.box(0, 0, 400, 200, '#ffffff')
    pen.box(20, 20, 160, 40, '#0b5cad')
    pen.text('White on blue', 40, 45, '#ffffff')
    pen.text('black on white', 40, 120, '#000000')
  })
  t.is(chunks.length, 2)
  t.not(chunks[0]!.ground, chunks[1]!.ground)
  for (const { box } of chunks) {
    const { gray, width } = cropOf(distance, picture.width, box, 1)
    t.is(gray[0], 255, 'the ground is white')
    t.true(
      gray.some((value) => value < 40),
      'the letters are dark',
    )
    t.is(width, (box.right - box.left) * 2 + 24)
  }
})

test('texts on two grounds, or far apart on one, are two', (t) => {
  const { chunks } = seen((pen) => {
    pen.box(0, 0, 400, 200, '#f4f4f4')
    pen.box(20, 20, 50, 30, '#dddddd')
    pen.box(74, 20, 60, 30, '#dddddd')
    pen.text('Edit', 28, 40, '#000000')
    pen.text('Delete', 80, 40, '#000000')
    pen.text('left', 20, 120, '#000000')
    pen.text('right', 200, 120, '#000000')
  })
  t.is(chunks.length, 4)
})

for (const scale of [1, 2]) {
  test(`words of one line are one text, at ${scale}x`, (t) => {
    const { chunks } = seen((pen) => {
      pen.box(0, 0, 400, 200, '#202020')
      pen.text('A line, with marks: and dots.', 20, 60, '#dddddd')
      pen.text('Another one right below', 20, 78, '#dddddd')
    }, scale)
    t.is(chunks.length, 2)
    for (const { box } of chunks) t.true(box.bottom - box.top < 18 * scale)
  })
}

test('borders, rules and circles are no letters', (t) => {
  const { ink, chunks } = seen((pen) => {
    pen.box(0, 0, 400, 200, '#ffffff')
    pen.frame(20, 20, 200, 30, '#888888')
    pen.box(20, 80, 300, 1, '#888888')
    pen.circle(40, 120, 6.5, '#444444')
    pen.text('By train', 54, 125, '#000000')
  })
  t.is(chunks.length, 1)
  t.is(ink.rules.length, 1)
  t.is(ink.frames.length, 2)
  t.true(chunks[0]!.box.left > 48)
})

test('a picture without any text has none, however it looks', (t) => {
  t.is(seen((pen) => pen.box(0, 0, 400, 200, '#123456')).chunks.length, 0)
  const noise = draw(120, 90, 1, () => {})
  for (let i = 0; i < noise.data.length; i++) noise.data[i] = (i * 7919 + (i >> 3) * 104729) & 255
  t.notThrows(() => findInk(findGrounds(noise), 120, 1))
})

test('colours are called as people call them', (t) => {
  for (const [rgb, name] of [
    [[198, 43, 43], 'red'],
    [[11, 92, 173], 'blue'],
    [[31, 122, 61], 'green'],
    [[224, 144, 42], 'orange'],
    [[240, 220, 40], 'yellow'],
    [[120, 60, 200], 'purple'],
    [[250, 250, 250], 'white'],
    [[20, 20, 24], 'black'],
    [[140, 142, 140], 'gray'],
  ] as const)
    t.is(colorName(rgb), name)
})

test('the fonts the tests draw with are there', (t) =>
  t.true(GlobalFonts.families.length > 0 && createCanvas(1, 1).width === 1))
