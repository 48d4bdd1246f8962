/**
 * Who may ask at all. A page of any site can make the browser ask us, also under a name of its own that it lets point here:
 * so the name we are called by must be ours, and whoever asks must be a page of ours or no page.
 */
import type { IncomingHttpHeaders } from 'node:http'
import { NAME_PATTERN } from '../../protocol/lip/domains.js'
import { LipError } from '../../protocol/lip/errors.js'

const NAME = new RegExp(NAME_PATTERN)
const PLAIN = ['localhost', '127.0.0.1', '[::1]']

export interface Called {
  /** `name:port`, as it was called. */
  readonly host: string
  /** The unique whose origin this is; null for the plain loopback names, which all uniques share. */
  readonly unique: string | null
}

/** The name a request called us by. Throws `LipError` when it is none of ours, or when a page of another origin asks. */
export function admit(headers: IncomingHttpHeaders, port: number): Called {
  const { host, origin } = headers
  const called = typeof host === 'string' ? nameOf(host, port) : null
  if (!called) throw new LipError('forbidden', 'Host must be a loopback name with the port of this host')
  if (origin !== undefined && origin !== `http://${called.host}`)
    throw new LipError('forbidden', 'Origin must be ours, or absent')
  // Browsers say so where they send no Origin: images, scripts and forms of another site.
  if (headers['sec-fetch-site'] === 'cross-site' && headers['sec-fetch-mode'] !== 'navigate')
    throw new LipError('forbidden', 'another site asks')
  return called
}

function nameOf(host: string, port: number): Called | null {
  const suffix = `:${port}`
  if (!host.endsWith(suffix)) return null
  const name = host.slice(0, -suffix.length).toLowerCase()
  if (PLAIN.includes(name)) return { host: host.toLowerCase(), unique: null }
  const unique = name.endsWith('.localhost') ? name.slice(0, -'.localhost'.length) : ''
  return NAME.test(unique) ? { host: host.toLowerCase(), unique } : null
}

/** What every answer says, whatever it is. */
export function headersFor({ host }: Called): Record<string, string> {
  return {
    'Content-Security-Policy': [
      "default-src 'self'",
      // Some browsers do not take 'self' to mean our own WebSocket.
      `connect-src 'self' ws://${host}`,
      // Made in the page: a preview of what was pasted, a drawing. Neither leads anywhere.
      "img-src 'self' data: blob:",
      "object-src 'none'",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ].join('; '),
    'X-Content-Type-Options': 'nosniff',
    'X-Frame-Options': 'DENY',
    'Referrer-Policy': 'no-referrer',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Cache-Control': 'no-store',
  }
}
