/** The version this daemon and client speak. Answers carry it; a peer's minor may differ either way. */
export const PROTOCOL_VERSION = '0.2'

const MAJOR = 0

/** Whether a peer that says `v` can be understood: the major must match, the minor may be anything. */
export function isCompatible(v: string): boolean {
  const match = /^(\d+)\.\d+$/.exec(v)
  return match !== null && Number(match[1]) === MAJOR
}
