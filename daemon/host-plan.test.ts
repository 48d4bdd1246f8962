import test from 'ava'
import { asksCompositor, type HostChoice, type HostPlan, planHost } from './host-plan.js'
import type { Compositor } from './wayland.js'

type Row = [
  kind: HostChoice['kind'],
  displays: string[],
  env: NodeJS.ProcessEnv,
  platform: string,
  electron: 'installed' | 'missing',
  plan: HostPlan['kind'],
  compositor?: keyof typeof COMPOSITORS,
]

const COMPOSITORS = {
  layers: { answers: true, globals: ['wl_compositor', 'zwlr_layer_shell_v1'] },
  plain: { answers: true, globals: ['wl_compositor', 'xdg_wm_base'] },
  silent: { answers: false, reason: 'it did not answer within 2 s' },
} as const satisfies Record<string, Compositor>

const X = { DISPLAY: ':0' }
const WAYLAND = { WAYLAND_DISPLAY: 'wayland-0' }

const ROWS: Row[] = [
  // X11: the addon's own host, also where Electron is installed.
  ['auto', [], X, 'linux', 'missing', 'x11'],
  ['auto', [], X, 'linux', 'installed', 'x11'],
  // A Wayland desktop: through its layer shell, whether or not there is an X server too.
  ['auto', [], WAYLAND, 'linux', 'missing', 'wayland', 'layers'],
  ['auto', [], { ...X, ...WAYLAND }, 'linux', 'installed', 'wayland', 'layers'],
  // Without one, through Xwayland: the addon decides whether that passes clicks.
  ['auto', [], { ...X, ...WAYLAND }, 'linux', 'missing', 'x11', 'plain'],
  ['auto', [], { ...X, ...WAYLAND }, 'linux', 'installed', 'x11', 'plain'],
  ['auto', [], { ...X, ...WAYLAND }, 'linux', 'missing', 'x11', 'silent'],
  // Electron's windows on native Wayland would take every click: it is no way out.
  ['auto', [], WAYLAND, 'linux', 'missing', 'refuse', 'plain'],
  ['auto', [], WAYLAND, 'linux', 'installed', 'refuse', 'plain'],
  ['auto', [], WAYLAND, 'linux', 'installed', 'refuse', 'silent'],
  // An empty word is none.
  ['auto', [], { ...X, WAYLAND_DISPLAY: '' }, 'linux', 'missing', 'x11'],
  ['auto', ['800x600'], WAYLAND, 'linux', 'missing', 'headless'],
  // By name: that or nothing.
  ['wayland', [], WAYLAND, 'linux', 'missing', 'wayland', 'layers'],
  ['wayland', [], {}, 'linux', 'missing', 'wayland', 'layers'],
  ['wayland', [], { ...X, ...WAYLAND }, 'linux', 'missing', 'refuse', 'plain'],
  ['wayland', [], { ...X, ...WAYLAND }, 'linux', 'missing', 'refuse', 'silent'],
  ['wayland', ['800x600'], WAYLAND, 'linux', 'missing', 'refuse', 'layers'],
  ['wayland', [], {}, 'darwin', 'installed', 'refuse'],
  ['wayland', [], {}, 'win32', 'installed', 'refuse'],
  ['x11', [], { ...X, ...WAYLAND }, 'linux', 'missing', 'x11', 'layers'],
  ['x11', [], WAYLAND, 'linux', 'missing', 'refuse', 'layers'],
  ['auto', [], {}, 'linux', 'missing', 'headless'],
  ['auto', [], {}, 'linux', 'installed', 'headless'],
  ['auto', ['800x600'], X, 'linux', 'installed', 'headless'],
  // macOS and Windows: Electron when it is there, an X server of the person's or not.
  ['auto', [], {}, 'darwin', 'installed', 'electron'],
  ['auto', [], X, 'darwin', 'installed', 'electron'],
  ['auto', [], {}, 'win32', 'installed', 'electron'],
  ['auto', [], {}, 'darwin', 'missing', 'headless'],
  ['auto', [], {}, 'win32', 'missing', 'headless'],
  ['auto', ['800x600'], {}, 'darwin', 'installed', 'headless'],
  ['x11', [], X, 'linux', 'missing', 'x11'],
  ['x11', [], X, 'linux', 'installed', 'x11'],
  ['x11', [], {}, 'linux', 'installed', 'refuse'],
  ['x11', ['800x600'], X, 'linux', 'missing', 'refuse'],
  ['x11', [], X, 'darwin', 'installed', 'refuse'],
  ['x11', [], {}, 'win32', 'installed', 'refuse'],
  // Asked for by name, it is fetched when it is missing.
  ['electron', [], X, 'linux', 'installed', 'electron'],
  ['electron', [], X, 'linux', 'missing', 'electron'],
  ['electron', [], { ...X, ...WAYLAND }, 'linux', 'installed', 'electron'],
  ['electron', [], WAYLAND, 'linux', 'installed', 'refuse'],
  ['electron', [], {}, 'linux', 'installed', 'refuse'],
  ['electron', [], {}, 'darwin', 'missing', 'electron'],
  ['electron', [], {}, 'win32', 'missing', 'electron'],
  ['electron', ['800x600'], X, 'linux', 'installed', 'refuse'],
  ['headless', [], X, 'linux', 'installed', 'headless'],
  ['headless', ['800x600@2'], {}, 'linux', 'missing', 'headless'],
  ['headless', [], {}, 'darwin', 'installed', 'headless'],
]

