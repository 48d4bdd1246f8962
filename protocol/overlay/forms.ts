/**
 * The requests that say one thing in one of several forms: exactly one form may be sent. Shared by the schemas, which
 * enforce it, and by the error texts, which explain it.
 */
export const FORMS = {
  point: [['x', 'y'], ['at'], ['query']],
  highlight: [['rect'], ['query']],
  textbox: [['anchor'], ['rect']],
  move: [['to'], ['by']],
  clear: [['annotation_id'], ['all'], ['all_sessions']],
  consent: [['capture'], ['grounding'], ['answer']],
  companion: [['command'], ['set'], ['listen']],
} as const satisfies Record<string, readonly (readonly string[])[]>

/** Those of which none may be sent as well. */
export const OPTIONAL_FORMS: ReadonlySet<string> = new Set(['companion'])
