/** What the ranker needs to know of a program's things. */
import type { Item } from '../items.js'
import { byRoleAlone, findNames } from '../ranking/find.js'
import { isHolder, isUsable } from '../roles.js'
import { type Atspi, has, keyOf, RELATION_LABELLED_BY, roleWord, STATE } from './atspi.js'
import { colorsOf } from './colors.js'
import type { Placed } from './placed.js'
import { inBatches, type TreeNode } from './tree.js'

/** So many things without a name are asked what labels and describes them. */
const MOST_ASKED = 300

/** A row's name is made of what is in it, up to so many characters. */
const LONGEST_ROW = 120

const AT_A_TIME = 64

/** The role of an article, which is a group in words. */
const ARTICLE = 109

/** Whether a thing is one to point at, or tells something of others. */
function isWanted(node: TreeNode): boolean {
  const role = roleWord(node)
  if (role === '' || role === 'document') return false
  const name = nameOf(node)
  if (role === 'group') return name !== ''
  if (role !== 'text') return name !== '' || role !== 'window'
  // The text in a button is the button.
  return name !== '' && !isEcho(node, name)
}

/**
 * Those of a program's things that a query may be about: asking every one of thousands where it is would take most of the
 * time. What has no name, or only a label elsewhere, always counts.
 */
export function relevant(text: string, nodes: readonly TreeNode[]): (node: TreeNode) => boolean {
  const wanted = nodes.filter(isWanted)
  const saysOf = (node: TreeNode) => {
    const name = nameOf(node) || (isLine(roleWord(node)) ? textIn(node) : '')
    return node.description === '' ? name : `${name} ${node.description}`
  }
  const says = new Map(wanted.map((node) => [node, saysOf(node)]))
  const names = findNames(text, says.values())
  if (!names) return (node) => says.has(node)
  const fits = byRoleAlone(text)
  return (node) => {
    const name = says.get(node)
    return (
      name !== undefined &&
      (name === '' || names.has(name) || fits(roleWord(node)) || (roleWord(node) === 'cell' && fits('row')))
    )
  }
}

/** Whether a text only repeats what it is in. */
function isEcho({ up }: TreeNode, name: string): boolean {
  return up !== null && up.name === name && roleWord(up) !== ''
}

/** A name a person could read: some toolkits put in the names of their classes. */
function nameOf({ name }: Pick<TreeNode, 'name'>): string {
  if (/^Gtk[A-Z]\w+$/.test(name)) return ''
  // Chromium's tabs tell how much memory they take.
  return name
    .replace(/ - Memory usage - [\d.,]+ ?\w+$/, '')
    .replace(/\s+/g, ' ')
    .trim()
}

export async function toItems(
  atspi: Atspi,
  placed: readonly Placed[],
  elementOf: (placed: Placed) => NonNullable<Item['element']>,
  /** Whether their colours matter. */
  colored: boolean,
  signal?: AbortSignal,
): Promise<readonly Item[]> {
  const told = await labels(atspi, placed, signal)
  const nodes = placed.map(({ node }) => node)
  const colors = colored ? await colorsOf(atspi, nodes, signal) : null
  const inside = new Map<TreeNode, readonly string[]>()
  /** The names of what a thing is in, the nearest first. */
  const insideOf = (node: TreeNode | null): readonly string[] => {
    if (!node) return []
    const known = inside.get(node)
    if (known) return known
    const above = insideOf(node.up)
    const name = isHolder(roleWord(node)) || roleWord(node) === 'tab' ? nameOf(node) || headingOf(node) : ''
    const made = name ? [name, ...above] : above
    inside.set(node, made)
    return made
  }
  const items = placed.map((one): Item => {
    const { node, top, rect } = one
    const role = isSwitch(node, rect) ? 'switch' : roleWord(node)
    const label = told.get(node)
    const own = nameOf(node) || label?.name || (isLine(role) ? textIn(node) : '')
    // A button without words has those that it shows when the mouse rests on it.
    const name = own || (isUsable(role) ? node.description : '')
    const also = [node.description, ...(label?.also ?? [])].filter((text) => text !== '' && text !== name)
    const states = statesOf(node)
    const row = rowOf(node, rect[1])
    const color = colors?.get(node)
    return {
      name,
      role,
      rect,
      app: top.window.app,
      title: top.window.title,
      inside: insideOf(node.up),
      ...(also.length > 0 && { also }),
      ...(states.length > 0 && { states }),
      ...(row !== undefined && { row }),
      ...(color !== undefined && { color }),
      element: elementOf(one),
    }
  })
  return [...items, ...rowsOfCells(items)]
}

/** GTK 4 calls its switches checkboxes: a checkbox has its text in it, or is a square. */
function isSwitch(node: TreeNode, [, , width, height]: Item['rect']): boolean {
  return (
    roleWord(node) === 'checkbox' && node.childCount === 0 && width >= 1.5 * height && width <= 3 * height
  )
}

