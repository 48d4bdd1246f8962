/** What tests of the companion on X11 share. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { CompanionEvent, CompanionScene } from '../../protocol/overlay/companion.js'
import { BareX } from '../native/bare-x.js'
import type { XServer } from '../support/xserver.js'
import type { CompanionOrder, PlacedFrame } from './companion-program.js'

export function scene(
  at: readonly [number, number],
  more: Partial<CompanionScene> & { readonly display?: number } = {},
): CompanionScene {
  const { display = 1, ...rest } = more
  return {
    place: { display, at },
    look: { name: 'Bun', pace: 1 },
    mood: 'idle',
    asleep: false,
    gaze: [0, 0],
    reaction: null,
    bubble: null,
    menu: null,
    beckons: false,
    ...rest,
  }
}

export const MENU: CompanionScene['menu'] = {
  items: [
    { id: 'a', label: 'Explain this' },
    { id: 'b', label: 'Show me how', hint: 'in three steps' },
    { id: 'c', label: 'Be quiet' },
  ],
  chosen: 1,
}

/** A process that shows a companion. */
export class CompanionProcess {
  readonly events: (CompanionEvent | { readonly kind: 'displays' })[] = []
  readonly #answers: ((done: Record<string, unknown>) => void)[] = []

  private constructor(private readonly child: ChildProcess) {}

  static async start(x: XServer): Promise<CompanionProcess> {
    const program = fileURLToPath(new URL('./companion-program.js', import.meta.url))
    const child = spawn(process.execPath, [program, x.display], {
      stdio: ['pipe', 'pipe', 'inherit'],
      env: { ...process.env, LETS_REDUCED_MOTION: '0' },
    })
    const own = new CompanionProcess(child)
    await new Promise<void>((resolve, reject) => {
      child.once('exit', () => reject(new Error('the process ended before it was ready')))
      createInterface({ input: child.stdout! }).on('line', (line) => {
        const said = JSON.parse(line)
        if (said.ready) resolve()
        else if (said.event) own.events.push(said.event)
        else own.#answers.shift()?.(said.done)
      })
    })
    return own
  }

  get pid(): number {
    return this.child.pid!
  }

  tell(order: CompanionOrder): Promise<Record<string, unknown>> {
    return new Promise((resolve) => {
      this.#answers.push(resolve)
      this.child.stdin!.write(`${JSON.stringify(order)}\n`)
    })
  }

  show(wanted: CompanionScene | null): Promise<Record<string, unknown>> {
    return this.tell({ show: wanted })
  }

  async frames(): Promise<number> {
    return (await this.tell({ frames: true })).frames as number
  }

  /** Where the frames since this or `frames` was asked last were. */
  async places(): Promise<PlacedFrame[]> {
    return (await this.tell({ frames: true })).places as PlacedFrame[]
  }

  of<K extends CompanionEvent['kind']>(kind: K): Extract<CompanionEvent, { kind: K }>[] {
    return this.events.filter((event): event is Extract<CompanionEvent, { kind: K }> => event.kind === kind)
  }

  async end(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return
    const gone = once(this.child, 'exit')
    this.child.kill(signal)
    await gone
  }
}

/** A mouse, through XTEST: quicker than a program started for each move. */
export async function mouse(x: XServer) {
  const bare = await BareX.open(x.display)
  const xtest = await bare.extension('XTEST')
  const fake = (type: number, detail: number, px = 0, py = 0) =>
    bare.send(xtest, 2, [type | (detail << 8), 0, bare.root, 0, 0, (px & 0xffff) | (py << 16), 0, 0])
  return {
    async move(px: number, py: number): Promise<void> {
      fake(6, 0, px, py)
      await bare.done()
    },
    async click(button = 1): Promise<void> {
      fake(4, button)
      fake(5, button)
      await bare.done()
    },
  }
}
