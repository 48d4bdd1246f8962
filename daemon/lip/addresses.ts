/** Where a browser finds a window, and who sends what the operator’s routes are sent. */
import type { FastifyRequest } from 'fastify'
import { LipError } from '../../protocol/lip/errors.js'
import { show } from '../../protocol/overlay/explain.js'
import type { Opening } from './cards.js'
import type { LipHost } from './host.js'
import type { Sender } from './medium.js'

type Fields = Readonly<Record<string, unknown>>

/** The address that opens a window, once. */
export function addressOf({ window, token }: Opening, host: LipHost, port: number, plain = false): string {
  const { name, manifest } = window.unique
  const authority = plain ? `127.0.0.1:${port}` : `${name}.localhost:${port}`
  const path = manifest.entry.split('/').map(encodeURIComponent).join('/')
  return `http://${authority}/u/${name}/${path}?t=${host.pages.newCode(name)}#lip=${token}`
}

/** What became of a command, with the address of a window that it opened. */
export function shown(sent: Fields, host: LipHost, port: number): Fields {
  const { opening, ...rest } = sent
  return opening === undefined ? rest : { ...rest, url: addressOf(opening as Opening, host, port) }
}

const KEY = /^[A-Za-z0-9_.-]{1,64}$/
const NAME = 100

/** Who says so of itself: all of them have the operator’s token. Without a name, all one-shot commands are one sender. */
export function senderOf({ headers }: FastifyRequest): Sender {
  const { 'x-lets-sender': key = 'lets-send', 'x-lets-sender-name': name = 'lets%20send' } = headers
  if (typeof key !== 'string' || !KEY.test(key))
    throw new LipError(
      'bad_request',
      `X-Lets-Sender must be up to 64 letters, digits, _ . and -; got ${show(key)}`,
    )
  return { key, name: decoded(String(name)) }
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name).trim().slice(0, NAME) || 'a program'
  } catch {
    throw new LipError('bad_request', `X-Lets-Sender-Name must be URI encoded, got ${show(name)}`)
  }
}
