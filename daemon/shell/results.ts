/** Results that may be larger than memory should hold: their JSON in pieces, read from the store as they are sent. */
import type { ShellEvent, ShellParams } from '../../protocol/shell/schema.js'
import type { ShellService } from './service.js'

/** Events read at a time: a megabyte at most. */
const PAGE = 16

/** A reply's text, whole or in pieces. */
export type Pieces = Generator<string, void>

function* pages(service: ShellService, id: string, since: number, limit = Number.POSITIVE_INFINITY) {
  let left = limit
  for (let seq = since; left > 0; ) {
    const page = service.eventsAfter(id, seq, Math.min(PAGE, left))
    yield page
    left -= page.length
    if (page.length < PAGE) return
    seq = page.at(-1)?.seq ?? seq
  }
}

/** The result of `command.events`. */
export function* eventsJson(service: ShellService, params: ShellParams<'command.events'>): Pieces {
  const { command_id, since_seq = 0, limit, with_epoch = false } = params
  let last = since_seq
  let separator = ''
  if (with_epoch) yield `${JSON.stringify(service.epochOf(params)).slice(0, -1)},"events":`
  yield '['
  for (const page of pages(service, command_id, since_seq, limit)) {
    let text = ''
    for (const event of page) {
      text += separator + JSON.stringify(event)
      separator = ','
      last = event.seq
    }
    yield text
  }
  yield with_epoch ? `],"next_seq":${last}}` : ']'
}

/** The result of `command.result` of a command that has ended; `command` is its snapshot. */
export function* resultJson(service: ShellService, id: string, command: object): Pieces {
  const lossy = { stdout: false, stderr: false }
  yield `{"command":${JSON.stringify(command)},"events":[`
  let separator = ''
  for (const page of pages(service, id, 0)) {
    let text = ''
    for (const event of page) {
      text += separator + JSON.stringify(event)
      separator = ','
      const { event_type: type } = event
      if ((type === 'stdout' || type === 'stderr') && event.metadata.base64 !== undefined) lossy[type] = true
    }
    yield text
  }
  yield ']'
  for (const name of ['stdout', 'stderr'] as const) {
    yield `,"${name}":"`
    for (const page of pages(service, id, 0))
      for (const { event_type, text } of page)
        if (event_type === name) yield JSON.stringify(text).slice(1, -1)
    yield '"'
    if (lossy[name]) {
      yield `,"${name}_base64":"`
      yield* base64(service, id, name)
      yield '"'
    }
  }
  yield '}'
}

function* base64(service: ShellService, id: string, name: 'stdout' | 'stderr'): Pieces {
  let carry = Buffer.alloc(0)
  for (const page of pages(service, id, 0)) {
    const bytes = Buffer.concat([carry, ...page.filter((one) => one.event_type === name).map(bytesOf)])
    // Three bytes are four letters: only whole threes can be put one after another.
    const whole = bytes.length - (bytes.length % 3)
    yield bytes.toString('base64', 0, whole)
    carry = Buffer.from(bytes.subarray(whole))
  }
  yield carry.toString('base64')
}

/** The exact bytes of an output event. */
function bytesOf({ text, metadata }: ShellEvent): Buffer {
  return typeof metadata.base64 === 'string' ? Buffer.from(metadata.base64, 'base64') : Buffer.from(text)
}
