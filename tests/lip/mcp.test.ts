/** An agent and the command line at the windows of uniques. */
import { execFileSync } from 'node:child_process'
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'ava'
import { emptyHome, json } from '../cli/home.js'
import { prompt } from '../mcp/hook.js'
import { agent } from '../mcp/support.js'
import { exitOf, runCli, startCli } from '../support/daemon.js'
import { homeWithProbe, hostFile, Page, PROBE, reachHost, served, until } from './support.js'

test.serial(
  'an agent opens a window, gets its guide, hears, answers, and takes over what was sent',
  async (t) => {
    const home = homeWithProbe(t)
    t.teardown(() => runCli(['stop'], { LETS_HOME: home }))
    const on = await agent(t, { LETS_HOME: home }, ['--headless'])
    const opened = await on.call('open', { unique: 'probe' })
    t.false(opened.isError, opened.text)
    t.regex(opened.text, /w1 is a window of probe .*probe\.picked \{id\}/s)
    t.regex(opened.text, /no browser shows it yet/)
    t.like(opened.fields, {
      window: 'w1',
      opened: false,
      events: { 'probe.picked': 'The person picked something' },
    })
    const url = new URL(String(opened.fields.url))
    const page = await Page.connect(hostFile(home).port, url.hash.slice('#lip='.length))

    const waiting = on.call('listen', { wait_ms: 10_000 })
    page.emit('probe.picked', { id: 'n3' })
    const heard = await waiting
    t.regex(heard.text, /probe\.picked from unique:probe#w1 \(ev_\w+\): \{"id":"n3"\}/)
    const [event] = heard.fields.events as { id: string }[]
    const sent = await on.call('send', {
      window: 'w1',
      type: 'probe.show',
      data: { text: 'hi' },
      re: event?.id,
    })
    t.like(sent.fields, { delivered: true, window: 'w1' })
    t.like(await page.next('probe.show'), { re: event?.id, data: { text: 'hi' } })
    t.like((await on.call('windows')).fields.windows, [{ window: 'w1', state: 'open' }])

    const asked = on.call('state', { window: 'w1' })
    const { id } = await page.next('session.state')
    page.emit('probe.snapshot', { nodes: 3 }, { re: id })
    t.deepEqual((await asked).fields.state, { nodes: 3 })

    page.emit('probe.export', { summary: 'three nodes' })
    const handed = await on.call('listen', { wait_ms: 10_000 })
    t.regex(handed.text, /"handoff":true/)
    const listed = await on.call('sessions')
    t.regex(listed.text, /three nodes/)
    const again = await on.call('open', { unique: 'probe', resume: 'last', browser: false })
    t.is(again.fields.window, 'w2')
    t.is((await on.call('close', { window: 'w2' })).fields.closed, true)

    for (const [tool, args, code, says] of [
      ['open', { unique: 'none' }, 'unknown_unique', /there are cards, graph, look, probe/],
      ['open', { unique: 'probe', resume: 'nope' }, 'unknown_session', /no session/],
      ['send', { window: 'w1', type: 'probe.show', data: {} }, 'window_closed', /closed/],
      ['send', { window: 'w9', type: 'probe.show' }, 'unknown_window', /no window/],
      ['state', { window: 'w2' }, 'window_closed', /closed/],
      ['listen', { wait_ms: -1 }, 'bad_schema', /whole number, 0 or more, got -1/],
    ] as const) {
      const refused = await on.call(tool, args)
      t.is(refused.fields.error?.code, code, refused.text)
      t.regex(refused.text, says)
    }
    const clearing = await on.call('send', {
      window: 'd1',
      type: 'screen.clear',
      data: { all_sessions: true },
    })
    t.is(clearing.fields.error?.code, 'not_permitted')
    t.regex(clearing.text, /theirs alone/)
    t.notRegex(clearing.text, /see the screen|lets consent/, 'it was not about a picture')
    const early = new AbortController()
    const called = on.call('listen', { wait_ms: 60_000 }, { signal: early.signal })
    setTimeout(() => early.abort(), 100)
    await t.throwsAsync(called)
    t.deepEqual(on.noise, [])
  },
)

test.serial('the prompt hook tells what the person did in windows, once', async (t) => {
  const lets = await served(t)
  const env = { LETS_HOME: lets.home }
  t.is((await prompt(env)).context, undefined)
  t.false(existsSync(join(lets.home, 'lip')), 'a prompt alone does not load the host')
  const { token } = await lets.open()
  const page = await Page.connect(lets.port, token)
  for (let n = 0; n < 14; n++) page.emit('probe.picked', { id: `n${n}` })
  page.emit('probe.said', { text: `line\nbreak ${'x'.repeat(1000)}` }, { id: 'last' })
  await page.next('lip.ack')
  await until(() => existsSync(join(lets.home, 'lip', 'queue.json')))
  const { context, ms, exit } = await prompt(env)
  t.is(exit.code, 0)
  t.true(ms < 20_000)
  const lines = context?.split('\n') ?? []
  t.is(lines.length, 11, context)
  t.regex(lines[0] ?? '', /this happened in windows and on the screen \(and 5 before/)
  t.regex(lines[1] ?? '', /^- probe\.picked from unique:probe#w1 \(ev_\w+\): \{"id":"n5"\}$/)
  t.true((lines[10] ?? '').length < 450)
  t.is((await prompt(env)).context, undefined)
  t.is((await lets.listen()).events.length, 15, 'the model’s own cursor is another')
  await lets.daemon.stop()
  t.is((await prompt(env)).exit.code, 0, 'no daemon')
})

test.serial(
  'from the command line: a unique is begun, checked, added, opened, heard and answered',
  async (t) => {
    const lets = emptyHome(t)
    const folder = join(lets.home, 'colors')
    t.is((await lets('unique', 'new', folder)).code, 0)
    t.is((await lets('unique', 'new', folder)).code, 1, 'nothing is overwritten')
    t.regex((await lets('unique', 'check', folder)).stdout, /^colors 0\.1\.0 keeps the rules/)
    t.regex((await lets('unique', 'add', folder)).stdout, /^installed colors 0\.1\.0/)
    t.like(json(t, await lets('unique', 'add', folder, '--json')), { name: 'colors', before: '0.1.0' })
    t.regex((await lets('unique', 'list')).stdout, /^colors {2}Colors {2}0\.1\.0/m)
    t.deepEqual(json(t, await lets('windows', '--json')), [] as never, 'nothing is started to look')

    const opened = json(t, await lets('open', 'colors', '--no-browser', '--json'))
    t.deepEqual(Object.keys(opened), ['window', 'url'])
    const url = new URL(String(opened.url))
    t.is(url.hostname, 'colors.localhost')
    const { port } = hostFile(lets.home)
    const page = await Page.connect(port, url.hash.slice('#lip='.length))
    const listening = startCli(['listen', '--json', '--wait', '10s'], lets.env)
    let said = ''
    listening.stdout?.on('data', (chunk) => {
      said += chunk
    })
    page.emit('colors.picked', { color: 'red' })
    t.is((await exitOf(listening)).code, 0)
    t.like(JSON.parse(said), {
      cursor: 'claude',
      lost: 0,
      events: [{ type: 'colors.picked', data: { color: 'red' } }],
    })
    t.regex((await lets('listen', '--wait', '10ms')).stderr, /nothing came within 10 ms/)
    t.regex((await lets('send', 'w1', 'colors.show', '{"text":"hi"}')).stdout, /^sent cm_/)
    t.like(await page.next('colors.show'), { data: { text: 'hi' } })
    t.regex((await lets('windows')).stdout, /^w1 {2}Colors {2}open, for /)
    page.emit('colors.export', { title: 'Red it is' })
    await page.next('session.close')
    t.regex((await lets('sessions')).stdout, /^s_\w+ {2}colors {2}Red it is/)
    t.regex(
      (await lets('open', 'colors', '--resume', 'last', '--no-browser', '--plain')).stdout,
      /goes on with s_.*\nhttp:\/\/127\.0\.0\.1:/,
    )

    for (const [words, code, says] of [
      [['send', 'w2', 'colors.show', '{"text":3}'], 2, /text must be a string, got 3/],
      [['send', 'w2', 'colors.show', 'text'], 2, /data must be JSON/],
      [['send', 'w2', 'colors.show', '[]'], 2, /data must be a JSON object/],
      [['send', 'w9', 'colors.show'], 1, /no window "w9"; there are colors#w2/],
      [['open', 'nothing'], 1, /no unique "nothing" is installed; there are cards, colors/],
      [['open', 'colors', '--resume', 'x'], 1, /no session "x"/],
      [['listen', '--wait', '5'], 2, /must be a time such as/],
      [['listen', '--cursor', 'A B'], 2, /cursor must be a word/],
      [['allow', 'colors'], 2, /say which language/],
      [['allow', 'colors', 'python'], 2, /asks to run nothing/],
      [['unique', 'remove', 'nothing'], 1, /no unique "nothing"/],
      [['unique', 'fly', 'x'], 2, /one of add, list, remove, check, new/],
      [['unique', 'add'], 2, /say which/],
      [['unique', 'new', 'NO'], 2, /a lower-case word/],
    ] as const) {
      const failed = await lets(...words)
      t.is(failed.code, code, words.join(' '))
      t.regex(failed.stderr, says)
      t.is(failed.stderr.trim().split('\n').length, 1, failed.stderr)
    }
    const broken = join(lets.home, 'broken')
    cpSync(folder, broken, { recursive: true })
    const manifest = JSON.parse(readFileSync(join(broken, 'unique.json'), 'utf8'))
    writeFileSync(
      join(broken, 'unique.json'),
      JSON.stringify({ ...manifest, domains: ['colors', 'ui'], entry: '../x' }),
    )
    const refused = await lets('unique', 'add', broken)
    t.is(refused.code, 1)
    t.regex(
      refused.stderr,
      /unique\.json: domains\[1\]: "ui" is reserved \(rule 3\)\nunique\.json: entry: .*\(rule 2\)/,
    )
    const other = await lets('unique', 'add', PROBE)
    t.is(other.code, 0)
    t.regex((await lets('allow', 'probe', 'python')).stdout, /probe may run python/)
    t.deepEqual(json(t, await lets('allow', '--json')), { probe: { python: 'allow' } })
    t.regex((await lets('allow', 'probe', 'python', '--deny')).stdout, /may not run/)
    t.regex((await lets('allow', 'probe', 'python', '--forget')).stdout, /asked about python anew/)
    t.is((await lets('unique', 'remove', 'probe')).code, 0)
  },
)

test.serial('a unique is cloned from git; a browser that there is gets the address', async (t) => {
  const lets = emptyHome(t)
  const repository = join(lets.home, 'repository')
  cpSync(PROBE, repository, { recursive: true })
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', ...args], {
      cwd: repository,
      stdio: 'pipe',
    })
  git('init', '-q')
  git('add', '-A')
  git('commit', '-qm', 'probe')
  const added = await lets('unique', 'add', `file://${repository}`)
  t.is(added.code, 0, added.stderr)
  t.false(existsSync(join(lets.home, 'uniques', 'probe', '.git')))
  t.is((await lets('unique', 'add', `file://${repository}`)).code, 0, 'again from the same place')
  t.regex((await lets('unique', 'add', PROBE)).stderr, /probe is installed, from file:/)
  t.is((await lets('unique', 'add', PROBE, '--replace')).code, 0)
  t.is((await lets('unique', 'add', 'file:///none')).code, 1)
  t.is((await lets('unique', 'add', '--', '--upload-pack=touch /tmp/x')).code, 1)

  const bin = join(lets.home, 'bin')
  mkdirSync(bin)
  writeFileSync(join(bin, 'browse'), `#!/bin/sh\nprintf '%s' "$1" > '${lets.home}/browsed'\n`)
  chmodSync(join(bin, 'browse'), 0o755)
  const opened = await runCli(['open', 'probe'], { ...lets.env, LETS_BROWSER: join(bin, 'browse') })
  t.is(opened.code, 0, opened.stderr)
  t.notRegex(opened.stdout, /http/)
  await until(
    () => existsSync(join(lets.home, 'browsed')) && readFileSync(join(lets.home, 'browsed'), 'utf8') !== '',
  )
  t.regex(
    readFileSync(join(lets.home, 'browsed'), 'utf8'),
    /^http:\/\/probe\.localhost:\d+\/u\/probe\/ui\/index\.html\?t=[\w-]+#lip=w1\.[\w-]+$/,
  )
})

test.serial(
  'a second daemon of the same home leaves its uniques to the first; a dead one’s file is no host',
  async (t) => {
    const home = homeWithProbe(t)
    const first = await served(t, { home })
    const second = await (await import('../support/daemon.js')).startDaemonProcess({
      args: ['--host', 'headless'],
      env: { LETS_HOME: home, LETS_SOCKET: join(home, 'run', 'second.sock') },
    })
    t.deepEqual(hostFile(home), first.file)
    t.true(second.log().some(({ event }) => event === 'lip_not_serving'))
    await second.stop()
    t.deepEqual(hostFile(home), first.file, 'it takes nothing away that is not its own')
    first.daemon.kill('SIGKILL')
    await first.daemon.exited
    t.deepEqual(hostFile(home), first.file)
    t.deepEqual(JSON.parse((await runCli(['windows', '--json'], { LETS_HOME: home })).stdout), [])
    const third = await served(t, { home })
    t.not(third.file.pid, first.file.pid)
    t.is(reachHost(third.daemon, home).file.pid, third.daemon.pid)
  },
)
