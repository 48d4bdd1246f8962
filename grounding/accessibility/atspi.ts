/** What is asked of AT-SPI2, and in which words: interfaces, states and roles. */
import type { Role } from '../roles.js'
import type { Bus } from './bus.js'

export const PREFIX = 'org.a11y.atspi.'
const REGISTRY = `${PREFIX}Registry`
const ROOT_PATH = '/org/a11y/atspi/accessible/root'
const CACHE_PATH = '/org/a11y/atspi/cache'
const NULL_PATH = '/org/a11y/atspi/null'

/** One object of one program: its name on the bus, and its path there. */
export interface Ref {
  readonly bus: string
  readonly path: string
}

export const keyOf = ({ bus, path }: Ref) => `${bus}${path}`

/** In the units of its program: pixels or points, of the screen or of its window. */
export type RawRect = readonly [x: number, y: number, width: number, height: number]

/** One object as a program describes it. */
export interface Node {
  readonly ref: Ref
  readonly parent: Ref | null
  readonly index: number
  /** -1: the program does not say. */
  readonly childCount: number
  readonly interfaces: readonly string[]
  readonly name: string
  readonly role: number
  readonly description: string
  readonly states: readonly number[]
}

/** Bits of a state set. */
export const STATE = {
  checked: 4,
  defunct: 6,
  editable: 7,
  focused: 12,
  selected: 23,
  sensitive: 24,
  showing: 25,
  visible: 30,
} as const

export function has(node: Pick<Node, 'states'>, state: number): boolean {
  return ((node.states[state >> 5] ?? 0) & (1 << (state & 31))) !== 0
}

export const RELATION_LABELLED_BY = 2

/** What an object is does not change while it exists, and is asked for once. */
interface Kind {
  readonly role: number
  readonly interfaces: readonly string[]
}

/** So many are remembered. */
const MOST_KINDS = 50_000

export class Atspi {
  readonly #kinds = new Map<string, Kind>()

  constructor(
    readonly bus: Bus,
    /** How long one answer may take, in ms. */
    private readonly ms: number,
  ) {}

  /** The programs that show themselves. */
  async programs(): Promise<readonly Ref[]> {
    return this.children({ bus: REGISTRY, path: ROOT_PATH })
  }

  /**
   * Programs tell of an event, and keep lists of their objects, only once somebody listens: the default is an event that
   * hardly happens. It ends with the connection.
   */
  async register(event = 'window:destroy'): Promise<void> {
    const call = {
      to: REGISTRY,
      path: '/org/a11y/atspi/registry',
      interface: REGISTRY,
      member: 'RegisterEvent',
    }
    try {
      await this.bus.call({ ...call, signature: 'sass', body: [event, [], ''] }, this.ms)
    } catch {
      await this.bus.call({ ...call, signature: 's', body: [event] }, this.ms)
    }
  }

  /** The process of a connection to this bus. */
  async pidOf(name: string): Promise<number> {
    const [pid] = await this.bus.call(
      {
        to: 'org.freedesktop.DBus',
        path: '/org/freedesktop/DBus',
        interface: 'org.freedesktop.DBus',
        member: 'GetConnectionUnixProcessID',
        signature: 's',
        body: [name],
      },
      this.ms,
    )
    return pid as number
  }

  /** What a program has in its list: most of what there is, but not all of it. */
  async cached(bus: string, ms: number): Promise<readonly Node[]> {
    const [items] = await this.bus.call(
      { to: bus, path: CACHE_PATH, interface: `${PREFIX}Cache`, member: 'GetItems' },
      ms,
    )
    return (items as unknown[][]).flatMap((item) => fromCache(item) ?? [])
  }

  async children(ref: Ref): Promise<readonly Ref[]> {
    const [refs] = await this.#accessible(ref, 'GetChildren')
    return (refs as unknown[]).flatMap((one) => toRef(one) ?? [])
  }

  /** One object that is not in a list. `parent` is who named it; `knownStates`: they need not be asked for. */
  async node(
    ref: Ref,
    parent: Ref,
    index: number,
    knownStates: readonly number[] | null = null,
  ): Promise<Node> {
    const [properties, states, kind] = await Promise.all([
      this.bus.call(
        {
          to: ref.bus,
          path: ref.path,
          interface: 'org.freedesktop.DBus.Properties',
          member: 'GetAll',
          signature: 's',
          body: [`${PREFIX}Accessible`],
        },
        this.ms,
      ),
      knownStates ?? this.states(ref),
      this.#kind(ref),
    ])
    const known = properties[0] as Record<string, { value: unknown } | undefined>
    return {
      ref,
      parent,
      index,
      childCount: numberOr(known.ChildCount?.value, -1),
      interfaces: kind.interfaces,
      name: textOr(known.Name?.value),
      role: kind.role,
      description: textOr(known.Description?.value),
      states,
    }
  }

