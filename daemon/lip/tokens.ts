/** Secrets, and comparing them in constant time: by digest, so that not even their lengths are told apart. */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'

export function newSecret(): string {
  return randomBytes(32).toString('base64url')
}

export function digestOf(secret: string): Buffer {
  return createHash('sha256').update(secret).digest()
}

export function matches(offered: string, digest: Buffer): boolean {
  return timingSafeEqual(digestOf(offered), digest)
}
