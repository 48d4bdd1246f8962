/** A change of a scene as an order. */
import type { SentBackdrop } from '../../../protocol/host/page.js'
import type { SceneChange } from '../../host.js'
import type { HostChild } from './child.js'

export function orderOf(
  { display, put, remove, pointer, thinking, prompt, jump }: SceneChange,
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
    ...(jump !== undefined && { jump }),
    ...(backdrop !== null && { backdrop }),
  } as Extract<Parameters<HostChild['ask']>[0], { type: 'apply' }>
}
