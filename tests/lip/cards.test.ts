/** Cards in a browser: what was sent to a screen and has to be answered. */
import { LipOperator } from '../../daemon/client/index.js'
import { axe, closeBrowser, eventually, heard, shot, show, browserTest as test } from './browser.js'
import { served } from './support.js'

test.after.always(closeBrowser)

test('what is sent to a screen is answered in a window: seen, reached by keys, told with its id, and there after a reload', async (t) => {
  const lets = await served(t)
  const agent = LipOperator.find(`${lets.home}/host.json`, { key: 'a', name: 'Agent' })!
  const send = (type: string, data: Record<string, unknown>) =>
    agent.send({ window: 'screen#d1', type, data })
  const { page, opened, faults } = await show(t, lets, 'cards', {}, {})
  t.true(await page.getByText('Nothing to answer now.').isVisible())
  t.deepEqual(await axe(page), [])
  await lets.operator('/lip/close', { window: opened.window })

  const first = await send('component.create', {
    id: 'where',
    type: 'options',
    props: { title: 'Where should the log go?', options: ['A file', 'The terminal'] },
  })
  await send('component.create', {
    id: 'size',
    type: 'slider',
    props: { label: 'How many lines', min: 10, max: 500, value: 100 },
  })
  await page.goto(first.url as string)
  const where = page.getByRole('article', { name: 'Where should the log go?' })
  await where.waitFor()
  await page.getByRole('article', { name: 'How many lines' }).waitFor()
  await shot(page, 'cards')
  t.is(await page.title(), 'Cards (2)')
  t.deepEqual(await axe(page), [])
  await send('component.update', { id: 'where', props: { text: 'It is about 2 MB a day.' } })
  await page.getByText('It is about 2 MB a day.').waitFor()
  await where
    .getByRole('button', { name: 'A file' })
    .or(where.getByRole('radio', { name: 'A file' }))
    .first()
    .click()
  const pick = await heard(lets, 'component.action')
  t.like(pick, {
    from: `unique:cards#${first.window}`,
    data: { id: 'where', action: 'pick', value: 'A file' },
  })
  await page.getByRole('slider', { name: 'How many lines' }).press('End')
  t.like((await heard(lets, 'component.action')).data, { id: 'size', action: 'change', value: 500 })

  await page.reload()
  await where.waitFor()
  t.deepEqual((await agent.state(first.window, 5000)).state, { cards: ['where', 'size'] })
  await send('component.remove', { id: 'where' })
  await where.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Put away: How many lines' }).click()
  t.like((await heard(lets, 'component.action')).data, { id: 'size', action: 'dismiss' })
  await eventually(() => page.getByText('Nothing to answer now.').isVisible(), 'nothing is left')
  t.deepEqual(faults, [])
})
