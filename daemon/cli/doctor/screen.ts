/** What there is to draw on: which host fits and why, displays, compositor, Wayland, hotkeys. */
import { loadNative, type Monitor, type X11Host } from '../../../native/index.js'
import type { AckMessage } from '../../../protocol/overlay/schema.js'
import { findElectron } from '../../electron.js'
import { planHost } from '../../host-plan.js'
import { surroundings } from '../../hosts.js'
import { displayFinding, round } from './displays.js'
import type { Finding } from './finding.js'
import { otherHost } from './other-host.js'
import { onWayland } from './wayland.js'

/** How long an X server may take to answer, in ms. */
const PATIENCE_MS = 3000

/** `status`: of the daemon that runs, or null. */
export async function screen(env: NodeJS.ProcessEnv, status: AckMessage | null): Promise<Finding[]> {
  const choice = { kind: 'auto', displays: [] } as const
  const around = await surroundings(choice, env)
  const plan = planHost(choice, around)
  switch (plan.kind) {
    case 'refuse':
      return [
        { name: 'host', state: 'problem', found: plan.reason, fix: 'lets daemon --host headless' },
        ...otherHost(env, status),
      ]
    case 'headless': {
      const why =
        plan.note ?? 'no DISPLAY is set: marks are in memory, and `lets snapshot FILE.png` shows them'
      return [{ name: 'host', state: 'warning', found: `headless: ${why}` }, ...otherHost(env, status)]
    }
    case 'electron':
      return [
        { name: 'host', state: 'ok', found: `electron, which draws on ${process.platform}` },
        ...otherHost(env, status),
      ]
    case 'wayland':
      return onWayland(env, plan.display, status)
    case 'x11':
      return throughX(env, plan, status)
  }
}

async function throughX(
  env: NodeJS.ProcessEnv,
  { display, instead }: { readonly display: string; readonly instead?: string },
  status: AckMessage | null,
): Promise<Finding[]> {
  const loaded = loadNative()
  if (!loaded.ok) {
    const found = `headless, although DISPLAY is ${display}: ${loaded.reason}`
    return [{ name: 'host', state: 'problem', found, fix: loaded.fix }, ...otherHost(env, status)]
  }
  try {
    const connection = await loaded.native.X11Host.connect(
      // The daemon has the key already, and says itself whether it could.
      { display, timeoutMs: PATIENCE_MS, hotkey: status === null },
      () => {},
    )
    try {
      const { xwayland } = connection.info()
      return [
        { name: 'host', state: 'ok', found: `x11, since DISPLAY is ${display}` },
        ...otherHost(env, status),
        ...(await onX(connection, env.WAYLAND_DISPLAY)),
        ...(xwayland ? [] : await hotkeys(connection, status)),
      ]
    } finally {
      await connection.close()
    }
  } catch (error) {
    const found = `x11, since DISPLAY is ${display}, but it cannot be drawn on: ${(error as Error).message}`
    return [
      { name: 'host', state: 'problem', found },
      ...(instead === undefined
        ? []
        : [
            {
              name: 'wayland',
              state: 'problem',
              found: instead,
              fix: 'lets daemon --host headless',
            } as const,
          ]),
      ...otherHost(env, status),
    ]
  }
}

/** Whether the binary of Electron is here: only where it draws, or was asked for, is that it is not a problem. */
export function electronBinary(env: NodeJS.ProcessEnv, platform: string = process.platform): Finding {
  const binary = findElectron(env)
  if (binary.state === 'ready')
    return { name: 'electron', state: 'ok', found: `${binary.version} at ${binary.path}` }
  if (platform === 'linux')
    return {
      name: 'electron',
      state: 'ok',
      found: `not here, and only \`--host electron\` wants it: ${binary.reason}`,
    }
  return { name: 'electron', state: 'problem', found: binary.reason, fix: binary.fix }
}

async function onX(connection: X11Host, wayland: string | undefined): Promise<Finding[]> {
  const { monitors } = await connection.monitors()
  const info = connection.info()
  const primary = monitors.find((monitor) => monitor.primary) ?? monitors[0]
  return [
    ...monitors.map((monitor): Finding => describe(monitor, primary)),
    info.compositor
      ? { name: 'compositor', state: 'ok', found: 'present' }
      : {
          name: 'compositor',
          state: 'warning',
          found: 'none: marks are blended in software',
          fix: 'picom --daemon',
        },
    ...desktop(wayland, info.xwayland),
    // The compositor and the keys have lines of their own.
    ...info.notes
      .filter((note) => !/compositor|Ctrl\+Shift\+|hotkey/.test(note))
      .map((found): Finding => ({ name: 'x11', state: 'warning', found })),
  ]
}

function describe(monitor: Monitor, first: Monitor | undefined): Finding {
  const { name, x, y, width, height, scale, primary } = monitor
  const origin = `${round((x - (first?.x ?? 0)) / scale)},${round((y - (first?.y ?? 0)) / scale)}`
  return displayFinding(name, [width, height], scale, `${origin}${primary ? ', primary' : ''}`)
}

function desktop(wayland: string | undefined, xwayland: boolean): Finding[] {
  if (!xwayland && !wayland)
    return [{ name: 'wayland', state: 'ok', found: 'no: this is an X server of its own' }]
  const found = xwayland
    ? 'the X server is an Xwayland that lets clicks through; it knows no windows of Wayland itself: nothing is followed or pictured, and no key is heard'
    : `WAYLAND_DISPLAY is ${wayland}, and the X server does not look like an Xwayland: which desktop you see cannot be told`
  return [{ name: 'wayland', state: xwayland ? 'warning' : 'unknown', found }]
}

async function hotkeys(connection: X11Host, status: AckMessage | null): Promise<Finding[]> {
  const clear = 'clears the screen'
  if (status) {
    const { hotkey = 'unknown' } = status.host_facts ?? {}
    return [
      hotkey === 'ready'
        ? { name: 'hotkeys', state: 'ok', found: `Ctrl+Shift+K ${clear}` }
        : { name: 'hotkeys', state: 'warning', found: `Ctrl+Shift+K: ${hotkey}` },
      {
        name: 'hotkeys',
        state: 'unknown',
        found:
          'Ctrl+Shift+Y, N and Space are taken only while they are awaited: trying them out could take one from the daemon that runs',
      },
    ]
  }
  const { yes, no } = await connection.takeAnswerKeys()
  const next = await connection.takeNextKey()
  return [
    key('K', clear, connection.info().hotkey, '`lets clear --all-sessions` does the same'),
    key('Y', 'allows a picture', yes, '`lets consent yes` does the same'),
    key('N', 'refuses a picture', no, '`lets consent no` does the same'),
    key(
      'Space',
      'goes to the next step of a tour',
      next,
      'Enter in the terminal of `lets play` does the same',
    ),
  ]
}

function key(name: string, does: string, state: string, instead: string): Finding {
  const full = `Ctrl+Shift+${name}`
  if (state === 'ready') return { name: 'hotkeys', state: 'ok', found: `${full} is free, and ${does}` }
  const why = state === 'taken' ? 'another program has it' : 'this keyboard has none'
  return { name: 'hotkeys', state: 'warning', found: `${full}: ${why}`, fix: instead }
}
