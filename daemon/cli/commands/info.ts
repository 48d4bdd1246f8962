/** Commands that only ask: displays, apps, status; and the person’s decisions: consent, pause, stop. */
import { HOST_CAPABILITIES, lacking } from '../../../protocol/overlay/capabilities.js'
import type { AckMessage } from '../../../protocol/overlay/schema.js'
import { ConnectionError } from '../../client/errors.js'
import { asking, type CommonOptions, consentToken, pathsOf, reach, reachRunning } from '../connection.js'
import { endDaemon } from '../end-daemon.js'
import { CliError, UsageError } from '../errors.js'
import { bold, dim, duration, inLine, remark, say, sayJson } from '../output.js'
import { parseDuration } from '../parse.js'

export async function displays(options: CommonOptions): Promise<void> {
  const client = await reach(options, { lingerMs: 0 })
  try {
    const all = await client.displays()
    if (options.json) return sayJson(all)
    for (const { id, logical_size, scale, origin, primary, name } of all) {
      const facts = [`scale ${scale}`, `origin ${origin.join(',')}`, ...(primary ? ['primary'] : []), name]
      say(`${bold(String(id))}  ${logical_size.join('x')} points  ${dim(facts.join(', '))}`)
    }
  } finally {
    await client.close()
  }
}

/** `lets apps`: the windows on the screen, the topmost first. */
export async function apps(options: CommonOptions): Promise<void> {
  const client = await reach(options, { lingerMs: 0 })
  try {
    const { apps: windows = [] } = await client.request({ type: 'apps' })
    if (options.json) {
      sayJson(windows)
      return
    }
    if (windows.length === 0) say('no windows are on the screen')
    for (const { app, title, rect, display_id } of [...windows].reverse()) {
      const [x, y, width, height] = rect
      say(
        `${bold(inLine(app))}${title ? `  ${inLine(title)}` : ''}  ${dim(`${width}x${height} at ${x},${y} on display ${display_id}`)}`,
      )
    }
    if (windows.length > 0 && windows.every(({ title }) => title === undefined)) {
      remark('titles are shown once `lets consent always` allows pictures of the screen')
    }
  } finally {
    await client.close()
  }
}

/** Exits 1, with one line, when nothing answers. */
export async function status(options: CommonOptions): Promise<void> {
  const client = asking(options)
  let answer: AckMessage
  try {
    answer = await client.status(consentToken(options))
  } catch (error) {
    if (!(error instanceof ConnectionError) || error.code !== 'not_running') throw error
    process.exitCode = 1
    if (options.json) return sayJson({ running: false, socket: pathsOf(options).socket })
    return remark(`lets: ${error.message}`)
  } finally {
    await client.close()
  }
  // Asking is a session too; it is not one that anybody wants to count.
  const sessions = (answer.sessions ?? 1) - 1
  const { v, type, id, marks, ...facts } = answer
  if (options.json) return sayJson({ running: true, socket: pathsOf(options).socket, ...facts, sessions })
  const hostFacts = answer.host_facts
  say(
    `${bold('running')}   version ${answer.version}, pid ${answer.pid}, up ${duration(answer.uptime_ms ?? 0)}`,
  )
  row('host', `${answer.host}${hostFacts?.compositor ? `, compositor ${hostFacts.compositor}` : ''}`)
  row('marks', `${answer.mark_count} shown, ${sessions === 1 ? '1 client' : `${sessions} clients`} connected`)
  row('socket', `${pathsOf(options).socket} ${dim(`(peers checked by ${answer.peer_check})`)}`)
  row(
    'hotkey',
    `${hostFacts?.hotkey === 'ready' ? `${hostFacts.hotkey_keys ?? 'Ctrl+Shift+K'} clears everything` : (hostFacts?.hotkey ?? 'unknown')}`,
  )
  for (const line of capabilityLines(answer.capabilities)) say(line)
  row('capture', `${answer.capture_consent}${grantsText(answer, 'capture')}`)
  if (hostFacts?.capture_permission === 'kept') row('desktop', PERMISSION_KEPT)
  row('queries', `${answer.grounding_consent}${grantsText(answer, 'grounding')}`)
  if (answer.companion?.on) row('companion', companionText(answer.companion))
  if (answer.paused) row('paused', 'nothing is drawn until `lets resume`')
  for (const note of hostFacts?.notes ?? []) row('note', note)
}

const PERMISSION_KEPT =
  'lets Lets take pictures without asking you: its token is kept (`lets consent never` gives it up)'

/** Labels of `lets status` are one column, as wide as the longest of them. */
function label(name: string): string {
  return `${name.padEnd('companion'.length)} `
}

function row(name: string, text: string): void {
  say(`${label(name)}${text}`)
}

