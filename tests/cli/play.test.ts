import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import test, { type ExecutionContext } from 'ava'
import { exitOf, startCli } from '../support/daemon.js'
import { RawClient } from '../support/raw-client.js'
import { until } from '../support/xserver.js'
import { emptyHome, json, type Lets, served } from './home.js'

const SHORT = { ms: 150 }

function tourFile(lets: Lets, tour: object): string {
  const file = join(lets.home, 'tour.json')
  writeFileSync(file, JSON.stringify(tour))
  return file
}

interface Line {
  readonly type: string
  readonly step: number
  readonly outcome?: string
  readonly [field: string]: unknown
}

async function play(
  t: ExecutionContext,
  lets: Lets,
  tour: object,
): Promise<{ code: number | null; lines: Line[] }> {
  const { code, stdout, stderr } = await lets('play', tourFile(lets, tour), '--json')
  t.is(stderr, '')
  return {
    code,
    lines: stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line)),
  }
}

/** A tour that is still running, and the daemon's own word on what is up. */
async function playing(t: ExecutionContext, lets: Lets, tour: object) {
  const child = startCli(['play', tourFile(lets, tour), '--json'], lets.env)
  const exit = exitOf(child)
  const lines: Line[] = []
  createInterface({ input: child.stdout as Readable }).on('line', (line) => lines.push(JSON.parse(line)))
  const eye = await RawClient.open(join(lets.home, 'run', 'lets.sock'))
  t.teardown(() => eye.end())
  return {
    child,
    exit,
    lines,
    marks: async () => (await eye.ask({ type: 'status' })).mark_count,
    clearAll: () => eye.ask({ type: 'clear', all_sessions: true }),
    shown: (step: number) =>
      until(`step ${step} is up`, () => lines.some((line) => line.type === 'shown' && line.step === step)),
  }
}

const outcomes = (lines: readonly Line[]) =>
  lines
    .filter(({ type }) => type === 'outcome')
    .sort((a, b) => a.step - b.step)
    .map(({ outcome, reason, code }) => [outcome, ...[reason ?? code ?? []].flat()].join(' '))

test('one after another: each mark is up alone, but for those that are kept, and all go at the end', async (t) => {
  const lets = await served(t)
  const on = await playing(t, lets, {
    steps: [
      { title: 'one', point: { at: 'top' }, wait: { ms: 600 } },
      { guide: { text: 'two', at: 'center' }, keep: true, wait: { ms: 600 } },
      { highlight: { rect: [10, 10, 50, 40] }, wait: { ms: 600 } },
    ],
  })
  for (const [step, count] of [
    [1, 1],
    [2, 1],
    [3, 2],
  ] as const) {
    await on.shown(step)
    await until(`${count} are up in step ${step}`, async () => (await on.marks()) === count)
  }
  t.is((await on.exit).code, 0)
  t.deepEqual(outcomes(on.lines), ['shown', 'shown', 'shown'])
  t.like(on.lines.at(-1), { type: 'tour', all_shown: true, steps: 3 })
  t.deepEqual(
    on.lines
      .filter(({ type }) => type === 'shown')
      .map(({ step, of, kind, title }) => [step, of, kind, title]),
    [
      [1, 3, 'point', 'one'],
      [2, 3, 'guide', undefined],
      [3, 3, 'highlight', undefined],
    ],
  )
  t.is(await on.marks(), 0)
})

test('together: all are up at once, and the waits follow each other', async (t) => {
  const lets = await served(t)
  const on = await playing(t, lets, {
    together: true,
    steps: [
      { point: { at: 'top' }, wait: { ms: 500 } },
      {
        draw: {
          path: [
            [1, 1],
            [90, 90],
          ],
        },
      },
      { arrow: { from: 'left', to: 'right' }, wait: { ms: 500 } },
    ],
  })
  await on.shown(3)
  t.is(await on.marks(), 3)
  const began = performance.now()
  t.is((await on.exit).code, 0)
  t.true(performance.now() - began > 700)
  t.deepEqual(outcomes(on.lines), ['shown', 'shown', 'shown'])
})

test('a mark that is refused is said so and the rest is shown; one that goes by its own time was shown', async (t) => {
  const lets = await served(t)
  const { code, lines } = await play(t, lets, {
    steps: [
      { point: { x: 9999, y: 1 }, wait: SHORT },
      { point: { at: 'top', ttl_ms: 50 }, wait: { ms: 300 } },
      { point: { at: 'top', display_id: 7 }, wait: SHORT },
      { annotate: { text: 'x', rect: [1, 1, 50, 20], window: 'xterm' }, wait: SHORT },
      { point: { at: 'left' }, wait: SHORT },
    ],
  })
  t.is(code, 1)
  t.deepEqual(outcomes(lines), [
    'refused bad_schema',
    'gone ttl',
    'refused unknown_display',
    'refused unavailable',
    'shown',
  ])
  const fine = await play(t, lets, { steps: [{ point: { at: 'top', ttl_ms: 50 }, wait: { ms: 300 } }] })
  t.is(fine.code, 0)
})

