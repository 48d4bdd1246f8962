import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import test, { type ExecutionContext } from 'ava'
import type { LetsClient } from '../../daemon/client/index.js'
import { busyMs } from '../support/processor.js'
import { until } from '../support/xserver.js'
import { type Desk, type DeskOptions, desk } from './support.js'
import { type Terminal, terminal } from './terminal.js'

/** How soon a mark must be where its content is, or gone, in ms. */
const SOON = 1000

/** A caret that blinks in these xterms is on and off for so long each, in ms. */
const BLINK = 60

/** A desk with a terminal on it and a client that notes what is taken from it. */
async function following(
  t: ExecutionContext,
  command: readonly string[],
  more: readonly string[] = [],
  options: DeskOptions = {},
): Promise<Omit<Desk, 'client'> & { client: LetsClient; gone: string[]; app: Terminal }> {
  const on = await desk(t, { windowManager: true, compositor: true, ...options })
  const app = await terminal(on, command, { more })
  const client = await on.client()
  const gone: string[] = []
  void (async () => {
    for await (const { reason } of client.invalidations()) gone.push(reason)
  })()
  return { ...on, client, gone, app }
}

function textFile(lines: readonly string[]): string {
  const file = join(mkdtempSync(join(tmpdir(), 'lets-follow-')), 'text')
  writeFileSync(file, `${lines.join('\n')}\n`)
  return file
}

const WORDS =
  'amber birch cedar delta ember fjord grove haven inlet jetty kelp ledge maple north ochre'.split(' ')

/** Lines of which no two are alike. */
const DIFFERENT = Array.from({ length: 400 }, (_, line) =>
  [
    line,
    ...Array.from({ length: 6 }, (_, word) => WORDS[(line * 7 + word * (3 + (line % 5))) % WORDS.length]),
  ].join(' '),
)

const LESS = ['less', '-R']

async function rects(client: LetsClient) {
  return (await client.status()).marks?.map(({ rect }) => rect) ?? []
}

async function comesTo(t: ExecutionContext, client: LetsClient, place: readonly number[]) {
  const [x, y] = place as [number, number]
  await t.notThrowsAsync(
    until(
      `the mark is at ${x},${y}`,
      async () =>
        (await rects(client)).some((rect) => Math.abs(rect[0] - x) <= 1 && Math.abs(rect[1] - y) <= 1),
      SOON,
    ),
  )
}

/** Waits until the terminal shows something: a mark on nothing would prove nothing. */
async function shows(on: Pick<Desk, 'eye'>, app: Terminal, line: number) {
  const [x, y, width, height] = await app.place(line)
  await until('the text is there', async () => {
    const { data } = await on.eye.capture({ x, y, width, height, overlay: false })
    return data.some((byte, at) => at >= 4 && byte !== data[at - 4])
  })
}

for (const compositor of [true, false]) {
  const way = compositor ? 'with a compositor' : 'without a compositor'

  test.serial(`D2 a mark moves with the line it is on: by three lines, back, by five, ${way}`, async (t) => {
    const { client, app, gone, ...on } = await following(t, [...LESS, textFile(DIFFERENT)], [], {
      compositor,
    })
    await shows(on, app, 12)
    const place = await app.place(12)
    await client.highlight({ rect: place, label: 'this line' })
    await app.key('Down', 'Down', 'Down')
    await comesTo(t, client, await app.place(9))
    await app.key('Up')
    await comesTo(t, client, await app.place(10))
    await app.key('u')
    await comesTo(t, client, await app.place(12))
    await app.key('5', 'j')
    await comesTo(t, client, await app.place(7))
    t.deepEqual(gone, [])
  })

  test.serial(`D2 a page, and a flick to the end, take a mark away once, ${way}`, async (t) => {
    const { client, app, gone, ...on } = await following(t, [...LESS, textFile(DIFFERENT)], [], {
      compositor,
    })
    await shows(on, app, 12)
    for (const key of ['Next', 'G']) {
      await client.highlight({ rect: await app.place(12) })
      await app.key(key)
      await until('it is gone', () => gone.length > 0, SOON)
      t.deepEqual(await rects(client), [])
      t.deepEqual(gone.splice(0), ['scroll'])
    }
  })
}

test.serial('a screen of 16 bits a pixel is followed as well', async (t) => {
  const { client, app, gone, ...on } = await following(t, [...LESS, textFile(DIFFERENT)], [], {
    screen: '1280x800x16',
    compositor: false,
  })
  await shows(on, app, 12)
  await client.highlight({ rect: await app.place(12) })
  await app.key('Down', 'Down')
  await comesTo(t, client, await app.place(10))
  t.deepEqual(gone, [])
})

test.serial('D2 a caret that blinks in and beside marks moves and takes none of them', async (t) => {
  const blink = [
    '-xrm',
    '*cursorBlink: always',
    '-xrm',
    `*cursorOnTime: ${BLINK}`,
    '-xrm',
    `*cursorOffTime: ${BLINK}`,
  ]
  const { client, app, gone, ...on } = await following(
    t,
    ['sh', '-c', "printf 'one line\\nsign in: '; cat"],
    blink,
  )
  await shows(on, app, 0)
  const places = [await app.place(0), await app.place(1, 0, 12), await app.place(3)]
  for (const rect of places) await client.highlight({ rect })
  const [x, y] = await app.place(1, 9)
  await client.point({ x: x + 2, y: y + 5 })
  await delay(50 * BLINK)
  t.deepEqual(gone, [])
  t.deepEqual((await rects(client)).slice(0, 3), places)
})

