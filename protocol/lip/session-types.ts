/** The types of handoff: small, because pages need it too. */

export interface SessionTypes {
  readonly export: string
  readonly snapshot: string
  readonly restore: string
}

/** What a manifest names, else those of its first domain. */
export function sessionTypes(manifest: {
  readonly domains: readonly string[]
  readonly session?: { readonly export?: string; readonly snapshot?: string; readonly restore?: string }
}): SessionTypes {
  const { session = {}, domains } = manifest
  const [domain = ''] = domains
  return {
    export: session.export ?? `${domain}.export`,
    snapshot: session.snapshot ?? `${domain}.snapshot`,
    restore: session.restore ?? `${domain}.load`,
  }
}
