/**
 * The one table of LIP's errors: the HTTP status an answer has, and whose fault it is. Only `client` codes may be sent for
 * something the caller did.
 */
export const LIP_ERRORS = {
  bad_json: { status: 400, blame: 'client', when: 'The text is not JSON.' },
  bad_envelope: {
    status: 400,
    blame: 'client',
    when: 'It is JSON, but no envelope; the message names the field.',
  },
  bad_data: {
    status: 400,
    blame: 'client',
    when: '`data`, or a body, is not what its schema says; the message names the field.',
  },
  bad_request: { status: 400, blame: 'client', when: 'The request itself is malformed.' },
  version_unsupported: { status: 400, blame: 'client', when: 'The major `lip` of the envelope is not 1.' },
  payload_too_large: {
    status: 413,
    blame: 'client',
    when: 'It is larger than what is taken; nothing of it is kept.',
  },
  unknown_type: { status: 400, blame: 'client', when: 'The operator sends a command that no party knows.' },
  reserved_type: {
    status: 403,
    blame: 'client',
    when: 'The type is of a reserved domain and not this sender’s to send.',
  },
  not_yours: { status: 403, blame: 'client', when: 'It belongs to another window, unique or direction.' },
  no_capability: {
    status: 403,
    blame: 'client',
    when: 'The manifest of the unique does not list the capability this needs.',
  },
  unauthorized: {
    status: 401,
    blame: 'client',
    when: 'No credential came with it, or one that is not good (any more).',
  },
  forbidden: {
    status: 403,
    blame: 'client',
    when: 'Host or Origin are not ours, or the credential is not for this.',
  },
  not_found: {
    status: 404,
    blame: 'client',
    when: 'Nothing is at this address; of a mark: no window or application fits.',
  },
  unknown_unique: { status: 404, blame: 'client', when: 'No unique of this name is installed.' },
  unknown_window: { status: 404, blame: 'client', when: 'There never was such a window.' },
  window_closed: { status: 410, blame: 'client', when: 'The window is closed.' },
  unknown_display: {
    status: 404,
    blame: 'client',
    when: 'No connected display has this screen; the message lists those that are there.',
  },
  not_owner: { status: 403, blame: 'client', when: 'The mark is not one of this sender, or never was.' },
  stale_frame: {
    status: 409,
    blame: 'client',
    when: 'The frame of a mark is unknown, too old, or of a layout that changed: capture again.',
  },
  ambiguous: {
    status: 409,
    blame: 'client',
    when: 'Several things fit the words of a mark equally; `candidates` lists them.',
  },
  no_resolver: {
    status: 503,
    blame: 'setup',
    when: 'No resolver is set up that could turn the words of a mark into a place.',
  },
  resolve_failed: { status: 404, blame: 'setup', when: 'A resolver looked for it and did not find it.' },
  unknown_session: {
    status: 404,
    blame: 'client',
    when: 'No session of this unique is saved under this id.',
  },
  bad_manifest: {
    status: 422,
    blame: 'client',
    when: 'The unique breaks a rule; the message names file, key and rule.',
  },
  unsupported_media: { status: 415, blame: 'client', when: 'The bytes are not of a type that is taken.' },
  quota: { status: 413, blame: 'client', when: 'The uploads of this unique take all the room they may.' },
  limit: { status: 429, blame: 'client', when: 'A limit of the host is reached; the message names it.' },
  flood: { status: 429, blame: 'client', when: 'More came than is taken in this time; send less, or later.' },
  not_permitted: { status: 403, blame: 'person', when: 'The person has not allowed it.' },
  unavailable: {
    status: 503,
    blame: 'setup',
    when: 'This host cannot do it here and now; the message says why.',
  },
  timeout: { status: 504, blame: 'setup', when: 'The window did not answer in time.' },
  not_saved: { status: 507, blame: 'setup', when: 'It could not be written to disk; the message says why.' },
  internal: { status: 500, blame: 'host', when: 'A fault of the host. It is in the daemon’s log.' },
} as const satisfies Record<
  string,
  { status: number; blame: 'client' | 'person' | 'setup' | 'host'; when: string }
>

export type LipErrorCode = keyof typeof LIP_ERRORS

export const LIP_ERROR_CODES = Object.keys(LIP_ERRORS) as readonly LipErrorCode[]

/** A refusal that goes to whoever asked: as `lip.error` to a window, as `{error}` to the operator. */
export class LipError extends Error {
  override readonly name = 'LipError'
  constructor(
    readonly code: LipErrorCode,
    message: string,
    /** What fitted, where the error is about a choice. */
    readonly candidates: readonly unknown[] | undefined = undefined,
  ) {
    super(message)
  }
}
