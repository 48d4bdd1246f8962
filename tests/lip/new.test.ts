/** What `lets unique new` begins, as docs/uniques.md has it: its page, in a browser. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { runCli } from '../support/daemon.js'
import { closeBrowser, heard, homeWith, show, tell, browserTest as test } from './browser.js'
import { served } from './support.js'

test.after.always(closeBrowser)

test('a new unique works as it is: picked, told, asked for its state, sent and taken up again', async (t) => {
  const home = homeWith(t)
  const lets = await served(t, { home })
  const folder = join(home, 'colors')
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  for (const words of [
    ['new', folder],
    ['check', folder],
    ['add', folder],
  ]) {
    const { code, stderr } = await runCli(['unique', ...words], lets.daemon.env)
    t.is(code, 0, stderr)
  }
  const { page, opened, faults } = await show(t, lets, 'colors')
  await page.getByRole('button', { name: 'green' }).click()
  t.deepEqual((await heard(lets, 'colors.picked')).data, { color: 'green' })
  await tell(lets, opened, 'colors.show', { text: 'Blue, then?' })
  await page.getByRole('status').getByText('Blue, then?').waitFor()
  t.like((await lets.operator(`/lip/state?window=${opened.window}`)).json.state, { picked: ['green'] })
  await page.getByRole('button', { name: 'Send to Claude' }).click()
  t.like((await heard(lets, 'colors.export')).data, { picked: ['green'] })
  t.deepEqual(faults, [])
  const again = await show(t, lets, 'colors', {}, { resume: 'last' })
  await again.page.getByRole('status').getByText('1 picked before').waitFor()
  t.deepEqual(again.faults, [])
})
