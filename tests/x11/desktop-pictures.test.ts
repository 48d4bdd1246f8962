import type { ExecutionContext } from 'ava'
import test from 'ava'
import type { NativeBinding, X11Host } from '../../native/index.js'
import { type Frame, HostUnavailable } from '../../overlay/host.js'
import { DesktopPictures } from '../../overlay/hosts/desktop-pictures.js'
import { NativeHost } from '../../overlay/hosts/native/host.js'
import { native, near } from '../native/support.js'
import { startX, until } from '../support/xserver.js'

/** As ImageMagick writes colours: a PNG's gamma rounds them by one. */
const RED = [0xcc, 0, 0]
const BLUE = [0, 0, 0xcc]

/** A host on a real X server whose addon cannot take pictures; what it looks at goes through `screenshot-desktop`. */
async function setup(t: ExecutionContext) {
  const x = await startX({
    screen: '1200x600x24',
    monitors: [
      { name: 'left', x: 0, y: 0, width: 400, height: 600 },
      { name: 'right', x: 400, y: 0, width: 800, height: 600 },
    ],
  })
  t.teardown(() => x.stop())
  for (const [name, color, at] of [
    ['one', '#cc0000', '80x60+0+0'],
    ['two', '#0000cc', '160x60+400+0'],
  ] as const) {
    x.spawn('xterm', ['-bg', color, '-title', name, '-geometry', at, '-e', 'sleep', '99'])
    await x.windowNamed(name)
  }
  // The package runs programs of the system, which look here for the screen.
  process.env.DISPLAY = x.display
  process.env.LETS_SCALE = 'left=2,right=1'
  let works = false
  const blind = {
    ...native,
    X11Host: {
      connect: async (...args: Parameters<NativeBinding['X11Host']['connect']>): Promise<X11Host> => {
        const connection = await native.X11Host.connect(...args)
        const capture = connection.captureInto.bind(connection)
        connection.captureInto = (request, target) =>
          works ? capture(request, target) : Promise.reject(new Error('this root cannot be read'))
        return connection
      },
    },
  }
  const host = new NativeHost(blind, x.display, new DesktopPictures())
  host.on({ displays() {}, clearRequested() {}, exit() {} })
  t.teardown(() => host.stop())
  const displays = await host.start()
  const look = (name: string, more: object = {}): Promise<Frame> => {
    const display = displays.find((one) => one.name === name)
    return host.capture({ display: display?.id ?? 0, marks: false, backdrop: 'screen', ...more })
  }
  return { host, displays, look, heal: () => (works = true) }
}

const colour = ({ data, width }: Frame, x: number, y: number) => [
  ...data.subarray((y * width + x) * 4, (y * width + x) * 4 + 3),
]

test.serial(
  'two monitors of different scale are each pictured, pixel for pixel, and parts of them too',
  async (t) => {
    const { look, host, heal } = await setup(t)
    await until('the windows are painted', async () => {
      const [a, b] = [await look('left'), await look('right')]
      return near(colour(a, 200, 300), RED) && near(colour(b, 400, 300), BLUE)
    })
    const left = await look('left')
    t.deepEqual([left.width, left.height, left.scale, [...left.origin]], [400, 600, 2, [0, 0]])
    const part = await look('right', { rect: [100, 50, 300, 200] })
    t.deepEqual([part.width, part.height, part.scale, [...part.origin]], [300, 200, 1, [100, 50]])
    t.true(near(colour(part, 150, 100), BLUE))
    t.regex(host.facts().notes.join(), /screenshot-desktop.*this root cannot be read/)
    heal()
    const own = await look('right', { rect: [100, 50, 300, 200] })
    t.true(near([...own.data], [...part.data], 2), 'what the addon sees, pixel by pixel')
    t.notRegex(host.facts().notes.join(), /screenshot-desktop/)
  },
)

test.serial(
  'with marks up it is refused unless they are asked for, and then they are as the screen shows them',
  async (t) => {
    const { look, host, displays } = await setup(t)
    const display = displays.find(({ name }) => name === 'right')?.id as number
    const mark = {
      kind: 'highlight',
      id: 'a',
      rect: [300, 200, 200, 200],
      shape: 'rect',
      spotlight: false,
    } as const
    await host.apply({ display, put: [mark], remove: [] })
    await t.throwsAsync(look('right'), {
      instanceOf: HostUnavailable,
      message:
        /only be pictured with everything on it \(this root cannot be read\), and marks are on display/,
    })
    t.is((await look('left')).width, 400, 'the other display has none')
    const shown = await look('right', { marks: true })
    t.true(near(colour(shown, 400, 300), BLUE))
    t.true((colour(shown, 295, 300)[0] ?? 0) > 0x80, 'the outline')
    const prompt = { title: 'May I?', body: 'Say so.', answers: [] }
    await host.apply({ display, put: [], remove: ['a'], prompt })
    for (const marks of [false, true]) {
      await t.throwsAsync(look('right', { marks }), { message: /a question to the person is on display/ })
    }
    await host.apply({ display, put: [], remove: [], prompt: null })
    t.truthy(await look('right'))
  },
)
