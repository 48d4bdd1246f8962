import { mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import test from 'ava'
import { RawClient } from '../support/raw-client.js'
import { emptyHome, json, served } from './home.js'

const PNG = Buffer.from('89504e470d0a1a0a', 'hex')

test('displays lists each with its size, scale and place; --json gives the wire’s fields', async (t) => {
  const lets = await served(t, { args: ['--display', '1440x900@2', '--display', '800x600'] })
  t.is(
    (await lets('displays')).stdout,
    '1  1440x900 points  scale 2, origin 0,0, primary, headless-1\n2  800x600 points  scale 1, origin 1440,0, headless-2\n',
  )
  const all = json(t, await lets('displays', '--json')) as unknown as { id: number }[]
  t.deepEqual(
    all.map(({ id }) => id),
    [1, 2],
  )
  t.regex(
    (await lets('point', '1', '1', '--display', '2')).stdout,
    /on display 2 \(800x600 points, scale 1\)/,
  )
})

test('status says what runs, aligned, and exits 1 with one line and one JSON value when nothing does', async (t) => {
  const lets = await served(t)
  const raw = await (await RawClient.open(join(lets.home, 'run', 'lets.sock'))).begin()
  t.teardown(() => raw.end())
  await raw.point()
  const { code, stdout } = await lets('status')
  t.is(code, 0)
  const lines = stdout.trimEnd().split('\n')
  t.deepEqual(
    lines.map((line) => line.slice(0, 9)),
    [
      'running  ',
      'host     ',
      'marks    ',
      'socket   ',
      'hotkey   ',
      'has      ',
      'lacks    ',
      'capture  ',
      'queries  ',
    ],
  )
  t.is(lines[2], 'marks     1 shown, 1 client connected')
  t.like(json(t, await lets('status', '--json')), {
    running: true,
    sessions: 1,
    mark_count: 1,
    host: 'headless',
    capture_consent: 'ask',
  })

  const none = emptyHome(t)
  const socket = join(none.home, 'run', 'lets.sock')
  const quiet = await none('status')
  t.deepEqual([quiet.code, quiet.stdout], [1, ''])
  t.is(quiet.stderr, `lets: no daemon serves ${socket}; start one with \`lets daemon\`\n`)
  const machine = await none('status', '--json')
  t.is(machine.code, 1)
  t.is(machine.stderr, '')
  t.deepEqual(json(t, machine), { running: false, socket })
  t.deepEqual(readdirSync(none.home), [], 'asking starts nothing')
})

test('snapshot writes a PNG with the marks, and the daemon keeps no copy', async (t) => {
  const lets = await served(t, { args: ['--display', '200x100@2'] })
  await lets('point', '50', '50')
  for (const more of [[], ['--marks-only'], ['--yes']]) {
    const file = join(lets.home, `shot${more.length}.PNG`)
    const { code, stdout } = await lets('snapshot', file, ...more)
    t.is(code, 0)
    t.is(stdout, `${file}  400x200 pixels of display 1\n`)
    t.deepEqual(readFileSync(file).subarray(0, 8), PNG)
  }
  const file = join(lets.home, 'j.png')
  t.like(json(t, await lets('snapshot', file, '--json')), {
    path: file,
    image_size: [400, 200],
    scale_to_logical: 2,
  })
  t.deepEqual(readdirSync(join(lets.home, 'captures')), [])
  t.is(statSync(join(lets.home, 'captures')).mode & 0o777, 0o700)
})

test('snapshot to what is no PNG, to a folder, into a missing folder or of a missing display: one line each', async (t) => {
  const lets = await served(t, { args: ['--display', '200x100'] })
  mkdirSync(join(lets.home, 'folder.png'))
  for (const [args, code, says] of [
    [['x.jpg'], 2, 'a picture is a PNG file, such as screen.png; got "x.jpg"'],
    [['/nowhere/x.png'], 1, '/nowhere/x.png cannot be written: its folder does not exist'],
    [
      [join(lets.home, 'folder.png')],
      1,
      `${join(lets.home, 'folder.png')} cannot be written: it is a folder`,
    ],
    [['x.png', '--display', '3'], 2, 'display_id 3 is not connected; the displays are 1'],
    [[], 2, "missing required argument 'file'; `lets snapshot --help` says how"],
  ] as const) {
    const result = await lets('snapshot', ...args)
    t.deepEqual([result.code, result.stdout, result.stderr], [code, '', `lets: ${says}\n`])
  }
  t.deepEqual(readdirSync(join(lets.home, 'captures')), [])
})

test('paused, nothing is drawn, and only the person lets it go on', async (t) => {
  const lets = await served(t)
  const raw = await RawClient.open(join(lets.home, 'run', 'lets.sock'))
  t.teardown(() => raw.end())
  await raw.ask({ type: 'session_start', client_name: 'agent' })
  const point = { type: 'point', at: 'top', display_id: 1 }
  const mark = await raw.ask(point)
  t.is(
    (await lets('pause')).stdout,
    'drawing is paused; 1 mark was taken off the screen; `lets resume` lets it go on\n',
  )
  await raw.until(() => raw.pushes.length > 0)
  t.like(raw.pushes[0], { annotation_id: mark.annotation_id, reason: 'cleared' })
  t.like(await raw.ask(point), { type: 'error', code: 'not_permitted' })
  for (const paused of [true, false])
    t.like(await raw.ask({ type: 'pause', paused }), { type: 'error', code: 'not_permitted' })
  t.is(json(t, await lets('status', '--json')).paused, true)
  t.true((await lets('status')).stdout.includes('paused    nothing is drawn until `lets resume`'))
  const refused = await lets('point', '--at', 'top')
  t.is(refused.code, 1)
  t.true(refused.stderr.includes('`lets resume`'), refused.stderr)
  t.deepEqual(json(t, await lets('pause', '--json')), { paused: true, cleared: 0 })
  t.deepEqual(json(t, await lets('resume', '--json')), { paused: false })
  t.is((await raw.ask(point)).type, 'ack')
  t.is(json(t, await lets('status', '--json')).paused, false)
})

test('consent is given for good or for a time, after which it is to be asked for again', async (t) => {
  const lets = await served(t)
  const policy = async () => json(t, await lets('status', '--json')).capture_consent
  t.is((await lets('consent', 'always')).stdout, 'pictures of the screen: always\n')
  t.is(await policy(), 'always')
  t.deepEqual(json(t, await lets('consent', 'never', '--json')), { capture_consent: 'never' })
  t.is(
    (await lets('consent', 'always', '--for', '10m')).stdout,
    'pictures of the screen: always for 10 min, then ask\n',
  )
  const raw = await RawClient.open(join(lets.home, 'run', 'lets.sock'))
  t.teardown(() => raw.end())
  const given = performance.now()
  t.is((await lets('consent', 'always', '--for', '1500ms')).code, 0)
  while ((await raw.ask({ type: 'status' })).capture_consent !== 'ask')
    t.true(performance.now() - given < 10_000)
  t.true(performance.now() - given >= 1500)
  for (const args of [['maybe'], [], ['always', '--for', '10'], ['always', '--for', '48h']]) {
    const { code, stderr } = await lets('consent', ...args)
    t.is(code, 2)
    t.regex(stderr, /^lets: [^\n]+\n$/)
  }
})
