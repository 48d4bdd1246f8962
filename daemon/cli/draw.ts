/** What every drawing command does around its one request. */
import type { DrawingAck, LetsClient } from '../client/client.js'
import { drawsHere, screenHere } from '../client/draws-here.js'
import { foundText, sayCandidates } from './commands/find.js'
import { type CommonOptions, reach } from './connection.js'
import { CliError, UsageError } from './errors.js'
import { MAX_ONE_SHOT_MS, ONE_SHOT_MS, reachOneShot } from './one-shot.js'
import { dim, duration, say, sayJson, warn } from './output.js'
import { parseDuration, parseInteger } from './parse.js'

export interface DrawOptions extends CommonOptions {
  readonly display?: string
  readonly ttl?: string
  readonly hold?: boolean
  readonly step?: string
  readonly window?: string
  readonly frame?: string
}

/** Fields that every drawing request shares. */
export interface CommonFields {
  display_id?: number
  ttl_ms?: number
  step?: number
  window?: string
  frame?: string
}

/**
 * Sends one drawing request and reports it. One-shot: the mark stays for its time after the command returned.
 * `--hold`: it stays until Ctrl-C, its `--ttl`, or until something takes it away, which is said.
 */
export async function drawOnce(
  options: DrawOptions,
  what: string,
  send: (client: LetsClient, fields: CommonFields) => Promise<DrawingAck>,
): Promise<void> {
  const ttl = options.ttl === undefined ? undefined : parseDuration(options.ttl, '--ttl')
  if (!options.hold && ttl !== undefined && ttl > MAX_ONE_SHOT_MS) {
    throw new UsageError(
      `--ttl may be up to 10m for a mark that outlives its command, got ${options.ttl}; for longer add --hold`,
    )
  }
  const shownFor = options.hold ? ttl : (ttl ?? ONE_SHOT_MS)
  const fields: CommonFields = {
    ...((options.frame === undefined || options.display !== undefined) && {
      display_id: options.display === undefined ? 1 : parseInteger(options.display, '--display'),
    }),
    ...(shownFor !== undefined && { ttl_ms: shownFor }),
    ...(options.step !== undefined && { step: parseInteger(options.step, '--step') }),
    ...(options.window !== undefined && { window: options.window }),
    ...(options.frame !== undefined && { frame: options.frame }),
  }
  if (options.window !== undefined && options.display !== undefined) {
    throw new UsageError('give either --window or --display, not both: a window is where it is')
  }
  const client = options.hold ? await reach(options, { lingerMs: 0 }) : await reachOneShot(options)
  elsewhere(client)
  try {
    const ack = await send(client, fields).catch((error: unknown) => {
      if (!options.json) sayCandidates(error)
      throw error
    })
    report(ack, what, shownFor, options)
    if (options.hold) await hold(client, ack.annotation_id, options)
  } finally {
    await client.close()
  }
}

/** Says so when the daemon draws somewhere else than on the screen this command was typed on. */
export function elsewhere({ drawsOn: { host, screen } }: LetsClient): void {
  const here = screenHere(process.env)
  if (here === undefined || host === 'unknown') return
  // A command without a DISPLAY of its own may well mean the one that is drawn on.
  if (screen !== undefined && (!process.env.DISPLAY || drawsHere(screen, process.env))) return
  const where = screen === undefined ? `in memory (host ${host})` : `on ${screen}`
  warn(
    `the daemon that runs draws ${where}, not on this screen (${here}); \`lets stop\`, and the next command starts one here`,
  )
}

/** Of what the numbers are, where they are not of the display. */
function measuredIn({ window, frame }: DrawOptions): string {
  if (window !== undefined) return ` of the window ${JSON.stringify(window)}`
  return frame === undefined ? '' : ` of the picture ${frame}`
}

function report(ack: DrawingAck, what: string, shownFor: number | undefined, options: DrawOptions): void {
  if (options.json) {
    sayJson(ack)
    return
  }
  const { id, logical_size, scale } = ack.display
  const time = shownFor === undefined ? 'until Ctrl-C' : `for ${duration(shownFor)}`
  say(
    `${what}${measuredIn(options)} on display ${id} ${dim(`(${logical_size.join('x')} points, scale ${scale})`)}, ${time}  ${dim(ack.annotation_id)}`,
  )
  if (ack.matched)
    say(
      `${ack.kind === 'highlight' && what.startsWith('pointing') ? 'likely, so outlined: ' : ''}${foundText(ack)}`,
    )
  if (ack.missing_glyphs)
    warn(
      `no font here shows ${ack.missing_glyphs.join(' ')}; a box stands for each (\`lets doctor\` says which fonts help)`,
    )
}

async function hold(client: LetsClient, annotationId: string, options: DrawOptions): Promise<void> {
  const interrupted = new Promise<null>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => resolve(null))
  })
  const gone = await Promise.race([interrupted, firstGone(client, annotationId)])
  if (gone === null) return
  if (options.json) sayJson({ type: 'invalidated', ...gone })
  else say(`gone: ${gone.reason}${WHY[gone.reason] ? ` (${WHY[gone.reason]})` : ''}`)
  if (gone.reason === 'connection_lost')
    throw new CliError('the daemon went away, and the mark with it', gone.reason)
}

/** Why a mark went, for a person. */
export const WHY: Readonly<Record<string, string>> = {
  ttl: 'its time is over',
  cleared: 'everything was cleared from the screen',
  scroll: 'what it was put on went away',
  display_change: 'its display changed',
}

async function firstGone(client: LetsClient, annotationId: string) {
  for await (const gone of client.invalidations()) if (gone.annotation_id === annotationId) return gone
  return null
}
