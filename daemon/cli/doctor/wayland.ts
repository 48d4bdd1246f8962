/** What there is to draw on where the Wayland compositor itself is drawn on. */
import { loadNative, type WaylandOutput } from '../../../native/index.js'
import { HOST_CAPABILITIES, lacking } from '../../../protocol/overlay/capabilities.js'
import type { AckMessage } from '../../../protocol/overlay/schema.js'
import { desktopOf } from '../../wayland.js'
import { displayFinding, round } from './displays.js'
import type { Finding } from './finding.js'
import { otherHost } from './other-host.js'

/** How long a compositor may take to answer, in ms. */
const PATIENCE_MS = 3000

/** `display`: the compositor's socket. Nothing is drawn. */
export async function onWayland(
  env: NodeJS.ProcessEnv,
  display: string,
  status: AckMessage | null,
): Promise<Finding[]> {
  const loaded = loadNative()
  if (!loaded.ok) {
    const found = `headless, although WAYLAND_DISPLAY is ${display}: ${loaded.reason}`
    return [{ name: 'host', state: 'problem', found, fix: loaded.fix }, ...otherHost(env, status)]
  }
  try {
    const connection = await loaded.native.WaylandHost.connect({ display, timeoutMs: PATIENCE_MS }, () => {})
    try {
      const { outputs } = await connection.outputs()
      return [
        { name: 'host', state: 'ok', found: `wayland, since WAYLAND_DISPLAY is ${display}` },
        ...otherHost(env, status),
        ...outputs.map(describe),
        {
          name: 'wayland',
          state: 'ok',
          found: `${desktopOf(env) ?? 'the desktop'} has a place above all windows that lets clicks through (zwlr_layer_shell_v1)`,
        },
        picturing(connection.info().capture),
        ...lacks(status),
      ]
    } finally {
      await connection.close()
    }
  } catch (error) {
    const found = `wayland, since WAYLAND_DISPLAY is ${display}, but it cannot be drawn on: ${(error as Error).message}`
    return [{ name: 'host', state: 'problem', found }, ...otherHost(env, status)]
  }
}

function describe(output: WaylandOutput): Finding {
  const { name, x, y, width, height, scale } = output
  return displayFinding(name, [width, height], scale, `${round(x)},${round(y)} of the layout`)
}

function picturing(by: string | undefined): Finding {
  return by === undefined
    ? { name: 'pictures', state: 'warning', found: 'this compositor shows its screen to no ordinary program' }
    : { name: 'pictures', state: 'ok', found: `through ${by}` }
}

/** What cannot be done: as the daemon that runs says, or else what no Wayland desktop lets an ordinary program do. */
function lacks(status: AckMessage | null): Finding[] {
  const words =
    status?.host === 'wayland' ? lacking(status.capabilities) : (['windows', 'following', 'content'] as const)
  return words
    .filter((word) => word !== 'capture')
    .map((word) => ({ name: 'wayland', state: 'warning', found: HOST_CAPABILITIES[word].lacks }))
}
