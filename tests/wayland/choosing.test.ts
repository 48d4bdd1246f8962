/** What `--host` comes to on real compositors, on those without the layer shell, and on those that are not well. */
import test, { type ExecutionContext } from 'ava'
import { askCompositor } from '../../daemon/wayland.js'
import { emptyHome } from '../cli/home.js'
import { type CliResult, runCli, startDaemonProcess } from '../support/daemon.js'
import { kwinHere, startKWin } from './kwin.js'
import { offering, serve } from './stand-in.js'
import { startSway, swayVersion, xwaylandHere } from './sway.js'

const sway = swayVersion !== undefined ? test : test.skip
const kwin = kwinHere ? test : test.skip
const xwayland = swayVersion !== undefined && xwaylandHere ? test : test.skip

const LAYER_SHELL = 'zwlr_layer_shell_v1'

/** `lets daemon` that is expected to refuse. */
async function refused(t: ExecutionContext, env: NodeJS.ProcessEnv, ...args: string[]): Promise<string> {
  const { home } = emptyHome(t)
  const result: CliResult = await runCli(['daemon', ...args], { ...env, LETS_HOME: home })
  t.not(result.code, 0)
  return result.stderr
}

sway('sway and its layer shell are found, and drawn on by default', async (t) => {
  const desk = await startSway({ xwayland: xwaylandHere })
  t.teardown(() => desk.stop())
  const found = await askCompositor(desk.env)
  t.true(found.answers && found.globals.includes(LAYER_SHELL))
  // Whether or not there is an X server too: this one would take the pointer away.
  const env = { ...clientEnv(desk.env), ...(desk.xDisplay && { DISPLAY: desk.xDisplay }) }
  const daemon = await startDaemonProcess({ env })
  t.teardown(() => daemon.stop())
  t.is(daemon.ready.host, 'wayland')

  const status = JSON.parse((await runCli(['status', '--json'], daemon.env)).stdout)
  t.is(status.host, 'wayland')
  t.true(status.capabilities.includes('capture'))
  for (const word of ['windows', 'following', 'content', 'answer_keys', 'next_key'])
    t.false(status.capabilities.includes(word), word)
  const { stdout } = await runCli(['status'], daemon.env)
  t.regex(stdout, /^has {7}pictures of the screen/m)
  t.regex(stdout, /^lacks {5}windows of other programs, marks that follow windows/m)
  const drawn = await runCli(['point', '--at', 'center', '--json'], daemon.env)
  t.deepEqual([drawn.code, drawn.stderr], [0, ''], 'it does draw on this screen')

  const { findings } = JSON.parse((await runCli(['doctor', '--json'], daemon.env)).stdout)
  const named = (name: string) => findings.filter((one: { name: string }) => one.name === name)
  t.like(named('host')[0], { state: 'ok', found: `wayland, since WAYLAND_DISPLAY is ${desk.display}` })
  t.is(named('host').length, 1, 'the daemon that runs draws here')
  t.regex(named('display')[0].found, /HEADLESS-1: 1280x800 points at scale 1/)
  t.regex(named('wayland')[0].found, /^sway has a place above all windows/)
  t.true(named('wayland').some(({ found }: { found: string }) => /do not follow windows/.test(found)))
})

kwin('KWin and its layer shell are found, and drawn on by default', async (t) => {
  const desk = await startKWin()
  t.teardown(() => desk.stop())
  const daemon = await startDaemonProcess({ env: clientEnv(desk.env) })
  t.teardown(() => daemon.stop())
  t.is(daemon.ready.host, 'wayland')
})

kwin('KWin shows where windows are to no ordinary program', async (t) => {
  const desk = await startKWin({ trusting: false })
  t.teardown(() => desk.stop())
  const globals = await desk.globals()
  t.true(globals.includes(LAYER_SHELL))
  t.false(globals.includes('org_kde_plasma_window_management'))
  t.false(globals.includes('zkde_screencast_unstable_v1'))
})

