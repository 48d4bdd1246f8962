import { chmodSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import test, { type ExecutionContext } from 'ava'
import { startDaemonProcess } from '../support/daemon.js'
import { startX } from '../support/xserver.js'
import { emptyHome, json, type Lets } from './home.js'

interface Finding {
  readonly name: string
  readonly state: string
  readonly found: string
  readonly fix?: string
}

/** A home in which nothing of this machine's person is found. */
function patient(t: ExecutionContext, more: NodeJS.ProcessEnv = {}): Lets & { readonly config: string } {
  const lets = emptyHome(t, { ...more })
  const config = join(lets.home, 'config')
  Object.assign(lets.env, { HOME: lets.home, XDG_CONFIG_HOME: config })
  return Object.assign(lets, { config })
}

async function findings(t: ExecutionContext, lets: Lets): Promise<readonly Finding[]> {
  return (
    json(t, await lets('doctor', '--json')) as { findings: readonly Finding[] } & Record<string, unknown>
  ).findings
}

function put(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}

const named = (all: readonly Finding[], name: string) => all.filter((one) => one.name === name)

test('each line says what was found, in one column, and what to do; looking changes nothing', async (t) => {
  const lets = patient(t)
  const { code, stdout } = await lets('doctor')
  t.is(code, 0, stdout)
  for (const line of stdout.trimEnd().split('\n'))
    t.regex(line, /^([✓!✗?] [a-z0-9]+ +(?<=^.{13})\S| {13}fix: )/)
  t.regex(stdout, /^✓ addon {6}loaded/m)
  t.regex(stdout, /^! host {7}headless: no DISPLAY is set/m)
  t.regex(stdout, /^✓ folder {5}\S+run is not there yet/m)
  t.regex(stdout, /^✓ daemon {5}not running; the first command that draws starts it$/m)
  t.regex(stdout, /^✓ consent {4}ask, unless/m)
  t.regex(stdout, /^✓ service {4}none: /m)
  t.regex(stdout, /^✓ mcp {8}Claude Code: registered in \S+\.mcp\.json$/m, 'as a project of its own')
  t.is(stdout.match(/^\? mcp {8}.*; whether it is here cannot be told$/gm)?.length, 3)
  t.like(json(t, await lets('doctor', '--json')), { ok: true })
  t.deepEqual(readdirSync(lets.home), [])
})

test('without the addon, or with an open folder: problems, their fix, exit code 1', async (t) => {
  const lets = patient(t, { NAPI_RS_NATIVE_LIBRARY_PATH: '/nowhere/lets.node' })
  mkdirSync(join(lets.home, 'run'), { mode: 0o755 })
  const { code, stdout } = await lets('doctor')
  t.is(code, 1)
  t.regex(stdout, /^✗ addon {6}.*: Lets runs headless.*\n {13}fix: .*npm run build/m)
  t.regex(stdout, /^✗ folder {5}.*is open to others.*\n {13}fix: chmod 700 /m)
  const problems = (await findings(t, lets))
    .filter(({ state }) => state === 'problem')
    .map(({ name }) => name)
  // The variable that hides the addon may hide the canvas, built alike, too.
  t.deepEqual(
    problems.filter((name) => name !== 'canvas'),
    ['addon', 'folder'],
  )
})

test('of a daemon that runs: what it is, who may reach it, and what it may picture', async (t) => {
  const lets = patient(t)
  const daemon = await startDaemonProcess({ env: lets.env, args: ['--capture-consent', 'always'] })
  t.teardown(() => daemon.stop())
  const { stdout } = await lets('doctor')
  t.regex(stdout, /^✓ daemon {5}version \S+, pid \d+, host headless, peers checked by credentials$/m)
  t.regex(stdout, /^✓ folder {5}\S+ is yours alone \(mode 700\)$/m)
  t.regex(stdout, /^✓ socket {5}\S+lets\.sock \(mode 600\)$/m)
  t.regex(stdout, /^! consent {4}always: .*\n {13}fix: lets consent ask$/m)
  chmodSync(daemon.socket, 0o666)
  t.regex((await lets('doctor')).stdout, /^✗ socket {5}.*open to others \(mode 666\)\n {13}fix: chmod 600 /m)
})

test('the plugin of Claude Code counts where its settings turn it on', async (t) => {
  const lets = patient(t)
  const settings = join(lets.home, '.claude', 'settings.json')
  const said = async () => named(await findings(t, lets), 'mcp')[0]?.found
  put(settings, JSON.stringify({ enabledPlugins: { 'lets@lets-overlay': true } }))
  t.is(await said(), `Claude Code: registered in ${settings}`)
  put(settings, JSON.stringify({ enabledPlugins: { 'lets@lets-overlay': false, 'outlets@x': true } }))
  t.not(await said(), `Claude Code: registered in ${settings}`)
})

test('whether agents start `lets mcp`: registered, not, broken, and what cannot be told', async (t) => {
  const lets = patient(t)
  const claude = join(lets.home, '.claude.json')
  const desktop = join(lets.config, 'Claude', 'claude_desktop_config.json')
  const cursor = join(lets.home, '.cursor', 'mcp.json')
  const code = join(lets.config, 'Code', 'User', 'mcp.json')
  const server = { command: 'lets', args: ['mcp'] }
  put(claude, JSON.stringify({ projects: { [process.cwd()]: { mcpServers: { marks: server } } } }))
  put(desktop, JSON.stringify({ mcpServers: { lets: { command: '/nowhere/lets', args: ['mcp'] } } }))
  put(cursor, JSON.stringify({ mcpServers: { lets: { command: 'outlets', args: ['mcp'] } } }))
  put(
    code,
    '{ // mine\n "servers": { "x": { "command": "npx", "args": ["-y", "lets-overlay@0.1.0", "mcp"], }, /* */ } }',
  )
  const said = async () => named(await findings(t, lets), 'mcp').map(({ state, found }) => [state, found])
  t.deepEqual(await said(), [
    ['ok', `Claude Code: registered in ${claude}`],
    ['problem', `Claude Desktop: ${desktop} starts \`lets mcp\`, but /nowhere/lets does not exist`],
    ['warning', `Cursor: nothing in ${cursor} starts \`lets mcp\``],
    ['ok', `VS Code: registered in ${code}`],
  ])
  put(cursor, 'not JSON')
  put(desktop, '[]')
  put(code, '{"servers": "https://example.com//"}')
  t.deepEqual(
    (await said()).map(([state]) => state),
    ['ok', 'warning', 'unknown', 'warning'],
  )
  const fixes = named(await findings(t, lets), 'mcp').map(({ fix }) => fix ?? '')
  t.regex(fixes[1] as string, /^add to \S+claude_desktop_config\.json: \{"mcpServers"/)
  t.regex(fixes[3] as string, /^code --add-mcp /)
})

test('the service: what systemd says, and what cannot be told without it', async (t) => {
  const lets = patient(t)
  const bin = join(lets.home, 'bin')
  Object.assign(lets.env, { PATH: bin })
  const install = await lets('service', 'install')
  t.is(install.code, 1)
  const told = async () => {
    const [finding] = named(await findings(t, lets), 'service')
    return [finding?.state, finding?.found]
  }
  const [state, found] = await told()
  t.is(state, 'unknown')
  t.regex(found as string, /whether it is enabled cannot be told: there is no systemctl here$/)
  const fake = (enabled: string, active: string) =>
    put(
      join(bin, 'systemctl'),
      `#!/bin/sh\ncase "$2" in is-enabled) echo ${enabled};; is-active) echo ${active};; esac\n`,
    )
  fake('enabled', 'active')
  chmodSync(join(bin, 'systemctl'), 0o755)
  t.deepEqual(await told(), ['ok', 'enabled, active'])
  fake('disabled', 'inactive')
  t.deepEqual(await told(), ['warning', 'disabled, inactive'])
  fake('enabled', 'failed')
  t.deepEqual(await told(), ['problem', 'enabled, failed'])
})

const onX = process.platform === 'linux' ? test.serial : test.skip

onX('on a screen: which host and why, each display, the compositor, the desktop and the keys', async (t) => {
  const monitors = [
    { name: 'DP-1', x: 0, y: 0, width: 800, height: 600 },
    { name: 'DP-2', x: 800, y: 0, width: 400, height: 600 },
  ]
  const x = await startX({ screen: '1200x600x24', monitors })
  t.teardown(() => x.stop())
  const lets = patient(t, { DISPLAY: x.display })
  const alone = await findings(t, lets)
  t.deepEqual(named(alone, 'host'), [
    { name: 'host', state: 'ok', found: `x11, since DISPLAY is ${x.display}` },
  ])
  t.deepEqual(
    named(alone, 'display').map(({ found }) => found),
    [
      'DP-1: 800x600 points at scale 1 (800x600 pixels), origin 0,0',
      'DP-2: 400x600 points at scale 1 (400x600 pixels), origin 800,0',
    ],
  )
  t.like(named(alone, 'compositor')[0], { state: 'warning', fix: 'picom --daemon' })
  t.like(named(alone, 'wayland')[0], { state: 'ok' })
  t.deepEqual(
    named(alone, 'hotkeys').map(({ state, found }) => [state, found.split(',')[0]]),
    [
      ['ok', 'Ctrl+Shift+K is free'],
      ['ok', 'Ctrl+Shift+Y is free'],
      ['ok', 'Ctrl+Shift+N is free'],
      ['ok', 'Ctrl+Shift+Space is free'],
    ],
  )
  const { connect } = await import('../native/support.js')
  const thief = await connect(x.display)
  t.teardown(() => thief.close())
  await thief.takeNextKey()
  const taken = named(await findings(t, lets), 'hotkeys').at(-1)
  t.like(taken, { state: 'warning', found: 'Ctrl+Shift+Space: another program has it' })

  const daemon = await startDaemonProcess({ env: lets.env })
  t.teardown(() => daemon.stop())
  const running = named(await findings(t, lets), 'hotkeys')
  const key = async () => named(await findings(t, lets), 'key').map(({ state, found }) => [state, found])
  const isOff = 'Ctrl+Shift+., which calls the companion: not asked for while it is off'
  t.deepEqual(await key(), [['ok', isOff]])
  await lets('companion', 'on')
  t.deepEqual(await key(), [['ok', 'Ctrl+Shift+. calls the companion']])
  await lets('companion', 'off')
  t.deepEqual(await key(), [['ok', isOff]])
  t.deepEqual(
    running.map(({ state }) => state),
    ['ok', 'unknown'],
  )
  Object.assign(lets.env, { WAYLAND_DISPLAY: 'wayland-7' })
  t.like(named(await findings(t, lets), 'wayland')[0], { state: 'unknown' })
  Object.assign(lets.env, { DISPLAY: ':9999' })
  const elsewhere = named(await findings(t, lets), 'host')
  t.deepEqual(
    elsewhere.map(({ state }) => state),
    ['problem', 'warning'],
  )
  t.true(elsewhere[1]?.found.includes(`draws on ${x.display}, not on this screen (:9999)`))
})

test('a Wayland desktop without X11 is a problem, since the daemon does not start there', async (t) => {
  const lets = patient(t, { WAYLAND_DISPLAY: 'wayland-7' })
  t.like(named(await findings(t, lets), 'host')[0], { state: 'problem', fix: 'lets daemon --host headless' })
})
