/** What the overlay wire refuses, as LIP says it: the same codes where it has them, and always the wire’s own words. */
import { LIP_ERRORS, LipError, type LipErrorCode } from '../../protocol/lip/errors.js'
import { ConnectionError, LetsError } from '../client/errors.js'

/** Codes that LIP calls otherwise. */
const OTHERWISE: Readonly<Record<string, LipErrorCode>> = { bad_schema: 'bad_data' }

export function asLipError(error: unknown): LipError {
  if (error instanceof LipError) return error
  if (error instanceof LetsError) {
    const { code, message, candidates } = error
    return new LipError(OTHERWISE[code] ?? (isKnown(code) ? code : 'unavailable'), message, candidates)
  }
  if (error instanceof ConnectionError) return new LipError('unavailable', error.message)
  throw error
}

function isKnown(code: string): code is LipErrorCode {
  return Object.hasOwn(LIP_ERRORS, code)
}
