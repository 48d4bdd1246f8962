/** `lets companion`: whether it is there and when not, and what it says, shows and does. */
import type { AckMessage, RequestOf } from '../../../protocol/overlay/schema.js'
import type { LetsClient } from '../../client/client.js'
import { LetsError } from '../../client/errors.js'
import { type CommonOptions, consentToken, reach } from '../connection.js'
import { CliError, UsageError } from '../errors.js'
import { MAX_ONE_SHOT_MS } from '../one-shot.js'
import { bold, dim, duration, inLine, say, sayJson, until, warn } from '../output.js'
import { parseDuration, parseInteger, parseNumber, parsePlace } from '../parse.js'

export interface CompanionOptions extends CommonOptions {
  readonly for?: string
  readonly hours?: string
  readonly mood?: string
  readonly ttl?: string
  readonly to?: string
  readonly display?: string
  readonly name?: string
  readonly pace?: string
  readonly color?: string
  readonly distance?: string
  readonly log?: boolean
}

type State = NonNullable<AckMessage['companion']>
type Fields = Omit<RequestOf<'companion'>, 'v' | 'id' | 'type'>
type Action = (words: readonly string[], options: CompanionOptions) => Promise<void>

/** Quiet without a time is so long, in ms. */
const QUIET_MS = 3_600_000

/** Options that belong to some actions alone: anywhere else they would be ignored without a word. */
const OPTIONS: Readonly<Record<string, readonly (keyof CompanionOptions)[]>> = {
  status: ['log'],
  quiet: ['for', 'hours'],
  say: ['mood', 'ttl'],
  move: ['to', 'display'],
  react: ['for'],
  persona: ['name', 'pace', 'color', 'distance'],
}
/** How many words an action takes at most, where they are not one text or a list: by default none. */
const MOST_WORDS: Readonly<Record<string, number>> = {
  ...{ quiet: 1, mood: 1, react: 1, move: 1 },
  ...{ say: Number.POSITIVE_INFINITY, suggest: Number.POSITIVE_INFINITY },
  ...{ mute: Number.POSITIVE_INFINITY, unmute: Number.POSITIVE_INFINITY },
}
const ALL_OPTIONS = [...new Set(Object.values(OPTIONS).flat())]

const ACTIONS: Readonly<Record<string, Action>> = {
  status: (_, options) => status(options),
  on: (_, options) => set({ on: true }, options),
  off: (_, options) => set({ on: false }, options),
  quiet,
  show: (_, options) => command('entity.show', {}, options),
  hide: (_, options) => command('entity.hide', {}, options),
  mute: async (words, options) => set({ mute: word(named(words), 'mute', 'Slack') }, options),
  unmute: async (words, options) => set({ unmute: word(named(words), 'unmute', 'Slack') }, options),
  say: async (words, options) => {
    const text = word(words.join(' ').trim() || undefined, 'say', '"The tests pass"')
    const ttl = options.ttl === undefined ? {} : { ttl: parseDuration(options.ttl, '--ttl') }
    const mood = options.mood === undefined ? {} : { mood: options.mood }
    await command('entity.say', { text, ...mood, ...ttl }, options)
  },
  mood: async ([mood], options) => command('entity.mood', { mood: word(mood, 'mood', 'happy') }, options),
  react: async ([name], options) => {
    const ms = options.for === undefined ? {} : { ms: parseDuration(options.for, '--for') }
    await command('entity.react', { name: word(name, 'react', 'wave'), ...ms }, options)
  },
  move: async ([at], options) => {
    if (at !== undefined && options.to !== undefined)
      throw new UsageError(
        `companion move goes to one place; got ${JSON.stringify(at)} and --to ${options.to}`,
      )
    const to = parsePlace(word(options.to ?? at, 'move', '--to center'))
    await command('entity.move', typeof to === 'string' ? { to } : { x: to[0], y: to[1] }, options)
  },
  suggest: async (words, options) => {
    if (words.length === 0) throw missing('suggest', '"Run the tests" "Show the diff"')
    // Who types a label twice means one: what is picked is told by its label.
    const items = [...new Set(words)].map((label) => ({ id: label, label }))
    if (items.length < words.length) warn('said twice, and suggested once')
    await command('entity.suggest', { items }, options)
  },
  persona,
  listen: (_, options) => listen(options),
}

