/** What bytes are, told by the bytes: neither a name nor a header of the sender says. */

export const IMAGE_TYPES = {
  png: 'image/png',
  jpg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  bmp: 'image/bmp',
} as const
export type ImageType = keyof typeof IMAGE_TYPES

const SIGNATURES: readonly (readonly [ImageType, number, string])[] = [
  ['png', 0, '89504e470d0a1a0a'],
  ['jpg', 0, 'ffd8ff'],
  ['gif', 0, '474946383761'],
  ['gif', 0, '474946383961'],
  ['webp', 8, '57454250'],
  ['bmp', 0, '424d'],
]

export function sniff(head: Buffer): ImageType | null {
  const found = SIGNATURES.find(([type, at, hex]) => {
    if (type === 'webp' && head.toString('latin1', 0, 4) !== 'RIFF') return false
    return head.toString('hex', at, at + hex.length / 2) === hex
  })
  return found?.[0] ?? null
}
