import { join } from 'node:path'
import test from 'ava'
import { RawClient } from '../support/raw-client.js'
import { until } from '../support/xserver.js'
import { emptyHome, json, type Lets, served } from './home.js'

const ID = 'a_[0-9A-Z]{26}'
const ON = 'on display 1 \\(1440x900 points, scale 2\\)'

const FORMS: readonly (readonly [args: string[], says: string])[] = [
  [['point', '5', '6.5'], 'pointing at 5,6.5'],
  [['point', '1,2'], 'pointing at 1,2'],
  [['point', '--at', 'top-right', '--label', 'x'], 'pointing at top-right'],
  [['point', '--at', '50%,30%'], 'pointing at 50%,30%'],
  [['highlight', '1', '2', '30', '40', '--spotlight'], 'highlighting 1,2,30,40'],
  [['highlight', '1,2,30,40', '--ellipse', '--step', '3'], 'highlighting 1,2,30,40'],
  [['highlight', '-5', '-6', '30', '40'], 'highlighting -5,-6,30,40'],
  [['highlight', '-5,-6,30,40'], 'highlighting -5,-6,30,40'],
  [['annotate', 'a note'], 'note at center'],
  [['annotate', 'a note', '--at', 'top'], 'note at top'],
  [['annotate', 'a note', '--rect', '-5,5,200,60'], 'note at -5,5,200,60'],
  [['guide', 'go', '--at', 'bottom-left'], 'guide at bottom-left'],
  [['draw', '1,2', '3,4', '-5,6', '--color', '#00c853', '--width', '3'], 'a path of 3 points'],
  [['arrow', '10,10', 'center'], 'an arrow from 10,10 to center'],
  [['arrow', '-5,10', '300,200', '--bow', '-0.5'], 'an arrow from -5,10 to 300,200'],
]

test('every drawing form says in one line what is where, for how long, and its id; with --json it prints the ack', async (t) => {
  const lets = await served(t)
  await Promise.all(
    FORMS.map(async ([args, says]) => {
      const { code, stdout, stderr } = await lets(...args)
      t.is(code, 0, stderr)
      t.is(stderr, '')
      t.regex(stdout, new RegExp(`^${says.replace(/[.,%-]/g, '\\$&')} ${ON}, for 5 s {2}${ID}\\n$`))
    }),
  )
  for (const [args] of [FORMS[0]!, FORMS[4]!, FORMS[8]!, FORMS[12]!, FORMS[13]!]) {
    const ack = json(t, await lets(...args, '--json'))
    t.like(ack, { type: 'ack', v: '0.2', display: { id: 1, scale: 2, logical_size: [1440, 900] } })
    t.regex(String(ack.annotation_id), new RegExp(`^${ID}$`))
  }
})

test('numbers of a picture are said to be of that picture, not of the display', async (t) => {
  const lets = await served(t)
  const { frame_id } = json(t, await lets('capture', join(lets.home, 'p.png'), '--yes', '--json'))
  const { stdout, stderr } = await lets('point', '40', '30', '--frame', String(frame_id))
  t.true(stdout.startsWith(`pointing at 40,30 of the picture ${frame_id} on display 1 (`), stdout + stderr)
})

test('a mark stays 5 s, or its --ttl, after its command has returned', async (t) => {
  const lets = await served(t)
  // Not by a command each: on a busy machine one may take as long as the marks stay.
  const raw = await RawClient.open(join(lets.home, 'run', 'lets.sock'))
  t.teardown(() => raw.end())
  const count = async () => (await raw.ask({ type: 'status' })).mark_count
  t.regex((await lets('point', '1', '1', '--ttl', '900ms')).stdout, /, for 900 ms {2}/)
  t.regex((await lets('point', '1', '1', '--ttl', '10m')).stdout, /, for 10 min {2}/)
  const five = performance.now()
  t.regex((await lets('point', '1', '1')).stdout, /, for 5 s {2}/)
  await until('the short one goes first', async () => (await count()) === 2)
  await until('the other goes', async () => (await count()) === 1)
  const lived = performance.now() - five
  t.true(lived >= 5000 && lived < 30_000, `${lived} ms`)
})

