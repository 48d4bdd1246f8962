/** The daemon's side of the Electron host, with the stand-in as a process of its own behind the real channel. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import test from 'ava'
import type { Frame } from '../../overlay/host.js'
import { until } from '../support/xserver.js'
import { hostRig, point } from './host-rig.js'
import { isRunning } from './processes.js'

/** Of its pixels: comparing millions of them one by one takes seconds. */
const sumOf = ({ data }: Frame) => createHash('sha256').update(data).digest('hex')

test.serial('it starts, shows, and is gone when it is stopped', async (t) => {
  const { host, pid } = await hostRig(t)
  t.deepEqual(await host.displays(), [
    { id: 1, scale: 1, logical_size: [1280, 800], origin: [0, 0], primary: true, name: 'One' },
  ])
  t.deepEqual(await host.apply({ display: 1, put: [point('a')], remove: [] }), { visible: true })
  t.deepEqual(await host.apply({ display: 9, put: [point('b')], remove: [] }), { visible: false })
  const child = pid()
  t.true(isRunning(child))
  await host.stop()
  t.false(isRunning(child))
})

test.serial('its environment is its own: nothing that would change what it does reaches it', async (t) => {
  process.env.ELECTRON_RUN_AS_NODE = '1'
  process.env.NODE_OPTIONS = '--no-warnings'
  process.env.LETS_SECRET = 'secret'
  t.teardown(() => {
    delete process.env.ELECTRON_RUN_AS_NODE
    delete process.env.NODE_OPTIONS
    delete process.env.LETS_SECRET
  })
  const { pid } = await hostRig(t)
  const environment = readFileSync(`/proc/${pid()}/environ`, 'utf8').split('\0')
  t.true(environment.some((one) => one.startsWith('PATH=')))
  t.false(environment.some((one) => /^(?:ELECTRON_|NODE_OPTIONS|LETS_)/.test(one)))
  const words = readFileSync(`/proc/${pid()}/cmdline`, 'utf8').split('\0')
  for (const wanted of [
    '--ozone-platform=x11',
    '--enable-transparent-visuals',
    '--force-device-scale-factor=1',
  ])
    t.true(words.includes(wanted), wanted)
})

test.serial(
  'killed, it is started again and told everything; whoever waits is answered by the new one',
  async (t) => {
    const { host, pid, logged } = await hostRig(t)
    await host.apply({ display: 1, put: [point('a')], remove: [], pointer: 'a' })
    const first = pid()
    process.kill(first, 'SIGKILL')
    t.deepEqual(await host.apply({ display: 1, put: [point('b')], remove: [] }), { visible: true })
    t.not(pid(), first)
    t.false(isRunning(first))
    t.true(logged.some(({ event }) => event === 'electron_died'))
    t.true(logged.some(({ event }) => event === 'electron_restarted'))
    t.regex(
      host.facts().notes.join('\n'),
      /Electron was started again once, last because it (?:was ended by SIGKILL|closed the channel)/,
    )
  },
)

test.serial('hung, it is ended within the time an answer may take, and started again', async (t) => {
  const { host, pid } = await hostRig(t, { times: { answer: 2000 } })
  await host.apply({ display: 1, put: [point('a')], remove: [] })
  const first = pid()
  process.kill(first, 'SIGSTOP')
  t.deepEqual(await host.apply({ display: 1, put: [point('b')], remove: [] }), { visible: true })
  t.not(pid(), first)
  await until('the hung one is gone', () => !isRunning(first))
})

test.serial(
  'a heartbeat finds one that hangs while something is shown, and there is none while nothing is',
  async (t) => {
    const { host, pid } = await hostRig(t, { times: { answer: 2000, heartbeat: 300 } })
    await host.apply({ display: 1, put: [point('a')], remove: [] })
    const first = pid()
    process.kill(first, 'SIGSTOP')
    await until('it is another process', () => pid() !== first && pid() !== 0, 20_000)
    await host.apply({ display: 1, put: [], remove: ['a'] })
    const second = pid()
    process.kill(second, 'SIGSTOP')
    await new Promise((resolve) => setTimeout(resolve, 3000))
    t.is(pid(), second, 'nothing is shown: nobody asks')
    process.kill(second, 'SIGCONT')
  },
)

