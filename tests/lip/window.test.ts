/** A window from its opening to its end, with a real daemon. */
import test from 'ava'
import { ask, Page, served } from './support.js'

test('a unique is opened, its page served, an event goes up and a command down', async (t) => {
  const lets = await served(t)
  const opened = await lets.open()
  t.is(opened.window, 'w1')
  t.regex(opened.guide, /probe\.picked/)
  const url = new URL(opened.url)
  t.is(url.hostname, 'probe.localhost')
  t.is(url.hash, `#lip=${opened.token}`)

  const host = url.host
  const first = await ask(url.pathname + url.search, { port: lets.port, headers: { host } })
  t.is(first.status, 303)
  t.is(first.headers.location, '/u/probe/ui/index.html')
  const [set = ''] = first.headers['set-cookie'] ?? []
  t.regex(set, /HttpOnly; SameSite=Strict/)
  const cookie = set.split(';')[0] ?? ''
  const page = await ask(String(first.headers.location), { port: lets.port, headers: { host, cookie } })
  t.is(page.status, 200)
  t.regex(page.text, /<title>Probe/)
  t.regex(
    String(page.headers['content-security-policy']),
    /^default-src 'self'; connect-src 'self' ws:\/\/probe\.localhost:\d+;/,
  )

  const window = await Page.connect(lets.port, opened.token)
  const ready = await window.next('lip.ready')
  t.like(ready, { lip: 1, dir: 'down', from: 'host', data: { window: 'w1', unique: 'probe' } })
  const heard = lets.listen()
  window.emit('probe.picked', { id: 'n3' })
  const { events, lost } = await heard
  t.is(lost, 0)
  t.like(events[0], { lip: 1, dir: 'up', from: 'unique:probe#w1', type: 'probe.picked', data: { id: 'n3' } })
  t.regex(events[0].id, /^ev_[0-9A-Z]{26}$/)

  const sent = await lets.operator('/lip/send', {
    window: 'w1',
    type: 'probe.show',
    data: { text: 'hello' },
    re: events[0].id,
  })
  t.like(sent.json, { window: 'w1', delivered: true })
  t.like(await window.next('probe.show'), {
    from: 'claude',
    data: { text: 'hello' },
    re: events[0].id,
    id: sent.json.id,
  })
})
