import { readFileSync } from 'node:fs'
import { Ajv, type ValidateFunction } from 'ajv'
import anyTest from 'ava'
import { RawShell, served } from './support.js'

const test = anyTest.serial
const schema = JSON.parse(
  readFileSync(new URL('../../../protocol/schema/shell.schema.json', import.meta.url), 'utf8'),
)
const ajv = new Ajv({ strict: false })
const validator = (name: string): ValidateFunction => ajv.compile(schema.definitions[name])

/** What clients of protocol 1.0 read; more may be there. */
const FIELDS = {
  session:
    'id kind status cwd pid started_at updated_at closed_at metadata command_count active_command_count',
  command:
    'id session_id command status cwd timeout_seconds exit_code started_at updated_at ended_at stdout_tail stderr_tail output_hash metadata event_count stdout_event_count stderr_event_count',
  event: 'id command_id seq event_type text created_at metadata',
  status:
    'daemon_id pid protocol_version transport state_dir started_at shutdown_requested schema_version session_count live_session_ids active_command_ids queued_by_session command_count socket_host socket_port',
} as const

test('every record of a session’s and a command’s life is what the schema and protocol 1.0 say', async (t) => {
  const daemon = await served(t)
  const client = await RawShell.open(daemon.port)
  const has = (kind: keyof typeof FIELDS, value: Record<string, unknown>) => {
    for (const name of FIELDS[kind].split(' ')) t.true(name in value, `${kind}.${name}`)
    if (kind === 'status') return
    const validate = validator(kind)
    t.true(validate(value), `${kind} ${JSON.stringify(validate.errors)} ${JSON.stringify(value)}`)
  }
  const envelope = { success: validator('success'), failure: validator('failure') }
  const ask = async (method: string, params: unknown = {}) => {
    const answer = await client.ask(method, params)
    t.true(envelope[answer.ok ? 'success' : 'failure'](answer))
    return answer.result
  }
  const session = await ask('session.create', { kind: 'bash', cwd: '/', metadata: { a: 1 } })
  has('session', session)
  const { command_id, command } = await ask('command.start', {
    session_id: session.id,
    command: 'echo out; sleep 0.05; echo err >&2; sleep 0.3; exit 3',
    timeout_seconds: 20,
  })
  has('command', command)
  t.is(command.status, 'queued')
  t.is(await ask('command.result', { command_id }), null)
  const running = await ask('command.poll', { command_id })
  has('command', running)
  t.regex(running.status, /^(starting|running)$/)
  const status = await ask('daemon.status')
  has('status', status)
  t.like(status, { live_session_ids: [session.id], active_command_ids: [command_id], transport: 'tcp' })
  t.deepEqual(status.queued_by_session, { [session.id]: [] })
  const result = await ask('command.result', { command_id, wait_seconds: 10 })
  has('command', result.command)
  t.true(validator('result')(result))
  for (const event of result.events) has('event', event)
  t.deepEqual(
    result.events.map((event: { event_type: string }) => event.event_type),
    ['command_started', 'stdout', 'stderr', 'command_failed'],
  )
  t.like(result, { stdout: 'out\n', stderr: 'err\n', command: { status: 'failed', exit_code: 3 } })
  t.deepEqual(await ask('command.events', { command_id, since_seq: 3 }), result.events.slice(3))
  t.deepEqual(await ask('command.events', { command_id, since_seq: 4 }), [])
  const page = await ask('command.events', { command_id, since_seq: 2, limit: 1, with_epoch: true })
  t.deepEqual(page, { epoch: status.daemon_id, restarted: false, events: [result.events[2]], next_seq: 3 })
  for (const at of [session.started_at, result.command.ended_at])
    t.regex(at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  t.is((await client.ask('command.start', { session_id: session.id, command: '' })).error.type, 'ValueError')
  for (const snapshot of await ask('session.list')) has('session', snapshot)
  const told = await ask('session.events', { session_id: session.id })
  const event = validator('event')
  for (const one of told) t.true(event(one), JSON.stringify(event.errors))
  const { capabilities } = await ask('capability.discover')
  for (const { name, available, details } of capabilities)
    t.deepEqual([typeof name, typeof available, typeof details], ['string', 'boolean', 'object'])
  has('session', await ask('session.close', { session_id: session.id }))
  const shut = await ask('daemon.shutdown', { reason: 'over' })
  has('status', shut)
  t.like(shut, { shutdown_requested: true, closed_sessions: [] })
  await client.closed
  t.deepEqual(await daemon.exited, { code: 0, signal: null })
})
