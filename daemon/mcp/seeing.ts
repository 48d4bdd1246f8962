/** The tools that look: at the displays, at the screen, for a window, for something in words. */
import { HOST_CAPABILITIES, type HostCapability, lacking } from '../../protocol/overlay/capabilities.js'
import type { AckMessage } from '../../protocol/overlay/schema.js'
import { unlessAborted } from './abort.js'
import { FOUND, foundFields, foundText, LOOKING_FOR, QUERY_MS, UNASKED_MS } from './finding.js'
import { request } from './places.js'
import { argumentsOf, resultOf } from './schemas.js'
import type { Tool } from './tool.js'

/** How long the person has to answer, in ms, and how long a picture takes when nobody is asked. */
const ANSWER_MS = 30_000
const PICTURE_MS = 700

/** How long `wait_for_window` waits when it does not say, in ms. */
const WAIT_MS = 30_000

const READS = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
} as const

export const listDisplays: Tool = {
  name: 'list_displays',
  title: 'List the displays',
  description:
    "The person's displays: id, size in logical points, scale (physical pixels per logical point), which is the primary; whether pictures need the person's consent; and what can be done on this desktop (capabilities): what is not listed cannot. Takes no picture.",
  inputSchema: argumentsOf('displays', {}),
  outputSchema: resultOf(['displays', 'host'], ['screen', 'capabilities', 'capture_consent']),
  annotations: READS,
  async call(_, { marks, signal }) {
    const [displays, { host = 'unknown', host_facts, capabilities, capture_consent }] = await marks.use(
      (client) => Promise.all([client.displays(), client.status()]),
      signal,
    )
    const { screen, notes = [] } = host_facts ?? {}
    const line = displays.map(
      ({ id, name, primary, logical_size, scale }) =>
        `${id} (${name}${primary ? ', primary' : ''}) ${logical_size.join('x')} logical points at scale ${scale}`,
    )
    return {
      text: `${displays.length} ${displays.length === 1 ? 'display' : 'displays'} on host ${host}: ${line.join('; ')}`,
      fields: {
        displays,
        host,
        ...(screen && { screen }),
        ...(capabilities && { capabilities }),
        ...(capture_consent && { capture_consent }),
      },
      notes: [...notes, ...cannot(host, capabilities)],
    }
  },
}

/** Of what cannot be done on a desktop, what a model would otherwise try or rely on. */
const RELIED_ON: ReadonlySet<HostCapability> = new Set([
  'capture',
  'windows',
  'following',
  'content',
  'next_key',
])

function cannot(host: string, capabilities: readonly string[] | undefined): string[] {
  // In memory there is nobody, and nothing below: the host says so itself.
  if (host === 'headless') return []
  return lacking(capabilities)
    .filter((word) => RELIED_ON.has(word))
    .map((word) => HOST_CAPABILITIES[word].lacks)
}

export const look: Tool = {
  name: 'look',
  title: 'Look at the screen',
  description:
    'Takes a picture of a display, at most 1568 pixels on its longer edge, and gives its frame_id. Name places in it by frame and image pixels in the drawing tools: nothing has to be scaled. The person is asked first, unless they have allowed it: this may take 30 s. Look again when the screen has changed, or after 10 minutes.',
  inputSchema: withoutRequired(
    argumentsOf('capture', {
      display_id: 'which display (default 1, the primary)',
      rect: 'a part of the display, [x, y, width, height] in logical points: it is seen larger',
      marks: 'true: with the marks that are on the screen (default false: what is below them)',
      backdrop: '"none": the marks alone, which needs no consent (default "screen")',
    }),
  ),
  outputSchema: resultOf(
    ['frame_id', 'image_size', 'logical_size', 'scale_to_logical', 'origin', 'display'],
    [],
    {
      mime_type: { type: 'string', description: 'image/png or image/jpeg' },
      scale_to_logical: { type: 'number', description: 'image pixels for one logical point' },
    },
  ),
  // What is on a screen may come from anywhere: it is nothing to take orders from.
  annotations: { ...READS, openWorldHint: true },
  async call(given, { looking, signal, waits }) {
    const { v: _, type: __, ...fields } = request('look', 'capture', { display_id: 1, ...given })
    waits('waiting for the picture; the person may be asked on the screen first', ANSWER_MS, PICTURE_MS)
    const { picture, image, host } = await looking.look(fields, signal)
    const { frame_id, image_size = [0, 0], logical_size, scale_to_logical = 1, origin, display } = picture
    const [width, height] = image_size
    const points = Math.round(1000 / scale_to_logical) / 1000
    return {
      text: `frame ${frame_id}: display ${display?.id} in ${width}x${height} pixels. To mark something in it send frame ${JSON.stringify(frame_id)} and its pixels: x 0 to ${width} from the left, y 0 to ${height} from the top (one pixel is ${points} logical points).`,
      fields: {
        frame_id,
        image_size,
        logical_size,
        scale_to_logical,
        origin,
        display,
        mime_type: image.mimeType,
      },
      image,
      notes: host === 'headless' ? ["it is a display in memory (headless), not the person's screen"] : [],
    }
  },
}

