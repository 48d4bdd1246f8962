/** Model servers that do not do what they should, as a client of a real daemon meets them. On a display in memory. */
import test from 'ava'
import { connect, type LetsError } from '../../daemon/client/index.js'
import { type Answer, modelServer } from '../../grounding/models/testing.js'
import { startDaemonProcess } from '../support/daemon.js'

const chat = (content: string) => ({ choices: [{ message: { role: 'assistant', content } }] })

test('B4, D4: what a model server answers is a place, or a refusal that says why; nothing is drawn, and nobody waits for it', async (t) => {
  t.timeout(120_000)
  let answer: Answer = () => undefined
  const server = await modelServer(t, (request) =>
    request.path.endsWith('/models') ? { data: [{ id: 'sees' }] } : answer(request),
  )
  const daemon = await startDaemonProcess({
    args: [
      ...['--host', 'headless', '--display', '1000x500', '--resolver', 'local'],
      ...['--local-endpoint', `http://127.0.0.1:${server.port}/v1`, '--grounding-consent', 'always'],
    ],
    env: { LETS_LOCAL_TIMEOUT: '3', LETS_LOCAL_SPACE: '0..1000' },
  })
  t.teardown(() => daemon.stop())
  const client = await connect({ clientName: 'models', socket: daemon.socket })
  t.teardown(() => client.close())
  const ask = (next: Answer) => {
    answer = next
    return client.point({ query: 'the Save button', display_id: 1 })
  }

  const found = await ask(() => chat('{"found":true,"box":[400,400,600,600]}'))
  t.like(found, { resolved_by: 'local', kind: 'highlight', resolved_coords: { x: 500, y: 250 } })
  await client.clear()

  const cases: readonly (readonly [string, RegExp, Answer])[] = [
    [
      'HTML',
      /no JSON|not JSON|web page|HTML/i,
      ({ response }) => void response.setHeader('content-type', 'text/html').end('<h1>Sign in</h1>'),
    ],
    [
      'a place that is not in the picture',
      /outside|not in/i,
      () => chat('{"found":true,"box":[400,400,600,1600]}'),
    ],
    [
      'a redirect off the machine',
      /redirects to .*not followed/,
      ({ response }) => void response.writeHead(307, { location: 'http://example.com/v1' }).end(),
    ],
    ['no answer at all', /3 s|time/i, () => undefined],
  ]
  for (const [what, message, next] of cases) {
    const refused = t.throwsAsync<LetsError>(ask(next), undefined, what)
    // Others are served meanwhile.
    t.is((await client.status()).mark_count, 0, what)
    const error = await refused
    t.like(error, { code: 'resolve_failed' }, what)
    t.regex(error?.message ?? '', message, what)
    t.is((await client.status()).mark_count, 0, what)
  }
})
