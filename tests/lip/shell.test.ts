/** What the SDK shows: components, chat, notices, companion and theme, as a person and a screen reader have them. */
import type { Page } from 'playwright-core'
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
import { served } from './support.js'

test.after.always(closeBrowser)

/** Where the person is: the key or the id of what has the focus, in whatever shadow. */
const focused = (page: Page) =>
  page.evaluate(`(() => {
    let one = document.activeElement
    while (one?.shadowRoot?.activeElement) one = one.shadowRoot.activeElement
    return one?.dataset.key ?? one?.id
  })()`)

const acted = async (lets: Parameters<typeof heard>[0]) => (await heard(lets, 'component.action')).data

test('each component by mouse and by keyboard, named for a screen reader, and without a fault of axe', async (t) => {
  t.timeout(60_000)
  const lets = await served(t, { home: homeWith(t, 'kit') })
  const { page, opened, faults } = await show(t, lets, 'kit', { size: { width: 1500, height: 900 } })
  const make = (id: string, type: string, props: object, more: object = {}) =>
    tell(lets, opened, 'component.create', { id, type, props, ...more })

  await make(
    'note',
    'note',
    { title: 'Done', text: 'All tests pass.', level: 'ok', actions: [{ id: 'more', label: 'Tell me more' }] },
    { slot: 'inline' },
  )
  await page.getByRole('button', { name: 'Tell me more' }).click()
  t.deepEqual(await acted(lets), { id: 'note', action: 'more' })

  await make('pick', 'options', {
    title: 'Which one?',
    options: [
      { id: 'a', label: 'First', hint: 'the quick one' },
      { id: 'b', label: 'Second' },
    ],
  })
  await page.getByRole('group', { name: 'Which one?' }).getByRole('button', { name: 'First' }).focus()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  t.deepEqual(await acted(lets), { id: 'pick', action: 'pick', value: 'b' })

  await make(
    'many',
    'options',
    { title: 'Which ones?', options: ['x', 'y', 'z'], multiple: true, value: ['x'] },
    { slot: 'panel' },
  )
  await page.getByRole('checkbox', { name: 'z' }).check()
  await page.getByRole('button', { name: 'Done', exact: true }).click()
  t.deepEqual(await acted(lets), { id: 'many', action: 'submit', value: ['x', 'z'] })

  await make('slide', 'slider', { label: 'Spacing', min: 0, max: 50, step: 5, value: 20, unit: ' px' })
  const slider = page.getByRole('slider', { name: 'Spacing' })
  await slider.focus()
  await page.keyboard.press('ArrowRight')
  t.deepEqual(await acted(lets), { id: 'slide', action: 'change', value: 25 })
  t.is(await slider.getAttribute('aria-valuetext'), '25 px')
  await tell(lets, opened, 'component.update', { id: 'slide', props: { value: 40 } })
  await eventually(async () => (await slider.inputValue()) === '40', 'the slider is moved')
  t.is(await focused(page), 'slider', 'the person is still in it')

  await make('turn', 'toggle', { label: 'Dark mode' })
  const toggle = page.getByRole('switch', { name: 'Dark mode' })
  await toggle.focus()
  await page.keyboard.press('Space')
  t.deepEqual(await acted(lets), { id: 'turn', action: 'change', value: true })
  t.is(await toggle.getAttribute('aria-checked'), 'true')

  const fields = [
    { name: 'name', label: 'Name', required: true, hint: 'As it will be shown' },
    { name: 'size', label: 'Size', type: 'select', options: ['small', 'large'], value: 'large' },
    { name: 'count', label: 'Count', type: 'number', value: 2 },
    { name: 'sure', label: 'I am sure', type: 'checkbox' },
  ]
  await make('ask', 'form', { title: 'New entry', fields, submit: 'Add it' }, { slot: 'panel' })
  await page.getByRole('textbox', { name: 'Name' }).fill('Ada')
  await tell(lets, opened, 'component.update', { id: 'ask', props: { text: 'One more thing' } })
  await page.getByText('One more thing').waitFor()
  await page.getByRole('checkbox', { name: 'I am sure' }).check()
  await page.getByRole('button', { name: 'Add it' }).click()
  t.deepEqual(await acted(lets), {
    id: 'ask',
    action: 'submit',
    value: { name: 'Ada', size: 'large', count: 2, sure: true },
  })

  await make('go', 'progress', { label: 'Building', value: 0.25, cancel: true })
  const bar = page.getByRole('progressbar', { name: 'Building' })
  t.is(await bar.getAttribute('value'), '0.25')
  await tell(lets, opened, 'component.update', { id: 'go', props: { value: 0.5, text: 'half' } })
  await page.getByText('50 %').waitFor()
  await page.getByRole('button', { name: 'Cancel' }).click()
  t.deepEqual(await acted(lets), { id: 'go', action: 'cancel' })

  await make(
    'code',
    'code',
    { title: 'main.ts', code: 'const a = "<b>"\n', language: 'ts' },
    { slot: 'inline' },
  )
  // The person folds away what is over the page, and has it back.
  const fold = page.getByRole('button', { name: 'From Claude: 4' })
  await fold.click()
  await slider.waitFor({ state: 'hidden' })
  await page.getByRole('button', { name: 'Copy' }).click()
  await fold.click()
  await slider.waitFor()
  t.deepEqual(await acted(lets), { id: 'code', action: 'copy' })
  t.is(await page.evaluate('navigator.clipboard.readText()'), 'const a = "<b>"\n')

  await shot(page, 'components-light')
  t.deepEqual(await axe(page), [])
  await tell(lets, opened, 'ui.theme', { name: 'dark', vars: { '--lets-radius': '4px' } })
  await eventually(() => page.evaluate(`document.documentElement.dataset.letsTheme === 'dark'`), 'dark')
  await shot(page, 'components-dark')
  t.deepEqual(await axe(page), [])

  await page.getByRole('button', { name: 'Put away: Building' }).click()
  t.deepEqual(await acted(lets), { id: 'go', action: 'dismiss' })
  await tell(lets, opened, 'component.remove', { id: 'ask' })
  await page.getByRole('button', { name: 'Add it' }).waitFor({ state: 'detached' })
  t.deepEqual(faults, [])
})

