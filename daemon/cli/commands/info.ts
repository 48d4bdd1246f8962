/** Commands that only ask: displays, status, snapshot; and the person's decisions: consent, stop. */
import type { AckMessage } from '../../../protocol/overlay/schema.js'
import type { LetsClient } from '../../client/client.js'
import { ConnectionError, LetsError } from '../../client/errors.js'
import { asking, type CommonOptions, pathsOf, reach, reachRunning } from '../connection.js'
import { endDaemon } from '../end-daemon.js'
import { CliError, UsageError } from '../errors.js'
import { bold, dim, duration, remark, say, sayJson } from '../output.js'
import { parseDuration, parseInteger } from '../parse.js'
import { keepPicture, picturePath } from '../picture.js'

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
        `${bold(app)}${title ? `  ${title}` : ''}  ${dim(`${width}x${height} at ${x},${y} on display ${display_id}`)}`,
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
    answer = await client.status()
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
    `${bold('running')}  version ${answer.version}, pid ${answer.pid}, up ${duration(answer.uptime_ms ?? 0)}`,
  )
  say(`host     ${answer.host}${hostFacts?.compositor ? `, compositor ${hostFacts.compositor}` : ''}`)
  say(`marks    ${answer.mark_count} shown, ${sessions === 1 ? '1 client' : `${sessions} clients`} connected`)
  say(`socket   ${pathsOf(options).socket} ${dim(`(peers checked by ${answer.peer_check})`)}`)
  say(
    `hotkey   ${hostFacts?.hotkey === 'ready' ? 'Ctrl+Shift+K clears everything' : (hostFacts?.hotkey ?? 'unknown')}`,
  )
  say(`capture  ${answer.capture_consent}`)
  for (const note of hostFacts?.notes ?? []) say(`note     ${note}`)
}

interface SnapshotOptions extends CommonOptions {
  readonly display?: string
  readonly marksOnly?: boolean
  readonly yes?: boolean
}

/** `lets snapshot FILE.png`: a display with its marks. */
export async function snapshot(file: string, options: SnapshotOptions): Promise<void> {
  const target = picturePath(file)
  const displayId = options.display === undefined ? 1 : parseInteger(options.display, '--display')
  const client = await reach(options, { lingerMs: 0 })
  try {
    const request = {
      display_id: displayId,
      marks: true,
      backdrop: options.marksOnly ? ('none' as const) : ('screen' as const),
    }
    const ack = await client.capture(request).catch(async (error: unknown) => {
      await ask(client, error, displayId, options)
      try {
        return await client.capture(request)
      } finally {
        // The yes was for this one picture.
        await client.request({ type: 'consent', capture: 'ask' })
      }
    })
    keepPicture(ack.path, target)
    const { path, ...facts } = ack
    if (options.json) sayJson({ ...facts, path: target })
    else say(`${target}  ${dim(`${ack.image_size?.join('x')} pixels of display ${ack.display?.id}`)}`)
  } finally {
    await client.close()
  }
}

/** Gets the person's yes for one picture, where it is needed and somebody is there to give it. */
async function ask(
  client: LetsClient,
  error: unknown,
  displayId: number,
  options: SnapshotOptions,
): Promise<void> {
  if (!(error instanceof LetsError) || error.code !== 'not_permitted') throw error
  const { capture_consent } = await client.status()
  if (capture_consent === 'never') throw error
  if (!options.yes) {
    if (!process.stdin.isTTY || !process.stdout.isTTY) {
      throw new CliError(
        'a picture of your screen needs your yes: add --yes for this one, --marks-only for the marks alone, or run `lets consent always --for 10m`',
      )
    }
    const { createInterface } = await import('node:readline/promises')
    const terminal = createInterface({ input: process.stdin, output: process.stdout })
    const answer = await terminal.question(`Take a picture of everything on display ${displayId}? [y/N] `)
    terminal.close()
    if (!/^y(es)?$/i.test(answer.trim())) throw new CliError('no picture was taken')
  }
  await client.request({ type: 'consent', capture: 'always', for_ms: 5000 })
}

/** `lets consent ask|always|never [--for TIME]`. */
export async function consent(
  policy: string,
  options: CommonOptions & { readonly for?: string },
): Promise<void> {
  if (policy !== 'ask' && policy !== 'always' && policy !== 'never') {
    throw new UsageError(`consent is ask, always or never; got ${JSON.stringify(policy)}`)
  }
  const forMs = options.for === undefined ? undefined : parseDuration(options.for, '--for')
  const client = await reach(options, { lingerMs: 0 })
  try {
    const ack = await client.request({
      type: 'consent',
      capture: policy,
      ...(forMs !== undefined && { for_ms: forMs }),
    })
    if (options.json) sayJson({ capture_consent: ack.capture_consent })
    else
      say(
        `pictures of the screen: ${ack.capture_consent}${forMs === undefined ? '' : ` for ${duration(forMs)}, then ask`}`,
      )
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
