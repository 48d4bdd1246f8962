/** What an agent is told of a desktop that cannot do everything. */
import test from 'ava'
import { agent } from '../mcp/support.js'
import { deskOn } from './support.js'
import { grimHere, startSway, swayVersion } from './sway.js'

const sway = swayVersion !== undefined && grimHere ? test : test.skip

sway('models are told what cannot be done here, and once that marks stay where they were put', async (t) => {
  const on = await startSway()
  t.teardown(() => on.stop())
  const desk = await deskOn(t, on)
  const { call } = await agent(t, { ...desk.daemon.env, WAYLAND_DISPLAY: on.display })

  const displays = await call('list_displays')
  t.is(displays.fields.host, 'wayland')
  t.deepEqual(displays.fields.capabilities, ['capture', 'companion'])
  const notes = displays.fields.notes?.join(' ') ?? ''
  for (const lack of [
    /windows of other programs are not known/,
    /do not follow windows/,
    /no key goes to the next step/,
  ])
    t.regex(notes, lack)

  const first = await call('point_at', { at: 'center' })
  t.regex(first.text, /marks stay where they were put/)
  const second = await call('highlight', { rect: [10, 10, 50, 50], display_id: 1 })
  t.notRegex(second.text, /stay where they were put/)

  const { image, isError } = await call('look')
  t.false(isError)
  t.truthy(image)
  for (const [tool, given] of [
    ['wait_for_window', { app: 'foot' }],
    ['point_at', { x: 1, y: 1, window: 'foot' }],
  ] as const) {
    const refused = await call(tool, given)
    t.true(refused.isError, tool)
    t.is(refused.fields.error?.code, 'unavailable')
    t.regex(refused.text, /does not know the windows of other programs/)
  }
  const steps = await call('show_steps', { steps: [{ point: { at: 'top' }, wait: { next: true } }] })
  t.regex(JSON.stringify(steps.fields), /takes no keys/)
})