test.serial('text that is typed beside a mark leaves it where it is', async (t) => {
  const { client, app, gone, ...on } = await following(t, ['sh', '-c', "printf 'user name: '; cat"])
  await shows(on, app, 0)
  const place = await app.place(0, 0, 10)
  await client.highlight({ rect: place })
  await app.type('somebody with a long name')
  await until('it is typed', async () => {
    const [x, y, width, height] = await app.place(0, 30, 4)
    const { data } = await on.eye.capture({ x, y, width, height, overlay: false })
    return data.some((byte, at) => at >= 4 && byte !== data[at - 4])
  })
  t.deepEqual(await rects(client), [place])
  t.deepEqual(gone, [])
})

test.serial(
  'in a list of equal lines a mark does not stay on, or jump to, a look-alike: it goes',
  async (t) => {
    const equal = Array.from({ length: 400 }, () => 'waiting for work')
    const { client, app, gone, ...on } = await following(
      t,
      [...LESS, textFile(equal)],
      ['-xrm', '*alternateScroll: true'],
    )
    await shows(on, app, 12)
    await client.highlight({ rect: await app.place(12, 0, 16) })
    await app.wheel(5, 1)
    await until('it is gone', () => gone.length > 0, SOON)
    t.deepEqual(gone, ['scroll'])
  },
)

test.serial('output at the bottom of a terminal moves the marks on what it pushes up', async (t) => {
  const script =
    'for i in $(seq 23); do echo "entry $i of the log $((i * 7919))"; done; while read l; do echo "$l"; done'
  const { client, app, gone, ...on } = await following(t, ['sh', '-c', script])
  await shows(on, app, 20)
  await client.highlight({ rect: await app.place(15) })
  await app.type('a')
  await app.key('Return')
  // The line itself, and its answer.
  await comesTo(t, client, await app.place(13))
  t.deepEqual(gone, [])
})

test.serial('a window of another size: the line is found again', async (t) => {
  const { client, app, gone, ...on } = await following(t, [...LESS, textFile(DIFFERENT)])
  await shows(on, app, 12)
  await client.highlight({ rect: await app.place(12) })
  await on.x.run('xdotool', 'windowsize', '--sync', app.client, '560', '400')
  await comesTo(t, client, await app.place(12))
  await app.key('Down', 'Down')
  await comesTo(t, client, await app.place(10))
  t.deepEqual(gone, [])
})

test.serial('a window that dies while its content is measured takes its mark along, once', async (t) => {
  for (let round = 0; round < 3; round++) {
    const { client, app, gone, daemon, ...on } = await following(t, [...LESS, textFile(DIFFERENT)])
    await shows(on, app, 12)
    await client.highlight({ rect: await app.place(20) })
    const scrolling = app.key(...Array.from({ length: 10 }, () => 'Down')).catch(() => {})
    await delay(10 * round)
    process.kill(app.pid, 'SIGKILL')
    await scrolling
    await until('it is gone', () => gone.length > 0, SOON)
    await client.status()
    t.deepEqual(gone, ['scroll'])
    t.deepEqual(
      daemon.log().filter(({ level }) => level === 'error'),
      [],
    )
  }
})

test.serial('a mark that is cleared while its content moves is not heard of again', async (t) => {
  const { client, app, gone, ...on } = await following(t, [...LESS, textFile(DIFFERENT)])
  await shows(on, app, 12)
  for (let round = 0; round < 10; round++) {
    const { annotation_id } = await client.highlight({ rect: await app.place(12) })
    await Promise.all([app.key('Down'), client.clear(annotation_id)])
  }
  await app.key('G')
  await client.status()
  t.deepEqual(gone, [])
  t.deepEqual(await rects(client), [])
})

test.serial(
  'a program that never stops drawing: a mark beside it stays, and the daemon stays calm',
  async (t) => {
    const script = "printf 'a heading\\n\\n\\n\\n\\n\\n'; while :; do printf '\\r%s %s' $RANDOM $RANDOM; done"
    const { client, app, gone, daemon, ...on } = await following(t, ['bash', '-c', script])
    await shows(on, app, 6)
    await client.highlight({ rect: await app.place(0, 0, 9) })
    const before = busyMs(daemon.pid)
    await delay(2000)
    const share = (busyMs(daemon.pid) - before) / 2000
    t.log(`${(share * 100).toFixed(1)} % of a core`)
    t.true(share < 0.5)
    t.deepEqual(gone, [])
  },
)

test.serial('what an agent saw in a picture and that has scrolled since is not drawn on', async (t) => {
  const { client, app, ...on } = await following(t, [...LESS, textFile(DIFFERENT)])
  await shows(on, app, 12)
  const [x, y, width, height] = await app.place(12)
  const seen = await client.capture()
  const frame = seen.frame_id as string
  const scale = seen.image_size![0] / seen.logical_size![0]
  const inPicture = [x, y, width, height].map((value) => value * scale) as [number, number, number, number]
  await client.highlight({ rect: inPicture, frame })
  await client.clear()
  const anchor = { screen_rect: [x, y, width, height] as [number, number, number, number], display_id: 1 }
  await client.textbox({ anchor: { ...anchor, content_hash: seen.content_hash as string }, text: 'this' })
  await client.clear()
  await app.key('Down', 'Down')
  await until('it has scrolled', async () => {
    const error = await client.highlight({ rect: inPicture, frame }).then(
      () => client.clear().then(() => undefined),
      (refused: Error) => refused,
    )
    return error && /has moved or changed since; capture again/.test(error.message)
  })
  await t.throwsAsync(
    client.textbox({ anchor: { ...anchor, content_hash: seen.content_hash as string }, text: 'this' }),
    { message: /has moved or changed since/ },
  )
  t.deepEqual(await rects(client), [])
})
