/** The few files of the package that a display's page is made of, as main serves them under `SCHEME`. */
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { PAGE_URL } from './bridge.js'

// Compiled, this file is dist/overlay/hosts/electron/page-files.js; what is not code stays where its source is.
const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..', '..', '..')

/** The compiled preload: a classic script, as a sandboxed window needs it. */
export const PRELOAD_FILE = join(root, 'dist', 'overlay', 'hosts', 'electron', 'preload.cjs')

/** What the scene needs of another package, under a path of its own: it is wherever npm put it. */
const BIDI = 'packages/bidi-js.mjs'

/**
 * Where the page’s modules find it, as the pages have it in them to the letter: a browser looks for no packages itself, and takes
 * such a map only from the page’s own text. It is the one thing inline that its policy lets through.
 */
export const IMPORT_MAP = JSON.stringify({ imports: { 'bidi-js': `/${BIDI}` } })
const MAP_HASH = createHash('sha256').update(IMPORT_MAP).digest('base64')

/**
 * What the page may do: run and load what came with it, and nothing else. `sandbox` takes away windows, dialogs, forms and
 * leading the top frame elsewhere, whatever a script would try.
 */
export const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  `script-src 'self' 'sha256-${MAP_HASH}'`,
  "style-src 'self'",
  "font-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
  'sandbox allow-scripts allow-same-origin',
].join('; ')

const HEADERS = {
  'content-security-policy': CONTENT_SECURITY_POLICY,
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
} as const

const SCRIPT = 'text/javascript; charset=utf-8'
const FILES: readonly (readonly [path: RegExp, type: string])[] = [
  [/^overlay\/hosts\/electron\/renderer\/(?:index|companion)\.html$/, 'text/html; charset=utf-8'],
  [/^overlay\/hosts\/electron\/renderer\/(?:page|companion)\.css$/, 'text/css; charset=utf-8'],
  [/^overlay\/scene\/fonts\/[A-Za-z-]+\.woff2$/, 'font/woff2'],
  [/^dist\/overlay\/hosts\/electron\/(?:bridge|renderer\/[a-z-]+)\.js$/, SCRIPT],
  [/^dist\/overlay\/(?:scene\/[a-z-]+|hosts\/pixels)\.js$/, SCRIPT],
  [/^dist\/protocol\/(?:overlay|host)\/[a-z-]+(?:\.generated)?\.js$/, SCRIPT],
]

export interface PageFile {
  readonly body: Uint8Array<ArrayBuffer>
  /** The media type, and what the page may do. */
  readonly headers: Readonly<Record<string, string>>
}

/** The file that a page's URL names; null for all that is no part of the page, which is a 404. */
export async function pageFile(url: string): Promise<PageFile | null> {
  const { origin, search } = parts(url)
  if (origin !== parts(PAGE_URL).origin || search !== '') return null
  const path = parts(url).path
  const type = FILES.find(([pattern]) => pattern.test(path))?.[1]
  if (type === undefined && path !== BIDI) return null
  try {
    const body = Uint8Array.from(await readFile(path === BIDI ? bidiFile() : join(root, path)))
    return { body, headers: { ...HEADERS, 'content-type': type ?? SCRIPT } }
  } catch {
    return null
  }
}

/** As a module, which is beside what Node loads. */
function bidiFile(): string {
  return join(dirname(createRequire(import.meta.url).resolve('bidi-js')), 'bidi.mjs')
}

/** Node calls the origin of such a scheme `null`. The path is as it is written: dots and escapes lead nowhere. */
function parts(url: string): { origin: string; path: string; search: string } {
  const match = /^([a-z]+:\/\/[a-z.]+)\/([^?#]*)([^#]*)/.exec(url)
  return { origin: match?.[1] ?? '', path: match?.[2] ?? '', search: match?.[3] ?? '' }
}
