import { statSync } from 'node:fs'
import { join } from 'node:path'
import test from 'ava'
import { RawClient } from '../support/raw-client.js'
import { emptyHome, json, served } from './home.js'

test('a later command moves and clears what an earlier one drew', async (t) => {
  const lets = await served(t)
  const id = String(
    json(t, await lets('highlight', '10', '10', '50', '50', '--ttl', '1m', '--json')).annotation_id,
  )
  t.is((await lets('move', id, '100', '120')).stdout, `moved ${id} to 100,120\n`)
  t.is((await lets('move', id, '100,130')).stdout, `moved ${id} to 100,130\n`)
  t.is((await lets('move', id, '--by', '-5,10')).stdout, `moved ${id} by -5,10\n`)
  t.is((await lets('move', id, '-20', '40')).code, 0)
  t.like(json(t, await lets('move', id, '--by', '1,1', '--json')), { type: 'ack', annotation_id: id })
  t.is((await lets('clear', id)).stdout, 'cleared 1 mark\n')
  t.is((await lets('clear')).stdout, 'cleared 0 marks\n')
  await lets('point', '1', '1')
  await lets('point', '2', '2')
  t.deepEqual(json(t, await lets('clear', '--json')), { cleared: 2 })
  t.is(statSync(join(lets.home, 'cli-sessions')).mode & 0o777, 0o600)
})

test('move and clear of what is no mark of these commands say so, with a code for machines', async (t) => {
  const lets = await served(t)
  for (const args of [
    ['move', 'a_none', '1', '1'],
    ['clear', 'a_none'],
  ]) {
    const { code, stderr } = await lets(...args)
    t.is(code, 1)
    t.is(
      stderr,
      "lets: a_none is gone, or not yours to change from here: a client that is still connected drew it (one that holds it with --hold, say); `lets clear --all-sessions` clears everyone's\n",
    )
    t.like(json(t, await lets(...args, '--json')), { error: { code: 'not_owner' } })
  }
  for (const args of [
    ['move'],
    ['move', 'a_1'],
    ['move', 'a_1', '1'],
    ['move', 'a_1', '1', '2', '--by', '1,1'],
    ['clear', 'a_1', '--all-sessions'],
  ]) {
    const { code, stderr } = await lets(...args)
    t.is(code, 2)
    t.regex(stderr, /^lets: [^\n]+\n$/)
  }
  const off = await lets(
    'move',
    String(json(t, await lets('point', '1', '1', '--json')).annotation_id),
    '9000',
    '1',
  )
  t.is(off.code, 2)
  t.regex(
    off.stderr,
    /^lets: move: that is off display 1, which is 1440x900 logical points; the mark stays where it was\n$/,
  )
})

test('clear leaves other clients’ marks; clear --all-sessions takes them, and their owners are told', async (t) => {
  const lets = await served(t)
  const other = await (await RawClient.open(join(lets.home, 'run', 'lets.sock'))).begin()
  t.teardown(() => other.end())
  const theirs = await other.point()
  await lets('point', '1', '1')
  t.is((await lets('clear')).stdout, 'cleared 1 mark\n')
  t.is((await lets('clear', theirs)).code, 1)
  t.is((await other.ask({ type: 'status' })).mark_count, 1)
  await lets('point', '1', '1')
  t.is((await lets('clear', '--all-sessions')).stdout, 'cleared 2 marks\n')
  await other.until(() => other.pushes.length === 1)
  t.like(other.pushes[0], { annotation_id: theirs, reason: 'cleared' })
})

test('without a daemon there is nothing to clear or move, and none is started for it', async (t) => {
  const lets = emptyHome(t)
  t.is((await lets('clear')).stdout, 'cleared 0 marks\n')
  t.deepEqual(json(t, await lets('clear', '--all-sessions', '--json')), { cleared: 0 })
  t.is((await lets('move', 'a_1', '1', '1')).code, 1)
  t.is((await lets('status')).code, 1)
})

test('--socket leads to another daemon, whose marks are not mixed up with the first one’s', async (t) => {
  const [here, there] = [await served(t), await served(t)]
  const socket = join(there.home, 'run', 'lets.sock')
  await here('point', '1', '1', '--ttl', '1m')
  await here('point', '1', '1', '--ttl', '1m', '--socket', socket)
  t.is(json(t, await there('status', '--json')).mark_count, 1)
  t.is((await here('clear')).stdout, 'cleared 1 mark\n')
  t.is((await here('clear', '--socket', socket)).stdout, 'cleared 1 mark\n')
})
