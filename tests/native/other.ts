import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { ExecutionContext } from 'ava'
import type { XServer } from '../support/xserver.js'
import type { Order, Place, Wanted } from './other-program.js'

/** Another process with windows of its own. It ends with the test. */
export class Other {
  /** The windows that were clicked. */
  readonly clicks: number[] = []
  readonly #answers: ((answer: { id: number }) => void)[] = []

  private constructor(private readonly child: ChildProcess) {}

  static async start(t: Pick<ExecutionContext, 'teardown'>, x: XServer): Promise<Other> {
    const program = fileURLToPath(new URL('./other-program.js', import.meta.url))
    const child = spawn(process.execPath, [program, x.display], { stdio: ['pipe', 'pipe', 'inherit'] })
    const other = new Other(child)
    t.teardown(() => other.end())
    const ready = new Promise<void>((resolve, reject) => {
      child.once('exit', () => reject(new Error('the other program ended before it was ready')))
      createInterface({ input: child.stdout! }).on('line', (line) => {
        const said = JSON.parse(line)
        if (said.ready) resolve()
        else if (said.click) other.clicks.push(said.click)
        else other.#answers.shift()?.(said)
      })
    })
    await ready
    return other
  }

  get pid(): number {
    return this.child.pid!
  }

  async open(wanted: Wanted): Promise<number> {
    return (await this.#tell({ open: wanted })).id
  }

  async close(window: number): Promise<void> {
    await this.#tell({ close: window })
  }

  /** Takes clicks there from now on. */
  async takeClicks(window: number, input: readonly Place[]): Promise<void> {
    await this.#tell({ shape: window, input })
  }

  async paint(window: number, rect: readonly [number, number, number, number], color: number): Promise<void> {
    await this.#tell({ paint: window, rect, color })
  }

  async end(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return
    const gone = once(this.child, 'exit')
    this.child.kill('SIGKILL')
    await gone
  }

  #tell(order: Order): Promise<{ id: number }> {
    return new Promise((resolve) => {
      this.#answers.push(resolve)
      this.child.stdin!.write(`${JSON.stringify(order)}\n`)
    })
  }
}
