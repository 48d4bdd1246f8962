/** Headless sway. */
import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { until } from '../support/xserver.js'
import { type Picture, pictureOf } from './clients.js'
import { PYTHON, Quarters, versionOf } from './processes.js'
import { alive, type Compositor, compositor, socketIn } from './rig.js'

const run = promisify(execFile)

/** Undefined where it is not installed. */
export const swayVersion = existsSync(PYTHON) ? versionOf('sway', '--version') : undefined
export const grimHere = versionOf('grim', '-h') !== undefined
export const xwaylandHere = versionOf('Xwayland', '-version') !== undefined

export interface OutputOptions {
  /** Physical pixels before it is turned. */
  readonly mode?: string
  readonly scale?: number
  /** Such as `90`, as sway names it. */
  readonly transform?: string
  /** Its place in the layout, in logical points. */
  readonly position?: readonly [x: number, y: number]
}

export interface SwayOptions {
  /** One output of 1280x800 when absent. Named HEADLESS-1 and on; with `hotplug`, WL-1 and on. */
  readonly outputs?: readonly OutputOptions[]
  /** Its outputs are windows of a second sway, and can be unplugged: a headless output cannot. */
  readonly hotplug?: boolean
  /** Whether it starts Xwayland, when a client first wants it. */
  readonly xwayland?: boolean
  /** Further lines of its config. */
  readonly config?: readonly string[]
  /** More of its own environment. */
  readonly serverEnv?: NodeJS.ProcessEnv
}

/** An output as the compositor sees it. */
export interface OutputState {
  readonly name: string
  readonly scale: number
  readonly transform: string
  /** Physical pixels, before it is turned. */
  readonly current_mode: { readonly width: number; readonly height: number }
  /** In logical points of the layout. */
  readonly rect: { readonly x: number; readonly y: number; readonly width: number; readonly height: number }
}

export interface Sway extends Compositor {
  /** Its Xwayland's name, such as `:1`; undefined without `xwayland`. */
  readonly xDisplay: string | undefined
  /** The windows of its Xwayland, as `xwininfo` prints them. */
  xWindows(): Promise<string>
  /** Starts an Xwayland that is a window with a screen of its own; resolves with its display. */
  startXwayland(): Promise<string>
  /** Runs sway commands; rejects when one is refused. */
  command(...words: string[]): Promise<void>
  outputs(): Promise<readonly OutputState[]>
  /** Makes another output; resolves with its name when it is there. */
  plug(options?: OutputOptions): Promise<string>
  /** Takes an output away, as when its cable is pulled. Only with `hotplug`. */
  unplug(name: string): Promise<void>
  /** The screen as any program pictures it. `cursor`: with the pointer; without the word, older ones have it too. */
  picture(output?: string, cursor?: boolean): Promise<Picture>
}

/** What outputs of a compositor are made of, and how they are changed from outside. */
interface Backend {
  readonly env: NodeJS.ProcessEnv
  /** What its outputs' names begin with. */
  readonly prefix: string
  /** Gives an output its physical size. */
  resize(name: string, mode: string): Promise<string[]>
  unplug(name: string): Promise<void>
  stop(): Promise<void>
}

function headless(count: number): Backend {
  return {
    env: { WLR_BACKENDS: 'headless', WLR_HEADLESS_OUTPUTS: String(count), WLR_LIBINPUT_NO_DEVICES: '1' },
    prefix: 'HEADLESS-',
    resize: async (name, mode) => [`output ${name} mode --custom ${mode}`],
    unplug: async () => {
      throw new Error('a headless output cannot be unplugged: start it with hotplug')
    },
    stop: async () => {},
  }
}

async function windowed(count: number): Promise<Backend> {
  const outer = await startSway({ outputs: [{ mode: '8000x4000' }] })
  return {
    env: { WLR_BACKENDS: 'wayland', WLR_WL_OUTPUTS: String(count), WAYLAND_DISPLAY: outer.display },
    prefix: 'WL-',
    async resize(name, mode) {
      await outer.command(`[title="${name}"] resize set ${mode.replace('x', ' ')}`)
      // Beside each other: newer ones draw nothing for a window that is covered.
      const place = (Number(/\d+$/.exec(name)?.[0]) - 1) * 2000
      await outer.command(
        `[title="${name}"] move absolute position ${place % 8000} ${place < 8000 ? 0 : 2000}`,
      )
      return []
    },
    unplug: (name) => outer.command(`[title="${name}"] kill`),
    stop: () => outer.stop(),
  }
}

