import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import test from 'ava'
import { cleanEnv, type Exit, exitOf, LETS, startCli } from '../support/daemon.js'
import { until } from '../support/xserver.js'
import { emptyHome, json, type Lets, served } from './home.js'

function held(
  lets: Lets,
  ...args: string[]
): { child: ChildProcess; exit: Promise<Exit>; out: () => string; err: Promise<string> } {
  const child = startCli([...args, '--hold'], lets.env)
  let said = ''
  child.stdout!.setEncoding('utf8').on('data', (chunk: string) => {
    said += chunk
  })
  return { child, exit: exitOf(child), out: () => said, err: text(child.stderr as Readable) }
}

test('--hold says when its mark is gone: its time, or everything was cleared; with --json as the wire says it', async (t) => {
  const lets = await served(t)
  const timed = held(lets, 'point', '1', '1', '--ttl', '300ms')
  t.deepEqual(await timed.exit, { code: 0, signal: null })
  t.regex(
    timed.out(),
    /^pointing at 1,1 on display 1 .*, for 300 ms {2}a_\w+\ngone: ttl \(its time is over\)\n$/,
  )
  const cleared = held(lets, 'point', '1', '1', '--json')
  await until('it is drawn', () => cleared.out().includes('\n'))
  await lets('clear', '--all-sessions')
  t.is((await cleared.exit).code, 0)
  const [ack, gone] = cleared
    .out()
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  t.deepEqual(gone, { type: 'invalidated', annotation_id: ack.annotation_id, reason: 'cleared' })
})

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  test(`--hold removes its mark on ${signal} and exits 0, without a word`, async (t) => {
    const lets = await served(t)
    const marks = async () => json(t, await lets('status', '--json')).mark_count
    const { child, exit, out, err } = held(lets, 'annotate', 'stay', '--ttl', '2h')
    await until('it is drawn', () => out().includes('\n'))
    t.regex(out(), /, for 2 h {2}a_\w+\n$/)
    t.is(await marks(), 1)
    child.kill(signal)
    t.deepEqual(await exit, { code: 0, signal: null })
    t.is(await err, '')
    t.is(await marks(), 0)
  })
}

test('--hold whose daemon goes away says so and exits 1', async (t) => {
  const lets = emptyHome(t)
  const { exit, out, err } = held(lets, 'point', '1', '1')
  await until('it is drawn', () => out().includes('\n'))
  t.regex(out(), /, until Ctrl-C {2}a_\w+\n$/)
  await lets('stop')
  t.is((await exit).code, 1)
  t.regex(out(), /\ngone: connection_lost\n$/)
  t.regex(await err, /\nlets: the daemon went away, and the mark with it\n$/)
})

test('a reader that has had enough is no fault: no stack, no message', async (t) => {
  const lets = await served(t)
  for (const args of [
    ['displays'],
    ['status', '--json'],
    ['point', '1', '1'],
    ['doctor'],
    ['--help'],
    ['point', '--help'],
  ]) {
    const script = `"$0" "$@" | head -c 0; echo "\${PIPESTATUS[0]}"`
    const child = spawn('bash', ['-c', script, process.execPath, LETS, ...args], {
      env: cleanEnv(lets.env),
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)])
    t.is(err, '', args.join(' '))
    t.is(out, '0\n', args.join(' '))
  }
})

const ESCAPE = '\u001b['

test('colours are for terminals only, and not where NO_COLOR is set', async (t) => {
  const lets = await served(t)
  const commands = [['status'], ['displays'], ['point', '1', '1'], ['doctor'], ['--help'], ['point']]
  for (const args of commands) {
    const { stdout, stderr } = await lets(...args)
    t.false((stdout + stderr).includes(ESCAPE), args.join(' '))
  }
  try {
    execFileSync('script', ['--version'])
  } catch {
    t.log('no script(1): terminals are not tried')
    return
  }
  const onTerminal = (env: NodeJS.ProcessEnv) =>
    execFileSync('script', ['-qec', `'${process.execPath}' '${LETS}' status`, '/dev/null'], {
      env: cleanEnv({ ...lets.env, ...env }),
      encoding: 'utf8',
    })
  t.true(onTerminal({}).includes(ESCAPE))
  t.false(onTerminal({ NO_COLOR: '1' }).includes(ESCAPE))
})

