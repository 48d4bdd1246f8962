/** Whoever wants to know what the person does with the companion, and what they are told. */
import type { HostWindow } from '../../overlay/host.js'
import type { DisplayPoint } from '../../protocol/overlay/companion.js'
import { companionEvent } from '../../protocol/overlay/replies.js'
import type { CompanionListener, CompanionWorld } from '../engine/companion-seam.js'
import { topmost } from './places.js'

export class Listeners {
  readonly #all = new Set<CompanionListener>()

  get isNobody(): boolean {
    return this.#all.size === 0
  }

  add(listener: CompanionListener): () => void {
    this.#all.add(listener)
    return () => void this.#all.delete(listener)
  }

  /** Tells everybody; with `owner` that session, and the person's own listeners, alone. */
  tell(
    event: string,
    data: Readonly<Record<string, unknown>>,
    display: number | undefined,
    owner?: string,
  ): void {
    const message = companionEvent(event, data, display)
    for (const { isPerson, session, push } of this.#all) {
      if (owner === undefined || isPerson || session() === owner) push(message)
    }
  }
}

/** A place, and what is there, as listeners are told of it. Titles often are the content: only with consent. */
export function contextOf(
  place: DisplayPoint,
  world: CompanionWorld,
  windows: readonly HostWindow[] = world.windows(),
): Record<string, unknown> {
  const window = topmost(place, windows)
  const rect = window?.rects.get(place.display)
  return {
    x: place.at[0],
    y: place.at[1],
    ...(window && {
      context: {
        application: window.app,
        ...(world.titles() && { title: window.title }),
        ...(rect && { rect: [...rect] }),
      },
    }),
  }
}
