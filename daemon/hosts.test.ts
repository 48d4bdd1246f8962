import test from 'ava'
import { type HostPlan, planHost } from './hosts.js'

type Row = [
  kind: 'auto' | 'x11' | 'headless',
  displays: string[],
  env: NodeJS.ProcessEnv,
  platform: string,
  plan: HostPlan['kind'],
]

const X = { DISPLAY: ':0' }
const WAYLAND = { WAYLAND_DISPLAY: 'wayland-0' }

const ROWS: Row[] = [
  ['auto', [], X, 'linux', 'x11'],
  // Under a Wayland desktop with Xwayland, the addon decides whether that Xwayland passes clicks.
  ['auto', [], { ...X, ...WAYLAND }, 'linux', 'x11'],
  ['auto', [], WAYLAND, 'linux', 'refuse'],
  ['auto', [], {}, 'linux', 'headless'],
  ['auto', [], {}, 'darwin', 'headless'],
  ['auto', [], {}, 'win32', 'headless'],
  ['auto', ['800x600'], X, 'linux', 'headless'],
  ['x11', [], X, 'linux', 'x11'],
  ['x11', [], {}, 'linux', 'refuse'],
  ['x11', ['800x600'], X, 'linux', 'refuse'],
  ['headless', [], X, 'linux', 'headless'],
  ['headless', ['800x600@2'], {}, 'linux', 'headless'],
]

for (const [kind, displays, env, platform, plan] of ROWS) {
  test(`--host ${kind} ${displays.join(' ')} on ${platform} with ${JSON.stringify(env)} is ${plan}`, (t) => {
    t.is(planHost({ kind, displays }, env, platform).kind, plan)
  })
}

test('a refusal says what to do instead', (t) => {
  const plan = planHost({ kind: 'auto', displays: [] }, WAYLAND, 'linux')
  t.true(plan.kind === 'refuse' && plan.reason.includes('--host headless'))
})
