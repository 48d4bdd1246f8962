/** The shell daemon over its real transports, beside what a program does without it: one `bash -c` a command. */
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync, rmSync } from 'node:fs'
import { type ShellClient, shell } from '../../daemon/client/shell/client.js'
import { startShell, tempState } from '../shell/support.js'
import { figure, ms, percentile, us } from './figures.js'

const stateDir = tempState()
const daemon = await startShell(stateDir, [], { LETS_LOG: 'off' })
const client = await shell.connect(stateDir)

async function timed(count: number, act: () => Promise<unknown>): Promise<number[]> {
  const samples: number[] = []
  for (let n = 0; n < count; n++) {
    const before = performance.now()
    await act()
    samples.push(performance.now() - before)
  }
  return samples
}

function peak(): number {
  return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${daemon.pid}/status`, 'utf8'))?.[1]) / 1024
}

/** What a program does today. */
function plain(command: string): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const child = spawn('bash', ['-c', command], { stdio: ['ignore', 'pipe', 'pipe'] })
    const out: Buffer[] = []
    child.stdout.on('data', (bytes: Buffer) => out.push(bytes))
    child.stderr.resume()
    child.once('error', reject)
    child.once('close', () => resolve(Buffer.concat(out)))
  })
}

async function roundTrips(name: string, of: ShellClient): Promise<void> {
  await timed(2000, () => of.request('command.poll', { command_id: done.id }))
  const samples = await timed(5000, () => of.request('command.poll', { command_id: done.id }))
  figure(`round trip over ${name}, p50`, us(percentile(samples, 0.5)), '150 µs')
  figure(`round trip over ${name}, p99`, us(percentile(samples, 0.99)))
}

const session = await client.createSession({ cwd: '/' })
const done = await session.start('echo hi')
await done.ended()

/** Start to the terminal status, as a client sees it: two requests. */
const echo = async () => {
  const command = await session.start('echo hi')
  await command.ended()
}
await timed(100, echo)
const echoes = await timed(500, echo)
figure('echo hi, start to terminal status, median', ms(percentile(echoes, 0.5)), '8 ms')
figure('echo hi, start to terminal status, p95', ms(percentile(echoes, 0.95)))
const spawned = await timed(200, () => plain('echo hi'))
figure('  child_process.spawn("bash", "-c"), median', ms(percentile(spawned, 0.5)))
figure('  child_process.spawn("bash", "-c"), p95', ms(percentile(spawned, 0.95)))

await roundTrips('TCP', client)
const piped = await shell.stdio()
const pipedSession = await piped.createSession({ cwd: '/' })
const there = await pipedSession.start('echo hi')
await there.ended()
const stdio = await timed(5000, () => piped.request('command.poll', { command_id: there.id }))
figure('round trip over stdio, p50', us(percentile(stdio, 0.5)), '150 µs')
await piped.close()

const SIZE = 100 * 1024 * 1024
const MAKE = `head -c ${SIZE} /dev/zero | tr '\\0' a`
let before = performance.now()
const { stdoutBytes, command } = await session.run(MAKE)
const took = performance.now() - before
const exact =
  stdoutBytes.equals(Buffer.alloc(SIZE, 'a')) &&
  command.output_hash === createHash('sha256').update(stdoutBytes).digest('hex')
figure(`100 MB, start to the client having it (${exact ? 'exact' : 'NOT EXACT'})`, ms(took), '12 s')
figure('  the daemon’s highest memory so far', `${peak().toFixed(0)} MB`, '200 MB')
before = performance.now()
await plain(MAKE)
figure('  child_process.spawn("bash", "-c")', ms(performance.now() - before))

before = performance.now()
const queued = await Promise.all(Array.from({ length: 1000 }, (_, n) => session.start(`echo ${n}`)))
const ends = await Promise.all(queued.map((one) => one.ended()))
const inOrder = ends.every((end, n) => n === 0 || end.started_at! >= ends[n - 1]!.ended_at!)
figure(
  `1,000 queued commands (${inOrder ? 'in order' : 'NOT IN ORDER'})`,
  ms(performance.now() - before),
  '15 s',
)

before = performance.now()
const sessions = await Promise.all(
  Array.from({ length: 50 }, () => client.createSession({ kind: 'bash', cwd: '/' })),
)
figure('50 sessions, all started', ms(performance.now() - before))
before = performance.now()
await Promise.all(sessions.map((one) => one.run('sleep 0.2; echo hi')))
figure('50 sessions, each `sleep 0.2` at once', ms(performance.now() - before), 'side by side')
figure('the daemon’s highest memory', `${peak().toFixed(0)} MB`, '200 MB')

await client.close()
await daemon.stop()
before = performance.now()
const again = await startShell(stateDir, [], { LETS_LOG: 'off' })
figure('process start to serving, with all that in the folder', ms(performance.now() - before), '1 s')
await again.stop()
rmSync(stateDir, { recursive: true, force: true })
