/** The thread of the resolvers: reading trees and pixels there keeps no client of the daemon waiting. */
import { parentPort, workerData } from 'node:worker_threads'
import { loadResolvers } from './registry.js'
import { type LiveElement, type Resolver, ResolverError } from './resolver.js'
import type { Answers, Ask, FromThread, ToThread } from './thread-messages.js'

/** Things of so many answers can be asked about without being kept. */
const ANSWERS_KEPT = 8

const port = parentPort
const send = (message: FromThread) => port?.postMessage(message)

const resolvers: Promise<readonly Resolver[]> = loadResolvers(workerData.names, {
  env: process.env,
  log: (level, event, fields) => send({ log: { level, event, ...(fields && { fields }) } }),
})
// Whoever asks is told.
resolvers.catch(() => {})

const elements = new Map<number, LiveElement>()
const recent: number[][] = []
const kept = new Map<number, number>()
const asked = new Map<number, AbortController>()
let nextElement = 1

port?.on('message', (message: ToThread) => {
  if ('ask' in message) void answer(message.id, message.ask)
  else if ('abort' in message) asked.get(message.abort)?.abort(new Error('nobody wants to know any more'))
  else if ('keep' in message) kept.set(message.keep, (kept.get(message.keep) ?? 0) + 1)
  else if ('release' in message) release(message.release)
  else {
    port?.close()
    resolvers.then((all) => Promise.all(all.map((one) => one.close?.()))).catch(() => {})
  }
})

async function answer(id: number, ask: Ask): Promise<void> {
  const controller = new AbortController()
  asked.set(id, controller)
  try {
    send({ id, answer: await carryOut(ask, controller.signal) })
  } catch (error) {
    const { message, stack } = error as Error
    if (error instanceof ResolverError) {
      send({ id, error: message, ...(error.fix !== undefined && { fix: error.fix }) })
    } else if (controller.signal.aborted) send({ id, error: message })
    else send({ id, error: message, fault: stack ?? message })
  } finally {
    asked.delete(id)
  }
}

async function carryOut(ask: Ask, signal: AbortSignal): Promise<Answers[keyof Answers]> {
  switch (ask.kind) {
    case 'facts':
      return (await resolvers).map(({ name, sees, remote, destination, needsFrame }) => ({
        name,
        sees,
        remote,
        needsFrame,
        ...(destination !== undefined && { destination }),
      }))
    case 'available':
      return (await named(ask.resolver)).available()
    case 'resolve': {
      const found = await (await named(ask.resolver)).resolve(ask.query, ask.frame, signal)
      const numbers: number[] = []
      const candidates = found.candidates.map(({ element, ...rest }) => {
        if (!element) return rest
        numbers.push(nextElement)
        elements.set(nextElement, element)
        return { ...rest, element: nextElement++ }
      })
      remember(numbers)
      return { candidates, notes: found.notes }
    }
    case 'locate':
      return known(ask.element).locate(ask.screen, signal)
    case 'isAt':
      return known(ask.element).isAt(ask.rect, ask.screen, signal)
  }
}

async function named(name: string): Promise<Resolver> {
  const one = (await resolvers).find((resolver) => resolver.name === name)
  if (!one) throw new Error(`no resolver ${name} was loaded`)
  return one
}

function known(number: number): LiveElement {
  const element = elements.get(number)
  if (!element) throw new ResolverError('that thing is not remembered any more')
  return element
}

function remember(numbers: number[]): void {
  recent.push(numbers)
  if (recent.length <= ANSWERS_KEPT) return
  for (const number of recent.shift() ?? []) if (!kept.has(number)) elements.delete(number)
}

function release(number: number): void {
  const times = (kept.get(number) ?? 0) - 1
  if (times > 0) {
    kept.set(number, times)
    return
  }
  kept.delete(number)
  if (!recent.some((numbers) => numbers.includes(number))) elements.delete(number)
}
