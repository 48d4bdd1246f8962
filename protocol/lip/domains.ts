/** Who owns which types: the reserved domains, the core messages in them, and who may send each. */

/** Domains that a manifest may not declare. */
export const RESERVED_DOMAINS = [
  'lip',
  'session',
  'entity',
  'chat',
  'component',
  'media',
  'ui',
  'clipboard',
  'screen',
  'host',
] as const

/** What a manifest may list; each opens the core messages that need it. Others are kept, for hosts to come. */
export const CAPABILITIES = [
  'entity',
  'chat',
  'components',
  'media.image',
  'clipboard',
  'screen.capture',
] as const
export type Capability = (typeof CAPABILITIES)[number]

/** What the companion may look like. */
export const MOODS = ['idle', 'happy', 'curious', 'thinking', 'busy', 'proud', 'sleepy', 'alert'] as const
export type Mood = (typeof MOODS)[number]
/** The companion's expressions. A shell leaves out any other, and that is no error. */
export const REACTIONS = [
  'dizzy',
  'whoa',
  'startled',
  'gasp',
  'oops',
  'wink',
  'cheer',
  'blush',
  'boop',
  'yawn',
  'peek',
  'nod',
  'shake-no',
  'wave',
  'spin',
  'dance',
  'disco',
  'sparkle',
] as const
export type Reaction = (typeof REACTIONS)[number]
/** Components that every shell has; it shows any other as a note. */
export const COMPONENTS = [
  'note',
  'options',
  'slider',
  'toggle',
  'form',
  'image-drop',
  'progress',
  'code',
] as const

/** `domain.name`, or deeper: `graph.node.select`. */
export const TYPE_PATTERN = '^[a-z][a-z0-9-]*(\\.[a-zA-Z0-9_-]+){1,4}$'
export const NAME_PATTERN = '^[a-z][a-z0-9-]{1,31}$'
export const DOMAIN_PATTERN = '^[a-z][a-z0-9-]{0,31}$'

interface CoreMessage {
  /** `window`: whatever medium the person acts in. `operator`: the model, through MCP or the command line. */
  readonly by: 'window' | 'screen' | 'host' | 'operator'
  /** What the manifest of the window's unique has to list. */
  readonly needs?: Capability
}

const window: CoreMessage = { by: 'window' }
const host: CoreMessage = { by: 'host' }
const operator: CoreMessage = { by: 'operator' }
const screen: CoreMessage = { by: 'screen' }
const needing = (message: CoreMessage, needs: Capability): CoreMessage => ({ ...message, needs })

/** Events: every message of the reserved domains that goes up. */
export const UP_MESSAGES = {
  'lip.hello': window,
  'lip.ping': window,
  'session.open': window,
  // Also said by the host, of a window that went away without a word.
  'session.close': window,
  'entity.summon': needing(window, 'entity'),
  'entity.dismiss': needing(window, 'entity'),
  'entity.click': needing(window, 'entity'),
  'entity.pick': needing(window, 'entity'),
  'entity.profile': needing(window, 'entity'),
  'entity.secret': needing(window, 'entity'),
  'chat.message': needing(window, 'chat'),
  'component.action': needing(window, 'components'),
  'media.image': needing(window, 'media.image'),
  'screen.invalidated': screen,
} as const satisfies Record<string, CoreMessage>

/** Commands, and what the host says of itself: every message of the reserved domains that goes down. */
export const DOWN_MESSAGES = {
  'lip.ready': host,
  'lip.pong': host,
  'lip.error': host,
  'lip.ack': host,
  'session.close': operator,
  'session.state': operator,
  'entity.say': needing(operator, 'entity'),
  'entity.mood': needing(operator, 'entity'),
  'entity.suggest': needing(operator, 'entity'),
  'entity.move': needing(operator, 'entity'),
  'entity.show': needing(operator, 'entity'),
  'entity.hide': needing(operator, 'entity'),
  'entity.persona': needing(operator, 'entity'),
  'entity.react': needing(operator, 'entity'),
  'chat.open': needing(operator, 'chat'),
  'chat.close': needing(operator, 'chat'),
  'chat.say': needing(operator, 'chat'),
  'chat.typing': needing(operator, 'chat'),
  'component.create': needing(operator, 'components'),
  'component.update': needing(operator, 'components'),
  'component.remove': needing(operator, 'components'),
  'ui.toast': operator,
  'ui.theme': operator,
  'screen.point': operator,
  'screen.highlight': operator,
  'screen.textbox': operator,
  'screen.draw': operator,
  'screen.arrow': operator,
  'screen.clear': operator,
  'host.run.output': host,
  'host.run.end': host,
} as const satisfies Record<string, CoreMessage>

export type UpType = keyof typeof UP_MESSAGES
export type DownType = keyof typeof DOWN_MESSAGES
export type Direction = 'up' | 'down'

/** The core message of this type and direction; undefined where there is none. */
export function coreMessage(type: string, dir: Direction): CoreMessage | undefined {
  const messages: Readonly<Record<string, CoreMessage>> = dir === 'up' ? UP_MESSAGES : DOWN_MESSAGES
  return Object.hasOwn(messages, type) ? messages[type] : undefined
}

export function domainOf(type: string): string {
  return type.slice(0, type.indexOf('.'))
}

export function isReserved(domain: string): boolean {
  return (RESERVED_DOMAINS as readonly string[]).includes(domain)
}