test.serial(
  'one that dies again and again is given up after a limit, with longer and longer waits, and said so',
  async (t) => {
    const { host, script, exits, pid, logged } = await hostRig(t, { times: { deaths: 3, backoff: 100 } })
    await host.apply({ display: 1, put: [point('a')], remove: [] })
    script.behave({ windows: 'answering', start: 'ends' })
    const begin = performance.now()
    process.kill(pid(), 'SIGKILL')
    await until('it is given up', () => exits[0])
    t.true(performance.now() - begin >= 100 + 200 + 400)
    t.regex(exits[0] ?? '', /Electron was given up: .*Missing X server/)
    t.is(logged.filter(({ event }) => event === 'electron_died').length, 4)
    await t.throwsAsync(host.apply({ display: 1, put: [point('b')], remove: [] }), {
      name: 'HostUnavailable',
    })
    script.behave({ windows: 'answering' })
    const shown = async () => sumOf(await host.capture({ display: 1, marks: true, backdrop: 'none' }))
    t.is((await host.start()).length, 1, 'and it may be started again, when somebody asks')
    const clean = await shown()
    await host.apply({ display: 1, put: [point('c')], remove: [] })
    t.not(await shown(), clean)
    await host.apply({ display: 1, put: [], remove: ['c'] })
    t.is(await shown(), clean, 'nothing of before is there')
  },
)

for (const [what, behaviour, message] of [
  ['ends at start', { windows: 'answering', start: 'ends' }, /Missing X server or \$DISPLAY/],
  ['hangs at start', { windows: 'answering', start: 'hangs' }, /did not answer within 1 s/],
  [
    'is too old',
    { windows: 'answering', electron: '22.3.27' },
    /Electron 22\.3\.27 is too old: 30 or newer is needed/,
  ],
  ['is of another version of Lets', { windows: 'answering', lets: '0.0.1' }, /its host of 0\.0\.1/],
] as const) {
  test.serial(`one that ${what}: the start fails with the reason, and nothing is left`, async (t) => {
    const { start, pid } = await hostRig(t, {
      ...{ behaviour, started: false },
      ...('start' in behaviour && behaviour.start === 'hangs' && { times: { start: 1000 } }),
    })
    await t.throwsAsync(start(), { name: 'HostUnavailable', message })
    t.is(pid(), 0)
  })
}

test.serial('a binary that is not there', async (t) => {
  const { start } = await hostRig(t, { path: '/nowhere/electron', started: false })
  await t.throwsAsync(start(), { name: 'HostUnavailable', message: /it does not start: .*ENOENT/ })
})

test.serial('what it says that is no message ends it, and it is started again', async (t) => {
  const { host, script, pid } = await hostRig(t)
  await host.apply({ display: 1, put: [point('a')], remove: [] })
  for (const message of [
    'text',
    { type: 'painted', seq: 'x' },
    { type: 'done', seq: 4711 },
    { type: 'evil' },
  ]) {
    const before = pid()
    script.command({ do: 'say', message })
    await until('it is another process', () => pid() !== before && pid() !== 0)
    t.deepEqual(await host.apply({ display: 1, put: [point('b')], remove: [] }), { visible: true })
  }
})

test.serial('the channel closed in the middle of things: started again, told everything', async (t) => {
  const { host, script, pid } = await hostRig(t)
  const first = pid()
  script.command({ do: 'close-channel' })
  const applied = Array.from({ length: 50 }, (_, index) =>
    host.apply({ display: 1, put: [point(`m${index}`)], remove: [] }),
  )
  t.deepEqual(await Promise.all(applied), Array(50).fill({ visible: true }))
  await until('the first is gone', () => !isRunning(first))
})

test.serial('2,000 marks go over the channel whole, and again to a new process', async (t) => {
  const { host, pid } = await hostRig(t)
  const marks = Array.from({ length: 2000 }, (_, index) => point(`mark-${index}`))
  t.deepEqual(await host.apply({ display: 1, put: marks, remove: [] }), { visible: true })
  process.kill(pid(), 'SIGKILL')
  t.deepEqual(await host.apply({ display: 1, put: [point('one-more')], remove: [] }), { visible: true })
})

