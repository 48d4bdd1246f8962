import { until } from '../support/xserver.js'
import type { Desk } from './support.js'

/** A terminal whose lines are known in root pixels. */
export interface Terminal {
  readonly client: string
  readonly pid: number
  /** The size of a letter. */
  readonly cell: readonly [width: number, height: number]
  /** Where letters of a line are, in logical points of a display of scale 1. */
  place(
    line: number,
    from?: number,
    letters?: number,
  ): Promise<[x: number, y: number, width: number, height: number]>
  key(...keys: string[]): Promise<void>
  type(text: string): Promise<void>
  wheel(button: 4 | 5, clicks?: number): Promise<void>
}

/** The empty margin around an xterm's text, in pixels. */
const MARGIN = 2

/** An xterm that runs a command, with the focus. */
export async function terminal(
  { x }: Pick<Desk, 'x'>,
  command: readonly string[],
  { title = 'terminal', geometry = '70x24+120+90', more = [] as readonly string[] } = {},
): Promise<Terminal> {
  const child = x.spawn('xterm', ['-T', title, '-geometry', geometry, ...more, '-e', ...command])
  const client = await x.windowNamed(title)
  const increment = await until(
    'its letters are known',
    async () =>
      /resize increment: (\d+) by (\d+)/.exec(await x.run('xprop', '-id', client, 'WM_NORMAL_HINTS')) ??
      undefined,
  )
  const cell = [Number(increment[1]), Number(increment[2])] as const
  const corner = async () => {
    const said = await x.run('xwininfo', '-id', client)
    const number = (label: string) => Number(new RegExp(`${label}: +(-?\\d+)`).exec(said)?.[1])
    return [number('Absolute upper-left X'), number('Absolute upper-left Y')] as const
  }
  // Until its window manager has put it on the screen it cannot have the focus.
  await until('it has the focus', async () => {
    if (!(await x.run('xwininfo', '-id', client)).includes('IsViewable')) return false
    await x.run('xdotool', 'windowfocus', client)
    return Number(await x.run('xdotool', 'getwindowfocus')) === Number(client)
  })
  return {
    client,
    pid: child.pid!,
    cell,
    async place(line, from = 0, letters = 20) {
      const [left, top] = await corner()
      return [left + MARGIN + from * cell[0], top + MARGIN + line * cell[1], letters * cell[0], cell[1]]
    },
    async key(...keys) {
      await x.run('xdotool', 'key', '--delay', '5', ...keys)
    },
    async type(text) {
      await x.run('xdotool', 'type', '--delay', '5', text)
    },
    async wheel(button, clicks = 1) {
      const [left, top] = await corner()
      await x.run(
        'xdotool',
        'mousemove',
        `${left + 60}`,
        `${top + 60}`,
        'click',
        '--repeat',
        `${clicks}`,
        `${button}`,
      )
    },
  }
}
