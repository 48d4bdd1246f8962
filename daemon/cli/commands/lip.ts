/** Commands about windows of uniques: open, listen, send, and the lists. */
import { text as readText } from 'node:stream/consumers'
import { openInBrowser } from '../../client/browser.js'
import { LipOperator } from '../../client/operator.js'
import { type CommonOptions, pathsOf, startedLines } from '../connection.js'
import { CliError, UsageError } from '../errors.js'
import { bold, dim, duration, inLine, remark, say, sayJson, warn } from '../output.js'
import { parseDuration, parseInteger } from '../parse.js'

/** The host of the daemon that runs, or of one that is started for it. */
async function reachHost(options: CommonOptions): Promise<LipOperator> {
  const where = pathsOf(options)
  const running = LipOperator.find(where.lipHost)
  if (running) return running
  const { startInBackground } = await import('../start-daemon.js')
  for (const line of startedLines(await startInBackground(where))) remark(line)
  const started = LipOperator.find(where.lipHost)
  if (started) return started
  throw new CliError(`the daemon that runs serves no uniques; its log (${where.log}) says why`, 'unavailable')
}

/** For commands that only look: null when nothing runs, which is no reason to start anything. */
function reachRunningHost(options: CommonOptions): LipOperator | null {
  return LipOperator.find(pathsOf(options).lipHost)
}

interface OpenOptions extends CommonOptions {
  readonly resume?: string
  readonly browser: boolean
  readonly plain?: boolean
}

export async function open(
  unique: string,
  { resume, browser, plain, ...options }: OpenOptions,
): Promise<void> {
  const host = await reachHost(options)
  const opened = await host.open(unique, { ...(resume !== undefined && { resume }), ...(plain && { plain }) })
  const shown = browser && (await openInBrowser(opened.url))
  for (const warning of opened.warnings ?? []) warn(`note: ${warning}`)
  if (options.json) return sayJson({ window: opened.window, url: opened.url })
  say(`${bold(opened.window)}  ${opened.title}`)
  if (opened.resumed !== undefined) say(dim(`goes on with ${opened.resumed}`))
  if (shown) return
  say(opened.url)
  if (browser) remark('there is no browser to open here: open the address above in one, on this machine')
}

interface ListenOptions extends CommonOptions {
  readonly cursor?: string
  readonly wait?: string
  readonly max?: string
}

export async function listen({ cursor, wait, max, ...options }: ListenOptions): Promise<void> {
  const waitMs = wait === undefined ? 30_000 : parseDuration(wait, '--wait')
  const most = max === undefined ? undefined : parseInteger(max, '--max')
  const host = await reachHost(options)
  const heard = await host.listen({
    waitMs,
    ...(cursor !== undefined && { cursor }),
    ...(most !== undefined && { max: most }),
  })
  if (options.json) return sayJson(heard)
  if (heard.lost > 0) warn(`${heard.lost} earlier events are lost: nobody read them in time`)
  for (const { type, from, id, data } of heard.events)
    say(`${bold(type)}  ${JSON.stringify(data)}  ${dim(`${from}, ${id}`)}`)
  if (heard.events.length === 0) remark(`nothing came within ${duration(waitMs)}`)
  else if (heard.more) remark('there is more: listen again')
}

interface SendOptions extends CommonOptions {
  readonly re?: string
  readonly ttl?: string
  readonly browser: boolean
}

export async function send(
  window: string,
  type: string,
  data: string | undefined,
  { re, ttl, browser, ...options }: SendOptions,
): Promise<void> {
  const sent = parseData(data === '-' ? await readText(process.stdin) : (data ?? '{}'))
  const host = await reachHost(options)
  const answer = await host.send({
    window,
    type,
    data: sent,
    ...(re !== undefined && { re }),
    ...(ttl !== undefined && { ttl: parseDuration(ttl, '--ttl') }),
  })
  const { id, window: to, delivered, ignored, url, annotation_id, companion } = answer
  const shown = url !== undefined && browser && (await openInBrowser(url))
  if (options.json) return sayJson(answer)
  if (ignored !== undefined) return warn(`nothing came of it: ${ignored}`)
  // A window that was opened for it gets it as soon as its page is there.
  if (url !== undefined) {
    say(`sent ${id}, to be answered in ${to}`)
    if (!shown) say(url)
  } else if (delivered) say(`sent ${id}${annotation_id === undefined ? '' : `, as ${annotation_id}`}`)
  else say(`${id} waits: the page of ${to} is not connected`)
  if (companion && !companion.shown)
    warn(`the companion is not on the screen (${companion.hidden_because ?? 'hidden'}): nobody sees it now`)
}

function parseData(text: string): Readonly<Record<string, unknown>> {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new UsageError(`data must be JSON: ${(error as Error).message}`)
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return value as Record<string, unknown>
  throw new UsageError(`data must be a JSON object, such as '{"text":"Done"}'; got ${text.slice(0, 60)}`)
}

export async function windows(options: CommonOptions): Promise<void> {
  const { windows: all, screens } = (await reachRunningHost(options)?.windows()) ?? {
    windows: [],
    screens: [],
  }
  if (options.json) return sayJson([...all, ...screens])
  if (all.length === 0) say('no windows are open')
  for (const { window, title, state, waiting, opened, events } of all) {
    const facts = [
      state,
      `for ${duration(Math.max(0, Date.now() - opened))}`,
      `${events.taken} events`,
      ...(events.refused > 0 ? [`${events.refused} refused`] : []),
      ...(waiting > 0 ? [`${waiting} commands wait`] : []),
    ]
    say(`${bold(window)}  ${inLine(title)}  ${dim(facts.join(', '))}`)
  }
  for (const { window, title } of screens) say(`${bold(window)}  ${title}`)
}

export async function sessions(unique: string | undefined, options: CommonOptions): Promise<void> {
  const host = await reachHost(options)
  const all = await host.sessions(unique)
  if (options.json) return sayJson(all)
  if (all.length === 0) say('nothing was sent yet')
  for (const { id, unique: name, summary, saved, file } of all)
    say(`${bold(id)}  ${name}  ${summary}  ${dim(`${new Date(saved).toISOString()}, ${file}`)}`)
}

interface AllowOptions extends CommonOptions {
  readonly deny?: boolean
  readonly forget?: boolean
}

export async function allow(
  unique: string | undefined,
  language: string | undefined,
  { deny, forget, ...options }: AllowOptions,
): Promise<void> {
  if (deny && forget) throw new UsageError('--deny and --forget contradict each other')
  if (unique !== undefined && language === undefined)
    throw new UsageError(`say which language ${unique} may run, such as python`)
  const host = await reachHost(options)
  if (unique === undefined || language === undefined) return listAllowed(host, options)
  const answer = forget ? null : deny ? 'deny' : 'allow'
  const said = await host.allow(unique, language, answer)
  if (options.json) return sayJson(said)
  say(
    answer === null
      ? `${unique} is asked about ${language} anew`
      : `${unique} may ${answer === 'allow' ? '' : 'not '}run ${language} on this machine`,
  )
}

async function listAllowed(host: LipOperator, options: CommonOptions): Promise<void> {
  const all = await host.allowed()
  if (options.json) return sayJson(all)
  const lines = Object.entries(all).flatMap(([unique, languages]) =>
    Object.entries(languages).map(([language, answer]) => `${bold(unique)}  ${language}  ${answer}`),
  )
  for (const line of lines) say(line)
  if (lines.length === 0) say('no unique may run anything')
}
