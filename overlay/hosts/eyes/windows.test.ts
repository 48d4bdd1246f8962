import test from 'ava'
import type { WindowInfo } from '../../../native/index.js'
import { moves, toHostWindow } from './windows.js'

const left = {
  name: 'left',
  x: 0,
  y: 0,
  width: 640,
  height: 480,
  mmWidth: 0,
  mmHeight: 0,
  primary: true,
  scale: 1,
}
const right = { ...left, name: 'right', x: 640, width: 800, height: 600, primary: false, scale: 2 }
const places = new Map([
  [1, { monitor: left, epoch: 1 }],
  [2, { monitor: right, epoch: 1 }],
])
const onRight = { x: 640, y: 0, width: 800, height: 600 }

function fullScreen(more: Partial<WindowInfo>): boolean | undefined {
  const rect = { x: more.x ?? 640, y: more.y ?? 0, width: more.width ?? 800, height: more.height ?? 600 }
  const window: WindowInfo = {
    id: 1,
    client: 1,
    ...rect,
    content: rect,
    className: 'App',
    instance: 'app',
    title: 'App',
    pid: null,
    overrideRedirect: false,
    viewable: true,
    minimized: false,
    hidden: false,
    fullScreen: false,
    maximized: false,
    furniture: false,
    takesClicks: true,
    ...more,
  }
  return toHostWindow(window, places).fullScreen
}

test('J2: full screen is what its window manager says is, and covers a display', (t) => {
  t.true(fullScreen({ fullScreen: true }))
  t.true(fullScreen({ fullScreen: true, maximized: true }), 'maximised before')
  t.true(fullScreen({ fullScreen: true, x: 0, width: 1440 }), 'over both')
  t.false(fullScreen({ fullScreen: true, width: 400 }), 'on its way, or in a window of its own')
})

test('J2: full screen is also a window without a frame that is just as large as a display', (t) => {
  t.true(fullScreen({}))
  t.true(fullScreen({ overrideRedirect: true }))
  t.true(fullScreen({ x: 0, width: 640, height: 480 }))
  t.false(fullScreen({ maximized: true }), 'maximised where no panel is')
  t.false(fullScreen({ content: { ...onRight, y: 24, height: 576 } }), 'with a title')
  t.false(fullScreen({ furniture: true }), 'the desktop')
  t.false(fullScreen({ overrideRedirect: true, takesClicks: false }), "another program's overlay")
  t.false(fullScreen({ x: 0, width: 1440 }), 'larger than any')
})

test('a window that becomes full screen is a change of the list, and still a move', (t) => {
  const change = { id: 1, kind: 'moved', ...onRight } as const
  t.false(moves([{ ...change, filling: false }], places).relisted)
  const told = moves([{ ...change, filling: true }], places)
  t.true(told.relisted)
  t.deepEqual(
    told.moved.map(({ id, rects }) => [id, rects.get(2)]),
    [[1, [0, 0, 400, 300]]],
  )
})
