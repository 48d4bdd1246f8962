/** What the tools that find something by words have in common. */
import type { AckMessage } from '../../protocol/overlay/schema.js'

/** How long a query may take, in ms: the person may be asked, and then it is looked for. */
export const QUERY_MS = 62_000

/** How long one takes that nobody has to be asked about, in ms. */
export const UNASKED_MS = 700

export const LOOKING_FOR = 'looking for it; the person may be asked on the screen first'

/** What an ack says of what was found. */
export const FOUND = ['resolved_coords', 'confidence', 'resolved_by', 'matched', 'kind', 'sent_to'] as const

export function foundFields(ack: AckMessage): Record<string, unknown> {
  return Object.fromEntries(FOUND.filter((name) => ack[name] !== undefined).map((name) => [name, ack[name]]))
}

/** What was found, in words. */
export function foundText({ matched, confidence = 0, resolved_by, kind }: AckMessage): string {
  if (!matched) return 'found'
  const sure = `${Math.round(confidence * 100)}% sure, by ${resolved_by}`
  const outlined = kind === 'highlight' && confidence < 0.85 ? '; only likely, so its region is outlined' : ''
  return `found the ${matched.role} ${JSON.stringify(matched.name)} (${sure}${outlined})`
}
