/** The tool for the companion: the character on the person's screen. What the person does with it comes through `listen`. */
import { MOODS, REACTIONS } from '../../protocol/lip/domains.js'
import type { AckMessage, RequestOf } from '../../protocol/overlay/schema.js'
import { LetsError } from '../client/errors.js'
import { refuse } from './errors.js'
import type { Arguments } from './places.js'
import { plainResult, type Schema } from './schemas.js'
import type { Tool } from './tool.js'

type Command = NonNullable<RequestOf<'companion'>['command']>
type State = NonNullable<AckMessage['companion']>

/** What can be done, and which fields each takes: `!` is needed. */
const DO: Readonly<Record<string, readonly string[]>> = {
  status: [],
  say: ['text!', 'mood', 'ttl_ms'],
  suggest: ['items!', 'replace'],
  mood: ['mood!'],
  react: ['name!', 'ms'],
  move: ['x', 'y', 'to', 'display_id'],
  persona: ['name!', 'traits!'],
  show: [],
  hide: [],
}

/** Fields that LIP calls otherwise. */
const AS: Readonly<Record<string, string>> = { ttl_ms: 'ttl' }

/** Why it is not seen, and what that means for the model. */
const WHY: Readonly<Record<string, string>> = {
  off: 'the person has not turned it on, or has turned it off (they can: `lets companion on`); leave it at that',
  no_surface: 'this screen has no place for it',
  paused: 'the person lets nothing be drawn for now',
  sent_away: 'the person sent it away; it comes back when they call it',
  quiet: 'the person wants quiet for now',
  hours: 'the person wants quiet at this time of day',
  hidden: 'an agent hid it; do "show" brings it back',
  full_screen: 'something fills their screen; do not disturb',
  muted_app: 'the person does not want it over the application they use',
  crowded: 'marks leave no place for what it says; clear or move some, and it is there',
}

const milliseconds = (description: string): Schema => ({ type: 'integer', minimum: 1, description })
const word = (description: string): Schema => ({
  type: 'string',
  minLength: 1,
  maxLength: 200,
  description,
})

export const companion: Tool = {
  name: 'companion',
  title: 'The companion on the screen',
  description:
    'A small character on the person’s screen that speaks for you over whatever they use, if they turned it on. Say one short thing when it helps now, offer up to three next steps with suggest, show a mood; for a place use marks. Never chatter. Clicks and picks come through listen. The answer says when it is not shown: then nobody saw it, and you tell them in the conversation.',
  inputSchema: {
    type: 'object',
    properties: {
      do: {
        type: 'string',
        enum: Object.keys(DO),
        description:
          'status: how it is; say text; suggest items; mood; react with name; move to x and y, or to; persona with name and traits; show and hide',
      },
      text: {
        type: 'string',
        minLength: 1,
        maxLength: 4000,
        description: 'say: a sentence, two at most; a newer one takes its place',
      },
      mood: { type: 'string', enum: [...MOODS], description: 'mood, or say: how it looks' },
      ttl_ms: milliseconds('say: how long, in milliseconds; without it as long as it takes to read'),
      items: {
        type: 'array',
        minItems: 1,
        maxItems: 32,
        description: 'suggest: what the person may pick, in few words each; three are plenty',
        items: {
          type: 'object',
          properties: { id: word('yours; comes back with entity.pick'), label: word(''), hint: word('') },
          required: ['id', 'label'],
        },
      },
      replace: {
        type: 'boolean',
        description: 'suggest: instead of what you offered before (default: true)',
      },
      x: { type: 'number', description: 'move: logical points on the display' },
      y: { type: 'number', description: 'move: logical points on the display' },
      to: word('move: cursor, center, a named position such as top-right, or X%,Y%'),
      display_id: { type: 'integer', minimum: 1, description: 'move: which display (default: where it is)' },
      name: word(`react: one of ${REACTIONS.join(', ')}; persona: what it is called`),
      ms: milliseconds('react: how long, in milliseconds'),
      traits: {
        type: 'object',
        description: 'persona: pace 0.25..4, color #rrggbb, distance in logical points',
      },
    },
    required: ['do'],
    additionalProperties: false,
  },
  outputSchema: plainResult(['do', 'shown'], {
    do: { type: 'string' },
    shown: { type: 'boolean', description: 'false: nobody sees it' },
    hidden_because: { type: 'string' },
    companion: { type: 'object', description: 'how it is now' },
    left_out: { type: 'array', items: { type: 'string' }, description: 'parts that it does not know' },
  }),
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  async call(given, { marks, lip, signal }) {
    const what = String(given.do)
    const fields = commandOf(what, given)
    const answer = await marks.use((client) => client.companion(fields).catch(inItsWords), signal)
    // What the person does with it is kept for `listen` from now on; without that it is shown all the same.
    const heard = what === 'status' || (await lip.hear())
    const { companion: state = { on: false, shown: false, hidden_because: 'no_surface' }, ignored = [] } =
      answer
    const shown = state.shown && answer.painted !== false
    const reason = state.hidden_because
    const why = state.crowded ? WHY.crowded : (WHY[reason ?? ''] ?? reason ?? 'something is in front of it')
    return {
      text: `companion ${what}: ${shown ? wordsOf(state) : `NOT SHOWN, nobody sees it: ${why}`}`,
      fields: {
        do: what,
        shown,
        ...(reason !== undefined && { hidden_because: reason }),
        companion: state,
        ...(ignored.length > 0 && { left_out: ignored }),
      },
      notes: [
        ...ignored.map((one) => `left out: ${one}`),
        ...(heard ? [] : ['listen will not tell of clicks and picks: this daemon serves no windows']),
      ],
    }
  },
}

/** The request, with just what belongs to what is to be done. */
function commandOf(what: string, given: Arguments): Omit<RequestOf<'companion'>, 'v' | 'id' | 'type'> {
  const takes = DO[what]
  if (!takes)
    throw refuse(
      `companion: do must be one of ${Object.keys(DO).join(', ')}, got ${JSON.stringify(given.do)}`,
    )
  const names = takes.map((field) => field.replace('!', ''))
  const other = Object.keys(given).find((name) => name !== 'do' && !names.includes(name))
  if (other !== undefined)
    throw refuse(
      `companion: ${what} takes ${names.length > 0 ? names.join(', ') : 'nothing else'}; got ${other}`,
    )
  const missing = takes.find((field) => field.endsWith('!') && given[field.slice(0, -1)] === undefined)
  if (missing !== undefined) throw refuse(`companion: ${what} needs ${missing.slice(0, -1)}`)
  if (what === 'status') return {}
  const { do: _, display_id, ...rest } = given
  const data = Object.fromEntries(Object.entries(rest).map(([name, value]) => [AS[name] ?? name, value]))
  return {
    command: `entity.${what}` as Command,
    data,
    ...(display_id !== undefined && { display_id: Number(display_id) }),
  }
}

function wordsOf({ mood, display_id, suggestions = [] }: State): string {
  const offers = suggestions.length > 0 ? `, offers ${suggestions.length} of yours` : ''
  return `shown${display_id === undefined ? '' : ` on display ${display_id}`}, ${mood ?? 'idle'}${offers}`
}

/** The wire names a field of `data`; this tool has it as an argument of its own. */
function inItsWords(error: unknown): never {
  if (!(error instanceof LetsError)) throw error
  const message = error.message.replace('data of entity.', 'what goes with ').replace(/\bdata\.(?=\w)/g, '')
  throw new LetsError(error.code, message, error.candidates)
}