test('an unknown type is a note with its props; whatever is said is text and never runs', async (t) => {
  const lets = await served(t, { home: homeWith(t, 'kit') })
  const { page, opened, faults } = await show(t, lets, 'kit')
  const evil = `<img src=x onerror="window.hurt=1"><script>window.hurt=1</script>`
  await tell(lets, opened, 'component.create', {
    id: 'u',
    type: 'hologram',
    props: { depth: 3, label: evil },
  })
  await page.getByRole('heading', { name: 'hologram' }).waitFor()
  t.regex((await page.locator('lets-unknown pre').textContent()) ?? '', /"depth": 3/)
  for (const [type, props] of Object.entries({
    note: { title: evil, text: evil, level: evil, actions: [{ id: evil, label: evil }] },
    options: { title: evil, options: [{ id: evil, label: evil, hint: evil }], multiple: true },
    slider: { label: evil, unit: evil, min: evil },
    toggle: { label: evil, hint: evil },
    form: {
      title: evil,
      fields: [
        { name: evil, label: evil, type: evil, placeholder: evil, value: evil, options: evil },
        null,
        3,
      ],
    },
    'image-drop': { label: evil },
    progress: { label: evil, text: evil, value: evil },
    code: { code: evil, title: evil },
  }))
    await tell(lets, opened, 'component.create', { id: type, type, props })
  await tell(lets, opened, 'chat.say', { text: evil })
  await tell(lets, opened, 'entity.say', { text: evil })
  await tell(lets, opened, 'entity.suggest', {
    items: [{ id: 'x', label: evil.slice(0, 100), hint: evil.slice(0, 100) }],
  })
  await tell(lets, opened, 'ui.toast', { text: evil })
  await page.getByRole('status', { name: 'Notices' }).getByText('onerror').waitFor()
  t.is(await page.evaluate('window.hurt'), undefined)
  t.is(await page.locator('img[src="x"]').count(), 0)
  t.deepEqual(faults, [])
})

test('pictures come by drop, by paste and by choosing; Claude hears where they are and for what', async (t) => {
  const lets = await served(t, { home: homeWith(t, 'kit') })
  const { page, opened, faults } = await show(t, lets, 'kit')
  await tell(lets, opened, 'component.create', {
    id: 'pic',
    type: 'image-drop',
    props: { label: 'A picture of the error', multiple: true },
  })
  const choose = page.getByRole('button', { name: 'Choose a picture' })
  await give(page, choose, 'drop', 'dropped.png', png(4, 3))
  t.like((await heard(lets, 'media.image')).data, {
    w: 4,
    h: 3,
    mime: 'image/png',
    source: 'drop',
    componentId: 'pic',
  })
  await choose.focus()
  await give(page, choose, 'paste', 'pasted.png', png(5, 3))
  t.like((await heard(lets, 'media.image')).data, { w: 5, source: 'paste', componentId: 'pic' })
  const picking = page.waitForEvent('filechooser')
  await choose.click()
  await (await picking).setFiles({ name: 'chosen.png', mimeType: 'image/png', buffer: png(6, 3) })
  t.like((await heard(lets, 'media.image')).data, { w: 6, source: 'file', componentId: 'pic' })
  t.is(await page.getByRole('list', { name: 'Pictures' }).getByRole('img').count(), 3)
  await give(page, choose, 'drop', 'no.png', Buffer.from('no picture'))
  await page.getByText(/no\.png: the bytes are no picture/).waitFor()
  await shot(page, 'image-drop')
  t.deepEqual(
    faults.filter((fault) => !/415/.test(fault)),
    [],
  )
})

