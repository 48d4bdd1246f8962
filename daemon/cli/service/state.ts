/** The service as it is here: its file, and what the person's service manager says of it. Only asks. */
import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type CommonOptions, pathsOf } from '../connection.js'
import {
  MARKER,
  resolversIn,
  SERVICE_HOSTS,
  SESSION,
  type ServiceDefinition,
  type ServiceHost,
  serviceDefinition,
  UNIT,
} from './definition.js'

/** How long the service manager may take to answer, in ms. */
const PATIENCE_MS = 10_000

export interface Ran {
  readonly ok: boolean
  /** What it printed, or why it could not be run. */
  readonly said: string
}

/** Runs `systemctl --user` without a shell. */
export function systemctl(...args: readonly string[]): Promise<Ran> {
  return new Promise((resolve) => {
    execFile('systemctl', ['--user', ...args], { timeout: PATIENCE_MS }, (error, stdout, stderr) => {
      const missing = (error as NodeJS.ErrnoException | null)?.code === 'ENOENT'
      const said = missing
        ? 'there is no systemctl here'
        : stdout.trim() || stderr.trim() || error?.message || ''
      resolve({ ok: error === null, said })
    })
  })
}

/** What the service would be here, as this command would write it. */
export function definitionHere(
  options: CommonOptions,
  host?: ServiceHost,
  resolvers: readonly string[] = [],
): ServiceDefinition {
  const { platform, env, execPath } = process
  // Absolute, whatever they are here: the service starts elsewhere.
  const { home, socket } = pathsOf(options)
  return serviceDefinition({
    platform,
    env: {
      ...env,
      ...(env.LETS_HOME && { LETS_HOME: home }),
      ...((env.LETS_SOCKET || options.socket !== undefined) && { LETS_SOCKET: socket }),
    },
    home: homedir(),
    node: execPath,
    script: join(dirname(dirname(fileURLToPath(import.meta.url))), 'main.js'),
    // A service that finds no screen would draw in memory, and keep the socket from one that does better.
    host: host ?? hostHere(platform, env),
    resolvers,
    letsHome: home,
  })
}

function hostHere(platform: string, env: NodeJS.ProcessEnv): ServiceHost {
  if (platform !== 'linux') return 'auto'
  // Which of the two a Wayland desktop can be drawn on through, the daemon finds out there.
  if (env.WAYLAND_DISPLAY) return 'auto'
  return env.DISPLAY ? 'x11' : 'headless'
}

export interface ServiceState {
  readonly file: string
  /** `other`: as another version, place or `--host` wrote it. `foreign`: not written by Lets. */
  readonly installed: 'no' | 'yes' | 'other' | 'foreign'
  /** Whether there is a service manager that can be asked, and what it says. */
  readonly manager: 'systemd' | 'none' | 'untried'
  readonly manager_says?: string
  readonly enabled?: string
  readonly active?: string
  /** Whether the desktop's target is active that the service starts with; absent when it starts without. */
  readonly session?: string
}

export async function serviceState(options: CommonOptions): Promise<ServiceState> {
  const wanted = definitionHere(options)
  const { file, manager } = wanted
  const installed = fileState(wanted, options)
  if (manager !== 'systemd') return { file, installed, manager: 'untried' }
  const reached = await systemctl('show-environment')
  if (!reached.ok) return { file, installed, manager: 'none', manager_says: reached.said }
  const [enabled, active] = await Promise.all([systemctl('is-enabled', UNIT), systemctl('is-active', UNIT)])
  const withSession = installed !== 'no' && readFileSync(file, 'utf8').includes(SESSION)
  return {
    file,
    installed,
    manager: 'systemd',
    enabled: enabled.said,
    active: active.said,
    ...(withSession && { session: (await systemctl('is-active', SESSION)).said }),
  }
}

function fileState({ file, encoding }: ServiceDefinition, options: CommonOptions): ServiceState['installed'] {
  if (!existsSync(file)) return 'no'
  let text: string
  try {
    text = readFileSync(file, encoding)
  } catch {
    return 'foreign'
  }
  if (!text.includes(MARKER)) return 'foreign'
  const named = resolversIn(text)
  return SERVICE_HOSTS.some((host) => definitionHere(options, host, named).text === text) ? 'yes' : 'other'
}

/** What finds things for the service that is installed; none where there is none, or none of Lets's. */
export function resolversInstalled({ file, encoding }: ServiceDefinition): readonly string[] {
  try {
    const text = readFileSync(file, encoding)
    return text.includes(MARKER) ? resolversIn(text) : []
  } catch {
    return []
  }
}
