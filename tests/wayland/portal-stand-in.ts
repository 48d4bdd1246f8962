/** A desktop's portal that does what a test says, on a bus of its own. */
import { Message, type MessageBus, MessageType, sessionBus, Variant } from '@jellybrick/dbus-next'
import type { ExecutionContext } from 'ava'
import { Quarters, startBus } from './processes.js'

const NAME = 'org.freedesktop.portal.Desktop'
const OBJECT = '/org/freedesktop/portal/desktop'
const PREFIX = 'org.freedesktop.portal.'

export type Behaviour = 'grants' | 'dismisses' | 'hangs' | 'refuses'

export interface PortalOptions {
  /** Which portals it has. */
  readonly has?: readonly ('GlobalShortcuts' | 'Screenshot')[]
  readonly shortcuts?: Behaviour
  /** What the person chose; null: no key. */
  readonly keys?: string | null
  readonly screenshot?: Behaviour
  /** The file a screenshot is said to be in. */
  readonly picture?: () => string
}

export interface StandInPortal {
  readonly address: string
  /** What was asked of it, in order: members, and `Close`. */
  readonly asked: string[]
  /** The body of the last call of a member. */
  last(member: string): readonly unknown[] | undefined
  /** A shortcut is pressed: of this session, or of one it made up. */
  press(id: string, session?: string): void
  /** The same signal, from somebody else on the bus. */
  forge(id: string): Promise<void>
  /** The desktop takes the session back. */
  takeBack(): void
  /** The portal ends; the bus goes on. */
  leave(): void
  endBus(): Promise<void>
}

export async function standInPortal(
  t: ExecutionContext,
  options: PortalOptions = {},
): Promise<StandInPortal> {
  const { has = ['GlobalShortcuts', 'Screenshot'], shortcuts = 'grants' } = options
  // The bus of whoever runs the tests: it takes no other user, root neither.
  const quarters = new Quarters(false)
  t.teardown(() => quarters.stop())
  const address = await startBus(quarters)
  const bus = await connected(t, address)
  const asked: string[] = []
  const bodies = new Map<string, readonly unknown[]>()
  let session = ''
  let client = ''

  const signal = (
    from: MessageBus,
    path: string,
    name: string,
    member: string,
    signature: string,
    body: unknown[],
  ) =>
    from.send(
      new Message({
        type: MessageType.SIGNAL,
        ...{ path, interface: name, member, signature, body },
        destination: client,
      }),
    )
  /** Answers a request with its handle, and later with what became of it. */
  const answer = (
    call: Message,
    as: Behaviour,
    dict: Record<string, Variant>,
    results: Record<string, Variant>,
  ) => {
    if (as === 'refuses') {
      bus.send(Message.newError(call, `${PREFIX}Error.NotAllowed`, 'An app id is required'))
      return true
    }
    client = call.sender as string
    const token = String(dict.handle_token?.value)
    const handle = `${OBJECT}/request/${client.slice(1).replaceAll('.', '_')}/${token}`
    const response = () =>
      signal(bus, handle, `${PREFIX}Request`, 'Response', 'ua{sv}', [as === 'dismisses' ? 1 : 0, results])
    // The answer may well be there before the call has returned.
    if (as !== 'hangs') response()
    bus.send(Message.newMethodReturn(call, 'o', [handle]))
    return true
  }

  bus.addMethodHandler((call) => {
    const { member = '', interface: name = '', body } = call
    if (!call.path?.startsWith(OBJECT)) return false
    asked.push(member)
    bodies.set(member, body)
    const known = has.some((one) => name === PREFIX + one || body[0] === PREFIX + one)
    if (member === 'Get' && known) {
      bus.send(Message.newMethodReturn(call, 'v', [new Variant('u', 2)]))
      return true
    }
    if (member === 'Get') {
      bus.send(Message.newError(call, 'org.freedesktop.DBus.Error.UnknownInterface', 'No such interface'))
      return true
    }
    if (member === 'Close') {
      bus.send(Message.newMethodReturn(call))
      return true
    }
    if (!known) return false
    if (member === 'CreateSession') {
      const [dict] = body as [Record<string, Variant>]
      session = `${OBJECT}/session/${String(call.sender).slice(1).replaceAll('.', '_')}/${dict.session_handle_token?.value}`
      const as = shortcuts === 'refuses' ? 'refuses' : 'grants'
      return answer(call, as, dict, { session_handle: new Variant('s', session) })
    }
    if (member === 'BindShortcuts') {
      const [, wishes, , dict] = body as [string, [string, unknown][], string, Record<string, Variant>]
      const keys = options.keys === undefined ? 'Ctrl+Shift+K' : options.keys
      const given =
        keys === null ? [] : wishes.map(([id]) => [id, { trigger_description: new Variant('s', keys) }])
      return answer(call, shortcuts, dict, { shortcuts: new Variant('a(sa{sv})', given) })
    }
    if (member === 'Screenshot') {
      const [, dict] = body as [string, Record<string, Variant>]
      // Read anew: a test may change it.
      const { screenshot = 'grants' } = options
      const uri = screenshot === 'grants' ? (options.picture?.() ?? 'file:///nowhere.png') : ''
      return answer(call, screenshot, dict, { uri: new Variant('s', uri) })
    }
    return false
  })
  await bus.requestName(NAME)

  const activated = (from: MessageBus, id: string, of: string) =>
    signal(from, OBJECT, `${PREFIX}GlobalShortcuts`, 'Activated', 'osta{sv}', [of, id, 0n, {}])
  return {
    address,
    asked,
    last: (member) => bodies.get(member),
    press: (id, of = session) => activated(bus, id, of),
    async forge(id) {
      activated(await connected(t, address), id, session)
    },
    takeBack: () => signal(bus, session, `${PREFIX}Session`, 'Closed', 'a{sv}', [{}]),
    leave: () => bus.disconnect(),
    endBus: () => quarters.stop(),
  }
}

async function connected(t: ExecutionContext, address: string): Promise<MessageBus> {
  const bus = sessionBus({ busAddress: address })
  await new Promise<void>((resolve, reject) => {
    bus.once('connect', resolve)
    bus.once('error' as never, reject as never)
  })
  bus.on('error' as never, (() => {}) as never)
  t.teardown(() => bus.disconnect())
  return bus
}