/** Without an action it is `status`. */
export async function companion(
  action: string | undefined,
  words: readonly string[],
  options: CompanionOptions,
): Promise<void> {
  const name = action ?? 'status'
  const run = Object.hasOwn(ACTIONS, name) ? ACTIONS[name] : undefined
  if (!run) {
    throw new UsageError(`companion does ${Object.keys(ACTIONS).join(', ')}; got ${JSON.stringify(name)}`)
  }
  const stray = ALL_OPTIONS.find(
    (option) => options[option] !== undefined && !OPTIONS[name]?.includes(option),
  )
  if (stray !== undefined) {
    const where = Object.keys(OPTIONS).filter((each) => OPTIONS[each]?.includes(stray))
    throw new UsageError(`--${stray} goes with ${where.join(' and ')}, not with ${name}`)
  }
  const extra = words[MOST_WORDS[name] ?? 0]
  if (extra !== undefined)
    throw new UsageError(`companion ${name} takes no more words; got ${JSON.stringify(extra)}`)
  await run(words, options)
}

async function status(options: CompanionOptions): Promise<void> {
  await withClient(options, async (client) => {
    const fields = { ...(options.log && { log: true }), ...consentToken(options) }
    const { companion: state } = await client.companion(fields)
    if (options.json) return sayJson(state)
    if (!state) return
    const { capabilities } = state.on && !state.summon_key ? await client.status() : {}
    say(standing(state))
    const { persona, mood, says, suggestions = [], hours, muted_apps = [], summon_key, log } = state
    const line = (name: string, text: string) => say(`${name.padEnd(11)} ${inLine(text)}`)
    if (persona) line('name', [persona.name, traitsText(persona.traits)].filter(Boolean).join(', '))
    if (state.shown) line('mood', `${mood}${state.asleep ? ', asleep' : ''}`)
    // What it was told while nobody sees it is in the log, and not said.
    if (state.shown && says !== undefined) line('says', says)
    if (suggestions.length > 0) line('suggests', suggestions.map(({ label }) => label).join(', '))
    if (hours !== undefined) line('keeps away', `from ${hours.replace('-', ' to ')} every day`)
    if (muted_apps.length > 0) line('muted', muted_apps.join(', '))
    const key = summon_key ? summon_key.join('+') : noKey(state, capabilities)
    if (key !== null) line('summon it', key)
    for (const { ago_ms, client, command: what, text, shown, note } of log ?? []) {
      const facts = [`${duration(ago_ms)} ago, “${client}”`, shown ? '' : 'not shown', note ?? '']
      say(
        `${what}${text === undefined ? '' : `  ${inLine(text)}`}  ${dim(inLine(facts.filter(Boolean).join('; ')))}`,
      )
    }
  })
}

/** Why no key summons it, null where none could be expected: it is off, or not on a screen. */
function noKey({ on, hidden_because }: State, capabilities: readonly string[] | undefined): string | null {
  if (!on || hidden_because === 'no_surface' || hidden_because === 'paused') return null
  return capabilities?.includes('hotkey')
    ? 'no key: another program has Ctrl+Shift+., or this keyboard lacks it; a right-click on it, or `lets companion show`'
    : 'no key here; `lets companion show`'
}

async function quiet([word]: readonly string[], options: CompanionOptions): Promise<void> {
  if (word !== undefined && word !== 'off')
    throw new UsageError(`quiet is for a time (--for 1h), or off; got ${JSON.stringify(word)}`)
  if (options.hours !== undefined && (options.for !== undefined || word !== undefined))
    throw new UsageError('--hours is for every day, and goes without --for and off')
  if (options.hours !== undefined) return set({ hours: options.hours }, options)
  if (word === 'off') return set({ quiet_ms: 0 }, options)
  await set({ quiet_ms: options.for === undefined ? QUIET_MS : parseDuration(options.for, '--for') }, options)
}