xwayland('an old Xwayland is refused by its release, without a window on it: rootless', async (t) => {
  const desk = await startSway({ xwayland: true })
  t.teardown(() => desk.stop())
  const X = { DISPLAY: desk.xDisplay, XDG_CURRENT_DESKTOP: 'sway' }
  const alone = await refused(t, X, '--host', 'x11')
  t.regex(
    alone,
    /refused: this Xwayland would take the pointer away from the whole screen \(release 12201009/,
  )
  const named = await refused(t, { ...clientEnv(desk.env), ...X }, '--host', 'x11')
  t.regex(named, /release 12201009.*On this desktop it is --host wayland, or none/)
  const plain = await offering(t, ['wl_compositor', 'xdg_wm_base'])
  const gnome = { ...X, WAYLAND_DISPLAY: plain, XDG_CURRENT_DESKTOP: 'ubuntu:GNOME' }
  t.regex(await refused(t, gnome), /release 12201009.*GNOME has no place above all windows.*--host headless/)
  const { stdout } = await runCli(['doctor'], { ...gnome, LETS_HOME: emptyHome(t).home })
  t.regex(stdout, /✗ host +x11, since DISPLAY is .*release 12201009/)
  t.regex(stdout, /✗ wayland +GNOME has no place/)
  const names = await desk.xWindows()
  t.false(names.includes('lets-overlay'), names)
})

xwayland('an old Xwayland is refused by its release: with a screen of its own', async (t) => {
  const desk = await startSway()
  t.teardown(() => desk.stop())
  const display = await desk.startXwayland()
  t.regex(await refused(t, { DISPLAY: display }), /refused: this Xwayland.*\(release 12201009/)
})

test('a desktop without the layer shell and without X is refused by its name, with what would help', async (t) => {
  const WAYLAND_DISPLAY = await offering(t, ['wl_compositor', 'wl_shm', 'xdg_wm_base'])
  const found = await askCompositor({ WAYLAND_DISPLAY })
  t.deepEqual(found, { answers: true, globals: ['wl_compositor', 'wl_shm', 'xdg_wm_base'] })
  const env = { WAYLAND_DISPLAY, XDG_CURRENT_DESKTOP: 'ubuntu:GNOME' }
  for (const args of [[], ['--host', 'wayland']])
    t.regex(
      await refused(t, env, ...args),
      /GNOME has no place above all windows.*lets daemon --host headless/,
    )
  const daemon = await startDaemonProcess({ env, args: ['--host', 'headless'] })
  t.teardown(() => daemon.stop())
  t.is(daemon.ready.host, 'headless')
})

test('a compositor that does not answer, hangs up or talks nonsense is given up, with why', async (t) => {
  const silent = await serve(t, () => {})
  const began = performance.now()
  t.deepEqual(await askCompositor({ WAYLAND_DISPLAY: silent }, 200), {
    answers: false,
    reason: 'it did not answer within 0.2 s',
  })
  t.true(performance.now() - began < 15_000)
  const ends = [
    [await serve(t, (socket) => void socket.end()), /it hung up/],
    [
      await serve(t, (socket) => void socket.write('HTTP/1.1 400 Bad Request\r\n\r\n')),
      /does not speak Wayland/,
    ],
    [await serve(t, (socket) => void socket.write(Buffer.alloc(64))), /does not speak Wayland/],
    ['/nowhere/wayland-0', /ENOENT/],
  ] as const
  for (const [WAYLAND_DISPLAY, why] of ends) {
    const found = await askCompositor({ WAYLAND_DISPLAY }, 5000)
    t.regex(found.answers ? 'answers' : found.reason, why)
  }
  t.like(await askCompositor({ WAYLAND_DISPLAY: 'wayland-0' }), { answers: false })
  t.regex(await refused(t, { WAYLAND_DISPLAY: '/nowhere/wayland-0' }), /does not answer: .*ENOENT/)
})

/** What leads a client of Lets to a compositor, and nothing else. */
function clientEnv({ WAYLAND_DISPLAY, XDG_CURRENT_DESKTOP }: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return { WAYLAND_DISPLAY, XDG_CURRENT_DESKTOP }
}
