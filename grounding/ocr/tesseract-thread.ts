/**
 * The thread that tesseract.js computes in: its own script, without a way to the network, so that nothing can be fetched in
 * place of a file that is missing.
 */
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

const require = createRequire(import.meta.url)

globalThis.fetch = (async () => {
  throw new Error('reading text needs no network, and has none')
}) as typeof fetch

const tesseract = dirname(require.resolve('tesseract.js/package.json'))
require(join(tesseract, 'src', 'worker-script', 'node', 'index.js'))
