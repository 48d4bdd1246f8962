/** A call with words that are off: exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** Something did not work, and the message says what to do: exit code 1. */
export class CliError extends Error {
  override readonly name = 'CliError'
}
