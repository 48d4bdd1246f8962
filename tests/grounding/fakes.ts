/** Made-up programs, each a process of its own. */
import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { ExecutionContext } from 'ava'
import type { Order } from './fake-process.js'
import type { FakeEvent, FakeProgram, FakeThing } from './fake-program.js'
import { end } from './support.js'

/** Where a made-up program is asked to be, and on which display. */
export const RECT = [100, 100, 800, 600] as const
export const DISPLAY = {
  id: 1,
  scale: 1,
  logical_size: [1280, 800],
  origin: [0, 0],
  primary: true,
  name: 'test',
} as const

export interface Fake {
  readonly pid: number
  set(how: Partial<Pick<FakeProgram, 'answers' | 'hasList' | 'nonsense'>>): Promise<void>
  /** How often it was asked for `member`. */
  count(member: string): Promise<number>
  /** Tells everybody, so many times at once. */
  tell(event: FakeEvent, times?: number): Promise<void>
  close(): Promise<void>
}

const script = fileURLToPath(new URL('./fake-process.js', import.meta.url))

export async function shown(t: ExecutionContext, address: string, window: FakeThing): Promise<Fake> {
  const child = fork(script, { stdio: 'ignore' })
  t.teardown(() => end(child))
  const ask = (order: Order) =>
    new Promise<unknown>((resolve) => {
      child.once('message', resolve)
      child.send(order)
    })
  await ask({ start: { address, window } })
  return {
    pid: child.pid as number,
    set: async (how) => void (await ask({ set: how })),
    count: async (member) => (await ask({ count: member })) as number,
    tell: async (event, times = 1) => void (await ask({ tell: event, times })),
    close: () => end(child),
  }
}
