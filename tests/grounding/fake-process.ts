/** A process that is a made-up program: what it shows, and whether it answers, it is told by whoever started it. */
import { type FakeEvent, type FakeProgram, type FakeThing, fakeProgram } from './fake-program.js'

export type Order =
  | { readonly start: { readonly address: string; readonly window: FakeThing } }
  | { readonly set: Partial<Pick<FakeProgram, 'answers' | 'hasList' | 'nonsense'>> }
  | { readonly tell: FakeEvent; readonly times: number }
  | { readonly count: string }

let program: FakeProgram | null = null

process.on('message', async (order: Order) => {
  if ('start' in order) {
    program = await fakeProgram(order.start.address, order.start.window)
    process.send?.('ready')
  } else if ('set' in order) {
    Object.assign(program ?? {}, order.set)
    process.send?.('set')
  } else if ('tell' in order) {
    for (let time = 0; time < order.times; time++) program?.tell(order.tell)
    process.send?.('told')
  } else process.send?.(program?.asked.get(order.count) ?? 0)
})
process.on('disconnect', () => {
  program?.close()
})
