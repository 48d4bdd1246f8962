import type { ResolverSettings } from '../registry.js'
import type { Availability, Resolution, Resolver } from '../resolver.js'

/** The desktop's accessibility tree (AT-SPI2 over D-Bus): nothing leaves the machine, and no picture is taken. */
export class Accessibility implements Resolver {
  readonly name = 'accessibility'
  readonly sees = 'the accessibility tree of applications (AT-SPI2)'
  readonly remote = false
  readonly needsFrame = false

  constructor(readonly settings: ResolverSettings) {}

  async available(): Promise<Availability> {
    return { available: false, reason: 'not built yet', fix: 'none' }
  }

  async resolve(): Promise<Resolution> {
    return { candidates: [], notes: [] }
  }
}