  /** Everything below `ref` that has a state: one question instead of one for each. */
  async having(ref: Ref, state: number): Promise<readonly Ref[]> {
    const states = [0, 0]
    states[state >> 5] = 1 << (state & 31)
    // All of the states; any attributes, roles and interfaces, for which "all of none" is the only word that is understood.
    const rule = [states, 1, {}, 1, [], 1, [], 1, false]
    const [refs] = await this.bus.call(
      {
        to: ref.bus,
        path: ref.path,
        interface: `${PREFIX}Collection`,
        member: 'GetMatches',
        signature: '(aiia{ss}iaiiasib)uib',
        body: [rule, 1, 0, true],
      },
      this.ms,
    )
    return (refs as unknown[]).flatMap((one) => toRef(one) ?? [])
  }

  async #kind(ref: Ref): Promise<Kind> {
    const known = this.#kinds.get(keyOf(ref))
    if (known) return known
    const [role, interfaces] = await Promise.all([
      this.#accessible(ref, 'GetRole'),
      this.#accessible(ref, 'GetInterfaces'),
    ])
    const kind = { role: role[0] as number, interfaces: interfaces[0] as string[] }
    if (this.#kinds.size >= MOST_KINDS) this.#kinds.clear()
    this.#kinds.set(keyOf(ref), kind)
    return kind
  }

