/** What a tool is, and what it is given. */
import type { ToolAnnotations } from '@modelcontextprotocol/sdk/types.js'
import type { DaemonLink } from './daemon-link.js'
import type { FittedImage } from './image.js'
import type { LipLink } from './lip-link.js'
import type { Looking } from './looking.js'
import type { Marks } from './marks.js'
import type { Arguments } from './places.js'
import type { ObjectSchema } from './schemas.js'

export interface Tool {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly inputSchema: ObjectSchema
  readonly outputSchema: ObjectSchema
  readonly annotations: Required<Omit<ToolAnnotations, 'title'>>
  /** Resolves with what it did; rejects with any error, which becomes the tool's. */
  call(given: Arguments, context: Context): Promise<Done>
}

export interface Done {
  /** One line, with all that a model needs to go on: some clients show nothing else. */
  readonly text: string
  readonly fields: Readonly<Record<string, unknown>>
  readonly notes?: readonly string[]
  readonly image?: FittedImage
}

export interface Context {
  readonly link: DaemonLink
  readonly lip: LipLink
  readonly marks: Marks
  readonly looking: Looking
  /** Aborted when the client calls this call off, or goes away. */
  readonly signal: AbortSignal
  /** Tells the client, if it wants to know, that the call goes on: at most `totalMs`, from `afterMs` on. */
  waits(what: string, totalMs: number, afterMs?: number): void
  /** Tells the client, if it wants to know, that step `step` of `total` is reached. */
  reaches(step: number, total: number, what: string): void
}
