import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { ExecutionContext } from 'ava'
import type { Frame, Query } from '../resolver.js'

/** A server on this machine that stands for a model's; everything it was sent is kept. */
export interface ModelServer {
  readonly port: number
  readonly requests: {
    readonly path: string
    readonly headers: IncomingMessage['headers']
    readonly body: unknown
  }[]
}

export type Answer = (request: { path: string; body: Body | null; response: ServerResponse }) => unknown

export interface Body {
  readonly messages?: { readonly role: string; readonly content: unknown }[]
  readonly response_format?: unknown
  readonly model?: string
}

/** Answers with the value `answer` returns as JSON; nothing, when `answer` has written or wants to hang. */
export async function modelServer(t: ExecutionContext, answer: Answer): Promise<ModelServer> {
  const requests: ModelServer['requests'] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const text = Buffer.concat(chunks).toString()
    const path = request.url ?? ''
    const body = text === '' ? null : (JSON.parse(text) as Body)
    requests.push({ path, headers: request.headers, body })
    const value = answer({ path, body, response })
    if (value === undefined) return
    response.setHeader('content-type', 'application/json').end(JSON.stringify(value))
  })
  t.teardown(() => end(server))
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return { port: (server.address() as AddressInfo).port, requests }
}

function end(server: Server): Promise<void> {
  server.closeAllConnections()
  return new Promise((done) => server.close(() => done()))
}

/** A screen of one colour with a scale of two. */
export function frame(width = 1120, height = 560, scale = 2): Frame {
  return { width, height, scale, origin: [0, 0], data: new Uint8Array(width * height * 4).fill(200) }
}

export function query(text: string, more: Partial<Query> = {}): Query {
  return {
    text,
    windows: [],
    display: { id: 1, name: 'd', scale: 2, logical_size: [560, 280], origin: [0, 0], primary: true },
    ...more,
  }
}
