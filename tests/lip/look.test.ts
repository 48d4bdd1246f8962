/** Look in a browser: a picture of the screen is taken, drawn on, sent, and drawn on by Claude. */
import { readFileSync } from 'node:fs'
import { createCanvas, loadImage } from '@napi-rs/canvas'
import type { Page } from 'playwright-core'
import { connect } from '../../daemon/client/index.js'
import { startX } from '../support/xserver.js'
import {
  axe,
  closeBrowser,
  eventually,
  give,
  heard,
  homeWith,
  png,
  shot,
  show,
  tell,
  browserTest as test,
} from './browser.js'
import { type Served, served } from './support.js'

test.after.always(closeBrowser)

interface Place {
  readonly n: number
  readonly kind: string
  readonly color: string
  readonly text: string
  readonly x: number
  readonly y: number
  readonly w?: number
  readonly h?: number
  readonly x2?: number
  readonly y2?: number
  readonly points?: readonly number[]
}

interface State {
  readonly legend: string
  readonly frame: string | null
  readonly picture: { readonly path: string; readonly w: number; readonly h: number }
  readonly annotated: { readonly path: string; readonly w: number; readonly h: number }
  readonly places: readonly Place[]
  readonly marks: readonly { readonly id: string }[]
}

const ALWAYS = ['--host', 'headless', '--capture-consent', 'always']
const picture = (page: Page) => page.getByRole('application', { name: 'Picture to draw on' })

async function state(lets: Served, window: string): Promise<State> {
  return (await lets.operator(`/lip/state?window=${window}`)).json.state
}

/** From and to are shares of the picture's canvas. */
async function drag(
  page: Page,
  from: readonly [number, number],
  to: readonly [number, number],
): Promise<void> {
  const box = (await picture(page).boundingBox())!
  const at = ([x, y]: readonly [number, number]) => [box.x + box.width * x, box.y + box.height * y] as const
  await page.mouse.move(...at(from))
  await page.mouse.down()
  await page.mouse.move(...at([(from[0] + to[0]) / 2, (from[1] + to[1]) / 2 + 0.02]))
  await page.mouse.move(...at(to))
  await page.mouse.up()
}

async function colorAt(file: string, x: number, y: number): Promise<number[]> {
  const image = await loadImage(readFileSync(file))
  const context = createCanvas(image.width, image.height).getContext('2d')
  context.drawImage(image, 0, 0)
  return [...context.getImageData(x, y, 1, 1).data]
}