test('the conversation: pieces in any order become one text; the person writes, with a picture', async (t) => {
  const lets = await served(t, { home: homeWith(t, 'kit') })
  const { page, opened } = await show(t, lets, 'kit')
  await page.getByRole('button', { name: 'Talk to Claude' }).click()
  const field = page.getByRole('textbox', { name: 'Message to Claude' })
  await field.fill('What is this?')
  await give(page, field, 'paste', 'p.png', png(8, 8))
  t.is((await heard(lets, 'media.image')).data.w, 8)
  await page.locator('#pictures img').waitFor()
  await field.press('Enter')
  const { id, data } = await heard(lets, 'chat.message')
  t.like(data, { text: 'What is this?', attachments: [{ mime: 'image/png' }] })

  await tell(lets, opened, 'chat.typing', { on: true })
  await page.getByText('Claude is writing').waitFor()
  for (const [seq, text] of [
    [0, 'A '],
    [2, 'square'],
    [2, 'square'],
    [1, 'white '],
    [3, '.'],
  ] as const)
    await tell(lets, opened, 'chat.say', { text, seq, done: seq === 3 }, id)
  await page.getByRole('log').getByText('A white square.', { exact: false }).waitFor()
  t.is(await page.locator('#log [aria-busy]').count(), 0)
  await tell(lets, opened, 'chat.say', { text: 'Anything else?' })
  await page.getByText('Anything else?').waitFor()
  await shot(page, 'chat')
  t.deepEqual(await axe(page), [])
  await page.keyboard.press('Escape')
  t.is(await focused(page), 'open')
})

const place = async (page: Page) => (await page.locator('[data-lets="companion"]').boundingBox())!

test('the companion says, offers and comes; it is clicked, answers to keys, and takes no focus by itself', async (t) => {
  const lets = await served(t, { home: homeWith(t, 'kit') })
  const { page, opened } = await show(t, lets, 'kit', { still: true })
  await tell(lets, opened, 'entity.say', { text: 'Look at this one', mood: 'happy' })
  await page.getByText('Look at this one').first().waitFor()
  t.is(await page.evaluate('document.activeElement === document.body'), true)
  await tell(lets, opened, 'entity.suggest', {
    items: [
      { id: 'fix', label: 'Fix it', hint: 'one line' },
      { id: 'tell', label: 'Explain' },
    ],
  })
  const figure = page.getByRole('button', { name: 'Companion, 2 suggestions' })
  await figure.click()
  t.deepEqual(Object.keys((await heard(lets, 'entity.click')).data), ['x', 'y'])
  await shot(page, 'companion')
  t.deepEqual(await axe(page), [])
  await page.getByRole('button', { name: 'Fix it' }).focus()
  await page.keyboard.press('Enter')
  t.deepEqual((await heard(lets, 'entity.pick')).data, { id: 'fix', label: 'Fix it' })

  const before = await place(page)
  await tell(lets, opened, 'entity.move', { to: 'h1' })
  await eventually(async () => (await place(page)).y < before.y, 'it comes')
  await tell(lets, opened, 'entity.react', { name: 'whatever' })
  await page.mouse.move(300, 300)
  await page.keyboard.press('Alt+c')
  t.like((await heard(lets, 'entity.summon')).data, { x: 300, y: 300 })
  await tell(lets, opened, 'entity.hide', {})
  await figure.waitFor({ state: 'hidden' })
})

/** What the companion's canvas shows, as one number. */
const drawn = (page: Page) =>
  page.evaluate(`(() => {
    const canvas = document.querySelector('[data-lets="companion"]').shadowRoot.querySelector('canvas')
    const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height)
    return data.reduce((sum, value, index) => (sum * 31 + value * (index % 97)) % 1000000007, 7)
  })()`) as Promise<number>

/** Counts from now on the frames that the page asks for. */
const countFrames = (page: Page) =>
  page.evaluate(`(() => {
    const ask = requestAnimationFrame
    window.asked = 0
    window.requestAnimationFrame = (then) => ask((now) => (window.asked++, then(now)))
  })()`)