/** The rows of a table that tells of its cells alone: each is where its first cell is, and says what its cells do. */
function rowsOfCells(items: readonly Item[]): Item[] {
  const rows = new Map<string, Item[]>()
  const real = new Set(
    items.flatMap(({ role, row }) => (isLine(role) && role !== 'cell' && row ? [row] : [])),
  )
  for (const item of items) {
    if (item.role !== 'cell' || item.row === undefined || real.has(item.row)) continue
    rows.set(item.row, [...(rows.get(item.row) ?? []), item])
  }
  return [...rows.values()].flatMap((cells) => {
    const [first] = [...cells].sort((a, b) => a.rect[0] - b.rect[0])
    const name = cells.map((cell) => cell.name).filter(Boolean)
    return first ? [{ ...first, role: 'row', name: name.join(' ').slice(0, LONGEST_ROW) }] : []
  })
}

interface Told {
  readonly name: string
  readonly also: readonly string[]
}

/** Asks what labels fields, and what is known of things without a name. */
async function labels(
  atspi: Atspi,
  placed: readonly Placed[],
  signal?: AbortSignal,
): Promise<ReadonlyMap<TreeNode, Told>> {
  const asked = placed
    .map(({ node }) => node)
    .filter((node) => isUsable(roleWord(node)) && (nameOf(node) === '' || roleWord(node) === 'field'))
    .slice(0, MOST_ASKED)
  const byKey = new Map(placed.map(({ node }) => [keyOf(node.ref), node]))
  const told = await inBatches(
    asked,
    AT_A_TIME,
    async (node): Promise<Told> => {
      const has = (name: string) => node.interfaces.some((one) => one.endsWith(`.${name}`))
      const isField = roleWord(node) === 'field'
      const [related, attributes, value] = await Promise.all([
        nameOf(node) === '' ? atspi.related(node.ref, RELATION_LABELLED_BY).catch(() => []) : [],
        atspi.attributes(node.ref).catch((): Record<string, string> => ({})),
        // What is typed into a password field is nobody's business.
        isField && has('Text') && node.role !== 40 ? atspi.text(node.ref).catch(() => '') : '',
      ])
      const names = await Promise.all(
        related.map(async (ref) => {
          const name = byKey.get(keyOf(ref))?.name ?? (await atspi.name(ref).catch(() => ''))
          return nameOf({ name })
        }),
      )
      const {
        'placeholder-text': placeholder = '',
        id = '',
        class: classes = '',
        'toolkit-hint': hint = '',
      } = attributes
      const name = names
        .map((one) => one.trim())
        .join(' ')
        .trim()
      const unnamed = nameOf(node) === '' && name === ''
      return {
        name: name || (unnamed ? placeholder : ''),
        also: [placeholder, value, ...(unnamed ? [id, classes, hint].map(words) : [])].filter(
          (one) => one !== '',
        ),
      }
    },
    signal,
  )
  return new Map(asked.map((node, index) => [node, told[index] as Told]))
}

/** `btn-settings` and `closeIcon` as words. */
function words(name: string): string {
  return name.replace(/[-_]+/g, ' ').replace(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ')
}

function isLine(role: string): boolean {
  return role === 'row' || role === 'list item' || role === 'tree item' || role === 'cell' || role === 'tab'
}

/** What a row says: what is in it, from left to right. */
function textIn(node: TreeNode): string {
  const parts: string[] = []
  let length = 0
  const visit = (one: TreeNode) => {
    if (length > LONGEST_ROW) return
    const name = nameOf(one)
    if (name !== '' && one !== node) {
      parts.push(name)
      length += name.length
    } else for (const child of one.down) visit(child)
  }
  visit(node)
  return parts
    .filter((part) => /[\p{L}\p{N}]/u.test(part))
    .join(' ')
    .slice(0, LONGEST_ROW)
}

/** The heading a section begins with is its name. */
function headingOf(node: TreeNode): string {
  for (const child of node.down.slice(0, 2)) {
    const heading =
      roleWord(child) === 'heading' ? child : child.down.find((one) => roleWord(one) === 'heading')
    if (heading) return nameOf(heading) || textIn(heading)
  }
  return ''
}

function statesOf(node: TreeNode): string[] {
  const states: string[] = []
  if (has(node, STATE.checked)) states.push('checked')
  if (has(node, STATE.selected)) states.push('selected')
  if (has(node, STATE.focused)) states.push('focused')
  if (!has(node, STATE.sensitive) && isUsable(roleWord(node))) states.push('disabled')
  const cells = node.down.filter((child) => roleWord(child) !== '')
  if (
    roleWord(node) === 'row' &&
    cells.length > 0 &&
    cells.every((child) => roleWord(child) === 'column header')
  )
    states.push('header')
  return states
}

/** Which row a thing is in; a table without rows has its cells side by side. */
function rowOf(node: TreeNode, top: number): string | undefined {
  for (let at: TreeNode | null = node; at; at = at.up) {
    const role = roleWord(at)
    // An article is a message or a card: what is in it belongs together.
    if (role === 'row' || role === 'list item' || role === 'tree item' || at.role === ARTICLE)
      return keyOf(at.ref)
    if (role === 'cell' && at.up && roleWord(at.up) === 'table')
      return `${keyOf(at.up.ref)}:${Math.round(top / 4)}`
    if (role === 'table' || role === 'list') return undefined
  }
  return undefined
}
