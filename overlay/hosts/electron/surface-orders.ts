/** A change of a scene as an order. */
import type { SentBackdrop } from '../../../protocol/host/page.js'
import type { RecordedChange } from '../scene-record.js'
import type { HostChild } from './child.js'

interface Change extends RecordedChange {
  readonly display: number
}

export function orderOf(
  { display, put, remove, pointer, thinking, prompt, jump, opening }: Change,
  backdrop: SentBackdrop[] | null,
) {
  // Arrays of the engine are for reading only; the channel writes them out at once.
  return {
    type: 'apply',
    display,
    put,
    remove,
    ...(pointer !== undefined && { pointer }),
    ...(thinking !== undefined && { thinking }),
    ...(prompt !== undefined && { prompt }),
    ...(opening !== undefined && { opening }),
    ...(jump !== undefined && { jump }),
    ...(backdrop !== null && { backdrop }),
  } as Extract<Parameters<HostChild['ask']>[0], { type: 'apply' }>
}
