import test from 'ava'
import { drawsHere, screenHere } from './draws-here.js'

test('a daemon draws here when it draws on the X or the Wayland screen of the environment', (t) => {
  const both = { DISPLAY: ':0', WAYLAND_DISPLAY: 'wayland-1' }
  t.true(drawsHere(':0', both))
  t.true(drawsHere(':0.0', both))
  t.true(drawsHere('wayland-1', both))
  t.true(drawsHere('/run/user/1000/wayland-1', both))
  t.true(drawsHere('wayland-1', { WAYLAND_DISPLAY: '/run/user/1000/wayland-1' }))
  t.false(drawsHere(':1', both))
  t.false(drawsHere('wayland-0', both))
  t.false(drawsHere('wayland-1', { DISPLAY: ':0' }))
  t.false(drawsHere(':0', { WAYLAND_DISPLAY: '' }))
  t.is(screenHere(both), ':0')
  t.is(screenHere({ DISPLAY: '', WAYLAND_DISPLAY: 'wayland-1' }), 'wayland-1')
  t.is(screenHere({}), undefined)
})
