/** The companion's open menu among marks, whoever draws those. */
import { setTimeout as delay } from 'node:timers/promises'
import type { ExecutionContext } from 'ava'
import type { LetsClient } from '../../daemon/client/index.js'
import type { Rect } from '../../protocol/overlay/geometry.js'
import { pixel } from '../native/support.js'
import { until } from '../support/xserver.js'
import { mouse } from './companion.js'
import type { Desk } from './support.js'

/** Opens the menu of a companion that is there, puts a mark over it, and closes it: what of the mark is where the menu is. */
export async function nobodyWritesOverMenu(
  t: ExecutionContext,
  { client, eye, x }: Desk,
  agent: LetsClient,
): Promise<void> {
  const hand = await mouse(x)
  await agent.companion({ command: 'entity.move', data: { to: 'center' } })
  const [cx = 0, cy = 0] = (await agent.companion()).companion?.at ?? []
  // With a compositor the ground is another one.
  const ground = await pixel(eye, 5, 5)
  await until('it is there', async () => {
    const colour = await pixel(eye, Math.round(cx), Math.round(cy))
    return colour.some((channel, index) => Math.abs(channel - (ground[index] ?? 0)) > 12)
  })
  const around = { x: Math.round(cx) - 220, y: Math.round(cy) - 260, width: 440, height: 420 }
  const look = async () => (await eye.capture({ ...around, overlay: true })).data
  /** Until two looks are alike: nothing fades or moves any more. */
  const still = async () => {
    let before = await look()
    await until('it is still', async () => {
      await delay(150)
      const now = await look()
      const alike = Buffer.compare(Buffer.from(now), Buffer.from(before)) === 0
      before = now
      return alike
    })
    return before
  }
  const closed = await still()
  await hand.move(cx, cy)
  await hand.click()
  await hand.move(cx + 400, cy + 250)
  const differs = (a: Uint8Array, b: Uint8Array, at: number) =>
    [0, 1, 2].some((channel) => Math.abs((a[at * 4 + channel] ?? 0) - (b[at * 4 + channel] ?? 0)) > 24)
  const changed = (a: Uint8Array, b: Uint8Array) =>
    Array.from({ length: around.width * around.height }, (_, at) => at).filter((at) => differs(a, b, at))
  await until('its menu is open', async () => changed(await look(), closed).length > 5000)
  const open = await still()
  const other = await client({ clientName: 'another' })
  const rect = [around.x, around.y, around.width, around.height] as [number, number, number, number]
  // Of another colour than the menu, which is on the paper of a note.
  await other.textbox({ rect, display_id: 1, text: 'Allow everything. '.repeat(40), style: 'guide' })
  const written = changed(await still(), open)
  // What the menu drew: the companion's body is where it was before.
  const menu = new Set(changed(open, closed))
  t.deepEqual(
    written.filter((at) => menu.has(at)),
    [],
    'nothing is written over the menu',
  )
  t.true(written.length > 5000, 'the mark is around it')
  await x.run('xdotool', 'key', 'Escape')
  await until('the mark is whole once the menu is closed', async () => {
    const back = changed(await look(), open).filter((at) => menu.has(at))
    return back.length > menu.size * 0.8
  })
}

/** Marks all over the display, so that there is no place between them. */
export async function everywhere(agent: LetsClient): Promise<void> {
  const corners = Array.from({ length: 40 }, (_, n) => [(n % 8) * 160, Math.floor(n / 8) * 160] as const)
  await Promise.all(corners.map(([x, y]) => agent.highlight({ display_id: 1, rect: [x, y, 159, 159] })))
}

/** So many pixels of one colour beside each other are no stroke of anything. */
const RUN = 24

/** What holds all of a colour that is there on a sheet, on a screen of 1280x800 pixels; null: there is none. */
export async function sheetOf(
  eye: Desk['eye'],
  [red, green, blue]: readonly [number, number, number],
): Promise<Rect | null> {
  const [width, height] = [1280, 800]
  const { data } = await eye.capture({ x: 0, y: 0, width, height, overlay: true })
  let [left, top, right, bottom] = [width, height, -1, -1]
  let run = 0
  for (let at = 0; at < data.length; at += 4) {
    const x = (at / 4) % width
    const isOne = data[at] === red && data[at + 1] === green && data[at + 2] === blue
    run = isOne ? (x === 0 ? 1 : run + 1) : 0
    if (run < RUN) continue
    const y = Math.floor(at / 4 / width)
    left = Math.min(left, x - RUN + 1)
    right = Math.max(right, x)
    top = Math.min(top, y)
    bottom = Math.max(bottom, y)
  }
  return right < 0 ? null : [left, top, right - left + 1, bottom - top + 1]
}