test('a wait that is impossible here ends the tour, and says so', async (t) => {
  const lets = await served(t)
  for (const wait of [{ next: true }, { window: 'xterm' }]) {
    const { code, lines } = await play(t, lets, {
      steps: [{ point: { at: 'top' }, wait }, { point: { at: 'left' } }],
    })
    t.is(code, 1)
    t.deepEqual(outcomes(lines), ['refused unavailable', 'skipped wait_refused'])
  }
})

test('a person who clears the screen ends the tour', async (t) => {
  const lets = await served(t)
  const on = await playing(t, lets, {
    steps: [{ point: { at: 'top' }, wait: { ms: 60_000 } }, { point: { at: 'left' } }],
  })
  await on.shown(1)
  await on.clearAll()
  t.is((await on.exit).code, 1)
  t.deepEqual(outcomes(on.lines), ['gone cleared', 'skipped cleared'])
})

test('Ctrl-C clears the marks and reports; a command that is killed leaves none either', async (t) => {
  const lets = await served(t)
  const tour = { steps: [{ point: { at: 'top' }, wait: { ms: 60_000 } }, { point: { at: 'left' } }] }
  const on = await playing(t, lets, tour)
  await on.shown(1)
  on.child.kill('SIGINT')
  t.is((await on.exit).code, 1)
  t.is(await on.marks(), 0)
  t.deepEqual(outcomes(on.lines), ['shown', 'skipped interrupted'])
  const killed = await playing(t, lets, tour)
  await killed.shown(1)
  t.is(await killed.marks(), 1)
  killed.child.kill('SIGKILL')
  await until('nothing is left', async () => (await killed.marks()) === 0)
})

test('a daemon that ends is said so', async (t) => {
  const lets = await served(t)
  const on = await playing(t, lets, {
    steps: [{ point: { at: 'top' }, wait: { ms: 60_000 } }, { point: { at: 'left' } }],
  })
  await on.shown(1)
  await lets('stop')
  t.is((await on.exit).code, 1)
  t.deepEqual(outcomes(on.lines), ['gone connection_lost', 'skipped connection_lost'])
})

test('a file that is no tour exits 2 with one line, and starts nothing', async (t) => {
  const lets = emptyHome(t)
  const file = tourFile(lets, { steps: [{ point: { at: 'top', frame: 'f_1' } }] })
  for (const args of [[file], [file, '--dry-run']]) {
    const { code, stderr } = await lets('play', ...args)
    t.is(code, 2)
    t.is(
      stderr,
      `lets: ${file}: steps[0].point.frame: a file outlives every frame; give logical points, or a window\n`,
    )
  }
  const none = await lets('play', '/nowhere/tour.json')
  t.deepEqual(
    [none.code, none.stderr],
    [2, 'lets: /nowhere/tour.json cannot be read: there is no such file\n'],
  )
  const good = tourFile(lets, { title: 'T', steps: [{ point: { at: 'top' } }] })
  t.deepEqual(json(t, await lets('play', good, '--dry-run', '--json')), { valid: true, steps: 1, title: 'T' })
  t.is((await lets('status')).code, 1)
})

test('in a terminal there is a bar, and Enter goes on where there is no key', async (t) => {
  const lets = await served(t)
  const file = tourFile(lets, {
    steps: [
      { title: 'Look here', point: { at: 'top' }, wait: { next: true } },
      { point: { at: 'left' }, wait: SHORT },
    ],
  })
  const { spawn } = await import('node:child_process')
  const { LETS, cleanEnv } = await import('../support/daemon.js')
  const command = `'${process.execPath}' '${LETS}' play '${file}'`
  const terminal = spawn('script', ['-qec', command, '/dev/null'], {
    env: cleanEnv({ ...lets.env, SHELL: '/bin/sh' }),
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  let output = ''
  terminal.stdout.on('data', (chunk) => {
    output += chunk
  })
  const exit = exitOf(terminal)
  await until('the bar says what goes on', () => output.includes('Enter or Ctrl+Shift+Space goes on'))
  terminal.stdin.write('\n')
  t.is((await exit).code, 0, output)
  t.regex(output, /█+.*1\/2 Look here/)
  t.regex(output, /1\/2 {2}Look here/)
})
