/** Electron's binary: whether it is here, and fetching it. Its package is small; the binary comes when it is wanted. */
import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** What gets it, for a person to type. */
export const INSTALL = 'lets electron install'

export type ElectronBinary =
  | { readonly state: 'ready'; readonly path: string; readonly version: string }
  /** `reason` says what is wrong, `fix` what would help. `version` is the one that is wanted. */
  | { readonly state: 'missing'; readonly version: string; readonly reason: string; readonly fix: string }

/** Electron's package here; null when it was left out of the installation. */
function electronPackage(): { readonly folder: string; readonly version: string } | null {
  try {
    // Never the package itself: its index downloads the binary when there is none, and waits for it.
    const file = createRequire(import.meta.url).resolve('electron/package.json')
    return { folder: dirname(file), version: JSON.parse(readFileSync(file, 'utf8')).version }
  } catch {
    return null
  }
}

/** The binary of Electron's package. Starts nothing and fetches nothing. */
export function findElectron(env: NodeJS.ProcessEnv = process.env): ElectronBinary {
  const found = electronPackage()
  if (!found) {
    const reason = 'the package `electron` is not installed beside Lets'
    return { state: 'missing', version: '', reason, fix: 'npm install --global lets-overlay' }
  }
  const { folder, version } = found
  const missing = (reason: string): ElectronBinary => ({ state: 'missing', version, reason, fix: INSTALL })
  let file: string
  try {
    file = readFileSync(join(folder, 'path.txt'), 'utf8').trim()
  } catch {
    return missing(`the binary of Electron ${version} has not been fetched`)
  }
  const dist = env.ELECTRON_OVERRIDE_DIST_PATH || join(folder, 'dist')
  const path = join(dist, file)
  if (!existsSync(path)) return missing(`the binary of Electron ${version} is not at ${path}`)
  const got = versionIn(dist)
  // Another version may have lost what this one was chosen for, such as letting clicks through.
  if (!env.ELECTRON_OVERRIDE_DIST_PATH && got !== null && got !== version)
    return missing(`the binary is of Electron ${got}, and Electron ${version} is wanted`)
  return { state: 'ready', path, version: got ?? version }
}

function versionIn(dist: string): string | null {
  try {
    return readFileSync(join(dist, 'version'), 'utf8').trim().replace(/^v/, '')
  } catch {
    return null
  }
}

export type Installed =
  | {
      readonly ok: true
      readonly binary: Extract<ElectronBinary, { state: 'ready' }>
      readonly fetched: boolean
    }
  | { readonly ok: false; readonly reason: string; readonly tried: string }

/** How long no word of the installer may come before it counts as hung, in ms. It fetches some 100 MB. */
const INSTALL_MS = 15 * 60_000

export interface InstallOptions {
  readonly env?: NodeJS.ProcessEnv
  /** Told what the installer says. */
  readonly onLine?: (line: string) => void
  /** The installer may draw its progress on this process's stderr. */
  readonly progress?: boolean
  /** In ms. */
  readonly limit?: number
}

/** Fetches the binary with the package's own installer, unless it is here. Never rejects. */
export async function installElectron(options: InstallOptions = {}): Promise<Installed> {
  const { env = process.env, onLine = () => {}, progress = false, limit = INSTALL_MS } = options
  const before = findElectron(env)
  if (before.state === 'ready') return { ok: true, binary: before, fetched: false }
  const found = electronPackage()
  const tried = sourceOf(env, before.version)
  if (!found) return { ok: false, reason: before.reason, tried: 'nothing' }
  const said = await runInstaller(join(found.folder, 'install.js'), env, onLine, progress, limit)
  const after = findElectron(env)
  if (after.state === 'ready') return { ok: true, binary: after, fetched: true }
  return { ok: false, reason: said || after.reason, tried }
}

/** Where the installer fetches from, as its own documentation has it. */
function sourceOf(env: NodeJS.ProcessEnv, version: string): string {
  const mirror =
    env.ELECTRON_MIRROR ||
    env.npm_config_electron_mirror ||
    'https://github.com/electron/electron/releases/download/'
  return `${mirror}v${version}/electron-v${version}-${process.platform}-${process.arch}.zip`
}

/** The installer knows of nobody who waits for it: nobody would end one that hangs, were this process killed. */
const ENDS_WITH_US = `data:text/javascript,${encodeURIComponent(
  'process.stdin.on("close", () => process.exit(1)).resume().unref()',
)}`

/** What went wrong, in its own words; empty when it ended well. */
function runInstaller(
  script: string,
  env: NodeJS.ProcessEnv,
  onLine: (line: string) => void,
  progress: boolean,
  limit: number,
): Promise<string> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, ['--import', ENDS_WITH_US, script], {
      env,
      stdio: ['pipe', 'ignore', progress ? 'inherit' : 'pipe'],
      windowsHide: true,
    })
    let said = ''
    child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
      said = (said + chunk).slice(-10_000)
      for (const line of chunk.split('\n').filter(Boolean)) onLine(line)
    })
    const timer = setTimeout(() => {
      said = `it was not there after ${limit / 60_000} minutes`
      child.kill('SIGKILL')
    }, limit)
    child.once('error', (error) => {
      said = error.message
    })
    child.once('close', (code) => {
      clearTimeout(timer)
      resolve(code === 0 ? '' : firstError(said) || `the installer ended with ${code}`)
    })
  })
}

/** The line that names the error, and what caused it: the rest is a stack. */
function firstError(said: string): string {
  const lines = said.split('\n').map((line) => line.trim())
  const error = lines.find((line) => /^\w*Error\b/.test(line)) ?? lines.find(Boolean) ?? ''
  const cause = lines.find((line) => /^\[?cause\]?:/.test(line))
  return [error, cause].filter(Boolean).join(' ').slice(0, 300)
}
