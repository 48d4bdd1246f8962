/** What the thread of the LIP host runs. */
import { closeSync } from 'node:fs'
import { Socket } from 'node:net'
import { parentPort, workerData } from 'node:worker_threads'
import { createLog, logLevel } from './log.js'
import { type Ask, openUniquesHere, type UniquesSetup } from './uniques-host.js'
import type { FromUniques, ToUniques } from './uniques-messages.js'

if (!parentPort) throw new Error('this runs as a thread of the daemon')
const port = parentPort
const send = (message: FromUniques) => port.postMessage(message)
const log = createLog(logLevel(), (line) => send({ log: line }))

const questions = new Map<number, (answer: Awaited<ReturnType<Ask>>) => void>()
let asked = 0
const ask: Ask = (question, signal) =>
  new Promise((resolve) => {
    const id = ++asked
    const withdraw = () => send({ unask: id })
    questions.set(id, (answer) => {
      questions.delete(id)
      signal.removeEventListener('abort', withdraw)
      resolve(answer)
    })
    send({ ask: id, question })
    if (signal.aborted) withdraw()
    else signal.addEventListener('abort', withdraw, { once: true })
  })

const host = await openUniquesHere(workerData as UniquesSetup, log, ask)
port.on('message', (message: ToUniques) => {
  if ('fd' in message) take(message.fd, message.taken)
  else if ('answered' in message) questions.get(message.answered)?.(message.answer)
  else void host.stop().then(() => send({ stopped: true }))
})
send({ ready: true })

function take(fd: number, taken: Int32Array): void {
  // The daemon's thread has given it up, and closed it.
  if (Atomics.compareExchange(taken, 0, 0, 1) !== 0) return
  let socket: Socket
  try {
    socket = new Socket({ fd, readable: true, writable: true })
  } catch (error) {
    log('error', 'lip_not_served', { error: String(error) })
    closeSync(fd)
    return
  }
  host.serve(socket)
}
