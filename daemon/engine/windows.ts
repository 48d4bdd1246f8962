import {
  type ContentChange,
  HostUnavailable,
  type HostWindow,
  type WindowAccess,
  type WindowsChange,
} from '../../overlay/host.js'
import { WireError } from '../../protocol/overlay/errors.js'
import type { Display, Point, Rect } from '../../protocol/overlay/geometry.js'
import { isAboutTheScreen, isInRange, shifted, subjectRect, touches } from './build.js'
import type { Content } from './content.js'
import type { MarkStore } from './mark-store.js'
import type { Entry } from './session.js'

/**
 * Keeps marks on the windows they were put on. A mark moves by exactly what its window moved; it is invalidated
 * (`scroll`: the content went away) when its window closed, was minimised, went to another workspace, changed size, or
 * is covered where the mark is. One rule everywhere: nothing is hidden to come back later, since what comes back may
 * not be what was pointed at. Windows are watched only while there are marks, or somebody waits for one.
 */
export class Windows {
  #list: readonly HostWindow[] = []
  /** Whether the list is kept up to date by events. */
  #watching = false
  #busy = false
  #isLost = false
  /** The displays are laid out otherwise since the list was read: what goes by the next reading goes by that. */
  #relaid = false
  readonly #waiters = new Set<() => void>()
  #onlooker: (() => void) | null = null
  /** The reading under way, and whether something happened since it began. */
  #reading: Promise<void> | null = null
  #outdated = false

  constructor(
    private readonly access: WindowAccess | undefined,
    private readonly marks: () => MarkStore,
    private readonly content: Content,
    private readonly displays: () => readonly Display[],
    private readonly onFault: (error: unknown) => void,
  ) {}

  /** Whether there are marks to keep an eye on. */
  setBusy(busy: boolean): void {
    this.#busy = busy
    this.#watch()
  }

  /** What is known of windows now, bottom to top; empty while they are not watched. */
  get known(): readonly HostWindow[] {
    return this.#list
  }

  /** Somebody else lives among the windows, and is told whenever they are other ones. Resolves once they are known. */
  async setOnlooker(onlooker: (() => void) | null): Promise<void> {
    this.#onlooker = onlooker
    this.#watch()
    if (onlooker) await this.#reading
  }

  /** The host is gone: what was known of windows is no longer so, and whoever waits for one is told. */
  lost(): void {
    this.#watching = false
    this.#list = []
    this.#relaid = false
    this.#isLost = true
    this.#tellWaiters()
  }

  /** The host serves (again). */
  reset(): void {
    this.#isLost = false
    this.#watching = false
    this.#list = []
    this.#watch()
    this.#tellWaiters()
  }