/** What is not said stays as it is. */
async function persona(_: readonly string[], options: CompanionOptions): Promise<void> {
  const { name, pace, color, distance } = options
  if ([name, pace, color, distance].every((option) => option === undefined))
    throw missing('persona', '--name Pip --pace 1.2 --color "#7c4dff"')
  await withClient(options, async (client) => {
    const before = (await client.companion()).companion?.persona
    const answer = await client.companion({
      command: 'entity.persona',
      data: {
        name: name ?? before?.name ?? 'Companion',
        traits: {
          ...before?.traits,
          ...(pace !== undefined && { pace: parseNumber(pace, '--pace') }),
          ...(color !== undefined && { color }),
          ...(distance !== undefined && { distance: parseNumber(distance, '--distance') }),
        },
      },
    })
    report(answer, options)
  })
}

async function set(settings: NonNullable<Fields['set']>, options: CompanionOptions): Promise<void> {
  await withClient(options, async (client) => {
    const before =
      settings.unmute === undefined ? undefined : (await client.companion()).companion?.muted_apps
    const { companion: state } = await client.companion({ set: settings, ...consentToken(options) })
    if (options.json) return sayJson(state)
    const { capabilities = [] } = settings.mute === undefined ? {} : await client.status()
    // What was decided is so, also while it is not to be seen for another reason.
    const said = decision(settings, before)
    const isBlind = settings.mute !== undefined && !capabilities.includes('windows')
    if (said !== null) say(isBlind ? `${said}, once windows are known` : said)
    if (isBlind)
      warn('windows are not known here, so it stays over all of them; `lets companion quiet` keeps it away')
    if (state) say(standing(state))
  })
}

async function command(
  name: NonNullable<Fields['command']>,
  data: Record<string, unknown>,
  options: CompanionOptions,
): Promise<void> {
  const display =
    options.display === undefined ? {} : { display_id: parseInteger(options.display, '--display') }
  await withClient(options, async (client) => {
    const answer = await client.companion({ command: name, data, ...display, ...consentToken(options) })
    report(answer, options, name === 'entity.say' || name === 'entity.react')
  })
}

/** What a person should know of a command that was accepted: what of it was left out, and that nobody sees it. */
function report(answer: AckMessage, options: CompanionOptions, seen = false): void {
  const { companion: state, ignored = [] } = answer
  if (options.json) {
    sayJson({ ...state, ...(ignored.length > 0 && { ignored }) })
    return
  }
  for (const each of ignored) warn(`left out: ${each}`)
  if (state && !state.shown && seen) warn('nobody sees that now')
  if (state) say(standing(state))
}

async function listen(options: CompanionOptions): Promise<void> {
  const client = await reach(options, { lingerMs: 0 })
  let interrupted = false
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => {
      interrupted = true
      void client.close()
    })
  }
  const { companion: state } = await client.companion({ listen: true, ...consentToken(options) })
  if (!options.json && state) say(dim(`${standing(state)}; Ctrl-C ends this`))
  for await (const { event, display_id, data } of client.companionEvents()) {
    if (options.json) sayJson({ event, ...(display_id !== undefined && { display_id }), data })
    else say(`${bold(event)}  ${JSON.stringify(data)}  ${dim(`display ${display_id ?? '?'}`)}`)
  }
  if (!interrupted) throw new CliError('the daemon went away', 'connection_lost')
}

/** What it suggests and its mood outlive the command, as marks of one-shot commands do. */
async function withClient(
  options: CompanionOptions,
  act: (client: LetsClient) => Promise<void>,
): Promise<void> {
  const client = await reach(options, { lingerMs: MAX_ONE_SHOT_MS })
  try {
    await act(client)
  } catch (error) {
    if (!(error instanceof LetsError)) throw error
    throw new LetsError(error.code, asTyped(error.message), error.candidates)
  } finally {
    await client.close()
  }
}

