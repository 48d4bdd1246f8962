/**
 * Between the main process and the page of one display: the one bridge, shared by the preload, the page and main.
 *
 * How the code gets into the page: main serves the package's own files under a scheme of its own, `lets://overlay/…`, with
 * `pageFile` of `page-files.ts`, which knows the few files there are, their types and the headers (a strict CSP among
 * them). The page loads `overlay/scene` as the ES modules that tsc made of it: no bundler,
 * nothing inline but where the scene's one package is, nothing remote. Main
 *   1. before `ready`: `protocol.registerSchemesAsPrivileged([{ scheme: SCHEME, privileges: SCHEME_PRIVILEGES }])`
 *   2. after it, for the session of the windows: `protocol.handle(SCHEME, …)` answering with `pageFile(request.url)`, 404 on null
 *   3. `loadURL(PAGE_URL)` with the preload of `PRELOAD_FILE`, `contextIsolation`, `sandbox`, no node integration.
 *
 * The conversation: the page tells `ready`, also after every reload; main answers with `scene`, which is everything, and then
 * `change`s. Each carries a `seq` that grows; `painted` with a `seq` answers for every message up to it, with the second frame after
 * the one that showed it: told any sooner, it was not always on the screen yet. What is wrong is refused whole (`refused`), and
 * the page goes on. A page that says `fault` should be reloaded.
 *
 * Frames are only presented while the window shows: main shows it (inactive) before it sends ink, and hides it when `painted`
 * says `ink: false` and nothing was sent since. In a hidden window the canvas still follows, and `painted` says
 * `presented: false`.
 */
import type { FromCompanion, FromPage } from '../../../protocol/host/page.js'

/** IPC channels. Each carries one message as its only argument: `ToPage` and `FromPage` of `protocol/host/page.ts`. */
export const CHANNELS = { toPage: 'lets:to-page', fromPage: 'lets:from-page' } as const

/** The name of the bridge in the page: the only thing that is added to its `window`. */
export const BRIDGE = 'lets'

/** What the page can do, all of it. Messages are plain values: both ends check them, and neither sees an event object. */
export interface Bridge {
  /** Registers the one listener for messages of main; throws when it is no function, or there is one. */
  listen(listener: (message: unknown) => void): void
  /** Tells main something. */
  tell(message: FromPage | FromCompanion): void
}

export const SCHEME = 'lets'
/** `standard` gives the scheme an origin, for `'self'`; `secure` what pages of https have. It may fetch nothing. */
export const SCHEME_PRIVILEGES = { standard: true, secure: true } as const
/** The page of the companion's window. */
export const COMPANION_URL = `${SCHEME}://overlay/overlay/hosts/electron/renderer/companion.html`
export const PAGE_URL = `${SCHEME}://overlay/overlay/hosts/electron/renderer/index.html`