test('--help lists the commands in groups, within 80 columns, with examples that work', async (t) => {
  const lets = await served(t, { args: ['--display', '1440x900'] })
  const { code, stdout, stderr } = await lets('--help')
  t.is(code, 0)
  t.is(stderr, '')
  for (const group of [
    'Show something:',
    'Change what is shown:',
    'Look around:',
    'A companion on the screen:',
    'The daemon:',
    'Examples:',
  ]) {
    t.true(stdout.includes(`\n${group}\n`), group)
  }
  const names = [...stdout.matchAll(/^ {2}([a-z]+) /gm)]
    .map(([, name]) => name!)
    .filter((name) => name !== 'lets' && name !== 'help')
  t.is(names.length, 36)
  const helps = await Promise.all(names.map((name) => lets(name, '--help')))
  for (const [index, help] of [{ stdout }, ...helps].entries()) {
    for (const line of help.stdout.split('\n')) t.true(line.length <= 80, `${index}: ${line}`)
  }
  t.true(helps.every((help) => help.code === 0))
  // What `lets shell` prints is JSON in any case.
  t.true(helps.every((help, at) => names[at] === 'shell' || help.stdout.includes('--json')))
  const shown = [stdout, ...helps.map((help) => help.stdout)].join('\n')
  const examples = [...shown.matchAll(/^ {2}lets (.+)$/gm)].map(([, example]) => example!)
  // What would start a demo, a service or a browser, hold on, or needs what is not here is only there to be read.
  const tried = [...new Set(examples)].filter(
    (example) =>
      !/^(demo|play|service|open|send|listen|locate|unique|allow|electron|shell|(?:point|highlight) ")|--hold|…/.test(
        example,
      ),
  )
  t.true(tried.length >= 10)
  for (const example of tried) {
    const words = [...example.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, word]) => quoted ?? word!)
    const result = await lets(...words)
    t.is(result.code, 0, `${example}: ${result.stderr}`)
  }
})

test('no command, an unknown one and an option too many: exit code 2, and where to look', async (t) => {
  const lets = emptyHome(t)
  const none = await lets()
  t.is(none.code, 2)
  t.regex(none.stderr, /^Usage: lets <command>/)
  for (const [args, says] of [
    [['pont'], "unknown command 'pont' (Did you mean point?); `lets --help` lists the commands"],
    [
      ['status', 'now'],
      "too many arguments for 'status'. Expected 0 arguments but got 1; `lets status --help` says how",
    ],
    [['stop', '--force'], "unknown option '--force'; `lets stop --help` says how"],
  ] as const) {
    const result = await lets(...args)
    t.deepEqual([result.code, result.stdout, result.stderr], [2, '', `lets: ${says}\n`])
  }
  t.regex((await lets('--version')).stdout, /^\d+\.\d+\.\d+\n$/)
})

test('daemon --json says once what it serves', async (t) => {
  const lets = emptyHome(t)
  const child = startCli(['daemon', '--json'], lets.env)
  let said = ''
  child.stdout!.setEncoding('utf8').on('data', (chunk: string) => {
    said += chunk
  })
  await until('it serves', () => said.includes('\n'))
  t.deepEqual(JSON.parse(said), {
    serving: true,
    pid: child.pid,
    host: 'headless',
    notes: [],
    socket: join(lets.home, 'run', 'lets.sock'),
  })
  child.kill('SIGINT')
  t.deepEqual(await exitOf(child), { code: 0, signal: null })
})

test('what an agent says and offers is text in the terminal: no command to it, and no line of its own', async (t) => {
  const lets = await served(t)
  await lets('companion', 'on')
  const hostile = '\u001b]0;mine\u0007\u001b[2J\u009b8m \u202eleft\nsummon it   Ctrl+Alt+Del'
  await lets('companion', 'say', hostile, '--ttl', '10m')
  await lets('companion', 'suggest', hostile)
  const { stdout } = await lets('companion', 'status', '--log')
  t.notRegex(stdout, /(?!\n)[\p{Cc}\u202e]/u)
  t.notRegex(stdout, /^summon it {3}Ctrl\+Alt/m)
  t.is(stdout.match(/left summon it/g)?.length, 3, 'all of it is there to be read')
  const failed = await lets('companion', 'move', '--to', hostile)
  t.notRegex(failed.stderr, /(?!\n)[\p{Cc}\u202e]/u)
  const machine = await lets('companion', 'status', '--json')
  t.notRegex(machine.stdout, /(?!\n)\p{Cc}/u)
  t.is(json(t, machine).says, hostile, 'a machine gets every character')
})