export const locate: Tool = {
  name: 'locate',
  title: 'Find something by words',
  description:
    'Finds a thing on the screen by what it is called ("the Save button", "the e-mail field", "Edit in the row of Pear") and says where it is, without drawing. Takes no picture that you would see. The person may be asked first: this may take 30 s. ambiguous lists what fits equally: add nth, app or within. To point at it at once, give point_at or highlight the query instead.',
  inputSchema: {
    ...argumentsOf('locate', {
      query: 'what to find, in words, as it is called on the screen',
      display_id: 'which display (default 1, the primary)',
      app: 'only in windows of this application or title',
      within: 'only in this part of the display, [x, y, width, height] in logical points',
      nth: 'which of those that fit equally, from 1, in reading order',
    }),
    required: ['query'],
  },
  outputSchema: resultOf(['resolved_coords'], FOUND),
  annotations: { ...READS, openWorldHint: true },
  async call(given, { looking, signal, waits }) {
    const { v: _, type: __, ...fields } = request('locate', 'locate', { display_id: 1, ...given })
    waits(LOOKING_FOR, QUERY_MS, UNASKED_MS)
    const ack = await looking.find(fields, signal)
    const { x, y } = ack.resolved_coords ?? { x: 0, y: 0 }
    return {
      text: `${foundText(ack)} at ${x},${y} (logical points on display ${fields.display_id})`,
      fields: foundFields(ack),
    }
  },
}

export const waitForWindow: Tool = {
  name: 'wait_for_window',
  title: 'Wait for a window',
  description:
    'Waits until a window of this application, or with this title, is on the screen: at once when it is there already. Answers appeared false when the time is over. Can be called off.',
  inputSchema: argumentsOf('await_window', {
    app: 'the application or the title of its window, as the window says it; exact before case-insensitive',
    timeout_ms: `how long to wait, in milliseconds (default ${WAIT_MS})`,
  }),
  outputSchema: resultOf(['appeared']),
  annotations: { ...READS, openWorldHint: true },
  async call(given, { link, signal, waits }) {
    const { v: _, ...body } = request('wait_for_window', 'await_window', { timeout_ms: WAIT_MS, ...given })
    const { app, timeout_ms = WAIT_MS } = body
    // A connection of its own: hung up, the daemon stops waiting too.
    const opening = link.open()
    const close = () => void opening.then((client) => client.close()).catch(() => {})
    waits(`waiting for a window of ${JSON.stringify(app)}`, timeout_ms)
    try {
      const waited: Promise<AckMessage> = opening.then((client) => client.request(body))
      const { appeared = false } = await unlessAborted(waited, signal)
      return {
        text: appeared
          ? `a window of ${JSON.stringify(app)} is on the screen`
          : `no window of ${JSON.stringify(app)} appeared within ${timeout_ms / 1000} s`,
        fields: { appeared },
      }
    } finally {
      close()
    }
  },
}

function withoutRequired({ required: _, ...schema }: Tool['inputSchema']): Tool['inputSchema'] {
  return schema as Tool['inputSchema']
}
