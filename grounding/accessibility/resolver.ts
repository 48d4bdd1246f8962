import type { Item } from '../items.js'
import { namesColor } from '../ranking/find.js'
import { isNamed } from '../ranking/names.js'
import { rank } from '../ranking/rank.js'
import type { ResolverSettings } from '../registry.js'
import {
  type Availability,
  type Frame,
  type Query,
  type Resolution,
  type Resolver,
  ResolverError,
  type ScreenWindow,
} from '../resolver.js'
import { type Atspi, type Ref, roleWord, STATE } from './atspi.js'
import { CallFailed } from './bus.js'
import { Element } from './element.js'
import { relevant, toItems } from './items.js'
import { Link } from './link.js'
import { findTops, place } from './placed.js'
import { readTree, type Tree } from './tree.js'

/** For how long a program that did not answer is left alone, in ms: others are not to wait for it every time. */
const SULK_MS = 30_000

interface Program {
  readonly root: Ref
  readonly pid: number
  readonly toolkit: string
}

/** The desktop's accessibility tree (AT-SPI2 over D-Bus): nothing leaves the machine, and no picture is taken. */
export class Accessibility implements Resolver {
  readonly name = 'accessibility'
  readonly sees = 'what applications tell assistive technology (AT-SPI2)'
  readonly remote = false
  readonly needsFrame = false
  readonly #link: Link
  readonly #programs = new Map<string, Program>()
  /** Until when each program that did not answer is left alone. */
  readonly #silent = new Map<string, number>()

  constructor(private readonly settings: ResolverSettings) {
    this.#link = new Link(settings.env)
  }

  async available(): Promise<Availability> {
    try {
      const { enabled } = await this.#link.status()
      if (enabled) return { available: true }
      return {
        available: true,
        note: 'accessibility is off for the session, so that Chromium, Electron and Qt applications hide themselves; `gsettings set org.gnome.desktop.interface toolkit-accessibility true`, and start them again',
      }
    } catch (error) {
      if (!(error instanceof ResolverError)) throw error
      return { available: false, reason: error.message, fix: error.fix ?? 'log in again' }
    }
  }

