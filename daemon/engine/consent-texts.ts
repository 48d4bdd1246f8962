/** What the person is asked, and what a client is told when it is a no. */
import { WireError } from '../../protocol/overlay/errors.js'
import type { Display } from '../../protocol/overlay/geometry.js'
import type { ResolverFacts } from './grounder.js'
import { ANSWER_MS, type Question, type Why } from './prompts.js'
import { shownName } from './shown-name.js'

/** What a client wants: pictures of the screen, or to have things found there by their names. */
export type Topic = 'capture' | 'grounding'

/** How long a yes is remembered, in ms: an agent that looks every few seconds asks once. */
export const YES_MS = { capture: 600_000, grounding: 3_600_000 } as const satisfies Record<Topic, number>

export function question(
  topic: Topic,
  { client, pid }: { readonly client: string | undefined; readonly pid: number | undefined },
  display: Display,
  resolvers: readonly ResolverFacts[],
): Question {
  const name = client === undefined ? 'An unnamed client' : `“${shownName(client)}”`
  const texts =
    topic === 'capture'
      ? { title: `${name} asks for pictures of this screen`, body: '' }
      : {
          title: `${name}${pid === undefined ? '' : ` (process ${pid})`} asks to find things on this screen`,
          body: `It names them in words, and is told where they are and what they are called; read with ${listed(resolvers.map((one) => one.name))}. ${remotely(resolvers)}`,
        }
  return {
    title: texts.title,
    body: `${texts.body}A yes holds for ${span(YES_MS[topic])}. Without an answer in ${ANSWER_MS / 1000} s it is a no.`,
    yes: 'Allow',
    no: 'Refuse',
    commands: { yes: 'lets consent yes', no: 'lets consent no' },
    display,
  }
}

/** A unique that wants its code to be run. */
export interface RunWish {
  readonly unique: string
  readonly title: string
  readonly language: string
}

export function runQuestion({ unique, title, language }: RunWish, display: Display): Question {
  return {
    title: `“${shownName(title)}” (${unique}) asks to run ${shownName(language)} code on this machine`,
    body: `It would run as you, with all that you may do. A yes holds until you take it back: lets allow. Without an answer in ${ANSWER_MS / 1000} s nothing is run.`,
    yes: 'Allow',
    no: 'Refuse',
    sign: 'terminal',
    commands: { yes: 'lets consent yes', no: 'lets consent no' },
    display,
  }
}

/** What leaves the machine, if anything does. */
function remotely(resolvers: readonly ResolverFacts[]): string {
  return resolvers
    .filter(({ remote }) => remote)
    .map(
      ({ name, destination = 'another machine' }) =>
        `${name.charAt(0).toUpperCase()}${name.slice(1)} sends a picture of this screen to ${destination}. `,
    )
    .join('')
}

function listed(names: readonly string[]): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
}

function span(ms: number): string {
  return ms === 3_600_000 ? 'an hour' : `${ms / 60_000} minutes`
}

export const HELP: Readonly<Record<Topic, string>> = {
  capture:
    '`lets consent always --for 10m` allows pictures for a time, and "backdrop":"none" pictures the marks alone',
  grounding: '`lets consent grounding always --for 1h` allows queries for a time',
}

const REASONS: Readonly<Record<Exclude<Why, 'policy' | 'no_answer' | 'clear_key'>, string>> = {
  key: 'the person said no',
  terminal: 'the person said no',
  client_gone: 'the client called it off, or went away, before the person answered',
  not_visible: 'the person could not be asked: the question cannot be seen on that display now',
  display_changed: 'the display changed while the person was asked',
  daemon_ends: 'the daemon ends',
  host_gone: 'the screen went away while the person was asked',
}

export function refusal(topic: Topic, why: Why): WireError {
  return new WireError('not_permitted', `${reason(topic, why)}; ${HELP[topic]}`)
}

function reason(topic: Topic, why: Why): string {
  const pictures = topic === 'capture'
  switch (why) {
    case 'clear_key':
      return `the person cleared the screen, and with it the question whether you may ${pictures ? 'picture it' : 'find things on it'}`
    case 'policy':
      return `the person has turned ${pictures ? 'pictures of the screen' : 'finding things on the screen'} off`
    case 'no_answer':
      return `nobody answered the question on the screen within ${ANSWER_MS / 1000} s`
    default:
      return REASONS[why]
  }
}
