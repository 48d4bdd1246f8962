/** The tools that draw: each is one drawing request of the wire, in units that are said. */
import { NAMED_POSITIONS, resolvePosition } from '../../protocol/overlay/positions.js'
import { boxAt } from '../client/box-at.js'
import type { DrawingAck, LetsClient } from '../client/client.js'
import { drawsHere, screenHere } from '../client/draws-here.js'
import { refuse } from './errors.js'
import { FOUND, foundFields, foundText, LOOKING_FOR, QUERY_MS, UNASKED_MS } from './finding.js'
import { type Arguments, placed, request } from './places.js'
import { argumentsOf, type ObjectSchema, resultOf } from './schemas.js'
import { declaredIn, inPixels, SPACE_FIELDS } from './spaces.js'
import type { Context, Tool } from './tool.js'

type DrawingType = 'point' | 'highlight' | 'textbox' | 'draw' | 'arrow'

const UNITS =
  'Numbers are image pixels when you give frame (the frame_id of a picture from look), else logical points from the top left of display_id or window; give exactly one of these.'

/** What every drawing tool takes. */
const COMMON = {
  frame: 'frame_id of a picture from look: all numbers are then pixels of that picture',
  display_id: 'all numbers are logical points from the top left of this display (see list_displays)',
  window:
    'an application or window title: all numbers are logical points from the top left of its window, and the mark stays on it',
  ttl_ms: 'how long the mark stays, in milliseconds; without it, until it is cleared or you disconnect',
  step: 'a numbered badge, 1 to 99',
}

const QUERY =
  'what to find, in words, as it is called on the screen: "the Save button", "Edit in the row of Pear". Needs no picture. The person may be asked first. no_resolver: use look and pixels instead'
/** What narrows a query. */
const NARROWING = {
  app: 'with query: only in windows of this application or title',
  within: 'with query: only in this part of the display, [x, y, width, height] in logical points',
  nth: 'with query: which of those that fit equally, from 1, in reading order',
}
const TEXT = 'what the person reads'
const BOX =
  '[x, y, width, height]: where the box goes; it grows downwards with its text. In the unit of frame, display_id or window'
const AT_BOX =
  'instead of rect, on a display: top-left, top, top-right, left, center, right, bottom-left, bottom, bottom-right, or "50%,30%"'
const PLACE =
  '[x, y], in the unit of frame, display_id or window; or a named position (top-left … center … bottom-right, or "50%,30%")'
const STYLE = 'width in logical points (default 4), color as "#rrggbb" (default: one that can be seen there)'

interface Plan {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly type: DrawingType
  readonly fields: Readonly<Record<string, string>>
  /** For text boxes, which are also put at named positions. */
  readonly style?: 'note' | 'guide'
}

const plans: readonly Plan[] = [
  {
    name: 'point_at',
    title: 'Point at a place',
    description: `Shows a ring and a pointer at one place on the person's screen. Say where by x and y, or at, or query. ${UNITS} It never clicks.`,
    type: 'point',
    fields: {
      x: 'from the left, in the unit of frame, display_id or window; goes with y',
      y: 'from the top, in the unit of frame, display_id or window; goes with x',
      at: 'a named position: top-left, top, top-right, left, center, right, bottom-left, bottom, bottom-right, or "50%,30%"; display 1 unless you say otherwise',
      query: QUERY,
      ...NARROWING,
      label: 'a caption of up to 200 characters',
    },
  },
  {
    name: 'highlight',
    title: 'Highlight a region',
    description: `Outlines a region of the person's screen, with spotlight dimming the rest. ${UNITS}`,
    type: 'highlight',
    fields: {
      rect: '[x, y, width, height], in the unit of frame, display_id or window',
      query: QUERY,
      ...NARROWING,
      label: 'a caption of up to 200 characters',
      shape: 'rect (default) or ellipse',
      spotlight: 'true dims the rest of the display',
    },
  },
  {
    name: 'annotate',
    title: 'Put a note on the screen',
    description: `Shows a note beside something on the person's screen. Say where by rect or at. ${UNITS}`,
    type: 'textbox',
    fields: { text: TEXT, rect: BOX, at: AT_BOX },
    style: 'note',
  },
  {
    name: 'guide',
    title: 'Tell the person what to do',
    description: `Shows an instruction to the person on their screen, larger than a note; it stays where it is when windows move. Say where by rect or at. ${UNITS}`,
    type: 'textbox',
    fields: { text: TEXT, rect: BOX, at: AT_BOX },
    style: 'guide',
  },
  {
    name: 'draw_arrow',
    title: 'Draw an arrow',
    description: `Draws a curved arrow on the person's screen, its head at to. ${UNITS}`,
    type: 'arrow',
    fields: {
      from: PLACE,
      to: PLACE,
      bow: 'how much it bends, -1 to 1 (default 0.2, 0 is straight)',
      style: STYLE,
    },
  },
  {
    name: 'draw_path',
    title: 'Draw a line',
    description: `Draws a free line through points on the person's screen. ${UNITS}`,
    type: 'draw',
    fields: {
      path: '[[x, y], …], two or more points, in the unit of frame, display_id or window',
      style: STYLE,
    },
  },
]