export async function startSway(options: SwayOptions = {}): Promise<Sway> {
  const { outputs = [{}], hotplug = false, xwayland = false, config = [] } = options
  const backend = hotplug ? await windowed(outputs.length) : headless(outputs.length)
  const quarters = new Quarters()
  const ipc = join(quarters.folder, 'sway.sock')
  const lines = [
    `xwayland ${xwayland ? 'enable' : 'disable'}`,
    'default_border none',
    'for_window [app_id=".*"] floating enable',
    'for_window [class=".*"] floating enable',
    'focus_follows_mouse no',
    ...config,
    ...(xwayland ? [`exec echo $DISPLAY > ${join(quarters.folder, 'x')}`] : []),
  ]
  writeFileSync(join(quarters.folder, 'sway.config'), `${lines.join('\n')}\n`)
  const env = quarters.env({
    SWAYSOCK: ipc,
    WLR_RENDERER: 'pixman',
    XDG_CURRENT_DESKTOP: 'sway',
    ...backend.env,
    ...options.serverEnv,
  })
  if (xwayland) mkdirSync('/tmp/.X11-unix', { recursive: true })
  const server = quarters.start('sway', ['-c', 'sway.config'], env)
  const ask = async (...words: string[]) => (await run('swaymsg', ['-s', ipc, '-r', ...words])).stdout
  const command = async (...words: string[]) => void (await ask(...words))
  const states = async () => JSON.parse(await ask('-t', 'get_outputs')) as OutputState[]
  const set = async (name: string, { mode = '1280x800', ...output }: OutputOptions) => {
    for (const line of [...(await backend.resize(name, mode)), ...linesFor(name, output)]) await command(line)
    await until(`${name} is ${mode}`, async () => {
      const now = (await states()).find((state) => state.name === name)?.current_mode
      return `${now?.width}x${now?.height}` === mode
    })
  }
  const stop = async () => {
    await quarters.stop()
    await backend.stop()
  }
  try {
    const { display, xDisplay } = await alive(server, 'sway', async () => {
      await until('sway answers', () => states().then(Boolean, () => false))
      for (const [index, output] of outputs.entries()) await set(`${backend.prefix}${index + 1}`, output)
      return {
        display: await until('sway has a socket', () => socketIn(quarters.folder)),
        xDisplay: xwayland
          ? (await until('sway has a display', () => wordsOf(join(quarters.folder, 'x')))).trim()
          : undefined,
      }
    })
    if (xDisplay !== undefined) await welcome(quarters, xDisplay)
    const base = compositor(server, quarters, { ...env, WAYLAND_DISPLAY: display }, async () => {
      const rects = (await states()).map(({ rect }) => rect)
      return [
        Math.max(...rects.map(({ x, width }) => x + width)),
        Math.max(...rects.map(({ y, height }) => y + height)),
      ]
    })
    return {
      ...base,
      xDisplay,
      async xWindows() {
        const { stdout } = await run('xwininfo', ['-root', '-tree'], {
          env: { ...base.env, DISPLAY: xDisplay },
        })
        return stdout
      },
      async startXwayland() {
        const child = quarters.start('Xwayland', ['-displayfd', '3', '-noreset'], base.env, {
          stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
        })
        const number = new Promise<string>((resolve) =>
          child.stdio[3]?.once('data', (chunk) => resolve(String(chunk).trim())),
        )
        const name = `:${await alive(child, 'Xwayland', () => number)}`
        await welcome(quarters, name)
        return name
      },
      command,
      outputs: states,
      async plug(output = {}) {
        const before = (await states()).map(({ name }) => name)
        await command('create_output')
        const name = await until(
          'there is another output',
          async () => (await states()).find((state) => !before.includes(state.name))?.name,
        )
        await set(name, output)
        return name
      },
      async unplug(name) {
        await backend.unplug(name)
        await until(`${name} is gone`, async () => (await states()).every((state) => state.name !== name))
      },
      picture: (output, cursor) => pictureOf(base.env, output, cursor),
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

/** Lets whoever runs the tests use an X server of the user's. */
async function welcome(quarters: Quarters, display: string): Promise<void> {
  const xhost = quarters.start('xhost', [`+si:localuser:${userInfo().username}`], {
    ...quarters.env(),
    DISPLAY: display,
  })
  await new Promise((resolve) => xhost.once('close', resolve))
}

function linesFor(name: string, { scale = 1, transform, position }: OutputOptions): string[] {
  return [
    `output ${name} scale ${scale}`,
    ...(transform === undefined ? [] : [`output ${name} transform ${transform}`]),
    ...(position === undefined ? [] : [`output ${name} position ${position.join(' ')}`]),
  ]
}

/** What a program wrote there in one line, once it has. */
function wordsOf(file: string): string | undefined {
  if (!existsSync(file)) return undefined
  const text = readFileSync(file, 'utf8')
  return text.endsWith('\n') ? text : undefined
}
