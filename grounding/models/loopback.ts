/** The one guard of the `local` resolver: a picture of the screen goes to this machine, or nowhere. */
import { lookup as systemLookup } from 'node:dns/promises'
import { BlockList, isIP } from 'node:net'
import { ResolverError } from '../resolver.js'

const LOOPBACK = new BlockList()
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4')
LOOPBACK.addAddress('::1', 'ipv6')

export type Lookup = (name: string) => Promise<readonly string[]>

const addressesOf: Lookup = async (name) =>
  (await systemLookup(name, { all: true })).map(({ address }) => address)

/** Where to connect: the address is the one that was checked, so that a name cannot mean another one a moment later. */
export interface Loopback {
  readonly url: URL
  readonly address: string
}

/** Rejects with a `ResolverError` for what is no address on this machine. */
export async function loopbackOnly(endpoint: string, lookup: Lookup = addressesOf): Promise<Loopback> {
  const url = parsed(endpoint)
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const addresses = isIP(host) ? [host] : await lookup(host).catch(() => [])
  const [address] = addresses
  const elsewhere = addresses.find((one) => !isLoopback(one))
  if (elsewhere !== undefined || address === undefined) {
    const means =
      address === undefined
        ? 'has no address'
        : elsewhere === host
          ? 'is not this machine'
          : `means ${elsewhere}, which is not this machine`
    throw new ResolverError(
      `the endpoint of a local model must be on this machine; ${host} ${means}`,
      'give an address such as http://127.0.0.1:11434/v1',
    )
  }
  return { url, address }
}

function parsed(endpoint: string): URL {
  const url = URL.canParse(endpoint) ? new URL(endpoint) : null
  if (url && (url.protocol === 'http:' || url.protocol === 'https:')) return url
  throw new ResolverError(
    `the endpoint of a local model is not an http address: ${JSON.stringify(endpoint)}`,
    'give an address such as http://127.0.0.1:11434/v1',
  )
}

export function isLoopback(address: string): boolean {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  const plain = mapped ?? address
  const family = isIP(plain)
  return family !== 0 && LOOPBACK.check(plain, family === 4 ? 'ipv4' : 'ipv6')
}
