import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'ava'
import { until } from '../support/xserver.js'
import { emptyHome, json, served } from './home.js'

test('without an action it says how it is: off, and what turns it on', async (t) => {
  const lets = await served(t)
  const { code, stdout } = await lets('companion')
  t.is(code, 0)
  t.is(stdout.split('\n')[0], 'off; `lets companion on` brings it')
  t.like(json(t, await lets('companion', 'status', '--json')), { on: false, shown: false })
})

test('in memory it is where pictures show it, and status and doctor say that it is there', async (t) => {
  const lets = await served(t, { args: ['--display', '400x300'] })
  const empty = await lets('snapshot', join(lets.home, 'empty.png'), '--yes')
  t.is(empty.code, 0, empty.stderr)
  t.is((await lets('companion', 'on')).stdout, 'on, at 328,180 on display 1\n')
  t.regex((await lets('companion')).stdout, /^summon it +no key here; /m)
  t.regex((await lets('companion', 'say', 'Hello', 'there', '--ttl', '10m')).stdout, /^on, at/)
  const facts = (await lets('status')).stdout
  t.regex(facts, /^companion shown$/m)
  for (const line of facts.trimEnd().split('\n')) t.regex(line, /^[a-z ]{9} \S/, 'one column of labels')
  t.regex((await lets('companion')).stdout, /^summon it +no key here; `lets companion show`$/m)
  t.regex((await lets('doctor')).stdout, /companion +on, and shown/)
  t.like(json(t, await lets('companion', '--json')), { shown: true, says: 'Hello there' })
  await lets('snapshot', join(lets.home, 'there.png'), '--yes')
  const size = (name: string) => readFileSync(join(lets.home, name)).length
  t.true(size('there.png') > size('empty.png') + 1000)
  await lets('companion', 'quiet')
  const unseen = await lets('companion', 'say', 'Nobody hears this')
  t.is(unseen.stderr, 'nobody sees that now\n')
  t.notRegex((await lets('companion')).stdout, /^says/m, 'it says nothing while nobody sees it')
  t.regex((await lets('status')).stdout, /^companion on, but not shown \(quiet\)/m)
  t.regex((await lets('companion')).stdout, /^on, but not shown: it is quiet for another \d+(\.\d)? min/)
  t.regex((await lets('companion', 'off')).stdout, /^off; `lets companion on` brings it/)
  t.notRegex((await lets('status')).stdout, /^companion/m)
})

test('what the person decides is kept, and a new daemon knows it', async (t) => {
  const lets = emptyHome(t, { DISPLAY: '' })
  await lets('companion', 'on')
  const muted = await lets('companion', 'mute', 'Slack')
  t.regex(muted.stdout, /^it is not shown over Slack, once windows are known\n/)
  t.regex(muted.stderr, /windows are not known here, .*`lets companion quiet`/)
  t.regex(
    (await lets('companion', 'quiet', '--hours', '22:00-07:00')).stdout,
    /from 22:00 to 07:00 every day/,
  )
  t.regex((await lets('companion', 'quiet', '--for', '2h')).stdout, /^it keeps away for 2 h/)
  await lets('companion', 'persona', '--name', 'Pip', '--pace', '1.5', '--color', '#7c4dff')
  await lets('companion', 'persona', '--distance', '80')
  await lets('companion', 'move', '--to', '300,200')
  await lets('stop')
  const kept = JSON.parse(readFileSync(join(lets.home, 'companion.json'), 'utf8'))
  t.like(kept, {
    on: true,
    muted_apps: ['Slack'],
    hours: '22:00-07:00',
    place: { display: 1, at: [300, 200] },
  })
  t.like(json(t, await lets('companion', '--json')), {
    on: true,
    hours: '22:00-07:00',
    muted_apps: ['Slack'],
    at: [300, 200],
    persona: { name: 'Pip', traits: { pace: 1.5, color: '#7c4dff', distance: 80 } },
  })
  const { quiet_ms } = json(t, await lets('companion', '--json')) as { quiet_ms?: number }
  t.true(quiet_ms !== undefined && quiet_ms > 7_000_000 && quiet_ms <= 7_200_000)
  t.regex((await lets('companion', 'quiet', 'off')).stdout, /^it is quiet no longer/)
  t.regex((await lets('companion', 'unmute', 'slack')).stdout, /^it is shown over slack/)
  t.like(json(t, await lets('companion', '--json')), { muted_apps: [], quiet_ms: undefined })
})

for (const [name, content] of [
  ['text that is no JSON', '{"on":tru'],
  ['a position of NaN', '{"on":true,"place":{"display":1,"at":[null,3]}}'],
  ['a list', '[1,2,3]'],
  ['a megabyte', `"${'x'.repeat(1_000_000)}"`],
] as const) {
  test(`a file with ${name} is kept aside, and the daemon starts`, async (t) => {
    const lets = emptyHome(t, { DISPLAY: '' })
    const file = join(lets.home, 'companion.json')
    mkdirSync(lets.home, { recursive: true, mode: 0o700 })
    writeFileSync(file, content)
    t.like(json(t, await lets('companion', '--json')), { on: name.includes('NaN'), display_id: 1 })
    t.is(readFileSync(`${file}.broken`, 'utf8'), content)
    t.regex(readFileSync(join(lets.home, 'daemon.log'), 'utf8'), /companion_file/)
    await lets('companion', 'on')
    await lets('stop')
    t.true(JSON.parse(readFileSync(file, 'utf8')).on)
  })
}

test('a folder where the file should be stops nothing', async (t) => {
  const lets = emptyHome(t, { DISPLAY: '' })
  mkdirSync(join(lets.home, 'companion.json'), { recursive: true, mode: 0o700 })
  chmodSync(lets.home, 0o700)
  t.like(json(t, await lets('companion', 'on', '--json')), { on: true })
  t.false(existsSync(join(lets.home, 'companion.json.broken')))
})

