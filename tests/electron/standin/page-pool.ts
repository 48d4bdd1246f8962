/** Pages of the stand-in's windows. Loading one is all that takes long, so what was used once is used again. */
import type { Browser } from 'playwright-core'
import type { FromPage } from '../../../protocol/host/page.js'
import { openPage, type TestedPage } from '../page.js'

type Size = readonly [width: number, height: number]

/** A page, and what was said to it by all that had it: it takes no number twice. */
export interface Held {
  readonly tested: TestedPage
  readonly ratio: number
  size: Size
  /** What is added to the numbers of whoever has it. */
  base: number
  last: number
  hear: (message: FromPage) => void
}

interface Waiter {
  readonly size: Size
  readonly ratio: number
  readonly isWanted: () => boolean
  readonly resolve: (held: Held | null) => void
}

export class PagePool {
  #free: Held[] = []
  #waiters: Waiter[] = []
  /** The ratios of those that load. */
  readonly #loading: number[] = []

  constructor(
    private readonly browser: () => Promise<Browser>,
    private readonly note: (error: unknown) => void,
  ) {}

  /** Loads so many before somebody wants them: windows then come faster than this machine could load pages in a browser of tests. */
  async prepare(count: number): Promise<void> {
    await Promise.all(Array.from({ length: count }, () => this.#load([640, 400], 1)))
  }

  /** A page that nobody has; null when it is not wanted any more once there is one, as with a window that has gone meanwhile. */
  take(size: Size, ratio: number, isWanted: () => boolean): Promise<Held | null> {
    return new Promise((resolve) => {
      this.#waiters.push({ size, ratio, isWanted, resolve })
      this.#serve()
    })
  }

  give(held: Held): void {
    held.hear = () => {}
    this.#free.push(held)
    this.#serve()
  }

  #serve(): void {
    const waiting = this.#waiters
    this.#waiters = []
    for (const waiter of waiting) {
      const { size, ratio, isWanted, resolve } = waiter
      const held = this.#free.find((one) => one.ratio === ratio)
      if (!isWanted()) resolve(null)
      else if (held) {
        this.#free = this.#free.filter((one) => one !== held)
        held.base = held.last + 1
        refit(held, size).then(() => resolve(held), this.note)
      } else this.#waiters.push(waiter)
    }
    for (const { size, ratio } of this.#waiters) {
      const count = (ratios: number[]) => ratios.filter((one) => one === ratio).length
      if (count(this.#waiters.map((one) => one.ratio)) > count(this.#loading)) void this.#load(size, ratio)
    }
  }

  async #load(size: Size, ratio: number): Promise<void> {
    this.#loading.push(ratio)
    try {
      this.#free.push(await this.#open(size, ratio))
    } catch (error) {
      this.note(error)
    }
    this.#loading.splice(this.#loading.indexOf(ratio), 1)
    this.#serve()
  }

  async #open(size: Size, ratio: number): Promise<Held> {
    let isReady = () => {}
    const ready = new Promise<void>((resolve) => {
      isReady = resolve
    })
    let held: Held | null = null
    const tested = await openPage(
      { teardown() {}, is() {}, fail: this.note } as unknown as Parameters<typeof openPage>[0],
      {
        ...{ size, ratio },
        onTold: (message) => {
          if (held) held.hear(message)
          else if (message.type === 'ready') isReady()
        },
      },
      await this.browser(),
    )
    await ready
    held = { tested, ratio, size, base: 0, last: -1, hear() {} }
    return held
  }
}

async function refit(held: Held, size: Size): Promise<void> {
  if (String(size) === String(held.size)) return
  const [width, height] = size
  await held.tested.page.setViewportSize({ width, height })
  held.size = size
}
