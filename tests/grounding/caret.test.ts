/** The companion and real fields that one types into: GTK 3, GTK 4 and a web page. */
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import test, { type ExecutionContext } from 'ava'
import type { LetsClient } from '../../daemon/client/index.js'
import { bodyAt } from '../../daemon/companion/places.js'
import { intersects, type Rect } from '../../protocol/overlay/geometry.js'
import { until } from '../support/xserver.js'
import { type AccessibleDesk, accessibleDesk, type DeskSetup, located } from './support.js'

/** A desk whose person may turn the companion on. */
async function companionDesk(t: ExecutionContext, setup: DeskSetup = {}) {
  const desk = await accessibleDesk(t, setup)
  const client = await desk.client()
  const token = readFileSync(`${desk.daemon.socket}.consent`, 'utf8')
  return {
    desk,
    client,
    person: (set: NonNullable<Parameters<LetsClient['companion']>[0]>['set']) =>
      client.companion({ set, token } as Parameters<LetsClient['companion']>[0]),
    place: async () => {
      const { display_id: display, at } = (await client.companion()).companion ?? {}
      return { display: display ?? 0, at: at ?? ([0, 0] as [number, number]) }
    },
  }
}

/** The events that programs are asked to tell of, by anybody. */
async function registered({ session }: AccessibleDesk): Promise<string> {
  const child = spawn(
    'gdbus',
    [
      ...['call', '--address', await session.address(), '--dest', 'org.a11y.atspi.Registry'],
      ...['--object-path', '/org/a11y/atspi/registry'],
      ...['--method', 'org.a11y.atspi.Registry.GetRegisteredEvents'],
    ],
    { stdio: ['ignore', 'pipe', 'ignore'], env: session.env },
  )
  return text(child.stdout)
}

const isWatched = async (desk: AccessibleDesk) => (await registered(desk)).toLowerCase().includes('caret')

/** Puts the companion on the beginning of a field that is being typed into, and types until it steps aside. */
async function typedUnder(
  t: ExecutionContext,
  { desk, client, person, place }: Awaited<ReturnType<typeof companionDesk>>,
  field: Rect,
): Promise<void> {
  const [left, top, , height] = field
  await person({ on: true })
  await until('the caret is watched', () => isWatched(desk))
  await desk.click({ x: left + 12, y: top + height / 2 })
  // Away from where it is put, or the pointer would be what it steps aside for.
  await desk.x.run('xdotool', 'mousemove', '5', '5')
  const [x, y] = [Math.round(left + 20), Math.round(top + height / 2)]
  await client.companion({ command: 'entity.move', data: { x, y } })
  t.deepEqual((await place()).at, [x, y])
  const caret: Rect = [left + 8, top + 4, 40, height - 8]
  await until(
    'it steps aside',
    async () => {
      await desk.x.run('xdotool', 'key', '--delay', '20', 'a')
      return !intersects(bodyAt((await place()).at), caret)
    },
    15_000,
  )
}

test.serial('a GTK 3 field: it steps off the caret; off, nothing is registered or connected', async (t) => {
  const on = await companionDesk(t)
  const { desk, client, person, place } = on
  const program = await desk.program('list3')
  const { matched } = await located(client, 'the full name field')
  t.false(await isWatched(desk), await registered(desk))
  await typedUnder(t, on, matched!.rect as Rect)
  t.regex(program.typed(), /^a+$/, 'every key went to the field')
  const { at } = await place()
  for (let key = 0; key < 10; key++) await desk.x.run('xdotool', 'key', '--delay', '20', 'b')
  await until('they are typed', () => program.typed().endsWith('b'.repeat(10)))
  t.deepEqual((await place()).at, at, 'it does not fidget')
  await person({ on: false })
  await until('nothing is registered', async () => !(await isWatched(desk)))
  t.notRegex(desk.daemon.logText(), /companion_caret/)
})

test.serial('a GTK 4 field', async (t) => {
  const on = await companionDesk(t)
  const program = await on.desk.program('list4')
  const { matched } = await located(on.client, 'the street field')
  await typedUnder(t, on, matched!.rect as Rect)
  t.regex(program.typed(), /^a+$/)
})

test.serial('a field of a web page', async (t) => {
  const on = await companionDesk(t)
  const page = '<title>Typed</title><body style="margin:200px 40px"><label>Town <input autofocus></label>'
  await on.desk.browser(`data:text/html,${encodeURIComponent(page)}`)
  const { matched } = await located(on.client, 'the town field')
  await typedUnder(t, on, matched!.rect as Rect)
})

test.serial('on a display of scale 2', async (t) => {
  const on = await companionDesk(t, { scale: 2 })
  await on.desk.program('list3')
  const { matched } = await located(on.client, 'the full name field')
  await typedUnder(t, on, matched!.rect as Rect)
})