  /** A name as it is now: an object whose place was taken by another one has another. */
  async name(ref: Ref): Promise<string> {
    return textOr(await this.#property(ref, `${PREFIX}Accessible`, 'Name'))
  }

  async toolkit(ref: Ref): Promise<string> {
    return textOr(await this.#property(ref, `${PREFIX}Application`, 'ToolkitName'))
  }

  async states(ref: Ref): Promise<readonly number[]> {
    const [states] = await this.#accessible(ref, 'GetState')
    return states as number[]
  }

  async parent(ref: Ref): Promise<Ref | null> {
    return toRef(await this.#property(ref, `${PREFIX}Accessible`, 'Parent'))
  }

  async attributes(ref: Ref): Promise<Readonly<Record<string, string>>> {
    const [attributes] = await this.#accessible(ref, 'GetAttributes')
    return attributes as Record<string, string>
  }

  /** The objects that stand in a relation to it. */
  async related(ref: Ref, relation: number): Promise<readonly Ref[]> {
    const [sets] = await this.#accessible(ref, 'GetRelationSet')
    const set = (sets as [number, unknown[]][]).find(([kind]) => kind === relation)
    return (set?.[1] ?? []).flatMap((one) => toRef(one) ?? [])
  }

  /** What a field holds, its first characters. */
  async text(ref: Ref): Promise<string> {
    const [text] = await this.bus.call(
      {
        to: ref.bus,
        path: ref.path,
        interface: `${PREFIX}Text`,
        member: 'GetText',
        signature: 'ii',
        body: [0, 200],
      },
      this.ms,
    )
    return textOr(text)
  }

  /** How its text is set, such as `fg-color` and `bg-color`, each `red,green,blue`. */
  async textAttributes(ref: Ref): Promise<Readonly<Record<string, string>>> {
    const [attributes] = await this.bus.call(
      { to: ref.bus, path: ref.path, interface: `${PREFIX}Text`, member: 'GetDefaultAttributes' },
      this.ms,
    )
    return attributes as Record<string, string>
  }

  /** What an object is, as AT-SPI's number. */
  async role(ref: Ref): Promise<number> {
    return (await this.#kind(ref)).role
  }

  async extents(ref: Ref): Promise<RawRect> {
    const [rect] = await this.#component(ref, 'GetExtents', 'u', [0])
    return rect as [number, number, number, number]
  }

  /** What a click there would hit, in the units of the program; null: nothing of it. */
  async at(ref: Ref, x: number, y: number): Promise<Ref | null> {
    const [hit] = await this.#component(ref, 'GetAccessibleAtPoint', 'iiu', [x, y, 0])
    return toRef(hit)
  }

  #accessible(ref: Ref, member: string): Promise<unknown[]> {
    return this.bus.call({ to: ref.bus, path: ref.path, interface: `${PREFIX}Accessible`, member }, this.ms)
  }

  #component(ref: Ref, member: string, signature: string, body: readonly unknown[]): Promise<unknown[]> {
    return this.bus.call(
      { to: ref.bus, path: ref.path, interface: `${PREFIX}Component`, member, signature, body },
      this.ms,
    )
  }

  async #property(ref: Ref, iface: string, name: string): Promise<unknown> {
    const [variant] = await this.bus.call(
      {
        to: ref.bus,
        path: ref.path,
        interface: 'org.freedesktop.DBus.Properties',
        member: 'Get',
        signature: 'ss',
        body: [iface, name],
      },
      this.ms,
    )
    return (variant as { value: unknown } | undefined)?.value
  }
}

/** Two forms are in use: with the index and count of children, and with a list of them. */
function fromCache(item: readonly unknown[]): Node | null {
  const ref = toRef(item[0])
  if (!ref) return null
  const listed = Array.isArray(item[3])
  const rest = listed ? item.slice(4) : item.slice(5)
  const [interfaces, name, role, description, states] = rest
  return {
    ref,
    parent: toRef(item[2]),
    index: listed ? -1 : numberOr(item[3], -1),
    childCount: listed ? (item[3] as unknown[]).length : numberOr(item[4], -1),
    interfaces: interfaces as string[],
    name: textOr(name),
    role: numberOr(role, 0),
    description: textOr(description),
    states: states as number[],
  }
}

function toRef(value: unknown): Ref | null {
  if (!Array.isArray(value)) return null
  const [bus, path] = value as unknown[]
  if (typeof bus !== 'string' || typeof path !== 'string' || bus === '' || path === NULL_PATH) return null
  return { bus, path }
}

const textOr = (value: unknown): string => (typeof value === 'string' ? value : '')
const numberOr = (value: unknown, other: number): number => (typeof value === 'number' ? value : other)

/** AT-SPI's numbers for what things are, as far as there is a plain word. */
const ROLES: Readonly<Record<number, Role>> = {
  2: 'dialog', // alert
  7: 'checkbox',
  8: 'menu item', // check menu item
  10: 'column header',
  11: 'dropdown',
  12: 'field', // date editor
  13: 'icon', // on the desktop
  15: 'slider', // dial
  16: 'dialog',
  19: 'dialog', // file chooser
  22: 'dialog', // font chooser
  23: 'window', // frame
  26: 'icon',
  27: 'image',
  28: 'window', // internal frame
  29: 'text', // label
  31: 'list',
  32: 'list item',
  33: 'menu',
  35: 'menu item',
  37: 'tab',
  39: 'group', // panel
  40: 'field', // password
  41: 'menu', // popup menu
  42: 'progress',
  43: 'button',
  44: 'radio',
  45: 'menu item', // radio menu item
  51: 'slider',
  52: 'field', // spin button
  54: 'group', // status bar
  55: 'table',
  56: 'cell',
  57: 'column header',
  58: 'cell', // row header
  59: 'menu item',
  61: 'text',
  62: 'button', // toggle button
  63: 'toolbar',
  64: 'text', // tool tip
  65: 'table', // tree
  66: 'table', // tree table
  69: 'window',
  73: 'text', // paragraph
  79: 'field', // entry
  81: 'text', // caption
  82: 'document',
  83: 'heading',
  85: 'group', // section
  87: 'group', // form
  88: 'link',
  90: 'row',
  91: 'tree item',
  95: 'document', // web
  98: 'list', // list box
  99: 'group', // grouping
  100: 'image', // image map
  101: 'dialog', // notification
  103: 'progress', // level bar
  105: 'text', // block quote
  109: 'group', // article
  110: 'group', // landmark
  116: 'text', // static
  122: 'text', // description term
  123: 'text', // description value
  129: 'button', // with a menu
  130: 'switch',
}

/** What a thing is, in a plain word; empty where there is none: it only holds others. */
export function roleWord(node: Pick<Node, 'role' | 'interfaces'>): Role | '' {
  const word = ROLES[node.role] ?? ''
  // Some programs give entries the role of any text: what can be edited is a field.
  const editable = node.interfaces.some((name) => name.endsWith('.EditableText'))
  return editable && (word === 'text' || word === 'group') ? 'field' : word
}
