/**
 * The thread that tesseract.js computes in: its own script, behind two precautions. It gives way to everything else that
 * runs here, the daemon's answers above all; and it has no way to the network, so that nothing can be fetched in place of
 * a file that is missing.
 */
import { createRequire } from 'node:module'
import { setPriority } from 'node:os'
import { dirname, join } from 'node:path'

const require = createRequire(import.meta.url)

try {
  // On Linux, 0 is the calling thread alone.
  if (process.platform === 'linux') setPriority(0, 3)
} catch {
  // Then it competes; that is no reason not to read.
}
globalThis.fetch = (async () => {
  throw new Error('reading text needs no network, and has none')
}) as typeof fetch

const tesseract = dirname(require.resolve('tesseract.js/package.json'))
require(join(tesseract, 'src', 'worker-script', 'node', 'index.js'))
