import { type IncomingMessage, request as plainRequest, type RequestOptions } from 'node:http'
import { request as secureRequest } from 'node:https'
import { isIP } from 'node:net'
import { ResolverError } from '../resolver.js'
import type { Loopback } from './loopback.js'

/** A place is told in a few hundred bytes; a model that thinks aloud needs some more. */
const MOST_BYTES = 1024 * 1024

export interface Ask {
  readonly path: string
  readonly body?: unknown
  readonly key?: string
  readonly limitMs: number
  readonly signal: AbortSignal
}

export interface Reply {
  readonly status: number
  readonly json: unknown
}

/**
 * Asks a server on this machine, and follows no redirect. Rejects with a `ResolverError` when it does not answer as a model server
 * does, with the signal's reason when that is aborted.
 */
export async function ask({ url, address }: Loopback, asked: Ask): Promise<Reply> {
  const limit = AbortSignal.timeout(asked.limitMs)
  const body = asked.body === undefined ? undefined : Buffer.from(JSON.stringify(asked.body))
  const options: RequestOptions = {
    method: body ? 'POST' : 'GET',
    host: address,
    port: url.port || (url.protocol === 'https:' ? 443 : 80),
    path: `${url.pathname.replace(/\/+$/, '')}${asked.path}`,
    headers: {
      host: url.host,
      accept: 'application/json',
      ...(body && { 'content-type': 'application/json', 'content-length': body.length }),
      ...(asked.key && { authorization: `Bearer ${asked.key}` }),
    },
    signal: AbortSignal.any([asked.signal, limit]),
    agent: false,
    // The name that its certificate is for.
    ...(url.protocol === 'https:' && !isIP(url.hostname) && { servername: url.hostname }),
  }
  try {
    const response = await send(url.protocol === 'https:' ? secureRequest : plainRequest, options, body)
    return { status: response.statusCode ?? 0, json: await read(response) }
  } catch (error) {
    asked.signal.throwIfAborted()
    if (limit.aborted) {
      throw new ResolverError(
        `the local model did not answer within ${asked.limitMs / 1000} s`,
        'try a smaller model, or give it longer with LETS_LOCAL_TIMEOUT (seconds)',
      )
    }
    if (error instanceof ResolverError) throw error
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'ECONNREFUSED')
      throw new ResolverError(`nothing listens at ${url.host}`, 'start the model server')
    throw new ResolverError(`${url.host} could not be asked: ${message}`)
  }
}

type Send = typeof plainRequest

function send(request: Send, options: RequestOptions, body: Buffer | undefined): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const sent = request(options, resolve)
    sent.once('error', reject)
    sent.end(body)
  })
}

async function read(response: IncomingMessage): Promise<unknown> {
  const { statusCode = 0, headers } = response
  if (statusCode >= 300 && statusCode < 400) {
    response.destroy()
    const to = headers.location ? ` to ${JSON.stringify(headers.location)}` : ''
    throw new ResolverError(
      `the local model redirects${to}, which is not followed`,
      'give the address it redirects to, if that is on this machine',
    )
  }
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > MOST_BYTES) {
      response.destroy()
      throw new ResolverError(`the local model's answer is longer than ${MOST_BYTES} bytes`)
    }
    chunks.push(chunk)
  }
  const text = Buffer.concat(chunks).toString('utf8')
  try {
    return JSON.parse(text)
  } catch {
    const kind = /html/i.test(headers['content-type'] ?? '') || /^\s*</.test(text) ? 'a web page' : 'no JSON'
    throw new ResolverError(
      `the local model answered with ${kind} (status ${statusCode})`,
      'check the address: of an OpenAI-shaped server it ends in /v1',
    )
  }
}
