/** A program on the accessibility bus that shows whatever tree a test makes up, or answers nothing at all. */
import { Message, MessageType, sessionBus, Variant } from '@jellybrick/dbus-next'

export interface FakeThing {
  readonly name: string
  /** AT-SPI's number: 43 is a button, 39 a panel. */
  readonly role: number
  readonly rect: readonly [number, number, number, number]
  readonly children?: readonly FakeThing[]
  /** It is a field that has the focus, and its caret is there. */
  readonly caret?: readonly [number, number, number, number]
}

/** What it tells of the n-th thing, the window being the first: the caret is elsewhere, or it has the focus (no more). */
export interface FakeEvent {
  readonly of: number
  readonly what: 'caret' | 'focus' | 'blur' | 'deactivate'
}

export interface FakeProgram {
  /** Whether it answers. */
  answers: boolean
  /** Whether it keeps a list of its objects, as most programs do. */
  hasList: boolean
  /** Whether its answers are none that anybody could understand. */
  nonsense: boolean
  readonly asked: Map<string, number>
  tell(event: FakeEvent): void
  close(): void
}

const PREFIX = 'org.a11y.atspi.'
const ROOT = '/org/a11y/atspi/accessible/root'
const REGISTRY = 'org.a11y.atspi.Registry'
/** Showing, visible, sensitive, enabled. */
const STATES = [0x43000100, 0]
/** The same, editable and focused. */
const TYPED_INTO = [0x43001180, 0]

interface Kept {
  readonly thing: FakeThing
  readonly path: string
  readonly parent: string
  readonly index: number
  readonly children: string[]
}

/** Registers a program whose window is `window`; the process is this one. */
export async function fakeProgram(address: string, window: FakeThing): Promise<FakeProgram> {
  const bus = sessionBus({ busAddress: address })
  await new Promise<void>((resolve, reject) => {
    bus.once('connect', () => resolve())
    bus.once('error' as never, reject as never)
  })
  bus.on('error' as never, (() => {}) as never)
  const me = bus.name as string
  const kept = new Map<string, Kept>()
  let next = 1
  const queue: { thing: FakeThing; parent: string; index: number; siblings: string[] }[] = []
  const tops: string[] = []
  queue.push({ thing: window, parent: ROOT, index: 0, siblings: tops })
  for (let job = queue.shift(); job; job = queue.shift()) {
    const { thing, parent, index, siblings } = job
    const path = `/org/a11y/atspi/accessible/${next++}`
    const children: string[] = []
    kept.set(path, { thing, path, parent, index, children })
    siblings.push(path)
    for (const [at, child] of (thing.children ?? []).entries())
      queue.push({ thing: child, parent: path, index: at, siblings: children })
  }
  const program: FakeProgram = {
    answers: true,
    hasList: true,
    nonsense: false,
    tell: ({ of, what }) => {
      const path = `/org/a11y/atspi/accessible/${of}`
      const [group, member, detail, on] = (
        {
          caret: ['Object', 'TextCaretMoved', '', 0],
          focus: ['Object', 'StateChanged', 'focused', 1],
          blur: ['Object', 'StateChanged', 'focused', 0],
          deactivate: ['Window', 'Deactivate', '', 0],
        } as const
      )[what]
      const body = [detail, on, 0, new Variant('i', 0), {}]
      bus.send(Message.newSignal(path, `${PREFIX}Event.${group}`, member, 'siiva{sv}', body))
    },
    asked: new Map(),
    close: () => bus.disconnect(),
  }
  const interfaces = [`${PREFIX}Accessible`, `${PREFIX}Component`]
  const refs = (paths: readonly string[]) => paths.map((path) => [me, path])
  const reply = (message: Message, signature: string, body: unknown[]) => {
    bus.send(Message.newMethodReturn(message, signature, body))
    return true
  }
  bus.addMethodHandler((message: Message) => {
    if (message.type !== MessageType.METHOD_CALL) return false
    const { member, path } = message
    program.asked.set(member, (program.asked.get(member) ?? 0) + 1)
    if (!program.answers) return true
    if (program.nonsense) return reply(message, 's', ['nonsense'])
    const one = kept.get(path)
    const children = path === ROOT ? tops : (one?.children ?? [])
    switch (member) {
      case 'GetItems': {
        if (!program.hasList) {
          bus.send(Message.newError(message, 'org.freedesktop.DBus.Error.UnknownMethod', 'no list'))
          return true
        }
        const items = [...kept.values()].map((item) => [
          [me, item.path],
          [me, ROOT],
          [me, item.parent],
          item.index,
          item.children.length,
          interfaces,
          item.thing.name,
          item.thing.role,
          '',
          STATES,
        ])
        return reply(message, 'a((so)(so)(so)iiassusau)', [items])
      }
      case 'GetChildren':
        return reply(message, 'a(so)', [refs(children)])
      case 'GetAll':
        return reply(message, 'a{sv}', [
          {
            Name: new Variant('s', one?.thing.name ?? ''),
            Description: new Variant('s', ''),
            ChildCount: new Variant('i', children.length),
          },
        ])
      case 'Get': {
        const [, property] = message.body as [string, string]
        const values: Record<string, unknown> = {
          Name: new Variant('s', one?.thing.name ?? ''),
          CaretOffset: new Variant('i', 0),
          ToolkitName: new Variant('s', 'fake'),
          Parent: new Variant('(so)', [me, one?.parent ?? ROOT]),
        }
        return reply(message, 'v', [values[property]])
      }
      case 'GetRole':
        return reply(message, 'u', [one?.thing.role ?? 75])
      case 'GetState':
        return reply(message, 'au', [one?.thing.caret ? TYPED_INTO : STATES])
      case 'GetCharacterExtents':
        return reply(message, 'iiii', [...(one?.thing.caret ?? [0, 0, 0, 0])])
      case 'GetInterfaces':
        return reply(message, 'as', [interfaces])
      case 'GetAttributes':
        return reply(message, 'a{ss}', [{}])
      case 'GetRelationSet':
        return reply(message, 'a(ua(so))', [[]])
      case 'GetExtents':
        return reply(message, '(iiii)', [[...(one?.thing.rect ?? [0, 0, 0, 0])]])
      default:
        return false
    }
  })
  await bus.call(
    new Message({
      destination: REGISTRY,
      path: ROOT,
      interface: `${PREFIX}Socket`,
      member: 'Embed',
      signature: '(so)',
      body: [[me, ROOT]],
    }),
  )
  return program
}
