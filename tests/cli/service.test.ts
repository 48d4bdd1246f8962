import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'
import test, { type ExecutionContext } from 'ava'
import { runCli, startDaemonProcess } from '../support/daemon.js'
import { emptyHome, json } from './home.js'

const onLinux = process.platform === 'linux' ? test : test.skip

/** A home and a config folder, and a `systemctl` that notes what it is told and keeps to it; `null`: there is none. */
function setup(t: ExecutionContext, environment: string | null = 'DISPLAY=:0', desktop = 'active') {
  const home = emptyHome(t).home
  const bin = join(home, 'bin')
  const config = join(home, 'config')
  mkdirSync(bin)
  const calls = join(home, 'calls')
  if (environment !== null) {
    writeFileSync(
      join(bin, 'systemctl'),
      `#!/bin/sh
echo "$*" >> '${calls}'
case "$2" in
  show-environment) ${environment === 'broken' ? 'echo "Failed to connect to bus" >&2; exit 1' : `echo '${environment}'`} ;;
  enable) /bin/touch '${home}/enabled' ;;
  disable) /bin/rm -f '${home}/enabled' '${home}/active' ;;
  start) /bin/touch '${home}/active' ;;
  is-enabled) if [ -e '${home}/enabled' ]; then echo enabled; else echo disabled; exit 1; fi ;;
  is-active) if [ "$3" = graphical-session.target ]; then echo '${desktop}'; elif [ -e '${home}/active' ]; then echo active; else echo inactive; exit 3; fi ;;
esac
`,
    )
    chmodSync(join(bin, 'systemctl'), 0o755)
  }
  const env = { LETS_HOME: home, XDG_CONFIG_HOME: config, HOME: home, PATH: bin }
  const unit = join(config, 'systemd', 'user', 'lets.service')
  return {
    home,
    unit,
    env,
    lets: (...args: string[]) => runCli(args, env),
    calls: () => (existsSync(calls) ? readFileSync(calls, 'utf8').trim().split('\n') : []),
    forget: () => writeFileSync(calls, ''),
  }
}

onLinux(
  'install writes the unit, enables and starts it; once more changes nothing; uninstall takes it back',
  async (t) => {
    const { lets, unit, calls, forget } = setup(t)
    const first = await lets('service', 'install')
    t.is(first.code, 0, first.stdout + first.stderr)
    t.is(first.stdout, `wrote ${unit}\nenabled: it starts with your session\nstarted\n`)
    const text = readFileSync(unit, 'utf8')
    const words = /^ExecStart="([^"]+)" "([^"]+)" "daemon" "--host" "headless"$/m.exec(text)
    t.true(
      [words?.[1], words?.[2]].every((path) => path !== undefined && isAbsolute(path) && existsSync(path)),
      text,
    )
    t.deepEqual(readdirSync(join(unit, '..')), ['lets.service'])
    t.deepEqual(
      calls().filter((call) => !/is-|show/.test(call)),
      ['--user daemon-reload', '--user enable lets.service', '--user start lets.service'],
    )
    forget()
    const again = await lets('service', 'install')
    t.is(again.stdout, `${unit} is as it should be\nenabled: it starts with your session\nit runs\n`)
    t.false(calls().some((call) => /reload|start l/.test(call)))
    t.like(json(t, await lets('service', 'status', '--json')), {
      installed: 'yes',
      manager: 'systemd',
      enabled: 'enabled',
      active: 'active',
    })
    const gone = await lets('service', 'uninstall')
    t.is(gone.stdout, `stopped and disabled\nremoved ${unit}\n`)
    t.false(existsSync(unit))
    t.is((await lets('service', 'uninstall')).stdout, `there is no ${unit}\n`)
    t.is((await lets('service', 'status')).code, 1)
  },
)

