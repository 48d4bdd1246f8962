import test from 'ava'
import { type HostChoice, type HostPlan, planHost } from './hosts.js'

type Row = [
  kind: HostChoice['kind'],
  displays: string[],
  env: NodeJS.ProcessEnv,
  platform: string,
  electron: 'installed' | 'missing',
  plan: HostPlan['kind'],
]

const X = { DISPLAY: ':0' }
const WAYLAND = { WAYLAND_DISPLAY: 'wayland-0' }

const ROWS: Row[] = [
  // X11: the addon's own host, also where Electron is installed.
  ['auto', [], X, 'linux', 'missing', 'x11'],
  ['auto', [], X, 'linux', 'installed', 'x11'],
  // Under a Wayland desktop with Xwayland, the addon decides whether that Xwayland passes clicks.
  ['auto', [], { ...X, ...WAYLAND }, 'linux', 'missing', 'x11'],
  ['auto', [], { ...X, ...WAYLAND }, 'linux', 'installed', 'x11'],
  // Electron's windows on native Wayland would take every click: it is no way out.
  ['auto', [], WAYLAND, 'linux', 'missing', 'refuse'],
  ['auto', [], WAYLAND, 'linux', 'installed', 'refuse'],
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

for (const [kind, displays, env, platform, electron, plan] of ROWS) {
  const words = ['--host', kind, ...displays].join(' ')
  test(`${words} on ${platform} with ${JSON.stringify(env)} and Electron ${electron} is ${plan}`, (t) => {
    t.is(planHost({ kind, displays }, { env, platform, electron: electron === 'installed' }).kind, plan)
  })
}

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

test('a refusal says what to do instead', (t) => {
  const plan = planHost({ kind: 'auto', displays: [] }, { env: WAYLAND, platform: 'linux', electron: false })
  t.true(plan.kind === 'refuse' && plan.reason.includes('--host headless'))
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
