/** `lets doctor`: what was found, what is missing, and the exact command that fixes it. */
import { accessSync, constants, existsSync } from 'node:fs'
import { loadNative, type Monitor } from '../../../native/index.js'
import type { AckMessage } from '../../../protocol/overlay/schema.js'
import { ConnectionError } from '../../client/errors.js'
import { folderFault, socketFolder, socketPathFault } from '../../paths.js'
import { version } from '../../version.js'
import { asking, type CommonOptions, pathsOf } from '../connection.js'
import { bold, green, red, say, sayJson, yellow } from '../output.js'

export interface Finding {
  readonly name: string
  readonly state: 'ok' | 'note' | 'problem'
  readonly found: string
  /** The command that fixes it. */
  readonly fix?: string
}

/** Exits 1 when something keeps Lets from doing its job. */
export async function doctor(options: CommonOptions): Promise<void> {
  const findings = [
    node(),
    addon(),
    ...(await screens()),
    await canvas(),
    ...socket(options),
    await daemon(options),
  ]
  const problems = findings.filter(({ state }) => state === 'problem').length
  if (problems > 0) process.exitCode = 1
  if (options.json) return sayJson({ version: version(), ok: problems === 0, findings })
  for (const { name, state, found, fix } of findings) {
    say(`${SIGNS[state]} ${bold(name.padEnd(10))} ${found}`)
    if (fix !== undefined) say(`             fix: ${fix}`)
  }
}

const SIGNS = { ok: green('✓'), note: yellow('·'), problem: red('✗') } as const

function node(): Finding {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  const old = major < 20 || (major === 20 && minor < 19)
  return {
    name: 'node',
    state: old ? 'problem' : 'ok',
    found: `Node ${process.versions.node} on ${process.platform}-${process.arch}`,
    ...(old && { fix: 'install Node 20.19 or newer' }),
  }
}

function addon(): Finding {
  const loaded = loadNative()
  if (loaded.ok)
    return { name: 'addon', state: 'ok', found: 'loaded: screens, captures and peer credentials' }
  return {
    name: 'addon',
    state: 'problem',
    found: `${loaded.reason}: Lets runs headless, and the socket leans on its folder's mode (0700)`,
    fix: loaded.fix,
  }
}

async function screens(): Promise<Finding[]> {
  const { DISPLAY, WAYLAND_DISPLAY } = process.env
  if (process.platform !== 'linux') {
    return [
      {
        name: 'screen',
        state: 'note',
        found: `drawing on ${process.platform} is not built yet; headless works`,
      },
    ]
  }
  if (!DISPLAY) {
    const found = WAYLAND_DISPLAY
      ? 'a Wayland desktop without X11: Lets does not draw on it yet; headless works'
      : 'no DISPLAY: `lets daemon` runs headless'
    return [{ name: 'screen', state: 'note', found }]
  }
  const loaded = loadNative()
  if (!loaded.ok) return []
  try {
    const connection = await loaded.native.X11Host.connect(
      { display: DISPLAY, timeoutMs: 3000, hotkey: false },
      () => {},
    )
    try {
      const { monitors } = await connection.monitors()
      const info = connection.info()
      return [
        { name: 'screen', state: 'ok', found: `X11 ${DISPLAY}: ${monitors.map(describe).join('; ')}` },
        info.compositor
          ? { name: 'compositor', state: 'ok', found: 'present' }
          : {
              name: 'compositor',
              state: 'note',
              found: 'none: marks are blended in software',
              fix: 'picom --daemon',
            },
        // The compositor has a line of its own.
        ...info.notes
          .filter((note) => !note.includes('compositor'))
          .map((found): Finding => ({ name: 'x11', state: 'note', found })),
      ]
    } finally {
      await connection.close()
    }
  } catch (error) {
    return [{ name: 'screen', state: 'problem', found: `X11 ${DISPLAY}: ${(error as Error).message}` }]
  }
}

function describe({ name, width, height, scale, primary }: Monitor): string {
  return `${name} ${width}x${height} pixels at scale ${scale}${primary ? ' (primary)' : ''}`
}

async function canvas(): Promise<Finding> {
  try {
    const { GlobalFonts } = await import('@napi-rs/canvas')
    const families = GlobalFonts.families.length
    return families > 0
      ? { name: 'fonts', state: 'ok', found: `${families} font families for scripts beyond Latin` }
      : {
          name: 'fonts',
          state: 'note',
          found: 'no system fonts: only Latin text can be shown',
          fix: FONT_FIX,
        }
  } catch (error) {
    return {
      name: 'canvas',
      state: 'problem',
      found: `does not load: ${(error as Error).message}`,
      fix: 'npm install',
    }
  }
}

const FONT_FIX = 'apt install fonts-noto-core fonts-noto-cjk fonts-noto-color-emoji'

function socket(options: CommonOptions): Finding[] {
  const { socket: path, home } = pathsOf(options)
  const pathFault = socketPathFault(path)
  if (pathFault)
    return [
      { name: 'socket', state: 'problem', found: pathFault, fix: 'export LETS_SOCKET=/a/shorter/path.sock' },
    ]
  const folder = socketFolder(path)
  const fault = process.platform !== 'win32' && existsSync(folder) ? folderFault(folder) : null
  const findings: Finding[] = [
    fault
      ? { name: 'socket', state: 'problem', found: fault, fix: `chmod 700 ${folder}` }
      : { name: 'socket', state: 'ok', found: path },
  ]
  try {
    if (existsSync(home)) accessSync(home, constants.W_OK)
  } catch {
    findings.push({
      name: 'home',
      state: 'problem',
      found: `${home} cannot be written`,
      fix: `chown "$USER" ${home}`,
    })
  }
  return findings
}

async function daemon(options: CommonOptions): Promise<Finding> {
  const client = asking(options)
  try {
    return describeDaemon(await client.status())
  } catch (error) {
    if (error instanceof ConnectionError && error.code === 'not_running') {
      return { name: 'daemon', state: 'note', found: 'not running; the first command starts it' }
    }
    return {
      name: 'daemon',
      state: 'problem',
      found: (error as Error).message,
      fix: 'pkill -CONT -f "lets daemon"',
    }
  } finally {
    await client.close()
  }
}

function describeDaemon(status: AckMessage): Finding {
  const mine = version()
  const found = `version ${status.version}, pid ${status.pid}, host ${status.host}, peers checked by ${status.peer_check}`
  const notes = status.host_facts?.notes ?? []
  const broken = notes.find((note) => note.startsWith('cannot draw'))
  if (broken !== undefined)
    return { name: 'daemon', state: 'problem', found: `${found}; ${broken}`, fix: 'lets stop' }
  if (notes.length > 0) return { name: 'daemon', state: 'note', found: `${found}; ${notes.join('; ')}` }
  return status.version === mine
    ? { name: 'daemon', state: 'ok', found }
    : { name: 'daemon', state: 'note', found: `${found}; this command is version ${mine}`, fix: 'lets stop' }
}
