/** A process that is a made-up program: what it shows, and whether it answers, it is told by whoever started it. */
import { type FakeProgram, type FakeThing, fakeProgram } from './fake-program.js'

export type Order =
  | { readonly start: { readonly address: string; readonly window: FakeThing } }
  | { readonly set: Partial<Pick<FakeProgram, 'answers' | 'hasList'>> }
  | { readonly count: string }

let program: FakeProgram | null = null

process.on('message', async (order: Order) => {
  if ('start' in order) {
    program = await fakeProgram(order.start.address, order.start.window)
    process.send?.('ready')
  } else if ('set' in order) {
    Object.assign(program ?? {}, order.set)
    process.send?.('set')
  } else process.send?.(program?.asked.get(order.count) ?? 0)
})
process.on('disconnect', () => {
  program?.close()
})
