#!/usr/bin/env node
// Claude Code runs this at each prompt. It tells Claude which marks went away since the last one, and what the person did in
// windows and with the companion. It must never delay or fail a prompt: it needs no build and no daemon, and whatever is wrong, it says nothing and
// ends with 0.
import { execFileSync } from 'node:child_process'
import { lstatSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'

/** How long the prompt's own JSON may take to come, in ms. Nothing in it is needed, but a pipe that breaks is an error. */
const INPUT_MS = 50

/** How many processes may be between the agent and this one: the shell that runs it, and one more. */
const BETWEEN = 2

/** Many marks of one long pause are counted rather than listed. */
const LISTED = 10

/** How long the host of windows may take, in ms, and how much of one event is told, in characters. */
const HOST_MS = 400
const EVENT_CHARACTERS = 300

const WHY = {
  cleared: 'the person, or another program for them, cleared the screen',
  scroll: 'what it was on closed, moved out of sight or changed',
  display_change: 'its display changed',
  connection_lost: 'the daemon went away',
}

function home() {
  return resolve(process.env.LETS_HOME || join(homedir(), '.lets'))
}

/** The files of the MCP servers of this agent, which each have what they have not told yet. */
function outboxes() {
  const folder = join(home(), 'agents')
  if (!isPrivate(folder)) return []
  const found = []
  for (const name of readdirSync(folder)) {
    const [, pid] = /^(\d+)\.json$/.exec(name) ?? []
    if (pid === undefined) continue
    const file = join(folder, name)
    if (!isAlive(Number(pid))) rmSync(file, { force: true })
    else found.push({ file, agent: agentOf(file) })
  }
  if (found.length === 0) return []
  const agents = ancestors()
  const mine = agents.find((pid) => found.some(({ agent }) => agent === pid))
  return mine === undefined ? [] : found.filter(({ agent }) => agent === mine)
}

/** Undefined where it cannot be read: one file must not silence the others. */
function agentOf(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).agent
  } catch {
    return undefined
  }
}

/** What others may write is not put before a model. */
function isPrivate(folder) {
  const stats = lstatSync(folder, { throwIfNoEntry: false })
  if (!stats?.isDirectory()) return false
  return process.platform === 'win32' || (stats.uid === process.geteuid() && (stats.mode & 0o077) === 0)
}

function isAlive(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}

/** The nearest first. */
function ancestors() {
  const found = [process.ppid]
  while (found.length <= BETWEEN && found.at(-1) > 1) found.push(parentOf(found.at(-1)))
  return found
}

function parentOf(pid) {
  if (process.platform === 'linux')
    return Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1).split(' ')[1])
  if (process.platform === 'win32') return 0
  return Number(execFileSync('ps', ['-o', 'ppid=', '-p', String(pid)], { encoding: 'utf8', timeout: 1000 }))
}

/** What is in the file, told once: whoever moves it away has it. */
function taken({ file }) {
  const mine = `${file}.${process.pid}`
  renameSync(file, mine)
  const { gone } = JSON.parse(readFileSync(mine, 'utf8'))
  rmSync(mine, { force: true })
  return gone.filter(({ annotation_id: id, reason }) => /^\w{1,64}$/.test(id) && /^\w{1,64}$/.test(reason))
}

function told(gone) {
  const listed = gone.slice(0, LISTED).map(({ annotation_id: id, reason }) => {
    return `${id} (${reason}${WHY[reason] ? `: ${WHY[reason]}` : ''})`
  })
  const more = gone.length > LISTED ? ` and ${gone.length - LISTED} more` : ''
  return `Lets: marks of yours are no longer on the person's screen: ${listed.join(', ')}${more}.`
}

/** What the person did in windows and with the companion since the last prompt; null where no host runs, or nobody has opened a window yet. */
async function heard() {
  const folder = home()
  // The host is loaded when it is first asked: a prompt alone is no reason to.
  if (!isPrivate(folder) || !lstatSync(join(folder, 'lip', 'queue.json'), { throwIfNoEntry: false }))
    return null
  const { port, token, pid } = JSON.parse(readFileSync(join(folder, 'host.json'), 'utf8'))
  if (!isAlive(pid)) return null
  // Of use only here, and not to be waited for by every prompt.
  const { request } = await import('node:http')
  return new Promise((settle) => {
    const asking = request(
      {
        host: '127.0.0.1',
        port,
        path: `/lip/listen?cursor=hook&wait_ms=0&max=100`,
        headers: { authorization: `Bearer ${token}` },
        timeout: HOST_MS,
      },
      (answer) => {
        let text = ''
        answer.setEncoding('utf8').on('data', (chunk) => {
          text += chunk
        })
        answer.on('end', () => settle(answer.statusCode === 200 ? JSON.parse(text) : null))
        answer.on('error', () => settle(null))
      },
    )
    asking.on('timeout', () => asking.destroy())
    asking.on('error', () => settle(null))
    asking.end()
  })
}

/** Not worth a word: aggregates, and marks whose time was over as it was asked. */
function isIdle({ type, data }) {
  return type === 'entity.profile' || (type === 'screen.invalidated' && data.reason === 'ttl')
}

function toldOf({ events: all, lost, more }) {
  const events = all.filter((event) => !isIdle(event))
  if (events.length === 0) return null
  const listed = events.slice(-LISTED).map(({ id, from, type, data }) => {
    const text = JSON.stringify(data)
    const shown = text.length > EVENT_CHARACTERS ? `${text.slice(0, EVENT_CHARACTERS)}…` : text
    return `- ${type} from ${from} (${id}): ${shown}`
  })
  const others = events.length - listed.length + lost
  const rest = others > 0 || more ? ` (and ${more ? 'many' : others} before; the tool listen has them)` : ''
  return `Lets: since the last prompt this happened in windows and on the screen${rest}:\n${listed.join('\n')}`
}

/** What can be said without failing. */
async function quietly(tell) {
  try {
    return await tell()
  } catch {
    return null
  }
}

process.stdout.on('error', () => {})
process.stdin.on('error', () => {})
const ended = new Promise((settle) => process.stdin.once('end', settle))
process.stdin.resume()

const said = [
  await quietly(() => {
    const gone = outboxes().flatMap(taken)
    return gone.length > 0 ? told(gone) : null
  }),
  await quietly(async () => {
    const answer = await heard()
    return answer === null ? null : toldOf(answer)
  }),
].filter((line) => line !== null)
if (said.length > 0) {
  const hookSpecificOutput = { hookEventName: 'UserPromptSubmit', additionalContext: said.join('\n') }
  process.stdout.write(`${JSON.stringify({ hookSpecificOutput })}\n`)
}
const limit = setTimeout(() => process.stdin.destroy(), INPUT_MS)
void ended.then(() => clearTimeout(limit))
