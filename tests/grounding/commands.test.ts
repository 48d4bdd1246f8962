import test from 'ava'
import { runCli, startCli } from '../support/daemon.js'
import { until } from '../support/xserver.js'
import { accessibleDesk, located } from './support.js'

test('commands find things by their names, list what might be meant, and say who may', async (t) => {
  t.timeout(120_000)
  const desk = await accessibleDesk(t, { consent: 'ask' })
  const program = await desk.program('list3')
  const lets = (...args: string[]) => runCli(args, desk.daemon.env)
  // By the person's own word: nobody is asked.
  await until(
    'the program is known',
    async () => (await lets('locate', 'Cancel', '--yes')).code === 0,
    20_000,
  )
  const found = await lets('locate', 'the Save button', '--yes')
  t.regex(
    found.stdout,
    /^button "Save" at [\d.]+,[\d.]+ {2}\([\d.]+x[\d.]+ at .*99% sure, by accessibility\)\n$/,
  )
  const asJson = JSON.parse((await lets('locate', 'the Save button', '--yes', '--json')).stdout)
  t.like(asJson, { matched: { name: 'Save', role: 'button' }, resolved_by: 'accessibility' })
  program.tell('insert 0 Beta')
  await until('there are two', async () => (await lets('locate', 'Open Beta', '--yes')).code === 1)
  const two = await lets('locate', 'Open Beta', '--yes')
  t.is(two.code, 1)
  t.regex(two.stderr, /^ {2}button {2}"Open Beta" {2}[\d.,]+ +\d+%\n {2}button {2}"Open Beta"/)
  t.regex(two.stderr, /lets: locate: 2 things fit "Open Beta" equally; say which with "nth"/)
  const error = JSON.parse((await lets('locate', 'Open Beta', '--yes', '--json')).stdout)
  t.like(error, { error: { code: 'ambiguous' } })
  t.is(error.error.candidates.length, 2)
  for (const [nth, index] of [
    ['1', 0],
    ['2', 1],
  ] as const) {
    const one = JSON.parse((await lets('locate', 'Open Beta', '--yes', '--json', '--nth', nth)).stdout)
    t.deepEqual(one.matched.rect, error.error.candidates[index].rect)
  }
  const [x, y, width, height] = error.error.candidates[1].rect
  const within = await lets(
    'point',
    'Open Beta',
    '--yes',
    '--within',
    `${x - 5},${y - 5},${width + 10},${height + 10}`,
  )
  t.is(within.code, 0, within.stderr)
  t.regex(within.stdout, /pointing at "Open Beta".*\nbutton "Open Beta" at/)
  t.is((await lets('highlight', 'Save as', '--yes', '--app', 'List 3')).code, 0)
  t.is((await lets('highlight', 'Save as', '--yes', '--app', 'Gimp')).code, 1)
  t.is((await lets('point', '10', '20', '--nth', '2')).code, 2)
  t.regex((await lets('resolvers')).stdout, /^accessibility {2}asked\n {2}.*nothing leaves this machine/)
  t.regex((await lets('doctor')).stdout, /words +accessibility/)

  // Somebody else is asked about, and the person answers in a terminal.
  const asking = startCli(['locate', 'Cancel', '--json'], desk.daemon.env)
  let said = ''
  asking.stdout?.on('data', (chunk) => {
    said += chunk
  })
  await until('the person is asked', () => desk.daemon.log().some(({ event }) => event === 'consent_prompt'))
  await until('a yes counts', async () => (await lets('consent', 'yes')).code === 0)
  await until('it is found', () => said.includes('Cancel'))
  t.regex((await lets('consent', 'grounding', 'never')).stdout, /^finding things by their names: never\n$/)
  const refused = await lets('locate', 'Cancel')
  t.is(refused.code, 1)
  t.regex(refused.stderr, /turned finding things on the screen off/)
  t.regex((await lets('status')).stdout, /^queries {3}never$/m)
})

test('status tells the person who may have things found, by name and process, and others nothing', async (t) => {
  const desk = await accessibleDesk(t, { consent: 'ask' })
  await desk.program('list3')
  const client = await desk.client({ clientName: 'agent' })
  const answering = located(client, 'Cancel')
  await until('a yes counts', async () => (await runCli(['consent', 'yes'], desk.daemon.env)).code === 0)
  await answering
  const { stdout } = await runCli(['status'], desk.daemon.env)
  t.regex(
    stdout,
    new RegExp(`^queries   ask; allowed: “agent” \\(process ${process.pid}\\) on display 1 for another`, 'm'),
  )
  const other = await desk.client({ clientName: 'other' })
  t.is((await other.status()).grants, undefined)
})
