import type { Rect } from '../../protocol/overlay/geometry.js'
import { type LiveElement, ResolverError, type Screen } from '../resolver.js'
import { type Atspi, has, keyOf, type Ref } from './atspi.js'
import { CallFailed } from './bus.js'
import { type Mapping, toPoints, toRaw } from './calibrate.js'
import { common, findTops, type Placed } from './placed.js'

/** Levels between what is hit and what was meant. */
const DEEPEST = 40

/** What an element needs to be found again; the program's own objects keep their names while they exist. */
export interface ElementFacts {
  readonly pid: number | undefined
  /** The state that says that a person can see it. */
  readonly shown: number
  /** Whether the program answers from its own process, and thus says what is so at this moment. */
  readonly isDirect: boolean
}

/** A thing of a program's tree, found again by its own object. */
export class Element implements LiveElement {
  constructor(
    private readonly link: () => Promise<Atspi>,
    private readonly placed: Placed,
    private readonly facts: ElementFacts,
  ) {}

  async locate(screen: Screen, signal: AbortSignal): Promise<Rect | null> {
    const { node, clips } = this.placed
    return this.#asking(async (atspi) => {
      const [states, name, raw] = await Promise.all([
        atspi.states(node.ref),
        atspi.name(node.ref),
        atspi.extents(node.ref),
      ])
      // A list may give the object of a row to another one.
      if (!has({ states }, this.facts.shown) || name !== node.name || raw[2] <= 0 || raw[3] <= 0) return null
      const mapping = await this.#mapping(atspi, screen)
      if (!mapping) return null
      signal.throwIfAborted()
      let clip: Rect | null = null
      for (const ref of clips) {
        const outer = await atspi.extents(ref)
        if (outer[2] > 0 && outer[3] > 0) {
          const next: Rect | null = common(clip, toPoints(outer, mapping.own))
          if (!next) return null
          clip = next
        }
      }
      const whole = toPoints(raw, mapping.own)
      const seen = common(common(clip, mapping.content) ?? mapping.content, whole)
      return seen && seen[2] * seen[3] >= 0.5 * whole[2] * whole[3] ? seen : null
    }, null)
  }

  async isAt(rect: Rect, screen: Screen, signal: AbortSignal): Promise<boolean> {
    return this.#asking(async (atspi) => {
      const mapping = await this.#mapping(atspi, screen)
      if (!mapping) return false
      const middle = [rect[0] + rect[2] / 2, rect[1] + rect[3] / 2] as const
      const hit = await this.#hit(atspi, middle, mapping, screen.display.scale)
      signal.throwIfAborted()
      if (hit) return this.#isMine(atspi, hit)
      // Not every toolkit tells of everything that is hit; one that answers for itself at least knows where it is.
      if (!this.facts.isDirect) return false
      const now = await this.locate(screen, signal)
      return now?.every((value, index) => Math.abs(value - (rect[index] as number)) <= 1) ?? false
    }, false)
  }

  /** What is hit there: asked level by level, since some programs only name the next one. */
  async #hit(
    atspi: Atspi,
    at: readonly [number, number],
    { own, web }: { own: Mapping; web: Mapping },
    scale: number,
  ): Promise<Ref | null> {
    const top = this.placed.top.node.ref
    // A browser is asked in pixels of the screen, also for those of its things that it places in points.
    const tries = scale === 1 || this.facts.isDirect ? [own] : [web, own]
    for (const mapping of tries) {
      const [x, y] = toRaw(at, mapping).map(Math.round) as [number, number]
      let hit = await atspi.at(top, x, y)
      for (let depth = 0; hit && depth < DEEPEST; depth++) {
        const inner: Ref | null = await atspi.at(hit, x, y).catch(() => null)
        if (!inner || keyOf(inner) === keyOf(hit)) break
        hit = inner
      }
      if (hit && keyOf(hit) !== keyOf(top)) return hit
    }
    return null
  }

  /** Whether what is hit is this thing, in it, or hardly more than it (the button a label is in). */
  async #isMine(atspi: Atspi, hit: Ref): Promise<boolean> {
    const mine = this.placed.node
    let at: Ref | null = hit
    for (let depth = 0; at && depth < DEEPEST; depth++) {
      if (keyOf(at) === keyOf(mine.ref)) return true
      at = await atspi.parent(at)
    }
    let up = mine.up
    for (let depth = 0; up && depth < 3; depth++, up = up.up) if (keyOf(up.ref) === keyOf(hit)) return true
    return false
  }

  /** How the program's units lie on the display now. */
  async #mapping(
    atspi: Atspi,
    screen: Screen,
  ): Promise<{ own: Mapping; web: Mapping; content: Rect } | null> {
    const { top, mapping } = this.placed
    const window = screen.windows.find(({ id }) => id === top.window.id)
    if (!window) return null
    const [now] = await findTops(atspi, [top.node], this.facts.pid, { ...screen, windows: [window] })
    if (!now) return null
    const factor = mapping.scale / top.mapping.scale
    return {
      own: scaled(now.mapping, factor),
      web: scaled(now.mapping, screen.display.scale / now.mapping.scale),
      content: window.content,
    }
  }

  async #asking<T>(ask: (atspi: Atspi) => Promise<T>, gone: T): Promise<T> {
    try {
      return await ask(await this.link())
    } catch (error) {
      if (!(error instanceof CallFailed)) throw error
      if (error.reason === 'timeout' || error.reason === 'disconnected')
        throw new ResolverError(`the program does not answer: ${error.message}`)
      // The object is no more, or the whole program.
      return gone
    }
  }
}

function scaled({ raw, rect, scale }: Mapping, factor: number): Mapping {
  if (factor === 1) return { raw, rect, scale }
  return { raw: raw.map((value) => value * factor) as unknown as Mapping['raw'], rect, scale: scale * factor }
}
