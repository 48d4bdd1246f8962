import test from 'ava'
import { bench, sequential, service } from './support.js'

test('old output becomes gaps when there is too much, and its record and numbers stay', async (t) => {
  const { run, service, ended } = await bench(t, 'bash', { limits: { storeBytes: 20 * 1024 * 1024 } })
  const first = await run("head -c 12M /dev/zero | tr '\\0' a")
  await run("head -c 12M /dev/zero | tr '\\0' b")
  const last = await run("head -c 12M /dev/zero | tr '\\0' c")
  await new Promise((done) => setImmediate(done))
  await new Promise((done) => setImmediate(done))
  const again = await ended(first.command.id)
  t.is(again.command.status, 'completed')
  sequential(t, again.events)
  const dropped = again.events
    .filter(({ event_type }) => event_type === 'gap')
    .reduce((sum, { metadata }) => sum + Number(metadata.dropped_bytes), 0)
  t.is(dropped, 12 * 1024 * 1024)
  t.is(again.command.output_hash, first.command.output_hash)
  t.is((await ended(last.command.id)).stdout.length, 12 * 1024 * 1024)
  t.is(service.status().storage_fault, null)
})

test('only so many commands are remembered; the oldest are not found any more', async (t) => {
  const made = await service(t, { limits: { commands: 20 } })
  const { id: session_id } = await made.createSession({ kind: 'sh', cwd: '/' })
  const ids: string[] = []
  for (let index = 0; index < 1030; index++)
    ids.push(made.startCommand({ session_id, command: 'true' }).command_id)
  const last = ids.at(-1)!
  await made.poll({ command_id: last, wait_seconds: 60 })
  await new Promise((done) => setImmediate(done))
  await new Promise((done) => setImmediate(done))
  await t.throwsAsync(made.poll({ command_id: ids[0]! }), { message: /there is no command/ })
  t.is((await made.poll({ command_id: last })).status, 'completed')
})
