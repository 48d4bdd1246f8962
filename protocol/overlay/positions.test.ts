import test from 'ava'
import fc from 'fast-check'
import { NAMED_POSITIONS, resolvePosition } from './positions.js'

const at = (position: string) => resolvePosition(position, [1000, 500])

const NINE: Readonly<Record<string, readonly [number, number]>> = {
  'top-left': [100, 50],
  top: [500, 50],
  'top-right': [900, 50],
  left: [100, 250],
  center: [500, 250],
  right: [900, 250],
  'bottom-left': [100, 450],
  bottom: [500, 450],
  'bottom-right': [900, 450],
}

test('the nine names resolve a tenth of the way in', (t) => {
  t.deepEqual(Object.keys(NAMED_POSITIONS), Object.keys(NINE))
  for (const [name, place] of Object.entries(NINE)) t.deepEqual(at(name), [...place], name)
})

test('case, spaces and underscores are forgiven in every name', (t) => {
  for (const [name, place] of Object.entries(NINE)) {
    const spellings = [
      name.toUpperCase(),
      name.replace('-', ' '),
      name.replace('-', '_'),
      name.replace('-', ' - '),
      `  ${name}\t`,
    ]
    for (const spelling of spellings) t.deepEqual(at(spelling), [...place], JSON.stringify(spelling))
  }
})

test('synonyms mean what they say', (t) => {
  const synonyms = {
    center: ['centre', 'Centre', 'middle', 'center-center', 'centre_centre'],
    top: ['top-center', 'Top Centre', 'top_center'],
    bottom: ['bottom-center', 'bottom centre'],
    left: ['center-left', 'centre left'],
    right: ['center-right', 'CENTER_RIGHT'],
  }
  for (const [name, spellings] of Object.entries(synonyms)) {
    for (const spelling of spellings) t.deepEqual(at(spelling), [...(NINE[name] ?? [])], spelling)
  }
})

test('a pair of percentages with both signs is a place, from 0 to 100', (t) => {
  t.deepEqual(at('50%,30%'), [500, 150])
  t.deepEqual(at('0%,0%'), [0, 0])
  t.deepEqual(at('100%,100%'), [1000, 500])
  t.deepEqual(at('12.5%,0.2%'), [125, 1])
  t.deepEqual(at(' 50 % , 30% '), [500, 150])
  t.deepEqual(at('050%,100.000%'), [500, 500])
})

test('a percentage may have as many decimals as a program prints', (t) => {
  t.deepEqual(at(`${100 / 3}%,${200 / 3}%`), [(100 / 3 / 100) * 1000, (200 / 3 / 100) * 500])
  t.deepEqual(at(`${'0'.repeat(80)}7%,7.${'0'.repeat(80)}%`), [70, 35])
})

test('what could be pixels, or is out of range, is refused', (t) => {
  for (const position of [
    ...['50,30', '50%,30', '50,30%', '50%', '50% 30%', '50%;30%', '50%,30%,1%', ',', '%,%', '50%,', ',30%'],
    ...[
      '101%,5%',
      '5%,100.0001%',
      '-1%,5%',
      '+5%,5%',
      '-0%,0%',
      '1e1%,5%',
      '0x5%,5%',
      '.5%,5%',
      '5.%,5%',
      '٥%,5%',
      'NaN%,0%',
      'Infinity%,0%',
    ],
    ...[`1${'0'.repeat(190)}%,5%`, '5,0%,3,0%'],
  ]) {
    t.is(at(position), null, position)
  }
})

test('a name that is none is refused, and so are those every object has', (t) => {
  for (const position of [
    ...['', ' ', '-', 'upper-left', 'topleft', 'top-left-right', 'left-', '-left', 'top\u0000', 'tоp'],
    ...['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf', 'prototype'],
  ]) {
    t.is(at(position), null, JSON.stringify(position))
  }
})

test('any pair in range lies on the display, where it says; no text whatever throws', (t) => {
  const percent = fc.double({ min: 0, max: 100, noNaN: true }).filter((value) => !String(value).includes('e'))
  fc.assert(
    fc.property(percent, percent, (x, y) => {
      const place = at(`${x}%,${y}%`)
      t.truthy(place)
      t.true(
        Math.abs((place?.[0] ?? Number.NaN) - x * 10) < 1e-9 &&
          Math.abs((place?.[1] ?? Number.NaN) - y * 5) < 1e-9,
      )
      t.true((place?.[0] ?? -1) >= 0 && (place?.[0] ?? 1e9) <= 1000)
    }),
    { seed: 31, numRuns: 500 },
  )
  const hostile = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string({ unit: fc.constantFrom(...'top-lef _%,.0159'.split('')) }),
  )
  fc.assert(
    fc.property(hostile, (text) => {
      const place = at(text)
      t.true(place === null || (Number.isFinite(place[0]) && Number.isFinite(place[1])))
    }),
    { seed: 32, numRuns: 2000 },
  )
})
