/** Who may load the pages of a unique: a code that is good once, exchanged for a cookie of that unique's origin. */
import type { Clock } from '../engine/clock.js'
import { digestOf, matches, newSecret } from './tokens.js'

/** How long a code waits for the browser, in ms. */
const CODE_MS = 120_000
const CODES = 256

export class Pages {
  readonly #codes = new Map<string, { readonly unique: string; readonly expires: number }>()
  readonly #secrets = new Map<string, string>()

  constructor(private readonly clock: Clock) {}

  /** A new code that opens the pages of this unique once. */
  newCode(unique: string): string {
    const code = newSecret()
    this.#codes.set(digestOf(code).toString('hex'), { unique, expires: this.clock.now() + CODE_MS })
    for (const [digest, { expires }] of this.#codes)
      if (this.#codes.size > CODES || expires <= this.clock.now()) this.#codes.delete(digest)
    return code
  }

  /** The cookie's value for a code that is good; null for any other. */
  redeem(unique: string, code: string): string | null {
    const digest = digestOf(code).toString('hex')
    const known = this.#codes.get(digest)
    if (known?.unique !== unique || known.expires <= this.clock.now()) return null
    this.#codes.delete(digest)
    return this.#secretOf(unique)
  }

  /** Whether a request's cookies open the pages of this unique. */
  admits(unique: string, cookies: string | undefined): boolean {
    const secret = this.#secrets.get(unique)
    const offered = cookieOf(cookies, cookieName(unique))
    return secret !== undefined && offered !== null && matches(offered, digestOf(secret))
  }

  /** The uniques whose pages these cookies open. */
  admitted(cookies: string | undefined): string | null {
    for (const unique of this.#secrets.keys()) if (this.admits(unique, cookies)) return unique
    return null
  }

  /** No window of it is open any more. */
  revoke(unique: string): void {
    this.#secrets.delete(unique)
  }

  keep(): Record<string, string> {
    return Object.fromEntries(this.#secrets)
  }

  restore(kept: Readonly<Record<string, string>>): void {
    for (const [unique, secret] of Object.entries(kept)) this.#secrets.set(unique, secret)
  }

  #secretOf(unique: string): string {
    const known = this.#secrets.get(unique) ?? newSecret()
    this.#secrets.set(unique, known)
    return known
  }
}

export function setCookie(unique: string, secret: string): string {
  return `${cookieName(unique)}=${secret}; Path=/; HttpOnly; SameSite=Strict`
}

function cookieName(unique: string): string {
  return `lets-${unique}`
}

function cookieOf(header: string | undefined, name: string): string | null {
  for (const part of header?.split(';') ?? []) {
    const [key = '', ...value] = part.split('=')
    if (key.trim() === name) return value.join('=').trim()
  }
  return null
}
