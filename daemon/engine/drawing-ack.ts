import type { OverlayHost } from '../../overlay/host.js'
import type { AckFields } from '../../protocol/overlay/replies.js'
import { asWireError } from './refusals.js'

/** Completes a drawing ack with what takes time to know: glyphs of `text` that cannot be shown, and whether it was painted. */
export async function completeAck(
  fields: AckFields,
  host: OverlayHost,
  text: string | null,
  painted: Promise<boolean> | null,
  isThere: () => boolean,
): Promise<AckFields> {
  try {
    const [missing, visible] = await Promise.all([text === null ? [] : host.missingGlyphs(text), painted])
    return {
      ...fields,
      // Gone again already, or below a screen locker: not what a client would call painted.
      ...(painted && { painted: visible === true && isThere() }),
      ...(missing.length > 0 && { missing_glyphs: [...missing] }),
    }
  } catch (error) {
    throw asWireError(error)
  }
}
