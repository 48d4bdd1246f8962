/** The limits of LIP, each for a reason: a window must not be able to hold up or fill up the host. */
export const LIP_LIMITS = {
  /** One JSON value on the WebSocket or in a body, in bytes. */
  messageBytes: 1024 * 1024,
  /** How deep it may nest: validators recurse. */
  depth: 64,
  /** Envelopes in one array. */
  batch: 1000,
  /** Characters of a type, an id, a name and of other short words. */
  type: 128,
  id: 64,
  word: 200,
  /** Characters of anything a person reads or writes. */
  text: 100_000,
  /** What the companion's menu holds. */
  suggestions: 32,
  /** A manifest and a schema, in bytes. */
  manifestBytes: 256 * 1024,
  schemaBytes: 64 * 1024,
  /** Ids of a window's own that the host remembers, so that an event that comes again counts once. */
  remembered: 512,
  /** The longest `ttl`, in ms: a day. */
  ttlMs: 86_400_000,
} as const