/** What can be done where it draws, and what cannot. */
function capabilityLines(capabilities: readonly string[] | undefined): string[] {
  if (capabilities === undefined) return []
  const has = Object.entries(HOST_CAPABILITIES).flatMap(([word, { has }]) =>
    capabilities.includes(word) ? [has] : [],
  )
  const missing = lacking(capabilities).map((word) => HOST_CAPABILITIES[word].has)
  return [
    `${label('has')}${has.join(', ') || 'marks, and nothing else'}`,
    ...(missing.length > 0 ? [`${label('lacks')}${missing.join(', ')}`] : []),
  ]
}

function companionText({ shown, hidden_because }: NonNullable<AckMessage['companion']>): string {
  return shown ? 'shown' : `on, but not shown (${hidden_because}); \`lets companion\` says more`
}

/** Who has the person's yes, and for how long. */
function grantsText({ grants = [] }: AckMessage, topic: string): string {
  const given = grants.filter(({ what }) => what === topic)
  if (given.length === 0) return ''
  const each = given.map(
    ({ client, pid, display_id, left_ms }) =>
      `“${client}”${pid === undefined ? '' : ` (process ${pid})`} on display ${display_id} for another ${duration(left_ms)}`,
  )
  return `; allowed: ${each.join(', ')}`
}

/**
 * `lets consent [capture|grounding] ask|always|never [--for TIME]`: about all clients; `lets consent yes|no`: to the one that
 * asks now.
 */
export async function consent(
  words: readonly string[],
  options: CommonOptions & { readonly for?: string },
): Promise<void> {
  const [topic, decision] = words.length === 2 ? words : ['capture', words[0]]
  if (words.length > 2 || (topic !== 'capture' && topic !== 'grounding')) {
    throw new UsageError(
      `consent is about capture (pictures) or grounding (finding things by their names); got ${JSON.stringify(words.join(' '))}`,
    )
  }
  if (words.length === 1 && (decision === 'yes' || decision === 'no')) return answer(decision, options)
  if (decision !== 'ask' && decision !== 'always' && decision !== 'never') {
    throw new UsageError(`consent is ask, always, never, yes or no; got ${JSON.stringify(decision)}`)
  }
  const forMs = options.for === undefined ? undefined : parseDuration(options.for, '--for')
  const client = await reach(options, { lingerMs: 0 })
  try {
    const ack = await client.request({
      type: 'consent',
      [topic]: decision,
      ...consentToken(options),
      ...(forMs !== undefined && { for_ms: forMs }),
    })
    const said = topic === 'capture' ? ack.capture_consent : ack.grounding_consent
    if (options.json) sayJson({ [`${topic}_consent`]: said })
    else
      say(
        `${topic === 'capture' ? 'pictures of the screen' : 'finding things by their names'}: ${said}${forMs === undefined ? '' : ` for ${duration(forMs)}, then ask`}`,
      )
  } finally {
    await client.close()
  }
}

/** `lets pause` and `lets resume`: whether anything may be drawn. Pausing takes what there is off the screen. */
export async function pause(paused: boolean, options: CommonOptions): Promise<void> {
  const client = await reach(options, { lingerMs: 0 })
  try {
    const ack = await client.request({ type: 'pause', paused, ...consentToken(options) })
    const { cleared } = ack
    if (options.json) return sayJson({ paused: ack.paused, ...(cleared !== undefined && { cleared }) })
    if (!paused) return say('drawing goes on')
    const marks = cleared === 1 ? '1 mark was' : `${cleared} marks were`
    say(`drawing is paused${cleared ? `; ${marks} taken off the screen` : ''}; \`lets resume\` lets it go on`)
  } finally {
    await client.close()
  }
}

/** The person's answer to the question on the screen. */
async function answer(
  decision: 'yes' | 'no',
  options: CommonOptions & { readonly for?: string },
): Promise<void> {
  if (options.for !== undefined)
    throw new UsageError(
      `--for goes with ask, always and never; ${decision} answers the client that asks now`,
    )
  const client = await reach(options, { lingerMs: 0 })
  try {
    const { answered } = await client.request({
      type: 'consent',
      answer: decision,
      ...consentToken(options),
    })
    if (options.json) sayJson({ answered })
    else {
      const may = decision === 'yes' ? 'may' : 'may not'
      const what = answered?.about === 'grounding' ? 'find things on' : 'picture'
      say(`“${answered?.client}” ${may} ${what} display ${answered?.display_id}`)
    }
  } finally {
    await client.close()
  }
}

/** `lets stop`: ends the daemon that serves this socket, and waits until it is gone. */
export async function stop(options: CommonOptions): Promise<void> {
  const client = await reachRunning(options, { lingerMs: 0 })
  const pid = (await client?.status())?.pid
  await client?.close()
  if (client && pid === undefined) throw new CliError('the daemon does not say its pid; end it by hand')
  if (pid !== undefined) await endDaemon(pid)
  if (options.json) sayJson({ stopped: pid !== undefined, ...(pid !== undefined && { pid }) })
  else say(pid === undefined ? 'no daemon is running' : `stopped the daemon (pid ${pid})`)
}