test.serial(
  'displays: ids stay, changes are told once, and a display that changed shows nothing of before',
  async (t) => {
    const two = { id: 22, label: 'Two', bounds: { x: 1280, y: 0, width: 800, height: 600 }, scaleFactor: 2 }
    const one = { id: 11, label: 'One', bounds: { x: 0, y: 0, width: 1280, height: 800 }, scaleFactor: 1 }
    const { host, script, layouts } = await hostRig(t, {
      behaviour: { windows: 'answering', displays: [one, two] },
    })
    t.like(await host.displays(), [
      { id: 1, name: 'One' },
      { id: 2, name: 'Two', scale: 2, logical_size: [800, 600], origin: [1280, 0] },
    ])
    await host.apply({ display: 2, put: [point('a')], remove: [] })
    script.command({ do: 'displays', displays: [two] })
    const after = await until('the change is told', () => layouts[0])
    t.like(after, [{ id: 2, name: 'Two', primary: true, origin: [0, 0] }])
    t.deepEqual(await host.apply({ display: 1, put: [point('b')], remove: [] }), { visible: false })
    script.command({ do: 'displays', displays: [one, two] })
    t.deepEqual(
      (await until('it is told', () => layouts[1])).map(({ id, name }) => [id, name]),
      [
        [1, 'One'],
        [2, 'Two'],
      ],
    )
    t.is(layouts.length, 2)
  },
)

test.serial('keys and the tray: what the person does is told', async (t) => {
  const { host, script, events } = await hostRig(t)
  t.is(host.facts().hotkey, 'ready')
  t.deepEqual(await host.answerKeys?.take(), { yes: true, no: true })
  t.true(await host.nextKey?.take())
  script.command({ do: 'press', accelerator: 'Control+Shift+K' })
  script.command({ do: 'press', accelerator: 'Control+Shift+Space' })
  script.command({ do: 'press', accelerator: 'Control+Shift+N' })
  host.panel?.show({ summary: '1 mark', items: [{ kind: 'action', id: 'clear', label: 'Clear all' }] })
  await until('the keys are told', () => events.length === 3)
  script.command({ do: 'choose', label: 'Clear all' })
  await until('the choice is told', () => events.length === 4)
  t.deepEqual(events, ['clear', 'next', 'no', 'chosen clear'])
})

test.serial('keys and the tray are there again after a new start', async (t) => {
  const { host, script, events, pid } = await hostRig(t)
  await host.nextKey?.take()
  host.panel?.show({ summary: '1 mark', items: [{ kind: 'action', id: 'clear', label: 'Clear all' }] })
  const first = pid()
  process.kill(first, 'SIGKILL')
  await until('it is another process', () => pid() !== first && pid() !== 0)
  await host.displays()
  script.command({ do: 'press', accelerator: 'Control+Shift+Space' })
  script.command({ do: 'choose', label: 'Clear all' })
  await until('both are told', () => events.length === 2)
  t.deepEqual(events, ['next', 'chosen clear'])
})

test.serial(
  'a picture has the marks off the screen while it is taken, and painted into it when they are wanted',
  async (t) => {
    const { host, shots } = await hostRig(t)
    const take = async (marks: boolean, backdrop: 'screen' | 'none') =>
      sumOf(await host.capture({ display: 1, marks, backdrop }))
    const blank = await take(false, 'screen')
    await host.apply({ display: 1, put: [point('a')], remove: [] })
    t.is(await take(false, 'screen'), blank)
    const withMarks = await take(true, 'screen')
    t.not(withMarks, blank)
    t.is(shots.length, 3)
    const alone = await take(true, 'none')
    t.is(shots.length, 3, 'nothing of the screen is looked at')
    t.not(alone, withMarks)
  },
)

test.serial('a page that ends is loaded again by its process, which goes on', async (t) => {
  const { host, script, pid, logged } = await hostRig(t)
  await host.apply({ display: 1, put: [point('a')], remove: [] })
  const first = pid()
  script.command({ do: 'crash-page' })
  await until('it is noted', () => logged.some(({ fields }) => fields.event === 'page_again'))
  t.deepEqual(await host.apply({ display: 1, put: [point('b')], remove: [] }), { visible: true })
  t.is(pid(), first)
})