test('words that are off say what they may be, and change nothing', async (t) => {
  const lets = await served(t)
  for (const [args, says] of [
    [['dance'], /companion does status, on, off, .*got "dance"/],
    [['say'], /`lets companion say "The tests pass"`/],
    [['mood'], /`lets companion mood happy`/],
    [['move'], /`lets companion move --to center`/],
    [['move', '--to', 'nowhere'], /lets: --to must be X,Y, cursor, one of top-left.*got "nowhere"/],
    [['move', '--to', '1,2', '--display', '9'], /display_id 9 is not connected/],
    [['move', '--to', '1,2', '--display', 'one'], /--display must be a number/],
    [['on', '--ttl', '5s'], /--ttl goes with say, not with on/],
    [['say', 'x', '--ttl', '5'], /--ttl must be a time/],
    [['quiet', 'please'], /quiet is for a time \(--for 1h\), or off; got "please"/],
    [['quiet', '--hours', '9-5'], /lets: --hours must be times of the day such as 22:00-07:00, or none/],
    [['quiet', '--hours', 'none', '--for', '1h'], /--hours is for every day/],
    [['on', 'please'], /companion on takes no more words; got "please"/],
    [['react', 'wave', 'twice'], /companion react takes no more words; got "twice"/],
    [['listen', 'x'], /companion listen takes no more words/],
    [['move', '1,2', '--to', 'center'], /goes to one place; got "1,2" and --to center/],
    [['persona'], /`lets companion persona --name Pip/],
    [['say', 'x', '--ttl', '900h'], /lets: --ttl may be 24h at most/],
    [['react', 'wave', '--for', '900h'], /lets: --for may be 24h at most/],
    [['persona', '--name', 'x'.repeat(300)], /lets: --name may have at most 200 characters/],
    [['mute', ''], /lets: the application must not be empty/],
    [['suggest', ''], /lets: what it suggests must not be empty/],
    [['suggest', ...Array.from({ length: 33 }, (_, index) => `S${index}`)], /at most 32 entries/],
  ] as const) {
    const { code, stderr } = await lets('companion', ...args)
    t.is(code, 2, args.join(' '))
    t.regex(stderr, says)
    t.is(stderr.trimEnd().split('\n').length, 1, stderr)
  }
  t.like(json(t, await lets('companion', '--json')), { on: false, suggestions: [] })
})

test('what is suggested twice is one suggestion, and that is said', async (t) => {
  const lets = await served(t)
  const { code, stderr } = await lets('companion', 'suggest', 'a', 'b', 'a')
  t.is(code, 0)
  t.regex(stderr, /said twice, and suggested once/)
  const { suggestions } = json(t, await lets('companion', 'status', '--json'))
  t.deepEqual(suggestions, [
    { id: 'a', label: 'a' },
    { id: 'b', label: 'b' },
  ])
})

test('unmute says whether it was muted', async (t) => {
  const lets = await served(t)
  t.regex((await lets('companion', 'unmute', 'Slack')).stdout, /^Slack was not muted; no application is\n/)
  await lets('companion', 'mute', 'Mail')
  t.regex((await lets('companion', 'mute', 'Visual', 'Studio')).stdout, /not shown over Visual Studio,/)
  t.regex(
    (await lets('companion', 'unmute', 'Slack')).stdout,
    /^Slack was not muted; those are: Mail, Visual Studio\n/,
  )
  t.regex((await lets('companion', 'unmute', 'mail')).stdout, /^it is shown over mail again\n/)
})

test('quiet for years is said by its date', async (t) => {
  const lets = emptyHome(t, { DISPLAY: '' })
  const end = new Date(2099, 4, 6, 7, 8)
  writeFileSync(join(lets.home, 'companion.json'), JSON.stringify({ on: true, quiet_until: end.getTime() }), {
    mode: 0o600,
  })
  const { stdout } = await lets('companion', 'status')
  t.regex(stdout, /it is quiet until 2099-05-06 07:0[78];/)
})

test('a mood that there is none is left out and said; it is no failure', async (t) => {
  const lets = await served(t)
  const { code, stderr } = await lets('companion', 'mood', 'wistful')
  t.is(code, 0)
  t.regex(stderr, /left out: mood "wistful": the moods are idle/)
  t.regex((await lets('companion', 'react', 'moonwalk')).stderr, /left out: name "moonwalk"/)
  const { ignored } = json(t, await lets('companion', 'mood', 'wistful', '--json'))
  t.is((ignored as string[]).length, 1)
})

test('what was said is in the log, shown or not', async (t) => {
  const lets = await served(t)
  for (let index = 0; index < 3; index++) await lets('companion', 'say', `text ${index}`)
  const { stdout } = await lets('companion', 'status', '--log')
  for (let index = 0; index < 3; index++) t.regex(stdout, new RegExp(`entity.say  text ${index} .*not shown`))
  const { log } = json(t, await lets('companion', 'status', '--log', '--json')) as { log: { text: string }[] }
  t.deepEqual(
    log.map(({ text }) => text),
    ['text 0', 'text 1', 'text 2'],
  )
})

test('listening ends with the daemon, and says so', async (t) => {
  const lets = await served(t)
  const listening = lets('companion', 'listen')
  await until('it listens', async () => {
    const { sessions } = json(t, await lets('status', '--json')) as { sessions: number }
    return sessions === 1
  })
  await lets('stop')
  const { code, stdout, stderr } = await listening
  t.is(code, 1)
  t.regex(stdout, /Ctrl-C ends this/)
  t.regex(stderr, /the daemon went away/)
})
