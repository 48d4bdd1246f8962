/** A desk as the X11 tests have one: a real compositor with a real daemon on it. */
import type { ExecutionContext } from 'ava'
import { type ConnectOptions, connect, type LetsClient } from '../../daemon/client/index.js'
import { type DaemonProcess, startDaemonProcess } from '../support/daemon.js'
import { until } from '../support/xserver.js'
import type { Compositor } from './rig.js'
import { type Sway, type SwayOptions, startSway } from './sway.js'

export const BLUE = [0x33, 0x66, 0x99]
/** The same, as sway takes it. */
export const PAINT = ['output * bg #336699 solid_color']

export interface Desk<C extends Compositor = Sway> {
  readonly on: C
  readonly daemon: DaemonProcess
  client(options?: Partial<ConnectOptions>): Promise<LetsClient>
}

export interface DeskOptions extends SwayOptions {
  readonly env?: NodeJS.ProcessEnv
}

/** Headless sway with a daemon; everything ends with the test. */
export async function desk(t: ExecutionContext, { env, ...options }: DeskOptions = {}): Promise<Desk> {
  const on = await startSway({ ...options, config: [...PAINT, ...(options.config ?? [])] })
  t.teardown(() => on.stop())
  return deskOn(t, on, env)
}

export async function deskOn<C extends Compositor>(
  t: ExecutionContext,
  on: C,
  env: NodeJS.ProcessEnv = {},
): Promise<Desk<C>> {
  const daemon = await startDaemonProcess({
    env: { WAYLAND_DISPLAY: on.display, ...env },
    args: ['--host', 'wayland', '--capture-consent', 'always'],
  })
  t.teardown(() => daemon.stop())
  return {
    on,
    daemon,
    async client(more = {}) {
      const client = await connect({
        clientName: 'test',
        socket: daemon.socket,
        acks: 'painted',
        lingerMs: 0,
        ...more,
      })
      t.teardown(() => client.close())
      return client
    },
  }
}

/** Whether a pixel of a picture differs from `ground` by more than rounding. */
export function inked(pixel: readonly number[], ground: readonly number[] = BLUE): boolean {
  return pixel.some((channel, index) => Math.abs(channel - (ground[index] ?? 0)) > 8)
}

/** Waits until the screen shows ink at this physical pixel of an output, or no more. */
export async function seesInk(
  { on }: Pick<Desk, 'on'>,
  [x, y]: readonly [number, number],
  { output = 'HEADLESS-1', ground = BLUE, wanted = true } = {},
): Promise<void> {
  await until(
    `ink ${wanted ? 'at' : 'gone from'} ${x},${y}`,
    async () => inked((await on.picture(output)).at(x, y), ground) === wanted,
  )
}