export const drawingTools: readonly Tool[] = plans.map(drawingTool)

function drawingTool({ name, title, description, type, fields, style }: Plan): Tool {
  return {
    name,
    title,
    description,
    inputSchema: withSpaces(style ? boxArguments(fields) : argumentsOf(type, { ...fields, ...COMMON })),
    outputSchema: resultOf(['annotation_id', 'display'], ['painted', 'missing_glyphs', ...FOUND]),
    annotations: {
      readOnlyHint: false,
      destructiveHint: false,
      idempotentHint: false,
      openWorldHint: false,
    },
    async call(given, { marks, signal, waits }) {
      const { declared, ...rest } = declaredIn(name, given)
      const place = placed(name, rest)
      // Before a daemon is needed: what is off is off without one, too.
      const sent = request(name, type, style ? boxed(name, style, place) : place)
      const isQuery = 'query' in sent && sent.query !== undefined
      if (isQuery) waits(LOOKING_FOR, QUERY_MS, UNASKED_MS)
      const ack = await marks.use(
        async (client) => {
          const body = declared ? request(name, type, await inPixels(name, sent, declared, client)) : sent
          const { at } = place
          if (!style || at === undefined) return client.request(body, { signal }) as Promise<DrawingAck>
          const rect = await boxAt(client, Number(place.display_id), String(at))
          return client.request({ ...body, ...(rect && { rect }) } as Body, { signal }) as Promise<DrawingAck>
        },
        signal,
        (client, { annotation_id }) => client.clear(annotation_id),
        isQuery ? QUERY_MS : undefined,
      )
      const { annotation_id, display, painted, missing_glyphs } = ack
      return {
        text: `${name}: ${isQuery ? `${foundText(ack)}; ` : ''}mark ${annotation_id} is on display ${display.id} (${display.logical_size.join('x')} logical points, scale ${display.scale})`,
        fields: {
          annotation_id,
          display,
          ...(painted !== undefined && { painted }),
          ...(missing_glyphs && { missing_glyphs }),
          ...(isQuery && foundFields(ack)),
        },
        notes: notesOf(ack, marks),
      }
    },
  }
}

type Body = Parameters<LetsClient['request']>[0]

function withSpaces({ properties, ...schema }: ObjectSchema): ObjectSchema {
  return { ...schema, properties: { ...properties, ...SPACE_FIELDS } }
}

/** The wire knows boxes by their rectangle alone. */
function boxArguments({ at = '', ...fields }: Plan['fields']): ObjectSchema {
  const { properties, ...schema } = argumentsOf('textbox', { ...fields, ...COMMON })
  return { ...schema, properties: { ...properties, at: { type: 'string', description: at } } }
}

/** A box as the wire takes it; where only a position is named, with a rectangle that stands for the one still to be found. */
function boxed(tool: string, style: 'note' | 'guide', { at, ...given }: Arguments): Arguments {
  if (at === undefined) return { ...given, style }
  if (given.rect !== undefined) throw refuse(`${tool}: send exactly one of rect or at; got rect, at`)
  if (given.frame !== undefined || given.window !== undefined) {
    throw refuse(`${tool}: at is a position on a display; with frame or window send rect`)
  }
  if (typeof at !== 'string' || !resolvePosition(at, [1, 1])) {
    throw refuse(
      `${tool}: at must be one of ${Object.keys(NAMED_POSITIONS).join(', ')}, or a pair like "50%,30%"; got ${JSON.stringify(at).slice(0, 80)}`,
    )
  }
  return { ...given, rect: [0, 0, 1, 1], style }
}

const IN_MEMORY =
  'the person does not see this: the daemon that runs draws in memory (headless). `lets stop` ends it, and the next call starts one on their screen'

/** What the person does not see, or is not as elsewhere, and the model would take for granted. */
export function notesOf(
  { painted, missing_glyphs }: Pick<DrawingAck, 'painted' | 'missing_glyphs'>,
  marks: Context['marks'],
): readonly string[] {
  const { host, screen } = marks.drawsOn
  const here = screenHere(process.env)
  const isElsewhere = screen !== undefined && here !== undefined && !drawsHere(screen, process.env)
  return [
    ...(isElsewhere
      ? [`the daemon that runs draws on ${screen}, and this agent was started on ${here}`]
      : []),
    ...(host === 'headless' ? [IN_MEMORY] : []),
    ...(painted === false
      ? ['the mark is not to be seen now: the screen is locked, or the mark has gone again']
      : []),
    ...(missing_glyphs ? [`no font here shows ${missing_glyphs.join(' ')}`] : []),
    ...(marks.takeStaying() ? [STAYING] : []),
  ]
}

/** Told once, with the first mark on a host where it is so. */
const STAYING =
  'on this desktop marks stay where they were put: Lets is not told when the window below moves, scrolls or closes. Give a ttl_ms, and clear or move them when what they are about is elsewhere'
