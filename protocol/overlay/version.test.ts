import test from 'ava'
import { isCompatible, PROTOCOL_VERSION } from './version.js'

test('this version is 0.2', (t) => {
  t.is(PROTOCOL_VERSION, '0.2')
})

test('any minor of major 0 is understood, older and newer', (t) => {
  for (const v of [
    '0.0',
    '0.1',
    '0.2',
    '0.3',
    '0.4',
    '0.5',
    '0.6',
    '0.7',
    '0.8',
    '0.9',
    '0.10',
    '0.12345678',
    '00.2',
  ])
    t.true(isCompatible(v), v)
})

test('another major is not, and neither is what is no version', (t) => {
  for (const v of [
    '1.0',
    '1.2',
    '10.2',
    '2.0',
    '',
    '0',
    '0.',
    '.2',
    '0.2.0',
    ' 0.2',
    '0.2 ',
    '0.2\n',
    'v0.2',
    '-0.2',
    '0.-2',
    '0.2a',
    '0x0.2',
    '٠.٢',
    '0,2',
  ]) {
    t.false(isCompatible(v), JSON.stringify(v))
  }
})
