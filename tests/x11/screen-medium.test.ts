/** What is sent to `screen#d1`, on a real screen with windows under it. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createCanvas } from '@napi-rs/canvas'
import test from 'ava'
import { LipOperator } from '../../daemon/client/index.js'
import { until } from '../support/xserver.js'
import { type Desk, desk, seesInk } from './support.js'

const PAPER = [0xff, 0xfd, 0xf8]

function operator({ daemon }: Desk, key = 'a'): LipOperator {
  return LipOperator.find(join(daemon.home, 'host.json'), { key, name: 'Agent' })!
}

/** How much of a part of the root is the paper of a note. */
async function paper({ eye }: Desk, [x, y, width, height]: readonly [number, number, number, number]) {
  const { data } = await eye.capture({ x, y, width, height, overlay: true })
  let count = 0
  for (let at = 0; at < data.length; at += 4)
    if (PAPER.every((tone, channel) => Math.abs((data[at + channel] as number) - tone) < 6)) count++
  return count / (width * height)
}

test.serial('boxes are about the screen: they stay when windows below move, close and open', async (t) => {
  const on = await desk(t, { windowManager: true, compositor: true })
  const lets = operator(on)
  const term = on.x.spawn('xterm', ['-geometry', '70x20+700+40', '-title', 'below', '-e', 'sleep 600'])
  const id = await on.x.windowNamed('below')
  const send = (type: string, data: Record<string, unknown>) => lets.send({ window: 'screen#d1', type, data })
  const pointed = await send('screen.point', { x: 760, y: 200, label: 'in the window' })
  await send('component.create', {
    id: 'b',
    type: 'progress',
    props: { label: 'Building', value: 0.4, text: 'step 2 of 5' },
  })
  await send('component.create', {
    id: 'n',
    type: 'note',
    props: { title: 'Tests', text: 'عنوان: 3 failed in parser.test.ts' },
  })
  await send('ui.toast', { text: 'Saved to notes.md', ttl: 60_000 })
  await until('the boxes are painted', async () => (await paper(on, [960, 60, 300, 80])) > 0.4)
  if (process.env.LETS_TEST_SHOTS) {
    const { data, width, height } = await on.eye.capture({
      x: 0,
      y: 0,
      width: 1280,
      height: 800,
      overlay: true,
    })
    const canvas = createCanvas(width, height)
    const picture = canvas.getContext('2d').createImageData(width, height)
    picture.data.set(data)
    canvas.getContext('2d').putImageData(picture, 0, 0)
    writeFileSync(join(process.env.LETS_TEST_SHOTS, 'screen-medium.png'), canvas.toBuffer('image/png'))
  }
  await on.x.run('xdotool', 'windowmove', id, '100', '300')
  for (const value of [0.6, 0.8, 1]) await send('component.update', { id: 'b', props: { value } })
  term.kill('SIGKILL')
  const { events } = await lets.listen({ waitMs: 5000 })
  t.like(events, [
    {
      type: 'screen.invalidated',
      from: 'screen#d1',
      re: pointed.id,
      data: { annotation_id: pointed.annotation_id, reason: 'scroll' },
    },
  ])
  t.is(events.length, 1, 'the boxes are where they were')
  const { state } = await lets.state('screen#d1', 1000)
  t.is((state.marks as unknown[]).length, 3)
  t.true((await paper(on, [960, 60, 300, 80])) > 0.4)
  await send('screen.clear', { all: true })
  await until('nothing is left', async () => (await paper(on, [900, 0, 380, 500])) === 0)
})

test.serial('a killed agent leaves nothing: its marks go with its connection', async (t) => {
  const on = await desk(t, { compositor: true })
  const lets = operator(on)
  const leaving = new AbortController()
  await lets.present(leaving.signal)
  await lets.send({
    window: 'd1',
    type: 'component.create',
    data: { id: 'n', type: 'note', props: { text: 'x' } },
  })
  await until('it is painted', async () => (await paper(on, [960, 52, 300, 20])) > 0.5)
  leaving.abort()
  await until('it is gone', async () => (await paper(on, [900, 0, 380, 200])) === 0)
  await seesInk(t, on, 1100, 60, [0x80, 0x80, 0x80], false)
})

test.serial('screens come and go with displays; what was on one that is gone is told of', async (t) => {
  const left = { name: 'left', x: 0, y: 0, width: 640, height: 800 }
  const right = { name: 'right', x: 640, y: 0, width: 640, height: 800 }
  const on = await desk(t, { monitors: [left, right] })
  const lets = operator(on)
  const names = async () => (await lets.windows()).screens.map(({ window }) => window)
  t.deepEqual(await names(), ['screen#d1', 'screen#d2'])
  const props = { text: 'on the right' }
  const made = await lets.send({
    window: 'd2',
    type: 'component.create',
    data: { id: 'n', type: 'note', props },
  })
  await on.x.setMonitors([{ ...left, width: 1280 }])
  const { events } = await lets.listen({ waitMs: 5000 })
  t.like(events, [
    {
      type: 'screen.invalidated',
      from: 'screen#d2',
      re: made.id,
      data: { annotation_id: made.annotation_id, reason: 'display_change', component: 'n' },
    },
  ])
  t.deepEqual(await names(), ['screen#d1'])
  await t.throwsAsync(lets.send({ window: 'd2', type: 'ui.toast', data: { text: 'x' } }), {
    message: 'there is no screen#d2; there is screen#d1',
  })
  const { delivered } = await lets.send({ window: 'd1', type: 'ui.toast', data: { text: 'x' } })
  t.true(delivered)
})