test('a picture of the screen is taken, every tool draws on it, and Claude can draw at its pixels on the screen', async (t) => {
  t.timeout(60_000)
  const lets = await served(t, { home: homeWith(t), args: ALWAYS })
  const { page, opened, faults } = await show(t, lets, 'look')
  await shot(page, 'look-empty')
  t.deepEqual(await axe(page), [])
  await page.getByRole('button', { name: 'Take a picture', exact: true }).click()
  const taken = (await heard(lets, 'look.taken')).data as { frame: string; source: string; display: number }
  t.like(taken, { source: 'screen', display: 1 })
  t.regex(taken.frame, /^f_/)
  await picture(page).waitFor()

  await drag(page, [0.2, 0.3], [0.4, 0.5])
  for (const [tool, from, to] of [
    ['Ellipse', [0.5, 0.3], [0.7, 0.45]],
    ['Arrow', [0.8, 0.7], [0.7, 0.5]],
    ['Pen', [0.2, 0.65], [0.45, 0.72]],
    ['Point at a spot', [0.85, 0.35], [0.85, 0.35]],
    ['Number', [0.6, 0.7], [0.6, 0.7]],
  ] as const) {
    await page.getByRole('button', { name: tool, exact: true }).click()
    await page.getByRole('button', { name: 'Colour: blue' }).click()
    await drag(page, from, to)
  }
  await page.getByRole('button', { name: 'Text', exact: true }).click()
  await page.getByRole('button', { name: 'Colour: green' }).click()
  await drag(page, [0.3, 0.2], [0.3, 0.2])
  await page.keyboard.type('This one is wrong')
  await page.keyboard.press('Enter')
  await page.getByRole('textbox', { name: 'What about 1: region?' }).fill('the save button')
  await page.keyboard.press('Tab')
  await eventually(
    async () => (await state(lets, opened.window)).places[0]?.text === 'the save button',
    'its text',
  )
  const { places, picture: whole } = await state(lets, opened.window)
  t.deepEqual(
    places.map(({ n, kind }) => [n, kind]),
    [
      [1, 'region'],
      [2, 'ellipse'],
      [3, 'arrow'],
      [4, 'pen'],
      [5, 'spot'],
      [6, 'number'],
      [7, 'text'],
    ],
  )
  t.is(places[6]!.text, 'This one is wrong')
  t.true(places[3]!.points!.length >= 6)
  for (const { x, y } of places) t.true(x >= 0 && y >= 0 && x <= whole.w && y <= whole.h)
  t.true((places[2]!.x2 as number) < places[2]!.x, 'the arrow points to where it was let go')
  await shot(page, 'look-drawn')
  t.deepEqual(await axe(page), [])

  await page.getByRole('button', { name: 'Send to Claude' }).click()
  const sent = (await heard(lets, 'look.export')).data as unknown as State
  const region = sent.places[0]!
  t.regex(
    sent.legend,
    new RegExp(
      `^picture ${whole.w}x${whole.h} px, frame f_\\S+, display 1\n1: region \\(red\\) at x ${region.x} y ${region.y} w ${region.w} h ${region.h}: the save button\n`,
    ),
  )
  t.is(sent.annotated.w, whole.w)
  // On the frame of the region: drawn on the one, and not on the other.
  const edge = [region.x + Math.round(region.w! / 2), region.y + region.h!] as const
  const [red, green] = await colorAt(sent.annotated.path, ...edge)
  t.true(red! > 150 && green! < 120, `${red} ${green}`)
  t.not((await colorAt(sent.picture.path, ...edge))[0], red)

  const claude = await connect({ clientName: 'claude', socket: lets.daemon.socket, lingerMs: 0 })
  t.teardown(() => claude.close())
  const { x, y, w = 0, h = 0 } = region
  const ack = await claude.highlight({ frame: sent.frame as string, rect: [x, y, w, h] })
  t.regex(ack.annotation_id, /^a_/)
  t.deepEqual(faults, [])
})

test('steps are taken back; a place is chosen, moved, coloured and removed, by pointer and by keys', async (t) => {
  const lets = await served(t, { home: homeWith(t) })
  const { page, opened, faults } = await show(t, lets, 'look')
  await give(page, page.locator('body'), 'paste', 'shot.png', png(800, 600))
  t.like((await heard(lets, 'look.taken')).data, { source: 'paste', frame: null })
  await picture(page).focus()
  // With keys: a corner, the other corner.
  for (const key of ['ArrowLeft', 'ArrowUp', 'Enter', 'Shift+ArrowRight', 'Shift+ArrowDown', 'Enter'])
    await page.keyboard.press(key)
  t.like((await state(lets, opened.window)).places[0], { kind: 'region', x: 390, y: 290, w: 50, h: 50 })
  await page.keyboard.press('Escape')
  await page.keyboard.press('a')
  t.is(await page.getByRole('button', { name: 'Arrow', exact: true }).getAttribute('aria-pressed'), 'true')
  await drag(page, [0.3, 0.3], [0.4, 0.4])
  await eventually(async () => (await state(lets, opened.window)).places.length === 2, 'an arrow')
  await page.keyboard.press('v')
  await page.getByRole('button', { name: 'Select 1: region' }).click()
  await picture(page).focus()
  await page.keyboard.press('Shift+ArrowRight')
  t.is((await state(lets, opened.window)).places[0]!.x, 440)
  await page.getByRole('button', { name: 'Colour: purple' }).click()
  t.is((await state(lets, opened.window)).places[0]!.color, 'purple')
  await page.keyboard.press('Control+z')
  await page.keyboard.press('Control+z')
  t.like((await state(lets, opened.window)).places[0], { x: 390, color: 'red' })
  await page.keyboard.press('Control+Shift+z')
  t.is((await state(lets, opened.window)).places[0]!.x, 440)
  await page.getByRole('button', { name: 'Remove 2: arrow' }).click()
  t.deepEqual(
    (await state(lets, opened.window)).places.map(({ n }) => n),
    [1],
  )
  t.regex(String((await heard(lets, 'look.changed')).data.legend), /no frame: it is not of this screen/)
  // A slip of the hand is no drawing.
  await page.keyboard.press('r')
  await drag(page, [0.5, 0.5], [0.5, 0.5])
  t.is((await state(lets, opened.window)).places.length, 1)
  t.deepEqual(faults, [])
})

