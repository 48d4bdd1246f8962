/** The protocol's vectors as tests of the whole product use them. */
import { readdirSync, readFileSync } from 'node:fs'

export interface Vector {
  readonly kind: string
  readonly name: string
  readonly line: string
  /** The error it is refused with; absent when it is understood. */
  readonly code?: string
  readonly msgIncludes: string
  readonly needsDisplay: boolean
}

// Compiled, this file is dist/tests/wire/vectors.js.
const folder = new URL('../../../protocol/vectors/', import.meta.url)
const REPLIES = ['ack.json', 'companion_event.json', 'error.json', 'invalidated.json']

/** Every vector of a request, and of what is no message at all. */
export function requestVectors(): Vector[] {
  const files = readdirSync(folder).filter((name) => name.endsWith('.json') && !REPLIES.includes(name))
  return files.flatMap((name) => {
    const { kind, good, bad } = JSON.parse(readFileSync(new URL(name, folder), 'utf8'))
    return [...good, ...bad].map((one) => ({
      kind,
      name: one.name,
      line: one.line ?? JSON.stringify(one.message),
      ...(one.code !== undefined && { code: one.code }),
      msgIncludes: one.msg_includes ?? '',
      needsDisplay: one.needs_display === true,
    }))
  })
}
