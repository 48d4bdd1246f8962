/** What a tour says in one of several forms, exactly one of which may be there. Shared by its schema and its error texts. */
export const TOUR_FORMS = {
  step: [['point'], ['highlight'], ['annotate'], ['guide'], ['arrow'], ['draw']],
  point: [['x', 'y'], ['at']],
  annotate: [['rect'], ['at']],
  guide: [['rect'], ['at']],
  wait: [['ms'], ['window'], ['next']],
} as const satisfies Record<string, readonly (readonly string[])[]>

/** What a step's one mark may be. */
export const TOUR_KINDS = ['point', 'highlight', 'annotate', 'guide', 'arrow', 'draw'] as const
export type TourKind = (typeof TOUR_KINDS)[number]

/** The kind of a step's one mark. */
export function kindOf(step: { readonly [kind in TourKind]?: unknown }): TourKind {
  return TOUR_KINDS.find((kind) => step[kind] !== undefined) as TourKind
}

/** A tour that is none; `message` says where, what is wrong and what would be right. */
export class TourError extends Error {
  override readonly name = 'TourError'
}