/** Fields of the wire, as the person typed them. */
const TYPED: Readonly<Record<string, string>> = {
  'data.to': '--to',
  'data.ttl': '--ttl',
  'data.ms': '--for',
  'data.name': '--name',
  'set.hours': '--hours',
  'set.quiet_ms': '--for',
  'set.mute': 'the application',
  'set.unmute': 'the application',
  'data.items': 'what it suggests',
}

function asTyped(message: string): string {
  return message
    .replace(/^companion: /, '')
    .replace(/^(?:data|set)\.\w+/, (field) => TYPED[field] ?? field)
    .replace(/^(what it suggests)\[\d+\]\.\w+/, '$1')
    .replace('--to must be cursor,', '--to must be X,Y, cursor,')
    .replace(/ must be <= 86400000, got \d+$/, ' may be 24h at most')
}

/** `muted`: the applications that were, before. */
function decision(
  { quiet_ms, hours, mute, unmute }: NonNullable<Fields['set']>,
  muted: readonly string[] = [],
): string | null {
  if (quiet_ms === 0) return 'it is quiet no longer'
  if (quiet_ms !== undefined) return `it keeps away ${until(quiet_ms)}`
  if (hours === 'none') return 'it keeps away at no hour'
  if (hours !== undefined) return `it keeps away from ${hours.replace('-', ' to ')} every day`
  if (mute !== undefined) return `it is not shown over ${mute}`
  if (unmute === undefined) return null
  if (muted.some((app) => app.toLowerCase() === unmute.toLowerCase()))
    return `it is shown over ${unmute} again`
  const are = muted.length === 0 ? 'no application is' : `those are: ${muted.join(', ')}`
  return `${unmute} was not muted; ${are}`
}

/** In one line: whether it is there, and if not, why, and what brings it. */
function standing({ on, shown, hidden_because, crowded, display_id, at, quiet_ms }: State): string {
  if (shown) {
    const [x = 0, y = 0] = at?.map(Math.round) ?? []
    const unread = crowded ? '; marks leave no place for what it says' : ''
    return `${bold('on')}, at ${x},${y} on display ${display_id}${unread}`
  }
  const why = WHY[hidden_because ?? ''] ?? `hidden: ${hidden_because}`
  const left =
    hidden_because === 'quiet' && quiet_ms !== undefined
      ? ` ${until(quiet_ms).replace(/^for (?!ever)/, 'for another ')}`
      : ''
  return on ? `${bold('on')}, but not shown: ${why.replace('%', left)}` : `${bold('off')}; ${WHY.off}`
}

const WHY: Readonly<Record<string, string>> = {
  off: '`lets companion on` brings it',
  no_surface: 'there is no screen here that it could be on; `lets doctor` says more',
  paused: 'drawing is paused; `lets resume` lets it go on',
  sent_away: 'you sent it away; `lets companion show` brings it back',
  quiet: 'it is quiet%; `lets companion quiet off` ends that',
  hours: 'it keeps away at this hour; `lets companion quiet --hours none` ends that',
  hidden: 'an agent hid it; `lets companion show` brings it back',
  full_screen: 'a window has the whole screen',
  muted_app: 'it is over an application that is muted; `lets companion unmute APP` ends that',
}

function traitsText(traits: Readonly<Record<string, unknown>>): string {
  return Object.entries(traits)
    .map(([name, value]) => `${name} ${value}`)
    .join(', ')
}

/** Applications have names of several words, and quotes are easily forgotten. */
function named(words: readonly string[]): string | undefined {
  return words.length === 0 ? undefined : words.join(' ')
}

function word(text: string | undefined, action: string, example: string): string {
  if (text !== undefined) return text
  throw missing(action, example)
}

function missing(action: string, example: string): UsageError {
  return new UsageError(`companion ${action} says what: \`lets companion ${action} ${example}\``)
}
