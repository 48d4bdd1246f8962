import { Cancelled } from './errors.js'

/** The promise's outcome, unless the signal comes first: then `Cancelled`, and `late` gets what still becomes of it. */
export function unlessAborted<T>(
  promise: Promise<T>,
  signal: AbortSignal,
  late: (value: T) => void = () => {},
): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      reject(new Cancelled('the client called it off'))
      promise.then(late, () => {})
    }
    if (signal.aborted) return abort()
    signal.addEventListener('abort', abort, { once: true })
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}
