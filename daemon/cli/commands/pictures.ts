/** Commands that take pictures of a display: snapshot for a person to look at, capture for an agent to point into. */
import type { LetsClient } from '../../client/client.js'
import { type CommonOptions, consentToken, reach } from '../connection.js'
import { CliError } from '../errors.js'
import { dim, remark, say, sayJson } from '../output.js'
import { parseInteger, parseRect } from '../parse.js'
import { keepPicture, picturePath } from '../picture.js'

interface PictureOptions extends CommonOptions {
  readonly display?: string
  readonly yes?: boolean
}

type Request = NonNullable<Parameters<LetsClient['capture']>[0]>

/** The largest picture there is, in pixels along its longer edge. */
const LARGEST_EDGE = 16_384

/** `lets snapshot FILE.png`: a display with its marks, as large as it is. */
export async function snapshot(
  file: string,
  options: PictureOptions & { readonly marksOnly?: boolean },
): Promise<void> {
  await picture(file, options, false, {
    marks: true,
    backdrop: options.marksOnly ? 'none' : 'screen',
    max_edge: LARGEST_EDGE,
  })
}

/** `lets capture FILE.png`: what is under the marks, of a size that models see unchanged, and a frame to point into. */
export async function capture(
  file: string,
  options: PictureOptions & { readonly rect?: string; readonly maxEdge?: string; readonly marks?: boolean },
): Promise<void> {
  await picture(file, options, true, {
    marks: options.marks ?? false,
    ...(options.rect !== undefined && {
      rect: [...parseRect(options.rect, '--rect')] as [number, number, number, number],
    }),
    ...(options.maxEdge !== undefined && { max_edge: parseInteger(options.maxEdge, '--max-edge') }),
  })
}

async function picture(
  file: string,
  options: PictureOptions,
  toPointInto: boolean,
  request: Request,
): Promise<void> {
  const target = picturePath(file)
  const display_id = options.display === undefined ? 1 : parseInteger(options.display, '--display')
  const client = await reach(options, { lingerMs: 0 })
  try {
    const own = request.backdrop === 'none' ? {} : await consent(client, display_id, options)
    const ack = await client.capture({ display_id, ...request, ...own })
    keepPicture(ack.path, target)
    if (options.json) sayJson({ ...ack, path: target })
    else {
      const frame = toPointInto ? `, frame ${ack.frame_id}` : ''
      say(`${target}  ${dim(`${ack.image_size?.join('x')} pixels of display ${ack.display?.id}${frame}`)}`)
    }
  } finally {
    await client.close()
  }
}

/**
 * The person's yes for one picture, where it is needed and the terminal is there to give it; otherwise the daemon asks on
 * the screen.
 */
async function consent(
  client: LetsClient,
  display: number,
  options: PictureOptions,
): Promise<{ readonly token?: string }> {
  const { capture_consent } = await client.status()
  if (capture_consent !== 'ask' || client.drawsOn.host === 'headless') return {}
  if (options.yes) return consentToken(options)
  if (process.stdin.isTTY && process.stdout.isTTY) {
    const { createInterface } = await import('node:readline/promises')
    const terminal = createInterface({ input: process.stdin, output: process.stdout })
    const answer = await terminal.question(`Take a picture of everything on display ${display}? [y/N] `)
    terminal.close()
    if (!/^y(es)?$/i.test(answer.trim())) throw new CliError('no picture was taken')
    return consentToken(options)
  }
  remark('the person is asked on the screen; `lets consent yes` and `lets consent no` answer too')
  return {}
}