test('Claude asks for a picture, and marks it; what was sent comes back with both', async (t) => {
  const lets = await served(t, { home: homeWith(t), args: ALWAYS })
  const { page, opened, context, faults } = await show(t, lets, 'look', { dark: true })
  await tell(lets, opened, 'look.capture', { display: 1, text: 'to see the error you mean' })
  await page.getByText('Claude asks: to see the error you mean').waitFor()
  await page.getByRole('button', { name: 'Take a picture', exact: true }).click()
  await heard(lets, 'look.taken')
  await tell(lets, opened, 'look.mark', {
    marks: [
      { id: 'a', kind: 'region', x: 100, y: 100, w: 400, h: 200, text: 'This line' },
      { id: 'b', kind: 'arrow', x: 900, y: 600, x2: 600, y2: 320, color: 'orange' },
    ],
  })
  await page.getByRole('complementary', { name: 'Places' }).getByText('This line').waitFor()
  await shot(page, 'look-marked')
  t.deepEqual(await axe(page), [])
  const refused = await lets.operator('/lip/send', {
    window: opened.window,
    type: 'look.mark',
    data: { marks: [{ kind: 'region', x: 1, y: 1 }] },
  })
  t.like(refused.json.error, { code: 'bad_data' })
  await tell(lets, opened, 'look.unmark', { ids: ['b'] })
  await drag(page, [0.5, 0.5], [0.7, 0.6])
  await page.getByRole('button', { name: 'Send to Claude' }).click()
  const sent = (await heard(lets, 'look.export')).data as unknown as State
  t.deepEqual(
    sent.marks.map(({ id }) => id),
    ['a'],
  )

  const again = await show(t, lets, 'look', { context }, { resume: 'last' })
  await picture(again.page).waitFor()
  const { places, marks, frame } = await state(lets, again.opened.window)
  t.deepEqual({ places, marks, frame }, { places: sent.places, marks: sent.marks, frame: sent.frame })
  await shot(again.page, 'look-again')
  t.deepEqual([...faults, ...again.faults], [])
})

const onScreen = process.env.LETS_TEST_NO_X === '1' ? test.skip : test

onScreen(
  'the person is asked on the screen before a picture is taken: for each window, under its title, and once',
  async (t) => {
    t.timeout(90_000)
    const x = await startX()
    t.teardown(() => x.stop())
    const lets = await served(t, {
      home: homeWith(t, 'kit'),
      args: ['--host', 'x11', '--capture-consent', 'ask'],
      env: { DISPLAY: x.display },
    })
    const said = (event: string) => lets.daemon.log().filter((line) => line.event === event)
    const { page } = await show(t, lets, 'look')
    const take = (on: Page) => on.getByRole('button', { name: 'Take a picture', exact: true }).click()
    /** The person answers with a key, once the question can be read. */
    const answer = async (key: string, count: number) => {
      await eventually(() => said('consent_prompt').length === count, 'the question')
      await eventually(async () => {
        await x.run('xdotool', 'key', `ctrl+shift+${key}`)
        return said('consent_answer').length === count
      }, 'the answer')
    }
    await take(page)
    await answer('y', 1)
    t.like((await heard(lets, 'look.taken')).data, { source: 'screen', display: 1 })
    t.is(said('consent_prompt')[0]?.client, 'Look: show Claude what you mean')
    await page.getByRole('button', { name: 'Take another picture' }).click()
    await take(page)
    t.like((await heard(lets, 'look.taken')).data, { source: 'screen' })
    t.is(said('consent_prompt').length, 1)

    const other = await show(t, lets, 'look')
    await take(other.page)
    await answer('n', 2)
    const { reason } = (await heard(lets, 'look.declined')).data
    await other.page.getByText(`No picture was taken: ${reason}`).waitFor()
    const kit = await show(t, lets, 'kit')
    const code = await kit.page.evaluate(
      `(async () => { const { connect } = await import('/lip/sdk.js'); const lip = await connect(); return lip.capture().catch(({ code }) => code) })()`,
    )
    t.is(code, 'no_capability', 'a unique that does not list it gets none')
  },
)
