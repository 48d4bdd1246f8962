import { kindOf } from '../../protocol/tour/forms.js'
import type { TourStep } from '../../protocol/tour/schema.js'
import { boxAt } from './box-at.js'
import type { LetsClient } from './client.js'
import type { Body } from './wire.js'

/** A step's mark as the request that draws it, with its number. The display is the primary one where none is said. */
export async function markOf(client: LetsClient, step: TourStep, number: number): Promise<Body> {
  const kind = kindOf(step)
  if (kind !== 'annotate' && kind !== 'guide') {
    const mark = step[kind] as NonNullable<TourStep['point']>
    return { type: kind, ...displayOf(mark), ...mark, step: number } as Body
  }
  const { at, rect, ...box } = step[kind] as NonNullable<TourStep['guide']>
  const place = rect ?? (await boxAt(client, box.display_id ?? 1, at ?? 'center')) ?? [0, 0, 1, 1]
  return {
    type: 'textbox',
    ...displayOf(box),
    ...box,
    rect: [...place] as [number, number, number, number],
    style: kind === 'guide' ? 'guide' : 'note',
    step: number,
  }
}

function displayOf({ window }: { readonly window?: string }) {
  return window === undefined ? { display_id: 1 } : {}
}