onLinux('without a service manager it says what it did, what it did not, and what to run', async (t) => {
  for (const [manager, why] of [
    [null, 'there is no systemctl here'],
    ['broken', 'Failed to connect to bus'],
  ] as const) {
    const { lets, unit } = setup(t, manager)
    const { code, stdout } = await lets('service', 'install')
    t.is(code, 1)
    t.is(
      stdout,
      `wrote ${unit}\nnot done: the service is not enabled and not started: no user service manager answers (${why})\n` +
        'run: systemctl --user daemon-reload\nrun: systemctl --user enable --now lets.service\n',
    )
    const status = await lets('service', 'status')
    t.is(status.code, 0)
    t.regex(status.stdout, /no user service manager answers \(.*\): whether it is enabled cannot be told/)
    t.regex((await lets('service', 'uninstall')).stdout, /^not done|removed/m)
    t.false(existsSync(unit))
  }
})

onLinux(
  'a daemon that runs by itself is left alone, and so is a file that somebody else wrote',
  async (t) => {
    const { lets, unit, env, calls } = setup(t)
    const daemon = await startDaemonProcess({ env, args: ['--host', 'headless'] })
    t.teardown(() => daemon.stop())
    const { code, stdout } = await lets('service', 'install')
    t.is(code, 1)
    t.regex(stdout, new RegExp(`not done: it is not started: a daemon runs already \\(pid ${daemon.pid}\\)`))
    t.regex(stdout, /run: lets stop\nrun: systemctl --user start lets\.service\n$/)
    t.false(calls().includes('--user start lets.service'))
    writeFileSync(unit, '[Service]\nExecStart=/bin/true\n')
    for (const action of ['install', 'uninstall']) {
      const refused = await lets('service', action)
      t.is(refused.code, 1)
      t.regex(refused.stderr, /was not written by Lets, and is left alone/)
    }
    t.is(readFileSync(unit, 'utf8'), '[Service]\nExecStart=/bin/true\n')
  },
)

onLinux(
  'on a screen it is part of the desktop’s session, and the manager is told which screen',
  async (t) => {
    const { env, unit, calls } = setup(t, 'HOME=/x')
    const { stdout } = await runCli(['service', 'install'], { ...env, DISPLAY: ':7' })
    t.regex(stdout, /told the service manager of DISPLAY, until you log out/)
    t.true(calls().includes('--user import-environment DISPLAY'))
    t.regex(readFileSync(unit, 'utf8'), /"--host" "x11"\n[\s\S]*WantedBy=graphical-session\.target/)
    const changed = await runCli(['service', 'install', '--host', 'headless'], env)
    t.regex(
      changed.stdout,
      /not done: it runs as it was before.*\nrun: systemctl --user restart lets\.service/,
    )
  },
)

onLinux('on a desktop that systemd knows nothing of it says that it does not start with it', async (t) => {
  const { env } = setup(t, 'DISPLAY=:7', 'inactive')
  const on = { ...env, DISPLAY: ':7' }
  const { code, stdout } = await runCli(['service', 'install'], on)
  t.is(code, 1)
  t.regex(stdout, /not done: it does not start when you log in: graphical-session\.target is inactive here/)
  t.regex(
    (await runCli(['service', 'status'], on)).stdout,
    /^session {2}graphical-session\.target is inactive$/m,
  )
  t.regex(
    (await runCli(['doctor'], on)).stdout,
    /^! service {4}enabled, active, but graphical-session\.target/m,
  )
})

onLinux('root installs nothing for another user, and words that are off exit 2', async (t) => {
  const { lets, env, unit } = setup(t)
  if (process.geteuid?.() === 0) {
    const refused = await runCli(['service', 'install'], { ...env, SUDO_USER: 'ann' })
    t.is(refused.code, 1)
    t.is(
      refused.stderr,
      'lets: a service is the person’s own: run this as ann, without sudo\n'.replace('’', "'"),
    )
    t.false(existsSync(unit))
  }
  for (const args of [['start'], ['install', '--host', 'mir'], []])
    t.is((await lets('service', ...args)).code, 2)
})