for (const [kind, displays, env, platform, electron, plan, said] of ROWS) {
  const words = ['--host', kind, ...displays].join(' ')
  const compositor = said === undefined ? '' : `, a compositor (${said})`
  test(`${words} on ${platform} with ${JSON.stringify(env)}${compositor} and Electron ${electron} is ${plan}`, (t) => {
    const choice = { kind, displays }
    const around = { env, platform, electron: electron === 'installed' }
    t.is(planHost(choice, { ...around, ...(said && { compositor: COMPOSITORS[said] }) }).kind, plan)
    if (said && displays.length === 0) t.true(asksCompositor(choice, env, platform))
  })
}

test('the compositor is asked only where the answer matters', (t) => {
  t.false(asksCompositor({ kind: 'auto', displays: [] }, X, 'linux'))
  t.false(asksCompositor({ kind: 'auto', displays: ['800x600'] }, WAYLAND, 'linux'))
  t.false(asksCompositor({ kind: 'headless', displays: [] }, WAYLAND, 'linux'))
  t.false(asksCompositor({ kind: 'electron', displays: [] }, { ...X, ...WAYLAND }, 'linux'))
  t.false(asksCompositor({ kind: 'auto', displays: [] }, WAYLAND, 'darwin'))
})

test('a binary is named for Electron alone: where something else would draw, that is said and not passed over', (t) => {
  const plan = (kind: HostChoice['kind'], platform: string, displays: string[] = []) =>
    planHost(
      { kind, displays, electron: '/opt/electron' },
      { env: platform === 'linux' ? X : {}, platform, electron: true },
    )
  for (const kind of ['auto', 'x11', 'headless'] as const) {
    const refused = plan(kind, 'linux')
    t.true(refused.kind === 'refuse' && refused.usage && refused.reason.includes('--host electron'), kind)
  }
  t.is(plan('auto', 'darwin', ['800x600']).kind, 'refuse')
  t.is(plan('electron', 'linux').kind, 'electron')
  t.is(plan('auto', 'darwin').kind, 'electron')
})

const reasonOn = (env: NodeJS.ProcessEnv, compositor: Compositor) => {
  const plan = planHost(
    { kind: 'auto', displays: [] },
    { env, platform: 'linux', electron: false, compositor },
  )
  return plan.kind === 'refuse' ? plan.reason : plan.kind === 'x11' ? plan.instead : undefined
}

test('a refusal names the desktop, and says what would help there', (t) => {
  const on = (desktop?: string) =>
    reasonOn({ ...WAYLAND, XDG_CURRENT_DESKTOP: desktop }, COMPOSITORS.plain) ?? ''
  t.regex(
    on('ubuntu:GNOME'),
    /^GNOME has no place above all windows.*Xorg session.*--host headless.*lets unique list/,
  )
  t.regex(on('Budgie'), /^Budgie has no place.*sway, KDE Plasma/)
  t.regex(on(), /^this Wayland desktop has no place/)
})

test('where Xwayland is what is left, what would help goes with its refusal', (t) => {
  const env = { ...X, ...WAYLAND, XDG_CURRENT_DESKTOP: 'GNOME' }
  t.regex(reasonOn(env, COMPOSITORS.plain) ?? '', /^GNOME has no place/)
  const named = planHost(
    { kind: 'x11', displays: [] },
    { env, platform: 'linux', electron: false, compositor: COMPOSITORS.layers },
  )
  t.true(named.kind === 'x11' && named.instead?.includes('--host wayland'))
})

test('a compositor that does not answer is named, with why', (t) => {
  t.regex(
    reasonOn(WAYLAND, COMPOSITORS.silent) ?? '',
    /at wayland-0 does not answer: it did not answer within 2 s.*--host headless/,
  )
})

test('without Electron, macOS and Windows are told the exact command', (t) => {
  for (const platform of ['darwin', 'win32']) {
    const plan = planHost({ kind: 'auto', displays: [] }, { env: {}, platform, electron: false })
    t.regex(
      (plan.kind === 'headless' && plan.note) || '',
      /nothing is drawn on the screen.*`lets electron install`/,
    )
  }
})
