/**
 * The one table of the overlay wire's errors. `blame` says whose fault an answer with this code is: only `client`
 * codes may be sent for something the client did.
 */
export const ERRORS = {
  bad_schema: {
    blame: 'client',
    when: 'The line is not a valid message; `msg` names the field and what was sent.',
  },
  unknown_type: { blame: 'client', when: 'No message has this `type`.' },
  payload_too_large: { blame: 'client', when: 'A line is over 1 MiB. The connection is closed.' },
  version_unsupported: { blame: 'client', when: 'The major of `v` is not 0.' },
  unknown_display: { blame: 'client', when: 'No connected display has this id; `msg` lists those that are.' },
  not_owner: { blame: 'client', when: 'The mark is not one of this session, or never was.' },
  limit: { blame: 'client', when: 'A limit of the contract is reached; `msg` names it.' },
  stale_frame: {
    blame: 'client',
    when: 'The frame is unknown, too old, or of a layout that changed: capture again.',
  },
  ambiguous: { blame: 'client', when: 'Several candidates fit equally; `candidates` lists them.' },
  not_found: { blame: 'client', when: 'No window or application fits.' },
  not_permitted: { blame: 'person', when: 'The person has not allowed it.' },
  no_resolver: { blame: 'setup', when: 'No resolver is set up that could turn words into a place.' },
  resolve_failed: { blame: 'setup', when: 'A resolver looked and did not find it.' },
  unavailable: { blame: 'setup', when: 'This host cannot do it here and now; `msg` says why.' },
  internal: { blame: 'daemon', when: 'A fault of the daemon. It is in its log.' },
} as const satisfies Record<string, { blame: 'client' | 'person' | 'setup' | 'daemon'; when: string }>

export type ErrorCode = keyof typeof ERRORS

export const ERROR_CODES = Object.keys(ERRORS) as readonly ErrorCode[]

/** A refusal that goes to the client as an `error` message. Thrown inside the daemon, never across the wire. */
export class WireError extends Error {
  override readonly name = 'WireError'
  constructor(
    readonly code: ErrorCode,
    message: string,
    /** Further fields of the `error` message, such as `candidates`. */
    readonly data: Readonly<Record<string, unknown>> = {},
  ) {
    super(message)
  }
}
