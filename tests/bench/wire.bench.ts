/** Request to acknowledgement over the real socket, headless, beside a bare Node server that only echoes. */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { figure, percentile, us } from './figures.js'

const home = mkdtempSync(join(tmpdir(), 'lets-bench-'))
const cli = fileURLToPath(new URL('../../daemon/cli/main.js', import.meta.url))

const daemon = spawn(process.execPath, [cli, 'daemon', '--host', 'headless', '--ready-fd', '3'], {
  env: { ...process.env, LETS_HOME: home, LETS_LOG: 'off', LETS_SOCKET: join(home, 'run', 'lets.sock') },
  stdio: ['ignore', 'inherit', 'inherit', 'pipe'],
}) as ChildProcess
await text(daemon.stdio[3] as NodeJS.ReadableStream)
const socketPath = join(home, 'run', 'lets.sock')

const POINT = `${JSON.stringify({ v: '0.2', type: 'point', x: 412, y: 88, display_id: 1, label: 'Save' })}\n`
const CLEAR = `${JSON.stringify({ v: '0.2', type: 'clear', all: true })}\n`
const START = `${JSON.stringify({ v: '0.2', type: 'session_start', client_name: 'bench', linger_ms: 0 })}\n`

/** Sends lines and resolves once as many replies came back. */
function exchange(socket: Socket, lines: string, replies: number): Promise<void> {
  return new Promise((resolve) => {
    let left = replies
    const onData = (chunk: Buffer) => {
      for (const byte of chunk) if (byte === 10) left--
      if (left > 0) return
      socket.off('data', onData)
      resolve()
    }
    socket.on('data', onData)
    socket.write(lines)
  })
}

async function open(path: string): Promise<Socket> {
  const socket = connect(path)
  await new Promise((resolve) => socket.once('connect', resolve))
  return socket
}

async function latencies(socket: Socket, line: string, count: number): Promise<number[]> {
  const samples: number[] = []
  for (let index = 0; index < count; index++) {
    // The session's marks are bounded: cleared outside of what is timed.
    if (index % 200 === 0) await exchange(socket, CLEAR, 1)
    const before = performance.now()
    await exchange(socket, line, 1)
    samples.push(performance.now() - before)
  }
  return samples
}

// In a process of its own, like the daemon: most of a round trip is one process waking the other.
const echoPath = join(home, 'echo.sock')
const ECHO = `require('node:net').createServer((s) => s.on('data', (d) => s.write(d))).listen(process.argv[1], () => console.log('up'))`
const echo = spawn(process.execPath, ['-e', ECHO, echoPath], { stdio: ['ignore', 'pipe', 'inherit'] })
await new Promise((resolve) => echo.stdout?.once('data', resolve))

const client = await open(socketPath)
await exchange(client, START, 1)
await latencies(client, POINT, 5000)
const samples = await latencies(client, POINT, 20_000)
figure('request -> ack, p50', us(percentile(samples, 0.5)), '< 60 µs')
figure('request -> ack, p99', us(percentile(samples, 0.99)), '< 500 µs')

const bare = await open(echoPath)
await latencies(bare, POINT, 2000)
const bareSamples = await latencies(bare, POINT, 10_000)
figure('  a bare Node echo server, nothing parsed, p50', us(percentile(bareSamples, 0.5)))

for (const marks of [10, 1000, 10_000]) {
  const crowd: Socket[] = []
  for (let session = 0; session < 40; session++) {
    const socket = await open(socketPath)
    const own = Math.max(1, Math.floor(marks / 40))
    await exchange(socket, START + POINT.repeat(Math.min(own, 250)), 1 + Math.min(own, 250))
    crowd.push(socket)
  }
  const some = await latencies(client, POINT, 5000)
  figure(`request -> ack with ${marks} marks of 40 sessions, p50`, us(percentile(some, 0.5)), 'flat')

  const batch = POINT.repeat(200) + CLEAR
  const rounds = 400
  const before = performance.now()
  // Eight batches under way at a time: what one pipelining client does.
  for (let sent = 0; sent < rounds; sent += 8) await exchange(client, batch.repeat(8), 201 * 8)
  const perSecond = (rounds * 201) / ((performance.now() - before) / 1000)
  figure(
    `  pipelined requests a second with ${marks} marks`,
    Math.round(perSecond).toLocaleString('en'),
    '> 100,000',
  )
  for (const socket of crowd) socket.destroy()
}

client.destroy()
bare.destroy()
echo.kill()
daemon.kill('SIGTERM')
await new Promise((resolve) => daemon.once('exit', resolve))
rmSync(home, { recursive: true, force: true })
