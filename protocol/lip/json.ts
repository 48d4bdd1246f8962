/** Reading JSON that others wrote: what `JSON.parse` passes over in silence is said here. */
import { nestsDeeperThan } from '../ndjson.js'
import { wellFormed } from '../overlay/explain.js'
import { LipError } from './errors.js'
import { LIP_LIMITS } from './limits.js'

/** The JSON value of a text. Throws `LipError`: `bad_json`, or `payload_too_large` when it nests too deep. */
export function readJson(text: string): unknown {
  if (nestsDeeperThan(text, LIP_LIMITS.depth))
    throw new LipError('payload_too_large', `the message nests deeper than ${LIP_LIMITS.depth} levels`)
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new LipError('bad_json', `not JSON: ${wellFormed((error as Error).message)}`)
  }
}

/** The first key that an object of a valid JSON text has twice; null where there is none. Of two, readers keep either. */
export function duplicateKey(text: string): string | null {
  const open: (Set<string> | null)[] = []
  const token = /"(?:[^"\\]|\\.)*"(\s*:)?|[{}[\]]/g
  for (const [found, isKey] of text.matchAll(token)) {
    if (found === '{') open.push(new Set())
    else if (found === '[') open.push(null)
    else if (found === '}' || found === ']') open.pop()
    else if (isKey !== undefined) {
      const key = JSON.parse(found.slice(0, found.length - isKey.length)) as string
      const keys = open.at(-1)
      if (keys?.has(key)) return key
      keys?.add(key)
    }
  }
  return null
}
