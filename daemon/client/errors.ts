/** Why a call of the client failed. Two families that never mix: what the daemon refused, and what happened here. */

/** The daemon answered with an `error`. `code` is one of the wire's; a newer daemon may send others. */
export class LetsError extends Error {
  override readonly name = 'LetsError'
  constructor(
    readonly code: string,
    message: string,
    /** What fitted, where the error is about a choice. */
    readonly candidates: readonly unknown[] | undefined = undefined,
  ) {
    super(message)
  }
}

/** The connection itself failed: `not_running` (nothing answers), `closed` (it went away) or `timeout`. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError'
  constructor(
    readonly code: 'not_running' | 'closed' | 'timeout',
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options)
  }
}
