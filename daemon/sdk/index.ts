/** The SDK of LIP for pages, `/lip/sdk.js`: `const lip = await connect()`. Types: `lets-overlay/sdk`. */
import { defineComponents } from './components/index.js'
import { takeToken } from './credential.js'
import { LipRefused } from './link.js'
import { Lip } from './lip.js'
import { Notice } from './notice.js'
import { applyTheme } from './theme.js'

export type { Envelope } from '../../protocol/lip/schema.js'
export { History } from './history.js'
export { LipRefused } from './link.js'
export type { Capture, Data, EmitOptions, Handler, Lip, PageState } from './lip.js'
export type { Run, RunEnd, RunOutput } from './run.js'
export type { ImageSource, Uploaded } from './upload.js'

applyTheme()
defineComponents()

let connecting: Promise<Lip> | null = null

/** Connects this page as its window; calling it again gives the same. Rejects with `LipRefused` when it was not opened by Lets. */
export function connect(): Promise<Lip> {
  connecting ??= begin()
  return connecting
}

async function begin(): Promise<Lip> {
  const token = takeToken()
  if (token !== null) return new Lip(token).begin()
  new Notice().show('refused', '', () => {})
  throw new LipRefused('unauthorized', 'this page was not opened by Lets: it has no token')
}
