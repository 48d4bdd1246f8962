/** Commands on marks that are already there: move, clear. */
import { type CommonOptions, reachRunning } from '../connection.js'
import { CliError, UsageError } from '../errors.js'
import { inEachSession, orNullIfNotOwner } from '../one-shot.js'
import { remark, say, sayJson } from '../output.js'
import { parseNumber, parsePoint } from '../parse.js'

/** `lets move ID X Y` or `lets move ID --by DX,DY`. */
export async function move(
  annotationId: string,
  words: readonly string[],
  options: CommonOptions & { readonly by?: string },
): Promise<void> {
  const target = moveTarget(words, options.by)
  const ack = await inEachSession(options, (client) =>
    client.move({ annotation_id: annotationId, ...target }).catch(orNullIfNotOwner),
  )
  if (!ack) throw notOurs(annotationId)
  if (options.json) sayJson(ack)
  else
    say(`moved ${annotationId} ${'by' in target ? `by ${target.by.join(',')}` : `to ${target.to.join(',')}`}`)
}

function moveTarget(
  words: readonly string[],
  by: string | undefined,
): { to: [number, number] } | { by: [number, number] } {
  if (by !== undefined && words.length === 0) return { by: [...parsePoint(by, '--by')] as [number, number] }
  if (by === undefined && words.length === 1)
    return { to: [...parsePoint(words[0] as string, 'X,Y')] as [number, number] }
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
  if (annotationId !== undefined && options.allSessions)
    throw new UsageError('give either an id or --all-sessions, not both')
  const cleared = await (options.allSessions ? clearEverything(options) : clearOwn(annotationId, options))
  if (options.json) sayJson({ cleared })
  else {
    say(cleared === 1 ? 'cleared 1 mark' : `cleared ${cleared} marks`)
    const others = options.allSessions ? 0 : await markCount(options)
    if (others > 0) remark(`${others} of other clients stay; \`lets clear --all-sessions\` clears those too`)
  }
}

/** Marks that are shown, whoever drew them. */
async function markCount(options: CommonOptions): Promise<number> {
  const client = await reachRunning(options, { lingerMs: 0 })
  try {
    return (await client?.status())?.mark_count ?? 0
  } finally {
    await client?.close()
  }
}

async function clearOwn(annotationId: string | undefined, options: CommonOptions): Promise<number> {
  if (annotationId !== undefined) {
    const cleared = await inEachSession(options, (client) =>
      client.clear(annotationId).catch(orNullIfNotOwner),
    )
    if (cleared === null) throw notOurs(annotationId)
    return cleared
  }
  let total = 0
  await inEachSession(options, async (client) => {
    total += await client.clear()
    return null
  })
  return total
}

async function clearEverything(options: CommonOptions): Promise<number> {
  const client = await reachRunning(options, { lingerMs: 0 })
  try {
    return (await client?.request({ type: 'clear', all_sessions: true }))?.cleared ?? 0
  } finally {
    await client?.close()
  }
}

function notOurs(annotationId: string): CliError {
  return new CliError(
    `${annotationId} is gone, or not yours to change from here: a client that is still connected drew it (one that holds it with --hold, say); \`lets clear --all-sessions\` clears everyone's`,
    'not_owner',
  )
}
