/** What the companion says, among the marks of agents, which are above it: on a real screen, through the daemon. */
import { readFileSync } from 'node:fs'
import test from 'ava'
import type { Rect } from '../../protocol/overlay/geometry.js'
import { until } from '../support/xserver.js'
import { everywhere, sheetOf } from './companion-menu.js'
import { type Desk, desk } from './support.js'

/** Where the paper of what it says is. */
const paper = ({ eye }: Desk) => sheetOf(eye, [0xff, 0xfd, 0xf8])

const meets = (a: Rect, b: Rect) =>
  a[0] < b[0] + b[2] && b[0] < a[0] + a[2] && a[1] < b[1] + b[3] && b[1] < a[1] + a[3]

async function speaking(t: Parameters<typeof desk>[0]) {
  const on = await desk(t, { windowManager: true })
  const agent = await on.client({ clientName: 'agent' })
  const token = readFileSync(`${on.daemon.socket}.consent`, 'utf8')
  await agent.companion({ set: { on: true }, token })
  await agent.companion({ command: 'entity.move', data: { x: 640, y: 500 } })
  const say = () =>
    agent.companion({
      command: 'entity.say',
      data: { text: 'Fourteen tests pass, one is skipped', ttl: 60_000 },
    })
  t.like(await say(), { painted: true })
  // It comes along as it goes to its place.
  const whole: Rect = await until('it is all there, and where it stays', async () => {
    const [first, second] = [await paper(on), await paper(on)]
    const { companion } = await agent.companion()
    const [x = 0, y = 0] = companion?.at ?? []
    const isThere = first && first[1] + first[3] < y && Math.abs(first[0] + first[2] / 2 - x) < 4
    return isThere && String(first) === String(second) ? first : undefined
  })
  return { ...on, agent, say, whole }
}

test.serial(
  'a mark comes over what it says: that goes to where it can be read, and nothing of the mark is hidden',
  async (t) => {
    const { agent, whole, ...on } = await speaking(t)
    const rect: Rect = [whole[0] - 10, whole[1] - 40, whole[2] + 20, whole[3] + 44]
    await agent.highlight({ display_id: 1, rect: [...rect], label: 'This one' })
    const there = await until('all of it is elsewhere', async () => {
      const seen = await paper(on)
      const isWhole = seen && seen[2] * seen[3] >= whole[2] * whole[3] * 0.9
      return isWhole && !meets(seen, rect) ? seen : undefined
    })
    t.false(meets(there, rect))
    t.like((await agent.companion()).companion, { shown: true, says: 'Fourteen tests pass, one is skipped' })
    t.is((await agent.companion()).companion?.crowded, undefined)
  },
)

test.serial(
  'marks leave it no place: the ack says that nobody reads it, and it is there once they do',
  async (t) => {
    const { agent, say, ...on } = await speaking(t)
    await everywhere(agent)
    await until('it is said so', async () => (await agent.companion()).companion?.crowded === true)
    t.like(await say(), { painted: false, companion: { shown: true, crowded: true } })
    t.is(await paper(on), null, 'and so it is')
    await agent.clear()
    await until('it is there again', async () => (await paper(on)) !== null)
    t.is((await agent.companion()).companion?.crowded, undefined)
    t.like(await say(), { painted: true })
  },
)