  async resolve(query: Query, _frame: Frame | null, signal: AbortSignal): Promise<Resolution> {
    const atspi = await this.#link.get()
    signal.throwIfAborted()
    const windows = query.windows.filter((window) => isAsked(window, query))
    const notes: string[] = []
    const programs = await this.#programsOf(atspi, windows, notes)
    signal.throwIfAborted()
    const read = await Promise.all(
      programs.map((program) => this.#read(atspi, program, query, notes, signal)),
    )
    signal.throwIfAborted()
    const seen = new Set(read.flatMap(({ windows: shown }) => shown))
    notes.push(...hidden(windows.filter(({ id, transient }) => !transient && !seen.has(id))))
    return {
      candidates: rank(
        query,
        read.flatMap(({ items }) => items),
      ),
      notes,
    }
  }

  async close(): Promise<void> {
    this.#link.close()
    this.#programs.clear()
  }

  /** The programs whose windows are asked about, and those of which nothing is known. */
  async #programsOf(
    atspi: Atspi,
    windows: readonly ScreenWindow[],
    notes: string[],
  ): Promise<readonly Program[]> {
    const roots = await this.#asked(() => atspi.programs())
    const now = performance.now()
    const known = await Promise.all(
      roots.map(async (root): Promise<Program | null> => {
        if ((this.#silent.get(root.bus) ?? 0) > now) return { root, pid: -1, toolkit: '' }
        const program = this.#programs.get(root.bus)
        if (program) return program
        try {
          const [pid, toolkit] = await Promise.all([atspi.pidOf(root.bus), atspi.toolkit(root)])
          const made = { root, pid, toolkit }
          this.#programs.set(root.bus, made)
          return made
        } catch (error) {
          this.#fell(root, error)
          return null
        }
      }),
    )
    for (const bus of this.#programs.keys()) {
      if (!roots.some((root) => root.bus === bus)) this.#programs.delete(bus)
    }
    const pids = new Set(windows.map(({ pid }) => pid))
    const found = known.filter((program) => program !== null)
    // A window of a container says a process id that nobody here has: then anybody may be its program.
    const isStrange = windows.some(({ pid }) => !found.some((program) => program.pid === pid))
    const silent = roots.filter(({ bus }) => (this.#silent.get(bus) ?? 0) > now)
    if (silent.length > 0) {
      notes.push(
        `${silent.length === 1 ? 'one application does' : `${silent.length} applications do`} not answer to accessibility; what it shows was not looked at`,
      )
    }
    return found.filter(({ root, pid }) => !silent.includes(root) && (pids.has(pid) || isStrange))
  }

  async #read(
    atspi: Atspi,
    program: Program,
    query: Query,
    notes: string[],
    signal: AbortSignal,
  ): Promise<{ readonly items: readonly Item[]; readonly windows: readonly number[] }> {
    const { root, pid, toolkit } = program
    // GTK 4 has no word for "showing" that it would use for all that is.
    const shown = toolkit === 'GTK' ? STATE.visible : STATE.showing
    try {
      const tree = await readTree(atspi, root, shown, signal)
      const tops = await findTops(
        atspi,
        tree.nodes.filter(({ up }) => up === null),
        pid,
        query,
      )
      const within = tops.filter(({ window }) => isAsked(window, query))
      const placed = await place(atspi, tree, within, relevant(query.text, tree.nodes), query, signal)
      const name = within[0]?.window.app ?? `process ${pid}`
      if (tree.truncated && within.length > 0)
        notes.push(`${name} was not looked at as a whole: ${tree.truncated}`)
      const hint = withoutPages(
        toolkit,
        tree,
        within.map(({ window }) => window),
      )
      if (hint) notes.push(hint)
      const facts = { pid, shown, isDirect: toolkit !== 'Chromium' }
      const items = await toItems(
        atspi,
        placed,
        (one) => new Element(() => this.#link.get(), one, facts),
        namesColor(query.text),
        signal,
      )
      return { items, windows: within.map(({ window }) => window.id) }
    } catch (error) {
      signal.throwIfAborted()
      if (!(error instanceof CallFailed)) throw error
      this.#fell(root, error)
      if (error.reason === 'timeout')
        notes.push(`process ${pid} does not answer to accessibility; what it shows was not looked at`)
      return { items: [], windows: [] }
    }
  }

  /** A program failed: left alone for a while when it does not answer, and otherwise gone or going. */
  #fell({ bus }: Ref, error: unknown): void {
    if (!(error instanceof CallFailed)) throw error
    this.#programs.delete(bus)
    if (error.reason === 'timeout') this.#silent.set(bus, performance.now() + SULK_MS)
    this.settings.log('info', 'accessibility_program_failed', { program: bus, reason: error.message })
  }

  async #asked<T>(ask: () => Promise<T>): Promise<T> {
    try {
      return await ask()
    } catch (error) {
      if (!(error instanceof CallFailed)) throw error
      this.#link.close()
      throw new ResolverError(`the accessibility bus does not answer: ${error.message}`, 'log in again')
    }
  }
}

function isAsked({ app, title }: ScreenWindow, query: Query): boolean {
  return query.app === undefined || [app, title].some((name) => isNamed(name, query.app as string))
}

/** A browser that shows its own buttons and none of its pages. */
function withoutPages(toolkit: string, tree: Tree, windows: readonly ScreenWindow[]): string | null {
  const [window] = windows
  if (toolkit !== 'Chromium' || !window) return null
  const hasPage = tree.nodes.some((node) => roleWord(node) === 'document' && node.childCount !== 0)
  return hasPage
    ? null
    : `the pages of ${window.app} are hidden from accessibility: start it with --force-renderer-accessibility, or name another resolver too`
}

function hidden(windows: readonly ScreenWindow[]): string[] {
  const names = [...new Set(windows.map(({ app }) => app))]
  if (names.length === 0) return []
  return [
    `${names.slice(0, 5).join(', ')} ${names.length === 1 ? 'shows itself' : 'show themselves'} to no accessibility, and was not looked at; a resolver that reads the screen (ocr) may find what is there`,
  ]
}
