/** The tools about windows of uniques: open one, hear what the person does in it, answer into it, take over what was sent. */
import { openInBrowser } from '../client/browser.js'
import type { Command, SentCommand } from '../client/operator.js'
import { refuse } from './errors.js'
import type { Arguments } from './places.js'
import { type ObjectSchema, plainResult, type Schema } from './schemas.js'
import type { Tool } from './tool.js'

const WINDOW: Schema = {
  type: 'string',
  minLength: 1,
  maxLength: 64,
  description: 'the window, such as "w1"',
}
const PLACE: Schema = {
  ...WINDOW,
  description: 'the window, such as "w1", or the screen, such as "screen#d1"',
}
const SCREEN = /^(?:screen#)?d\d+$/
const reading = { readOnlyHint: true, destructiveHint: false, idempotentHint: false, openWorldHint: false }
const changing = { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false }

/** Clients give up after a minute without a sign of life; longer waits are for those that take signs. */
const WAIT = { default: 25_000, max: 600_000 }

function object(
  properties: Readonly<Record<string, Schema>>,
  required: readonly string[] = [],
): ObjectSchema {
  return { type: 'object', properties, required: [...required], additionalProperties: false }
}

const open: Tool = {
  name: 'open',
  title: 'Open a window',
  description:
    'Opens a window of a unique (a small web app, such as graph) on the person’s screen and returns its guide: obey it for as long as the window is open. Then call listen for what the person does there, and send to answer. With resume, the window goes on with what was sent before.',
  inputSchema: object(
    {
      unique: {
        type: 'string',
        minLength: 1,
        maxLength: 64,
        description: 'its name; a wrong one is answered with those there are',
      },
      resume: {
        type: 'string',
        minLength: 1,
        maxLength: 64,
        description: 'last, or an id that sessions names',
      },
      browser: {
        type: 'boolean',
        description: 'false: only make the address, for the person to open (default: true)',
      },
    },
    ['unique'],
  ),
  outputSchema: plainResult(['window', 'unique', 'title', 'url', 'guide', 'opened'], {
    window: WINDOW,
    unique: { type: 'string' },
    title: { type: 'string' },
    url: { type: 'string', description: 'opens once, on this machine' },
    guide: { type: 'string' },
    opened: { type: 'boolean', description: 'whether a browser was told to show it' },
    events: { type: 'object', description: 'what can come from it, by type' },
    commands: { type: 'object', description: 'what can be sent to it, by type' },
    resumed: { type: 'string' },
  }),
  annotations: changing,
  async call({ unique, resume, browser = true }, { lip }) {
    const host = await lip.host()
    const { warnings = [], ...answer } = await host.open(String(unique), {
      ...(resume !== undefined && { resume: String(resume) }),
    })
    const opened = browser !== false && (await openInBrowser(answer.url))
    const { window, title, url, guide, events, commands, resumed } = answer
    return {
      text: [
        `open: ${window} is a window of ${unique} (${title})${resumed === undefined ? '' : `, with session ${resumed}`}`,
        ...(guide === '' ? [] : [`Its guide, to obey while it is open:\n${guide}`]),
      ].join('. '),
      fields: {
        window,
        unique,
        title,
        url,
        guide,
        opened,
        events,
        commands,
        ...(resumed !== undefined && { resumed }),
      },
      notes: [...(opened ? [] : [`no browser shows it yet; the person can open ${url}`]), ...warnings],
    }
  },
}

const listen: Tool = {
  name: 'listen',
  title: 'Listen to the person',
  description:
    'Returns what the person did in windows and with the companion since you last listened: events, oldest first. Waits while there is nothing. Each event says where (from: a window, entity#… for the companion, screen#… for marks that went), type and data; when you answer one, send its id as re. An event with data.session.handoff was sent to you: its window has closed, answer in the conversation.',
  inputSchema: object({
    wait_ms: {
      type: 'integer',
      minimum: 0,
      maximum: WAIT.max,
      description: `how long to wait, in milliseconds (default ${WAIT.default})`,
    },
    max: {
      type: 'integer',
      minimum: 1,
      maximum: 1000,
      description: 'the most events to return (default 100)',
    },
  }),
  outputSchema: plainResult(['events', 'lost', 'more'], {
    events: { type: 'array', items: { type: 'object' } },
    lost: { type: 'integer', description: 'events that nobody read in time' },
    more: { type: 'boolean', description: 'whether to listen again at once' },
  }),
  annotations: reading,
  async call({ wait_ms = WAIT.default, max }, { lip, signal, waits }) {
    const waitMs = whole('listen', 'wait_ms', wait_ms)
    const host = await lip.host()
    waits('listening', waitMs, 2000)
    const { events, lost, more } = await host.listen(
      { waitMs, ...(max !== undefined && { max: whole('listen', 'max', max) }) },
      signal,
    )
    const lines = events.map(
      ({ id, from, type, data }) => `${type} from ${from} (${id}): ${JSON.stringify(data)}`,
    )
    return {
      text:
        events.length === 0
          ? 'listen: nothing happened'
          : `listen: ${events.length} events\n${lines.join('\n')}`,
      fields: { events, lost, more },
      notes: [
        ...(lost > 0 ? [`${lost} earlier events are lost: nobody read them in time`] : []),
        ...(more ? ['there is more: listen again'] : []),
      ],
    }
  },
}

const send: Tool = {
  name: 'send',
  title: 'Send to a window or a screen',
  description:
    'Sends one command to a window: one of its unique’s (open and the guide name them), or chat.say {text}, ui.toast {text}, component.create {id, type, props} where the unique has that capability. To a screen (screen#d1): ui.toast, component.create (note and progress are drawn; options, slider, toggle, form, code open in a window), component.update, component.remove. Data that does not fit is refused, with the reason.',
  inputSchema: object(
    {
      window: PLACE,
      type: { type: 'string', minLength: 3, maxLength: 128, description: 'such as graph.node.add' },
      data: { type: 'object', description: 'what the command takes' },
      re: { type: 'string', maxLength: 64, description: 'the id of the event it answers' },
      ttl_ms: {
        type: 'integer',
        minimum: 1,
        description: 'after that it is of no more use; in milliseconds',
      },
    },
    ['window', 'type'],
  ),
  outputSchema: plainResult(['id', 'window', 'delivered'], {
    id: { type: 'string' },
    window: WINDOW,
    delivered: { type: 'boolean', description: 'false: it waits for the page to come back, or was ignored' },
    ignored: { type: 'string', description: 'why nothing came of it' },
    annotation_id: { type: 'string' },
    url: { type: 'string', description: 'opens the window that was made for it, once' },
  }),
  annotations: changing,
  async call({ ttl_ms, ...command }, { lip }) {
    const isToScreen = SCREEN.test(String(command.window))
    const host = await (isToScreen ? lip.hostWhilePresent() : lip.host())
    const answer = await host.send({
      ...command,
      ...(ttl_ms !== undefined && { ttl: Number(ttl_ms) }),
    } as Command)
    const { id, window, delivered, ignored, url } = answer
    const opened = url !== undefined && (await openInBrowser(url))
    return {
      text: `send: ${command.type} ${outcomeOf(answer)} (${id})`,
      fields: { ...answer, id, window, delivered },
      notes: [
        ...(ignored === undefined ? [] : [ignored]),
        ...(url === undefined || opened
          ? []
          : [`no browser shows ${window} yet; the person can open ${url}`]),
        ...unseen(answer),
      ],
    }
  },
}

function outcomeOf({ window, delivered, ignored, url, annotation_id }: SentCommand): string {
  if (ignored !== undefined) return 'was ignored: nothing came of it'
  if (url !== undefined) return `is to be answered in ${window}, a window that opens for it`
  if (annotation_id !== undefined) return `is on ${window}, as mark ${annotation_id}`
  return delivered ? `went to ${window}` : `waits for the page of ${window}`
}

/** A model must not believe that it was seen where it was not. */
function unseen({ companion }: SentCommand): string[] {
  if (!companion || companion.shown) return []
  return [`the companion is not shown (${companion.hidden_because ?? 'hidden'}): nobody sees it`]
}

const windows: Tool = {
  name: 'windows',
  title: 'List windows',
  description:
    'Lists the windows of uniques that are open, and the screens that send takes as well. State: opening (no page came yet), open, away (its page is not connected).',
  inputSchema: object({}),
  outputSchema: plainResult(['windows', 'screens'], {
    windows: { type: 'array', items: { type: 'object' } },
    screens: { type: 'array', items: { type: 'object' } },
  }),
  annotations: { ...reading, idempotentHint: true },
  async call(_, { lip }) {
    const { windows: all, screens } = await (await lip.host()).windows()
    const lines = all.map(({ window, unique, state }) => `${window} of ${unique} (${state})`)
    const also = screens.map(({ window, title }) => `${window} (${title})`)
    return {
      text: `windows: ${lines.join(', ') || 'none is open'}. Screens: ${also.join(', ') || 'none'}`,
      fields: { windows: all, screens },
    }
  },
}

const close: Tool = {
  name: 'close',
  title: 'Close a window',
  description:
    'Closes a window of a unique. What the person did there and did not send is gone: ask for state first if it matters.',
  inputSchema: object({ window: WINDOW }, ['window']),
  outputSchema: plainResult(['window', 'closed'], { window: WINDOW, closed: { type: 'boolean' } }),
  annotations: { ...changing, destructiveHint: true },
  async call({ window }, { lip }) {
    const answer = await (await lip.host()).close(String(window), 'closed')
    return { text: `close: ${answer.window} is closed`, fields: { ...answer } }
  },
}

const state: Tool = {
  name: 'state',
  title: 'Ask for a window’s state',
  description:
    'Returns all that a window holds now, as its unique describes it: the same as the person would send. Of a screen: your marks and components there, and the companion.',
  inputSchema: object(
    {
      window: PLACE,
      wait_ms: {
        type: 'integer',
        minimum: 1,
        maximum: 60_000,
        description: 'how long its page may take, in milliseconds (default 5000)',
      },
    },
    ['window'],
  ),
  outputSchema: plainResult(['window', 'state'], {
    window: WINDOW,
    type: { type: 'string' },
    state: { type: 'object' },
  }),
  annotations: { ...reading, idempotentHint: true },
  async call({ window, wait_ms = 5000 }, { lip, signal }) {
    const host = await lip.host()
    const answer = await host.state(String(window), whole('state', 'wait_ms', wait_ms), signal)
    return {
      text: `state of ${answer.window}: ${JSON.stringify(answer.state)}`,
      fields: { window: answer.window, type: answer.type, state: answer.state },
    }
  },
}

const sessions: Tool = {
  name: 'sessions',
  title: 'List what was sent',
  description:
    'Lists what the person sent from windows before, the latest first. open with resume goes on with one; file holds all of it.',
  inputSchema: object({ unique: { type: 'string', maxLength: 64, description: 'only of this unique' } }),
  outputSchema: plainResult(['sessions'], { sessions: { type: 'array', items: { type: 'object' } } }),
  annotations: { ...reading, idempotentHint: true },
  async call({ unique }, { lip }) {
    const all = await (await lip.host()).sessions(unique === undefined ? undefined : String(unique))
    const lines = all.slice(0, 20).map(({ id, unique: name, summary }) => `${id} (${name}): ${summary}`)
    return { text: `sessions: ${lines.join('; ') || 'nothing was sent yet'}`, fields: { sessions: all } }
  },
}

export const windowTools: readonly Tool[] = [open, listen, send, windows, close, state, sessions]

function whole(tool: string, field: string, value: Arguments[string]): number {
  if (Number.isInteger(value) && Number(value) >= 0) return Number(value)
  throw refuse(`${tool}: ${field} must be a whole number, 0 or more, got ${JSON.stringify(value)}`)
}
