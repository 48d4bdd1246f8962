/** What a person has on a Wayland screen, and their hand: windows that say what input reaches them, and a pointer. */
import { type ChildProcess, execFile } from 'node:child_process'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { createCanvas, loadImage } from '@napi-rs/canvas'
import { end, until } from '../support/xserver.js'
import { PYTHON, type Quarters } from './processes.js'

const run = promisify(execFile)

/** One thing that a window was told. Places are in points of the window. */
export interface ClientEvent {
  readonly event: 'shown' | 'enter' | 'leave' | 'motion' | 'button' | 'axis' | 'focus' | 'blur' | 'key'
  readonly x?: number
  readonly y?: number
  readonly width?: number
  readonly height?: number
  readonly button?: number
  readonly key?: number
  readonly down?: boolean
  readonly axis?: number
  readonly by?: number
}

export interface WindowOptions {
  readonly title?: string
  /** RRGGBB. */
  readonly colour?: string
  readonly size?: readonly [width: number, height: number]
  readonly fullscreen?: boolean
  /** Whether it shows no cursor while the pointer is over it, as players do. */
  readonly hidesCursor?: boolean
}

/** A native Wayland window of one colour. */
export class WaylandWindow {
  readonly events: ClientEvent[] = []

  private constructor(private readonly child: ChildProcess) {
    createInterface({ input: child.stdout as Readable }).on('line', (line) =>
      this.events.push(JSON.parse(line)),
    )
  }

  /** Resolves when it is shown. */
  static async open(
    quarters: Quarters,
    env: NodeJS.ProcessEnv,
    options: WindowOptions,
  ): Promise<WaylandWindow> {
    const { title = 'window', colour = '336699', size = [640, 480], fullscreen = false } = options
    const how = fullscreen ? ['fullscreen'] : size.map(String)
    if (options.hidesCursor) how.push('hides')
    const child = quarters.start(PYTHON, [quarters.program('client.py'), title, colour, ...how], env, {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const window = new WaylandWindow(child)
    await window.gets('shown')
    return window
  }

  get pid(): number {
    return this.child.pid!
  }

  /** What it was told since the last time this was asked. */
  taken(): ClientEvent[] {
    return this.events.splice(0)
  }

  /** Waits until it is told this. */
  gets(event: ClientEvent['event'], facts: Partial<ClientEvent> = {}, limit?: number): Promise<ClientEvent> {
    const wanted = Object.entries(facts)
    return until(
      `the window gets ${event} ${JSON.stringify(facts)}`,
      () =>
        this.events.find(
          (one) => one.event === event && wanted.every(([name, value]) => one[name as 'x'] === value),
        ),
      limit,
    )
  }

  close(): Promise<void> {
    return end(this.child, 'SIGTERM')
  }
}

/** The left button, as Linux numbers it. */
export const LEFT = 272

/** The person's pointer. Each call resolves when the compositor has done it. */
export class Hand {
  private readonly answers: { readonly resolve: () => void; readonly reject: (error: Error) => void }[] = []
  #ended: Error | null = null

  private constructor(
    private readonly child: ChildProcess,
    /** The extent of all outputs together, in logical points: what places are a share of. */
    private readonly extent: () => Promise<readonly [width: number, height: number]>,
  ) {
    createInterface({ input: child.stdout as Readable }).on('line', () => this.answers.shift()?.resolve())
    child.once('exit', (code) => {
      this.#ended = new Error(`the pointer's program ended with ${code}`)
      for (const { reject } of this.answers.splice(0)) reject(this.#ended)
    })
  }

  static async take(quarters: Quarters, env: NodeJS.ProcessEnv, extent: Hand['extent']): Promise<Hand> {
    const child = quarters.start(PYTHON, [quarters.program('pointer.py')], env, {
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    const hand = new Hand(child, extent)
    await hand.answered()
    return hand
  }

  /** To a place in logical points of the whole layout. */
  async move(x: number, y: number): Promise<void> {
    const [width, height] = await this.extent()
    await this.say(`move ${x} ${y} of ${width} ${height}`)
  }

  /** To the middle of that point, where places that are counted as shares of a layout are not rounded into the next one. Wlroots alone. */
  async moveInto(x: number, y: number): Promise<void> {
    const [width, height] = await this.extent()
    await this.say(`move ${2 * x + 1} ${2 * y + 1} of ${2 * width} ${2 * height}`)
  }

  async click(button = LEFT): Promise<void> {
    await this.say(`press ${button}`)
    await this.say(`release ${button}`)
  }

  /** Down for positive numbers. */
  async scroll(by: number): Promise<void> {
    await this.say(`scroll 0 ${by}`)
  }

  private say(line: string): Promise<void> {
    const answered = this.answered()
    this.child.stdin?.write(`${line}\n`)
    return answered
  }

  private answered(): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.#ended) reject(this.#ended)
      else this.answers.push({ resolve, reject })
    })
  }
}

/** A picture of the screen, in physical pixels. */
export interface Picture {
  readonly width: number
  readonly height: number
  /** Red, green and blue of a pixel. */
  at(x: number, y: number): number[]
  readonly png: Buffer
}

/** What a program sees that pictures the screen: `grim`, through wlr-screencopy. */
export async function pictureOf(env: NodeJS.ProcessEnv, output?: string, cursor = false): Promise<Picture> {
  const which = [...(cursor ? ['-c'] : []), ...(output === undefined ? [] : ['-o', output])]
  const { stdout } = await run('grim', [...which, '-l', '1', '-'], {
    env,
    encoding: 'buffer',
    maxBuffer: 1 << 28,
  })
  const image = await loadImage(stdout)
  const context = createCanvas(image.width, image.height).getContext('2d')
  context.drawImage(image, 0, 0)
  const { data } = context.getImageData(0, 0, image.width, image.height)
  return {
    width: image.width,
    height: image.height,
    at: (x, y) => [...data.subarray((y * image.width + x) * 4, (y * image.width + x) * 4 + 3)],
    png: stdout,
  }
}