/** Calls that are off: exit code 2, one line that says what to do. */
const REFUSED: readonly (readonly [args: string[], says: RegExp])[] = [
  [['point'], /say where: X Y, or --at top-right/],
  [['point', '5'], /a point is two numbers; got only 5/],
  [['point', '-5'], /a point is two numbers; got only -5/],
  [['point', '-5', '10'], /point: \[-5,10\] is off display 1, which is 1440x900 logical points/],
  [['point', '-5,10'], /point: \[-5,10\] is off display 1/],
  [['point', '1', 'b'], /Y must be a number; got "b"/],
  [['point', '1', '2', '3'], /a point is X Y; got 1 2 3 \(text of several words goes in quotes\)/],
  [['point', '1', '2', '--at', 'top'], /give either a place \(1 2\) or --at top, not both/],
  [
    ['point', '--at', 'nowhere'],
    /point: at must be one of top-left, .*or a pair like "50%,30%"; got "nowhere"/,
  ],
  [['point', '1', '2', '--ttl', '5'], /--ttl must be a time such as 5s, 500ms or 2m; got "5"/],
  [['point', '1', '2', '--ttl', '0s'], /--ttl must be a time such as/],
  [['point', '1', '2', '--ttl', '-5s'], /--ttl must be a time such as/],
  [['point', '1', '2', '--ttl', '11m'], /--ttl may be up to 10m .*got 11m; for longer add --hold/],
  [['point', '1', '2', '--step', '1.5'], /--step must be a whole number; got "1.5"/],
  [['point', '1', '2', '--step', '100'], /point: step must be <= 99, got 100/],
  [['point', '1', '2', '--display', 'two'], /--display must be a number; got "two"/],
  [['point', '1', '2', '--display', '2'], /display_id 2 is not connected; the displays are 1/],
  [['point', '1', '2', '--label'], /option '--label <text>' argument missing; `lets point --help` says how/],
  [['point', '1', '2', '--colour', 'red'], /unknown option '--colour'.*; `lets point --help` says how/],
  [['highlight'], /missing required argument 'region'; `lets highlight --help` says how/],
  [['highlight', '1', '2', '3'], /say where: X Y WIDTH HEIGHT in logical points; got 1 2 3/],
  [['highlight', '1,2,3'], /say where: X Y WIDTH HEIGHT in logical points; got 1,2,3/],
  [['highlight', '1', '2', '0', '4'], /highlight: rect\[2\] must be > 0, got 0/],
  [['annotate', 'x', '--rect', '1,2,3,4', '--at', 'top'], /give either --rect or --at, not both/],
  [['annotate', 'x', '--at', 'nowhere'], /--at must be one of top-left/],
  [['annotate', ''], /textbox: text must not be (empty|blank)/],
  [['draw', '1,2'], /a path needs two or more points: X,Y X,Y …/],
  [['draw', '1,2', 'x'], /point 2 must be X,Y in logical points; got "x"/],
  [
    ['draw', '1,2', '3,4', '--color', 'red'],
    /draw: style\.color must be a colour such as "#ffb000", got "red"/,
  ],
  [['draw', '1,2', '3,4', '--width', 'thick'], /--width must be a number; got "thick"/],
  [['arrow', '1,2'], /missing required argument 'to'; `lets arrow --help` says how/],
  [['arrow', '1,2', '1,2'], /arrow: from and to are the same place/],
  [['arrow', '1,2', '30,40', '--bow', '2'], /arrow: bow must be <= 1, got 2/],
]

test('every call that is off exits 2 with one line that says what to do, and draws nothing', async (t) => {
  const lets = await served(t)
  await refuses(t, lets, REFUSED)
  t.is(json(t, await lets('status', '--json')).mark_count, 0)
})

test('with --json a refusal is one JSON value on stdout as well, with a code', async (t) => {
  const lets = await served(t)
  for (const [args, code] of [
    [['point', '5'], 'usage'],
    [['point', '--nonsense'], 'usage'],
    [['point', '5000', '1'], 'bad_schema'],
    [['point', '1', '1', '--display', '7'], 'unknown_display'],
  ] as const) {
    const result = await lets(...args, '--json')
    t.is(result.code, 2)
    const { error } = json(t, result) as { error: { code: string; msg: string } }
    t.is(error.code, code)
    t.is(result.stderr, `lets: ${error.msg}\n`)
  }
})

test('words of a query are not found yet: exit code 1, and what works instead', async (t) => {
  const lets = await served(t)
  const { code, stderr } = await lets('point', 'the Save button')
  t.is(code, 1)
  t.regex(
    stderr,
    /^lets: no resolver is set up.*send coordinates, or a named position such as "top-right"\n$/,
  )
})

test('a wrong call does not start a daemon', async (t) => {
  const lets = emptyHome(t)
  for (const args of [
    ['point', '5'],
    ['highlight', '1,2'],
    ['snapshot', 'x.jpg'],
    ['move', 'a_1'],
    ['consent', 'maybe'],
    ['demo', '--file', 'x.gif'],
  ]) {
    t.is((await lets(...args)).code, 2)
  }
  t.is((await lets('status')).code, 1)
})

test('the next command is not in the way of the one before it: many at once, one after another', async (t) => {
  const lets = await served(t)
  const results = await Promise.all(
    Array.from({ length: 8 }, (_, x) => lets('point', String(x), '1', '--ttl', '1m', '--json')),
  )
  t.deepEqual(
    results.map(({ code }) => code),
    Array(8).fill(0),
  )
  const ids = results.map((result) => String(json(t, result).annotation_id))
  t.is((await lets('move', ids[3]!, '300', '300')).code, 0)
  t.is((await lets('clear', ids[5]!)).stdout, 'cleared 1 mark\n')
  t.is((await lets('clear')).stdout, 'cleared 7 marks\n')
})

async function refuses(t: import('ava').ExecutionContext, lets: Lets, calls: typeof REFUSED): Promise<void> {
  for (let at = 0; at < calls.length; at += 4) {
    await Promise.all(
      calls.slice(at, at + 4).map(async ([args, says]) => {
        const { code, stdout, stderr } = await lets(...args)
        t.is(code, 2, `${args.join(' ')}: ${stderr}`)
        t.is(stdout, '')
        t.regex(stderr, new RegExp(`^lets: [^\\n]*${says.source}[^\\n]*\\n$`), args.join(' '))
      }),
    )
  }
}
