import test, { type ExecutionContext } from 'ava'
import type { ResolverError } from '../resolver.js'
import { Claude } from './claude.js'
import { type Answer, frame, modelServer, query } from './testing.js'

const never = () => new AbortController().signal

const message = (content: unknown[]) => ({
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'claude-test',
  stop_reason: 'tool_use',
  usage: { input_tokens: 1, output_tokens: 1 },
  content,
})
const placed = (input: unknown) => message([{ type: 'tool_use', id: 'toolu_1', name: 'place', input }])

async function claude(t: ExecutionContext, answer: Answer, env: NodeJS.ProcessEnv = {}) {
  const server = await modelServer(t, answer)
  const said: string[] = []
  const resolver = new Claude({
    env: { ANTHROPIC_BASE_URL: `http://127.0.0.1:${server.port}`, ANTHROPIC_API_KEY: 'sk-test', ...env },
    log: (level, event, fields) => said.push(`${level} ${event} ${JSON.stringify(fields)}`),
  })
  return { server, resolver, said }
}

test('it is remote, says where each picture goes, and never says the key', async (t) => {
  const { resolver, said, server } = await claude(t, () =>
    placed({ found: true, point: [560, 280], name: 'Save', confidence: 1 }),
  )
  t.true(resolver.remote)
  t.is(resolver.destination, `127.0.0.1:${server.port}`)
  const { candidates, notes } = await resolver.resolve(query('Save'), frame(), never())
  t.deepEqual(candidates[0]?.rect, [268, 128, 24, 24])
  t.true(candidates[0]!.confidence < 0.85)
  t.regex(notes[0]!, /went to 127\.0\.0\.1/)
  t.regex(said.at(-1)!, /picture_sent/)
  t.notRegex(said.join('\n'), /sk-test/)
  const { authorization, 'x-api-key': key } = server.requests[0]!.headers
  t.regex(`${authorization} ${key}`, /sk-test/)
})

test('D4: a place outside of the picture is refused, one that is not found is no candidate', async (t) => {
  const outside = await claude(t, () => placed({ found: true, point: [9000, 5], name: 'x', confidence: 1 }))
  await t.throwsAsync<ResolverError>(outside.resolver.resolve(query('a'), frame(), never()), {
    name: 'ResolverError',
    message: /not in its picture.*went to/,
  })
  const none = await claude(t, () => placed({ found: false, point: [0, 0], name: '', confidence: 0 }))
  t.deepEqual((await none.resolver.resolve(query('a'), frame(), never())).candidates, [])
})

test('a picture is shrunk here, so that the answer is in the pixels that were sent', async (t) => {
  const { resolver, server } = await claude(t, () =>
    placed({ found: true, point: [0, 0], name: '', confidence: 1 }),
  )
  await resolver.resolve(query('a'), frame(3840, 2160, 2), never())
  const { system } = server.requests[0]!.body as { system: string }
  const [, width, height] = /(\d+) wide and (\d+) high/.exec(system)!.map(Number)
  t.true(width! * height! <= 1_150_000 && width! <= 1568)
})

test('without a key it says so, and sends nothing', async (t) => {
  const { resolver, server } = await claude(t, () => placed({}), { ANTHROPIC_API_KEY: '' })
  t.like(await resolver.available(), { available: false, fix: 'set ANTHROPIC_API_KEY for the daemon' })
  await t.throwsAsync(resolver.resolve(query('a'), frame(), never()), { name: 'ResolverError' })
  t.is(server.requests.length, 0)
})

test('a key that is refused, and a redirect, are told; the redirect is not followed', async (t) => {
  const { resolver } = await claude(t, ({ response }) => {
    response.statusCode = 401
    return { type: 'error', error: { type: 'authentication_error', message: 'invalid x-api-key' } }
  })
  await t.throwsAsync(resolver.resolve(query('a'), frame(), never()), { message: /refuses the key/ })
  const elsewhere = await modelServer(t, () => placed({}))
  const moved = await claude(t, ({ response }) => {
    response.writeHead(307, { location: `http://127.0.0.1:${elsewhere.port}/v1/messages` }).end()
  })
  await t.throwsAsync(moved.resolver.resolve(query('a'), frame(), never()), { name: 'ResolverError' })
  t.is(elsewhere.requests.length, 0)
})

test('nobody waits any more: it ends at once', async (t) => {
  const { resolver } = await claude(t, () => {})
  const gone = new AbortController()
  const waiting = resolver.resolve(query('a'), frame(), gone.signal)
  gone.abort(new Error('never mind'))
  await t.throwsAsync(waiting, { message: 'never mind' })
})
