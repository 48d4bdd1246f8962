import { type HostKind, HostUnavailable, type OverlayHost } from '../host.js'

/** A host that is known not to start, and why, in the place of one that could. */
export class UnusableHost implements OverlayHost {
  constructor(
    readonly kind: HostKind,
    private readonly reason: string,
  ) {}

  on(): void {
    // Nothing ever happens.
  }

  start() {
    return this.#refuse()
  }

  displays() {
    return this.#refuse()
  }

  apply() {
    return this.#refuse()
  }

  capture() {
    return this.#refuse()
  }

  missingGlyphs() {
    return this.#refuse()
  }

  facts() {
    return { hotkey: `off: ${this.reason}`, reduced_motion: false, notes: [] }
  }

  async stop(): Promise<void> {}

  #refuse(): Promise<never> {
    return Promise.reject(new HostUnavailable(this.reason))
  }
}
