/** What a daemon that was killed left behind: its processes are ended, its sessions and commands are told to be over. */
import { setTimeout as delay } from 'node:timers/promises'
import { processesOfDaemons } from './belonging.js'
import { signal } from './processes.js'
import type { Metadata } from './records.js'
import type { Store } from './store.js'

const PATIENCE_MS = 2000

export interface Recovered {
  readonly daemons: readonly string[]
  readonly sessions: number
  readonly commands: number
  readonly processes: number
}

/**
 * Puts the store and the system in order. `last` is the daemon that the folder names, which the store may not know when it was
 * made anew. Resolves with what there was to do.
 */
export async function recover(store: Store, daemonId: string, last: string | null): Promise<Recovered> {
  const daemons = store.crashedDaemons()
  const processes = await sweep(new Set(last === null ? daemons : [...daemons, last]))
  const now = Date.now()
  const recovery = {
    recovered_at: new Date(now).toISOString(),
    recovered_by: daemonId,
    reason: 'the daemon ended unexpectedly',
  }
  const commands = store.liveCommands()
  for (const command of commands) {
    const told: Metadata = { recovery: { ...recovery, previous_status: command.status } }
    Object.assign(command, { status: 'failed', ended_at: now, updated_at: now })
    Object.assign(command.metadata, told)
    command.event_count = lastSeq(store, command.id) + 1
    store.saveEvent({
      ...{
        owner: command.id,
        seq: command.event_count,
        event_type: 'command_failed',
        bytes: null,
        created_at: now,
      },
      metadata: told,
    })
    store.updateCommand(command)
  }
  const sessions = store.liveSessions()
  for (const session of sessions) {
    const told: Metadata = { recovery: { ...recovery, previous_status: session.status } }
    Object.assign(session, { status: 'crashed', pid: null, closed_at: now, updated_at: now })
    Object.assign(session.metadata, told)
    session.event_count++
    store.saveEvent({
      ...{
        owner: session.id,
        seq: session.event_count,
        event_type: 'session_crashed',
        bytes: null,
        created_at: now,
      },
      metadata: told,
    })
    store.saveSession(session)
  }
  for (const id of daemons) store.write('endDaemon', [now, id])
  store.commit()
  return { daemons, sessions: sessions.length, commands: commands.length, processes }
}

/** The record may be older than its last events: both are written, but not each with each. */
function lastSeq(store: Store, id: string): number {
  return store.count('lastSeq', id)
}

/** Ends what earlier daemons started and their guardian did not find. */
async function sweep(daemons: ReadonlySet<string>): Promise<number> {
  if (daemons.size === 0) return 0
  const seen = new Set<number>()
  const deadline = performance.now() + PATIENCE_MS
  for (;;) {
    const left = processesOfDaemons(daemons)
    if (left.length === 0 || performance.now() > deadline) return seen.size
    for (const pid of left) {
      seen.add(pid)
      signal(pid, 'SIGKILL')
    }
    await delay(5)
  }
}
