import { HostUnavailable } from '../host.js'
import type { PixelRect } from './paint.js'

/** A display as a source of pictures has to find it. */
export interface Wanted {
  readonly id: number
  /** As the system calls it. */
  readonly name: string
  readonly primary: boolean
  /** In physical pixels of the desktop. */
  readonly bounds: PixelRect
}

/** The person was asked by their desktop, and gave no yes: they are not asked again in another way. */
export class PersonRefused extends HostUnavailable {}

/** Another way to the pixels of a screen, for hosts and systems whose own does not work. */
export interface PictureSource {
  /** What takes them, for people. */
  readonly name: string
  /**
   * What a display shows at this moment, marks included: it sees what a person sees. `area` is in pixels of the display.
   * Opaque RGBA. Rejects with `HostUnavailable`, also when pixels of the picture and of the display are not the same.
   */
  take(display: Wanted, area: PixelRect): Promise<Uint8Array>
}
