/**
 * The one table of the shell protocol's errors. `type` is the word that clients of protocol 1.0 find in `error.type`;
 * `blame` says whose fault an answer with this code is.
 */
export const SHELL_ERRORS = {
  invalid_request: {
    type: 'ValueError',
    blame: 'client',
    when: 'The line is no request: not JSON, not an object, too long, or without a method.',
  },
  invalid_params: {
    type: 'ValueError',
    blame: 'client',
    when: 'A parameter is missing or off; `message` names it and what was sent.',
  },
  not_found: { type: 'KeyError', blame: 'client', when: 'No session or command has this id.' },
  conflict: {
    type: 'RuntimeError',
    blame: 'client',
    when: 'It cannot be done in this state: the session is over, or the daemon is shutting down.',
  },
  unknown_method: { type: 'ValueError', blame: 'client', when: 'There is no such method.' },
  internal_error: {
    type: 'InternalError',
    blame: 'daemon',
    when: 'A fault of the daemon or of its storage; `message` says what could not be done.',
  },
} as const satisfies Record<string, { type: string; blame: 'client' | 'daemon'; when: string }>

export type ShellErrorCode = keyof typeof SHELL_ERRORS

export const SHELL_ERROR_CODES = Object.keys(SHELL_ERRORS) as readonly ShellErrorCode[]

/** A refusal that goes to the client as an error response. */
export class ShellError extends Error {
  override readonly name = 'ShellError'
  constructor(
    readonly code: ShellErrorCode,
    message: string,
  ) {
    super(message)
  }
}
