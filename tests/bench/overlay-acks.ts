/** A worker of a bench: how long the overlay takes to answer, measured where nothing else runs. */
import { setTimeout as delay } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { connect } from '../../daemon/client/index.js'

const { socket, forMs } = workerData as { readonly socket: string; readonly forMs: number }
const client = await connect({ clientName: 'bench', socket, lingerMs: 0 })
const { annotation_id } = await client.point({ at: 'center' })
/** Apart by second, so that a moment in which the machine did something else is one of many. */
const seconds: number[][] = []
const start = performance.now()
const until = start + forMs
let count = 0
while (performance.now() < until) {
  const began = performance.now()
  await client.request({ type: 'move', annotation_id, to: [100 + (count++ % 500), 100] })
  const second = Math.floor((began - start) / 1000)
  seconds[second] ??= []
  seconds[second]?.push(performance.now() - began)
  await delay(5)
}
await client.close()
parentPort?.postMessage(seconds.filter(Boolean))
