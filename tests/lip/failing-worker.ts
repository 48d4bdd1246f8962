/** The thread of the LIP host, which fails when a test says so. */
import { BroadcastChannel, workerData } from 'node:worker_threads'
import '../../daemon/uniques-worker.js'

// A channel of the whole process: named by the home, which is this test's alone.
const channel = new BroadcastChannel(workerData.paths.home)
channel.onmessage = () => {
  throw new Error('the test says so')
}