  /** Windows are elsewhere on displays that are laid out otherwise, though none of them moved: the list is read anew. */
  displaysChanged(): void {
    if (!this.#watching) return
    this.#relaid = true
    this.#refresh()
  }

  /** Finds out which window a new mark is on: at once when the list is up to date, else as soon as it is. */
  attach(entry: Entry): void {
    if (!this.access || isAboutTheScreen(entry.mark)) return
    if (entry.window) this.content.follow(entry)
    else this.content.release(entry)
    if (this.#watching && !this.#reading) this.#attach(entry)
    else {
      this.#watch()
      this.#refresh()
    }
  }

  changed(change: WindowsChange): void {
    for (const { id, rects } of change.moved) {
      this.#list = this.#list.map((window) => (window.id === id ? { ...window, rects } : window))
    }
    this.#followAll()
    // A list that is being read may be older than this change: it is then read once more.
    if (change.relisted || this.#reading) this.#refresh()
    else {
      this.#check()
      this.#onlooker?.()
    }
    this.#tellWaiters()
  }

  /** Content moved under marks: each is to be on the same window still, and not covered there. */
  contentChanged(change: ContentChange): void {
    this.content.changed(change)
    if (!this.#reading) this.#check()
  }

  get canList(): boolean {
    return this.access !== undefined
  }

  /** The windows as they are now, bottom to top. */
  async list(): Promise<readonly HostWindow[]> {
    if (!this.access)
      throw new WireError('unavailable', 'this host does not know the windows of other programs')
    return this.access.list()
  }

  /** The one window of `list` that fits `name`, of visible ones if there are any; throws `not_found` or `ambiguous`. */
  find(name: string, list: readonly HostWindow[]): HostWindow {
    const all = match(list, name)
    // What a person sees is what is meant, when there is any.
    const seen = all.filter(({ visible }) => visible)
    const fitting = seen.length > 0 ? seen : all
    const [only] = fitting
    if (!only)
      throw new WireError(
        'not_found',
        `no window has the application or title ${JSON.stringify(name)}; \`apps\` lists the windows`,
      )
    if (fitting.length === 1) return only
    throw new WireError(
      'ambiguous',
      `${fitting.length} windows fit ${JSON.stringify(name)}; name one by its title`,
      {
        candidates: fitting.map(({ id, app, rects }) => ({ id, app, rects: Object.fromEntries(rects) })),
      },
    )
  }

  /** Binds a mark to the window it was drawn relative to; throws `unavailable` when another one covers the place. */
  bind(
    entry: Pick<Entry, 'mark' | 'display'>,
    window: HostWindow,
    list: readonly HostWindow[],
  ): NonNullable<Entry['window']> {
    const rect = window.rects.get(entry.display)
    if (!rect || this.#topmost(entry, list)?.id !== window.id) {
      throw new WireError(
        'unavailable',
        `that place of the window of ${window.app} is covered by another window`,
      )
    }
    return { id: window.id, rect }
  }

  async activate(name: string): Promise<HostWindow> {
    const window = this.find(name, await this.list())
    await this.access?.activate(window.id)
    return window
  }

  /** Resolves true once a visible window fits `name`; false when `cancelled` resolves before. */
  async appears(name: string, cancelled: Promise<void>): Promise<boolean> {
    let over = false
    let wake = () => {}
    void cancelled.then(() => {
      over = true
      wake()
    })
    try {
      while (!over) {
        if (this.#isLost) throw new HostUnavailable('the display went away while a window was waited for')
        // Watched from before the list is read, so that nothing is missed in between.
        const next = new Promise<void>((resolve) => {
          wake = resolve
        })
        this.#waiters.add(wake)
        this.#watch()
        if (match(await this.list(), name).some(({ visible }) => visible)) return true
        await next
      }
      return false
    } finally {
      this.#waiters.delete(wake)
      this.#watch()
    }
  }

  #watch(): void {
    const wanted =
      this.access !== undefined && (this.#busy || this.#waiters.size > 0 || this.#onlooker !== null)
    if (wanted === this.#watching) return
    this.#watching = wanted
    this.#relaid = false
    this.access?.watch(wanted).catch((error: unknown) => this.#failed(error))
    if (wanted) this.#refresh()
  }

  /** Nothing is known of windows any more; the next mark, or the next wait, tries again. */
  #failed(error: unknown): void {
    this.#watching = false
    this.#list = []
    this.onFault(error)
  }

  #tellWaiters(): void {
    const waiters = [...this.#waiters]
    this.#waiters.clear()
    for (const wake of waiters) wake()
  }

  /** Reads the list anew; once more when something happened meanwhile. */
  #refresh(): void {
    this.#outdated = true
    this.#reading ??= this.#read()
      .catch((error: unknown) => this.#failed(error))
      .finally(() => {
        this.#reading = null
        // Asked for between the last look and here: without this it would be forgotten.
        if (this.#outdated && this.#watching) this.#refresh()
      })
  }

  async #read(): Promise<void> {
    while (this.#outdated && this.#watching) {
      this.#outdated = false
      try {
        this.#list = (await this.access?.list()) ?? []
      } catch (error) {
        this.#failed(error)
        return
      }
      if (!this.#watching) return
      this.#followAll()
      for (const entry of this.marks().entries()) this.#attach(entry)
      this.#check()
      if (!this.#outdated) this.#relaid = false
      this.#onlooker?.()
    }
  }

  #attach(entry: Entry): void {
    if (entry.window !== undefined || isAboutTheScreen(entry.mark)) return
    const window = this.#topmost(entry)
    const rect = window?.rects.get(entry.display)
    entry.window = window && rect ? { id: window.id, rect } : null
    this.content.follow(entry)
  }

  #followAll(): void {
    for (const entry of [...this.marks().entries()]) this.#follow(entry)
  }

  /** Moves a mark by what its window moved. */
  #follow(entry: Entry): void {
    if (!entry.window) return
    const { id, rect: before } = entry.window
    const now = this.#list.find((window) => window.id === id)?.rects.get(entry.display)
    if (!now || sameRect(before, now)) return
    const by: Point = [now[0] - before[0], now[1] - before[1]]
    const display = this.displays().find((one) => one.id === entry.display)
    const mark = shifted(entry.mark, by)
    // A window of another size has laid out its content anew: where, only its pixels can tell.
    const resized = Math.abs(now[2] - before[2]) > 0.01 || Math.abs(now[3] - before[3]) > 0.01
    const unseen = resized && !this.content.isFollowed
    if (unseen || !display || !isInRange(mark) || !touches(mark, display)) {
      this.#gone(entry)
      return
    }
    entry.window = { id, rect: now }
    this.marks().replace(entry, mark, true)
    if (resized) this.content.resized(id)
  }

  /** Drops the marks whose window is no longer what a person sees at that place. */
  #check(): void {
    for (const entry of [...this.marks().entries()]) {
      if (entry.window === undefined) continue
      if ((this.#topmost(entry)?.id ?? null) !== (entry.window?.id ?? null)) this.#gone(entry)
    }
  }

  #gone(entry: Entry): void {
    this.marks().drop(entry, this.#relaid ? 'display_change' : 'scroll')
  }

  /** The window a person sees at the place a mark is about. */
  #topmost(
    { mark, display }: Pick<Entry, 'mark' | 'display'>,
    list: readonly HostWindow[] = this.#list,
  ): HostWindow | undefined {
    const [x, y] = subject(mark)
    return list.findLast((window) => {
      const rect = window.rects.get(display)
      // Menus and tooltips come and go over a window without it being another one.
      return rect && window.visible && !window.transient && contains(rect, x, y)
    })
  }
}

/** The middle of what a mark is about. */
function subject(mark: Entry['mark']): Point {
  const [x, y, width, height] = subjectRect(mark)
  return [x + width / 2, y + height / 2]
}

function contains([left, top, width, height]: Rect, x: number, y: number): boolean {
  return x >= left && y >= top && x < left + width && y < top + height
}

function sameRect(a: Rect, b: Rect): boolean {
  return a.every((value, index) => value === b[index])
}

/** Exact before case-insensitive, application before title. */
function match(windows: readonly HostWindow[], name: string): readonly HostWindow[] {
  const candidates = windows.filter(({ transient }) => !transient)
  const folded = name.toLowerCase()
  const rules: ((window: HostWindow) => boolean)[] = [
    ({ app, title }) => app === name || title === name,
    ({ app, title }) => app.toLowerCase() === folded || title.toLowerCase() === folded,
  ]
  for (const rule of rules) {
    const fitting = candidates.filter(rule)
    if (fitting.length > 0) return fitting
  }
  return []
}
