/** Commands on marks that are already there: move, clear. */
import { LetsClient } from '../../client/client.js'
import { ConnectionError, LetsError } from '../../client/errors.js'
import { type CommonOptions, pathsOf, reachOneShot } from '../connection.js'
import { CliError, UsageError } from '../errors.js'
import { say, sayJson } from '../output.js'
import { parseNumber, parsePoint } from '../parse.js'

/** `lets move ID X Y` or `lets move ID --by DX,DY`. */
export async function move(
  annotationId: string,
  words: readonly string[],
  options: CommonOptions & { readonly by?: string },
): Promise<void> {
  const target = moveTarget(words, options.by)
  const client = await reachOneShot(options)
  try {
    const ack = await client.move({ annotation_id: annotationId, ...target })
    if (options.json) sayJson(ack)
    else say(`moved ${annotationId}`)
  } catch (error) {
    throw explained(error, annotationId)
  } finally {
    await client.close()
  }
}

function moveTarget(words: readonly string[], by: string | undefined): { to: [number, number] } | { by: [number, number] } {
  if (by !== undefined && words.length === 0) return { by: [...parsePoint(by, '--by')] as [number, number] }
  if (by === undefined && words.length === 1) return { to: [...parsePoint(words[0] as string, 'X,Y')] as [number, number] }
  if (by === undefined && words.length === 2) {
    return { to: [parseNumber(words[0] as string, 'X'), parseNumber(words[1] as string, 'Y')] }
  }
  throw new UsageError('say where to: X Y, or --by DX,DY, in logical points')
}

/** `lets clear [ID]`, `lets clear --all-sessions`. */
export async function clear(
  annotationId: string | undefined,
  options: CommonOptions & { readonly allSessions?: boolean },
): Promise<void> {
  if (annotationId !== undefined && options.allSessions) throw new UsageError('give either an id or --all-sessions, not both')
  const cleared = await (options.allSessions ? clearEverything(options) : clearOwn(annotationId, options))
  if (options.json) sayJson({ cleared })
  else say(cleared === 1 ? 'cleared 1 mark' : `cleared ${cleared} marks`)
}

async function clearOwn(annotationId: string | undefined, options: CommonOptions): Promise<number> {
  // Nothing is started for this: without a daemon there is nothing to clear.
  const client = await whereRunning(() => reachOneShot(options), options)
  if (!client) return 0
  try {
    return await client.clear(annotationId)
  } catch (error) {
    throw explained(error, annotationId)
  } finally {
    await client.close()
  }
}

async function clearEverything(options: CommonOptions): Promise<number> {
  const client = await whereRunning(async () => new LetsClient(own(options)), options)
  if (!client) return 0
  try {
    return (await client.request({ type: 'clear', all_sessions: true })).cleared ?? 0
  } finally {
    await client.close()
  }
}

function own(options: CommonOptions) {
  return { clientName: 'lets-cli', socket: pathsOf(options).socket, lingerMs: 0 }
}

async function whereRunning(open: () => Promise<LetsClient>, options: CommonOptions): Promise<LetsClient | null> {
  const probe = new LetsClient(own(options))
  try {
    await probe.status()
  } catch (error) {
    if (error instanceof ConnectionError && error.code === 'not_running') return null
    throw error
  } finally {
    await probe.close()
  }
  return open()
}

function explained(error: unknown, annotationId: string | undefined): unknown {
  if (!(error instanceof LetsError) || error.code !== 'not_owner') return error
  return new CliError(
    `${annotationId} is not a mark of the one-shot commands: it is gone, or another client drew it (\`lets clear --all-sessions\` clears everyone's)`,
  )
}