const framesOf = (page: Page) => page.evaluate('window.asked') as Promise<number>

/** Waits until no more frames were asked for over a while. */
async function atRest(page: Page): Promise<number> {
  let before = -1
  await eventually(async () => {
    const now = await framesOf(page)
    const isSame = now === before
    before = now
    if (!isSame) await page.waitForTimeout(300)
    return isSame
  }, 'it is at rest')
  return before
}

test('the companion of a page is the one of the screen: its moods, its reactions, its secrets, and still in between', async (t) => {
  const lets = await served(t, { home: homeWith(t, 'kit') })
  const { page, opened, faults } = await show(t, lets, 'kit')
  await countFrames(page)
  await tell(lets, opened, 'entity.mood', { mood: 'idle' })
  const still = await atRest(page)
  const rest = await drawn(page)
  await page.waitForTimeout(700)
  t.is(await framesOf(page), still, 'no frame while nothing happens')

  await tell(lets, opened, 'entity.react', { name: 'dance', ms: 1500 })
  await eventually(async () => (await drawn(page)) !== rest, 'it dances')
  await atRest(page)
  t.is(await drawn(page), rest, 'and is as it was')
  t.true((await framesOf(page)) > still)

  const moods = new Set([rest])
  for (const mood of ['happy', 'thinking', 'alert'] as const) {
    await tell(lets, opened, 'entity.mood', { mood })
    await page.locator(`canvas[data-mood="${mood}"]`).waitFor()
    await atRest(page)
    moods.add(await drawn(page))
  }
  t.is(moods.size, 4)
  await tell(lets, opened, 'entity.persona', {
    name: 'Ada',
    traits: { color: '#5b8def', speed: 2, distance: 40 },
  })
  await eventually(async () => !moods.has(await drawn(page)), 'it has its colour')
  t.deepEqual(faults, [])
})

test('a secret move is told once for each window, and moves are told to nobody', async (t) => {
  const lets = await served(t, { home: homeWith(t, 'kit') })
  const { page, opened } = await show(t, lets, 'kit')
  await tell(lets, opened, 'entity.move', { to: 'center' })
  await eventually(async () => Math.abs((await place(page)).x + 32 - 550) < 2, 'it is in the middle')
  const circles = async () => {
    for (let step = 0; step <= 78; step++) {
      const angle = (step / 24) * 2 * Math.PI
      await page.mouse.move(550 + Math.cos(angle) * 90, 360 + Math.sin(angle) * 90)
    }
  }
  await circles()
  t.deepEqual((await heard(lets, 'entity.secret')).data, { name: 'three-circles' })
  await page.reload()
  await tell(lets, opened, 'entity.move', { to: 'center' })
  await eventually(async () => Math.abs((await place(page)).x + 32 - 550) < 2, 'it is in the middle again')
  await circles()
  await page.keyboard.press('Alt+c')
  const after: string[] = []
  while (after.at(-1) !== 'entity.summon') {
    const { events } = await lets.listen({ max: 1 })
    after.push(...events.map(({ type }: { type: string }) => type))
  }
  t.false(after.includes('entity.secret'))
})

test('notices are told and go away; the theme follows the system until it is told otherwise', async (t) => {
  const lets = await served(t, { home: homeWith(t, 'kit') })
  const { page, opened } = await show(t, lets, 'kit', { dark: true })
  const background = () => page.evaluate('getComputedStyle(document.body).backgroundColor') as Promise<string>
  const dark = await background()
  await tell(lets, opened, 'ui.theme', { name: 'light' })
  await eventually(async () => (await background()) !== dark, 'light')
  await tell(lets, opened, 'ui.theme', { name: 'auto', vars: { '--lets-bg': 'rgb(1, 2, 3)' } })
  await eventually(async () => (await background()) === 'rgb(1, 2, 3)', 'a colour of its own')

  await tell(lets, opened, 'ui.toast', { text: 'Saved', level: 'ok', ttl: 2500 })
  await page.getByRole('status', { name: 'Notices' }).getByText('Saved').waitFor()
  await tell(lets, opened, 'ui.toast', { text: 'It broke', level: 'error' })
  const alert = page.getByRole('alert')
  await alert.getByText('It broke').waitFor()
  await page.getByText('Saved').waitFor({ state: 'detached' })
  await shot(page, 'toasts')
  await alert.getByRole('button', { name: 'Close this notice' }).click()
  await page.getByText('It broke').waitFor({ state: 'detached' })
  t.is(await page.locator('[data-lets="toasts"] p').count(), 0)
})
