/** A call with words that are off: exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** Something did not work, and the message says what to do: exit code 1. */
export class CliError extends Error {
  override readonly name = 'CliError'
  constructor(
    message: string,
    /** For `--json`: the wire's code where the daemon gave one. */
    readonly code: string = 'failed',
  ) {
    super(message)
  }
}

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'you may not write there',
  EPERM: 'you may not write there',
  EROFS: 'the file system is read-only',
  ENOENT: 'its folder does not exist',
  ENOTDIR: 'its folder does not exist',
  EISDIR: 'it is a folder',
  ENOSPC: 'the disk is full',
}

/** A file that could not be written, in words. */
export function cannotWrite(path: string, error: unknown): CliError {
  const { code = '', message } = error as NodeJS.ErrnoException
  return new CliError(`${path} cannot be written: ${REASONS[code] ?? message}`)
}
