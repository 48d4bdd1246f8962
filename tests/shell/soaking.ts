/** Kills a shell daemon again and again while it works, and checks that nothing it had acknowledged is lost. */
import { setTimeout as delay } from 'node:timers/promises'
import { type ShellClient, type ShellSession, shell } from '../../daemon/client/shell/client.js'
import type { CommandSnapshot, ShellEvent } from '../../protocol/shell/schema.js'
import { living, startShell } from './support.js'

export interface SoakOutcome {
  readonly kills: number
  /** What was acknowledged: starts, statuses and events. */
  acknowledged: number
  /** Ids and what is wrong with them. */
  readonly lost: string[]
  orphans: number
  /** ms from spawn to serving. */
  slowestStart: number
  /** ms from spawn to serving, less what Node itself takes to start. */
  readonly starts: number[]
}

interface Known {
  status: string
  exit: number | null
  readonly events: ShellEvent[]
}

const COMMANDS = [
  'echo hi',
  'seq 2000',
  'sleep 30 & echo bg',
  "setsid sh -c 'sleep 60' & (trap '' TERM; sleep 0.05); echo x >&2",
  'head -c 300000 /dev/zero | tr "\\0" b',
  'exit 3',
  'sleep 20',
]
const ENDED = new Set(['completed', 'failed', 'timed_out', 'canceled'])

export async function soak(kills: number, stateDir: string): Promise<SoakOutcome> {
  const outcome: SoakOutcome = { kills, acknowledged: 0, lost: [], orphans: 0, slowestStart: 0, starts: [] }
  const known = new Map<string, Known>()
  for (let kill = 0; kill <= kills; kill++) {
    const began = performance.now()
    const daemon = await startShell(stateDir)
    const took = performance.now() - began
    outcome.slowestStart = Math.max(outcome.slowestStart, took)
    outcome.starts.push(took)
    const client = await shell.connect(stateDir)
    await verify(client, known, outcome)
    if (kill === kills) {
      await client.close()
      await daemon.stop()
      break
    }
    const load = Promise.all([0, 1, 2].map((n) => work(client, known, n)))
    await delay(30 + Math.random() * 250)
    daemon.kill('SIGKILL')
    await daemon.exited
    await load
    await client.close()
    outcome.orphans += (await orphans(String(daemon.ready.daemon_id))).length
  }
  outcome.acknowledged = [...known.values()].reduce((sum, { events }) => sum + 1 + events.length, 0)
  return outcome
}

/** Runs commands in a session of its own until the daemon is gone; what it is told it remembers. */
async function work(client: ShellClient, known: Map<string, Known>, seed: number): Promise<void> {
  try {
    const session: ShellSession = await client.createSession({ kind: 'bash', cwd: '/' })
    for (let n = seed; ; n++) {
      const command = await session.start(COMMANDS[n % COMMANDS.length] as string, { timeoutSeconds: 0.4 })
      const one: Known = { status: 'queued', exit: null, events: [] }
      known.set(command.id, one)
      for await (const event of command.events()) one.events.push(event)
      const { status, exit_code } = await command.poll()
      Object.assign(one, { status, exit: exit_code })
    }
  } catch {
    // The daemon was killed.
  }
}

async function verify(client: ShellClient, known: Map<string, Known>, outcome: SoakOutcome): Promise<void> {
  for (const [id, { status, exit, events }] of known) {
    const wrong = (what: string) => outcome.lost.push(`${id}: ${what}`)
    let command: CommandSnapshot
    let stored: ShellEvent[]
    try {
      command = await client.command(id).poll()
      stored = (await client.request('command.events', { command_id: id })) as ShellEvent[]
    } catch (error) {
      wrong(String(error))
      continue
    }
    if (!ENDED.has(command.status)) wrong(`is ${command.status} after the daemon was killed`)
    if (ENDED.has(status) && (command.status !== status || command.exit_code !== exit))
      wrong(`was ${status} ${exit} and is ${command.status} ${command.exit_code}`)
    if (stored.some(({ seq }, index) => seq !== index + 1)) wrong('its numbers skip or repeat')
    if (command.event_count !== stored.length)
      wrong(`counts ${command.event_count} of ${stored.length} events`)
    const last = stored.at(-1)?.event_type ?? ''
    if (last !== `command_${command.status}`) wrong(`is ${command.status}, and its last event ${last}`)
    for (const event of events)
      if (JSON.stringify(stored[event.seq - 1]) !== JSON.stringify(event))
        wrong(`event ${event.seq} is another one`)
  }
}

async function orphans(daemonId: string): Promise<number[]> {
  const mark = `LETS_SHELL_DAEMON=${daemonId}`
  for (let tries = 0; tries < 100; tries++) {
    if (living('', mark).length === 0) return []
    await delay(20)
  }
  return living('', mark)
}
