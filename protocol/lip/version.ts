/** The versions of LIP: one major on every envelope, and the host's own, which a unique may pin. */

/** Bumped only when envelopes change so that older readers cannot read them. */
export const LIP_MAJOR = 1

const PIN = /^>=\s*(\d{1,6})\.(\d{1,6})\.(\d{1,6})$/
const VERSION = /^(\d+)\.(\d+)\.(\d+)/

/** Whether `engine` of a manifest is a pin that can be read: `>=0.1.0`. */
export function isPin(engine: string): boolean {
  return PIN.test(engine)
}

/** Whether a host of version `host` is what `engine` asks for. */
export function satisfies(engine: string, host: string): boolean {
  const least = PIN.exec(engine)?.slice(1).map(Number)
  const have = VERSION.exec(host)?.slice(1).map(Number)
  if (!least || !have) return false
  for (const [at, wanted] of least.entries()) {
    const got = have[at] ?? 0
    if (got !== wanted) return got > wanted
  }
  return true
}
