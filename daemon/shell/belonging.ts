/**
 * Whose processes are whose. A shell's processes carry marks in their environment, which also those have that left its
 * process group or outlived their parent; one that also emptied its environment is found through its parents.
 */
import { MARKS } from '../../protocol/shell/marks.js'
import { environmentOf, listProcesses, type Process } from './processes.js'

export interface Scope {
  readonly session: string
  /** The shell's pid; null when it is gone already. */
  readonly shell: number | null
  /** Only what this command started, since then (in ticks); what earlier ones left in the background stays. */
  readonly command?: { readonly id: string; readonly since: number }
}

/** The living processes in `scope`, without the shell itself. */
export function processesOf({ session, shell, command }: Scope): number[] {
  const all = listProcesses()
  all.delete(process.pid)
  const since = command ? command.since - 1 : 0
  const ours = new Set<number>()
  const isCandidate = (one: Process) => one.pid !== shell && one.started >= since
  for (const one of all.values()) {
    if (!isCandidate(one)) continue
    const [ofSession, ofCommand] = environmentOf(one.pid, [MARKS.session, MARKS.command])
    const inside = ofSession === session || (shell !== null && (one.sid === shell || one.parent === shell))
    if (!inside) continue
    if (!command || ofCommand === command.id) ours.add(one.pid)
    // A copy of the shell carries no command's mark: it is this one's unless an earlier command's process made it.
    else if (ofCommand === null && !hasEarlierParent(one, all, shell, since)) ours.add(one.pid)
  }
  addDescendants(ours, all, isCandidate)
  return [...ours]
}

/** The living processes that a daemon with this id started. */
export function processesOfDaemons(ids: ReadonlySet<string>): number[] {
  const found: number[] = []
  for (const { pid } of listProcesses().values()) {
    const [id] = environmentOf(pid, [MARKS.daemon])
    if (id != null && ids.has(id) && pid !== process.pid) found.push(pid)
  }
  return found
}

function hasEarlierParent(
  one: Process,
  all: ReadonlyMap<number, Process>,
  shell: number | null,
  since: number,
) {
  let parent = all.get(one.parent)
  for (let depth = 0; parent && parent.pid !== shell && parent.pid > 1 && depth < 64; depth++) {
    if (parent.started < since) return true
    parent = all.get(parent.parent)
  }
  return false
}

function addDescendants(
  ours: Set<number>,
  all: ReadonlyMap<number, Process>,
  isCandidate: (one: Process) => boolean,
): void {
  for (let before = -1; before !== ours.size; ) {
    before = ours.size
    for (const one of all.values()) if (ours.has(one.parent) && isCandidate(one)) ours.add(one.pid)
  }
}
