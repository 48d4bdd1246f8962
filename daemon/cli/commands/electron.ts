/** `lets electron`: the program that draws on macOS and Windows, and on Linux when asked for. */
import { findElectron, installElectron } from '../../electron.js'
import type { CommonOptions } from '../connection.js'
import { CliError, UsageError } from '../errors.js'
import { remark, say, sayJson } from '../output.js'

export async function electron(action: string, options: CommonOptions): Promise<void> {
  if (action === 'status') return status(options)
  if (action === 'install') return install(options)
  throw new UsageError(`Electron is installed, or asked for its status; got ${JSON.stringify(action)}`)
}

function status(options: CommonOptions): void {
  const found = findElectron()
  if (found.state === 'missing') process.exitCode = 1
  if (options.json) {
    sayJson({ ...found, installed: found.state === 'ready' })
    return
  }
  if (found.state === 'ready') say(`Electron ${found.version} is installed: ${found.path}`)
  else say(`not installed: ${found.reason}; run: ${found.fix}`)
}

async function install(options: CommonOptions): Promise<void> {
  const before = findElectron()
  if (before.state === 'missing' && before.version !== '')
    remark(`fetching Electron ${before.version} for ${process.platform}-${process.arch}, some 100 MB, once`)
  const installed = await installElectron({ progress: !options.json && process.stderr.isTTY })
  if (!installed.ok) {
    throw new CliError(
      `Electron was not installed. Tried: ${installed.tried}\n${installed.reason}\nBehind a proxy, set HTTPS_PROXY and ELECTRON_GET_USE_PROXY=1; for a mirror, ELECTRON_MIRROR. Until then ${instead()}`,
    )
  }
  const { version, path } = installed.binary
  if (options.json) return sayJson({ installed: true, fetched: installed.fetched, version, path })
  say(
    installed.fetched
      ? `installed Electron ${version}: ${path}`
      : `Electron ${version} was installed already: ${path}`,
  )
  say('`lets stop` ends a daemon that draws with something else; the next command starts one with it')
}

/** What draws without it. */
function instead(): string {
  return process.platform === 'linux'
    ? 'Lets draws with its own X11 host, which is the default here anyway.'
    : 'marks are kept in memory, and nothing is drawn on the screen.'
}
