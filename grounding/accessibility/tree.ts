/** Reading what one program shows: from its list where it has one, by walking where it has not. Always bounded. */
import { type Atspi, has, keyOf, type Node, type Ref, STATE } from './atspi.js'

export interface Limits {
  /** Objects of one program. */
  readonly nodes: number
  /** Levels below the program. */
  readonly depth: number
  /** Objects that are in no list, and are asked for one by one. */
  readonly walked: number
  /** For its list, in ms: one answer, however long. */
  readonly listMs: number
  /** For what is asked beside that, in ms. */
  readonly ms: number
}

const LIMITS: Limits = { nodes: 20_000, depth: 200, walked: 4000, listMs: 5000, ms: 4000 }

/** What a person can see of a program: every object is showing, and so is all that it is in. */
export interface Tree {
  readonly root: Ref
  /** Parents before their children, children in their order. */
  readonly nodes: readonly TreeNode[]
  /** Why there may be more, if so. */
  readonly truncated: string | null
}

export interface TreeNode extends Node {
  /** The object it is in; null: one of the program's windows. */
  readonly up: TreeNode | null
  readonly down: TreeNode[]
  /** The program's window it is in; itself for that. */
  readonly top: TreeNode
}

/** AT-SPI's number for a web page. */
const WEB_PAGE = 95

/** So many things that are in no list are many: one question about all that is below is quicker. */
const MANY = 16

/** An object whose children are wanted; the program itself is no node. */
interface Below {
  readonly ref: Ref
  readonly childCount: number
  readonly node?: TreeNode
}

/** A set of states with this one alone, and with `sensitive`, which most things are. */
function statesWith(state: number): readonly number[] {
  const states = [1 << STATE.sensitive, 0]
  states[state >> 5] = (states[state >> 5] as number) | (1 << (state & 31))
  return states
}

/** How many objects are asked for at a time: enough to keep a program busy, few enough for others to be heard. */
const AT_A_TIME = 128

/**
 * Reads a program. `shown`: the state that says a person can see a thing. Rejects with a `CallFailed` when the program does
 * not answer at all, and with the signal's reason when that is aborted.
 */
export async function readTree(
  atspi: Atspi,
  root: Ref,
  shown: number,
  signal?: AbortSignal,
  limits: Limits = LIMITS,
): Promise<Tree> {
  const known = new Map<string, Node[]>()
  const listed = await atspi.cached(root.bus, limits.listMs).catch(() => null)
  const deadline = performance.now() + limits.ms
  for (const node of listed ?? []) {
    if (!node.parent) continue
    const key = keyOf(node.parent)
    const siblings = known.get(key)
    if (siblings) siblings.push(node)
    else known.set(key, [node])
  }
  const nodes: TreeNode[] = []
  let truncated: string | null = null
  let walked = 0
  const isSeen = new Set<string>([keyOf(root)])

  /** What is to be seen of a page, or of what else has much in it that is in no list. */
  const seen = new Map<string, Promise<ReadonlySet<string> | null>>()
  const seenIn = (parent: Below, unlisted: number): Promise<ReadonlySet<string> | null> => {
    for (let at: TreeNode | null = parent.node ?? null; at; at = at.up) {
      const known = seen.get(keyOf(at.ref))
      if (known) return known
    }
    const collects = parent.node?.interfaces.some((one) => one.endsWith('.Collection')) ?? false
    if (!collects || (parent.node?.role !== WEB_PAGE && unlisted <= MANY)) return Promise.resolve(null)
    const asked = atspi.having(parent.ref, shown).then(
      (refs) => new Set(refs.map(keyOf)),
      () => null,
    )
    seen.set(keyOf(parent.ref), asked)
    return asked
  }

  /** The children of an object: those of the list when they are all there, else asked for. */
  const childrenOf = async (parent: Below): Promise<readonly Node[]> => {
    const found = known.get(keyOf(parent.ref)) ?? []
    if (parent.childCount === 0 || (parent.childCount > 0 && found.length >= parent.childCount)) return found
    if (walked >= limits.walked) {
      truncated = tooMany(limits)
      return found
    }
    const refs = await atspi.children(parent.ref)
    const byKey = new Map(found.map((node) => [keyOf(node.ref), node]))
    const unlisted = refs.flatMap((ref, index) => (byKey.has(keyOf(ref)) ? [] : [{ ref, index }]))
    const visible = unlisted.length > 0 ? await seenIn(parent, unlisted.length) : null
    const wanted = unlisted.filter(({ ref }) => visible?.has(keyOf(ref)) ?? true)
    if (wanted.length > limits.walked - walked) truncated = tooMany(limits)
    const unknown = wanted.slice(0, limits.walked - walked)
    walked += unknown.length
    const states = visible && statesWith(shown)
    const asked = await inBatches(unknown, AT_A_TIME, async ({ ref, index }) => {
      if (performance.now() > deadline) return null
      // One object that went meanwhile is no reason to know nothing of the others.
      return atspi.node(ref, parent.ref, index, states).catch(() => null)
    })
    for (const node of asked) if (node) byKey.set(keyOf(node.ref), node)
    return refs.flatMap((ref) => byKey.get(keyOf(ref)) ?? [])
  }

  // The first question to a program that keeps no list tells whether it answers at all.
  const tops = await childrenOf({ ref: root, childCount: -1 })
  let level: { node: Node; up: TreeNode | null }[] = tops.map((node) => ({ node, up: null }))
  for (let depth = 1; level.length > 0; depth++) {
    if (depth > limits.depth) {
      truncated = `it is more than ${limits.depth} levels deep`
      break
    }
    const next: TreeNode[] = []
    for (const { node, up } of level) {
      if (!has(node, shown) || isSeen.has(keyOf(node.ref))) continue
      if (nodes.length >= limits.nodes) {
        truncated = `it has more than ${limits.nodes} things`
        break
      }
      isSeen.add(keyOf(node.ref))
      const made = treeNode(node, up)
      up?.down.push(made)
      nodes.push(made)
      next.push(made)
    }
    if (truncated !== null && nodes.length >= limits.nodes) break
    level = []
    for (let start = 0; start < next.length; start += AT_A_TIME) {
      signal?.throwIfAborted()
      if (performance.now() > deadline) {
        truncated = `reading it takes more than ${limits.ms} ms`
        break
      }
      const some = next.slice(start, start + AT_A_TIME)
      const children = await Promise.all(
        some.map((one) =>
          childrenOf({ ref: one.ref, childCount: one.childCount, node: one }).catch(() => []),
        ),
      )
      for (const [index, found] of children.entries()) {
        const up = some[index] as TreeNode
        for (const node of [...found].sort((a, b) => a.index - b.index)) level.push({ node, up })
      }
    }
  }
  return { root, nodes, truncated }
}

/** The node itself: a copy of each of thousands is work for nothing. */
function treeNode(node: Node, up: TreeNode | null): TreeNode {
  const made = node as { -readonly [K in keyof TreeNode]: TreeNode[K] }
  made.up = up
  made.down = []
  made.top = up ? up.top : made
  return made
}

function tooMany({ walked }: Limits): string {
  return `more than ${walked} things have to be asked for one by one`
}

/** Runs `task` for each, so many at a time, in order. */
export async function inBatches<T, R>(
  things: readonly T[],
  size: number,
  task: (thing: T) => Promise<R>,
  signal?: AbortSignal,
): Promise<R[]> {
  const results: R[] = []
  for (let start = 0; start < things.length; start += size) {
    signal?.throwIfAborted()
    results.push(...(await Promise.all(things.slice(start, start + size).map(task))))
  }
  return results
}
