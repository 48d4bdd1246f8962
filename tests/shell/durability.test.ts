import { execFileSync, spawnSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import anyTest, { type ExecutionContext } from 'ava'
import Database from 'libsql'
import { ShellService } from '../../daemon/shell/service.js'
import { until } from '../support/xserver.js'
import { soak } from './soaking.js'
import { bench, living, RawShell, sequential, service, startShell, tempState } from './support.js'

const test = anyTest.serial
/** Tells this run's processes from any other's. */
const OWN = `.${process.pid}`

test('a daemon that is killed: no process stays, sessions are crashed, commands failed, and the next start tells', async (t) => {
  const stateDir = tempState(t)
  const first = await startShell(stateDir)
  const client = await RawShell.open(first.port)
  const session_id = (await client.ask('session.create', { kind: 'bash', cwd: '/' })).result.id
  const done = (await client.ask('command.start', { session_id, command: 'echo done' })).result.command_id
  t.is((await client.ask('command.poll', { command_id: done, wait_seconds: 10 })).result.status, 'completed')
  const running = (
    await client.ask('command.start', {
      session_id,
      command: `echo early; sleep 981${OWN} & setsid sleep 982${OWN} & (trap '' TERM HUP; sleep 983${OWN})`,
    })
  ).result.command_id
  const queued = (await client.ask('command.start', { session_id, command: 'touch /never' })).result
    .command_id
  await until('it runs', () => [1, 2, 3].every((n) => living(`sleep 98${n}${OWN}`).length > 0))
  const seen = (await client.ask('command.events', { command_id: running, since_seq: 0 })).result
  t.deepEqual(
    seen.map(({ event_type }: { event_type: string }) => event_type),
    ['command_started', 'stdout'],
  )
  first.kill('SIGKILL')
  await first.exited
  await until(
    'nothing of it runs',
    () => [1, 2, 3].every((n) => living(`sleep 98${n}${OWN}`).length === 0),
    3000,
  )

  const second = await startShell(stateDir)
  t.teardown(() => second.stop())
  t.like(second.ready.recovered, { sessions: 1, commands: 2 })
  const again = await RawShell.open(second.port)
  t.like((await again.ask('session.snapshot', { session_id })).result, { status: 'crashed', pid: null })
  t.like((await again.ask('command.poll', { command_id: done })).result, {
    status: 'completed',
    stdout_tail: 'done\n',
  })
  const failed = (await again.ask('command.result', { command_id: running })).result
  t.like(failed.command, { status: 'failed', exit_code: null })
  t.like(failed.command.metadata.recovery, {
    previous_status: 'running',
    reason: 'the daemon ended unexpectedly',
  })
  t.is(failed.stdout, 'early\n')
  t.is(failed.events.at(-1).event_type, 'command_failed')
  sequential(t, failed.events)
  t.deepEqual(failed.events.slice(0, 2), seen)
  t.like((await again.ask('command.poll', { command_id: queued })).result, {
    status: 'failed',
    exit_code: null,
  })
  t.is((await again.ask('command.start', { session_id, command: 'true' })).error.code, 'conflict')
  const page = (
    await again.ask('command.events', { command_id: done, with_epoch: true, epoch: first.ready.daemon_id })
  ).result
  t.like(page, { restarted: true, epoch: second.ready.daemon_id })
})

test('what also left its guardian without work is ended by the next start', async (t) => {
  const stateDir = tempState(t)
  const first = await startShell(stateDir)
  const client = await RawShell.open(first.port)
  const session_id = (await client.ask('session.create', { kind: 'sh', cwd: '/' })).result.id
  await client.ask('command.start', { session_id, command: `setsid sleep 984${OWN} & sleep 985${OWN}` })
  await until('it runs', () => living(`sleep 984${OWN}`).length > 0)
  // Its child that reads from it.
  const guardian = living('LETS_SHELL_DAEMON').find((pid) => pid !== first.pid) ?? living('mark=')[0]
  first.kill('SIGSTOP')
  const children = readFileSync(`/proc/${first.pid}/task/${first.pid}/children`, 'latin1')
    .trim()
    .split(' ')
    .map(Number)
  for (const pid of children)
    if (readFileSync(`/proc/${pid}/cmdline`, 'latin1').startsWith('sh\0-c')) process.kill(pid, 'SIGKILL')
  t.true(guardian !== 0)
  first.kill('SIGKILL')
  await first.exited
  t.is(living(`sleep 984${OWN}`).length, 1)
  const second = await startShell(stateDir)
  t.teardown(() => second.stop())
  t.deepEqual(living(`sleep 984${OWN}`), [])
  t.true((second.ready.recovered as { processes: number }).processes > 0)
})

test('kill -9 at 10 random moments under load: no acknowledged record is lost, no orphan stays, the next start serves', async (t) => {
  const outcome = await soak(10, tempState(t))
  t.deepEqual(outcome.lost, [])
  t.is(outcome.orphans, 0)
  t.true(outcome.acknowledged > 0, String(outcome.acknowledged))
  t.log(`${outcome.acknowledged} records; slowest start ${outcome.slowestStart.toFixed(0)} ms`)
})

test('a folder has one owner: the second says who, and a dead one is nobody', async (t) => {
  const stateDir = tempState(t)
  const first = await startShell(stateDir)
  t.teardown(() => first.stop())
  const error = await t.throwsAsync(startShell(stateDir))
  t.true(
    error.message.includes(`is owned by the daemon ${first.ready.daemon_id} (pid ${first.pid}, tcp`),
    error.message,
  )
  await t.throwsAsync(ShellService.open({ stateDir }), { name: 'FolderOwned' })
  first.kill('SIGKILL')
  await first.exited
  const second = await startShell(stateDir)
  await second.stop()
})

test('a missing folder is made, for its owner alone; what is no folder of one’s own is refused', async (t) => {
  const base = tempState(t)
  const made = await ShellService.open({ stateDir: join(base, 'a', 'b') })
  t.is(statSync(join(base, 'a', 'b')).mode & 0o777, 0o700)
  await made.close()
  writeFileSync(join(base, 'file'), '')
  await t.throwsAsync(ShellService.open({ stateDir: join(base, 'file') }), {
    message: /cannot be made|is not a folder/,
  })
  await t.throwsAsync(ShellService.open({ stateDir: '/tmp' }), { message: /is shared with others/ })
  chmodSync(base, 0o755)
  const open = join(base, 'open')
  mkdirSync(open, { mode: 0o755 })
  await (await ShellService.open({ stateDir: open })).close()
  t.is(statSync(open).mode & 0o777, 0o700)
})

const root = process.getuid?.() === 0 ? test : test.skip

/** A small disk; null where nothing can be mounted. */
function mounted(t: ExecutionContext): string | null {
  const folder = tempState(t)
  const mount = ['-t', 'tmpfs', '-o', 'size=5m,mode=700', 'tmpfs', folder]
  if (spawnSync('mount', mount).status !== 0) {
    t.log('nothing can be mounted here')
    t.pass()
    return null
  }
  t.teardown(() => void spawnSync('umount', ['-l', folder]))
  return folder
}

root('a read-only folder is refused, and so is another user’s', async (t) => {
  const folder = mounted(t)
  if (folder === null) return
  execFileSync('mount', ['-o', 'remount,ro', folder])
  await t.throwsAsync(ShellService.open({ stateDir: folder }), { message: /cannot be written \(EROFS\)/ })
  const other = tempState(t)
  execFileSync('chown', ['65534', other])
  await t.throwsAsync(ShellService.open({ stateDir: other }), { message: /belongs to another user/ })
})

root(
  'H16: on a full disk of 5 MB no terminal state is lost, starting says so, the daemon lives, and it works again',
  async (t) => {
    const folder = mounted(t)
    if (folder === null) return
    const { run, start, ended, service } = await bench(t, 'bash', { stateDir: join(folder, 'state') })
    t.is((await run('echo before')).stdout, 'before\n')
    // They are queued while there is room; the first fills the disk, and then says more than there is room for.
    const ids = [
      start(`head -c 20M /dev/zero >${folder}/ballast; seq 200000`),
      ...Array.from({ length: 20 }, (_, index) => start(`echo ${index}; exit ${index % 2}`)),
    ]
    for (const [index, id] of ids.entries()) {
      const { command } = await ended(id)
      t.true(['completed', 'failed'].includes(command.status), `${index} ${command.status}`)
      if (index > 0) t.is(command.exit_code, (index - 1) % 2)
    }
    const refused = t.throws(() => {
      for (let n = 0; n < 2000; n++) start(`: ${'x'.repeat(10_000)}`)
    })
    t.like(refused, { name: 'ShellError', code: 'internal_error' })
    t.regex(refused?.message ?? '', /state folder cannot be written/)
    t.truthy(service.status().storage_fault)
    rmSync(join(folder, 'ballast'))
    await until('it is written again', () => service.status().storage_fault === null)
    const after = await run('echo after')
    t.is(after.stdout, 'after\n')
    for (const id of ids)
      t.true(['completed', 'failed'].includes((await service.poll({ command_id: id })).status))
    const first = await ended(ids[0]!)
    sequential(t, first.events)
    t.true(first.events.some(({ event_type }) => event_type === 'gap'))
    await service.close()
    const again = await ShellService.open({ stateDir: join(folder, 'state') })
    for (const [index, id] of ids.entries())
      if (index > 0) t.is((await again.poll({ command_id: id })).exit_code, (index - 1) % 2)
    await again.close()
  },
)

test('H16: 8 clients with 200 commands each: every one ends as it should', async (t) => {
  const daemon = await startShell(tempState(t))
  t.teardown(() => daemon.stop())
  await Promise.all(
    Array.from({ length: 8 }, async (_, number) => {
      const client = await RawShell.open(daemon.port)
      const session_id = (await client.ask('session.create', { kind: 'sh', cwd: '/' })).result.id
      const ids: string[] = []
      for (let n = 0; n < 200; n++)
        ids.push(
          (await client.ask('command.start', { session_id, command: `echo ${number}-${n}` })).result
            .command_id,
        )
      for (const [n, command_id] of ids.entries()) {
        const { result } = await client.ask('command.poll', { command_id, wait_seconds: 30 })
        t.deepEqual([result.status, result.stdout_tail], ['completed', `${number}-${n}\n`])
      }
      client.socket.destroy()
    }),
  )
})

test('a corrupt database is kept aside, a new one is begun, and that is said', async (t) => {
  const stateDir = tempState(t)
  const first = await ShellService.open({ stateDir })
  const { id } = await first.createSession({ kind: 'sh', cwd: '/' })
  await first.close()
  const file = join(stateDir, 'store', 'shell.db')
  for (const [index, harm] of [
    () => writeFileSync(file, 'this is no database'.repeat(1000)),
    () => {
      const bytes = readFileSync(file)
      bytes.fill(0xff, 100, Math.min(bytes.length, 60_000))
      writeFileSync(file, bytes)
    },
  ].entries()) {
    harm()
    const logged: string[] = []
    const again = await ShellService.open({ stateDir, log: (_, event) => logged.push(event) })
    t.true(logged.includes('database_corrupt'))
    const { corrupt_database: aside } = again.status()
    t.true(aside !== null && existsSync(aside), String(index))
    t.deepEqual(again.listSessions(), [])
    await again.createSession({ kind: 'sh', cwd: '/' })
    await again.close()
  }
  t.is(readdirSync(join(stateDir, 'store')).filter((name) => /\.corrupt(\.2)?$/.test(name)).length, 2)
  t.truthy(id)
})

test('a database of a newer Lets is left alone', async (t) => {
  const stateDir = tempState(t)
  await (await ShellService.open({ stateDir })).close()
  const db = new Database(join(stateDir, 'store', 'shell.db'))
  db.exec('PRAGMA user_version = 99')
  db.close()
  await t.throwsAsync(ShellService.open({ stateDir }), { name: 'NewerSchema', message: /version 99/ })
})

test('a state folder that is removed under a running daemon is said to be gone; nothing is acknowledged, and it ends', async (t) => {
  const stateDir = tempState(t)
  const { start, run, service: made } = await bench(t, 'sh', { stateDir })
  await run('echo before')
  rmSync(stateDir, { recursive: true })
  const refused = t.throws(() => {
    for (let n = 0; n < 3; n++) start('echo after')
  })
  t.like(refused, { name: 'ShellError', code: 'internal_error' })
  t.regex(refused?.message ?? '', /removed while the daemon ran/)
  await made.close()
  t.false(existsSync(stateDir))
})

test('what was refused for want of room is not in the store: what it counts is what was acknowledged', async (t) => {
  const stateDir = tempState(t)
  const { start, run, service: made } = await bench(t, 'sh', { stateDir })
  await run('echo before')
  let acknowledged = 1
  for (let n = 0; n < 5; n++) {
    if (n === 2) rmSync(stateDir, { recursive: true })
    try {
      start('true')
      acknowledged++
    } catch {
      // Told.
    }
  }
  t.is(made.status().command_count, acknowledged)
})

test('an idle service runs nothing: no timer, no poll', async (t) => {
  const made = await service(t)
  await made.createSession({ kind: 'sh', cwd: '/' })
  await new Promise((done) => setTimeout(done, 50))
  const timers = process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length
  await made.createSession({ kind: 'sh', cwd: '/' })
  await new Promise((done) => setTimeout(done, 50))
  t.is(process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length, timers)
})
