import { type ChildProcess, execFile, type SpawnOptions, spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'

const run = promisify(execFile)

export interface XOptions {
  /** Size and depth of the one screen. */
  screen?: string
  compositor?: boolean
  windowManager?: boolean
  /** Monitors laid over the screen, left as they are when absent. */
  monitors?: readonly XMonitor[]
  /** Further arguments of Xvfb. */
  args?: readonly string[]
  /** A real Xorg, whose outputs are switched on and off as monitors are: its one output that is on has `screen`'s size. */
  outputs?: boolean
  /** A server that is a window of this one: its screen can be turned (`xrandr -o left`). */
  inside?: Pick<XServer, 'env'>
}

/** Why there can be no server with `outputs` here, if so. */
export const outputsMissing: string | undefined = (() => {
  if (process.getuid?.() !== 0) return 'only root may start Xorg'
  if (!existsSync('/dev/tty0')) return 'Xorg does not start without a console, /dev/tty0'
  const dummy = '/usr/lib/xorg/modules/drivers/dummy_drv.so'
  if (existsSync('/usr/lib/xorg/Xorg') && existsSync(dummy)) return undefined
  return 'xserver-xorg-core and xserver-xorg-video-dummy are not installed'
})()

export interface XMonitor {
  name: string
  x: number
  y: number
  width: number
  height: number
  /** Millimetres; absent: as many as 96 dpi gives. */
  mmWidth?: number
  mmHeight?: number
}

/** An X server of its own for a test. Every process started through it ends with `stop`. */
export interface XServer {
  readonly display: string
  readonly pid: number
  readonly env: NodeJS.ProcessEnv
  /** Runs an X client to its end and returns what it printed. */
  run(command: string, ...args: string[]): Promise<string>
  /** Starts an X client that goes on running. */
  spawn(command: string, args?: readonly string[], options?: SpawnOptions): ChildProcess
  startCompositor(): Promise<void>
  stopCompositor(signal?: NodeJS.Signals): Promise<void>
  setMonitors(monitors: readonly XMonitor[]): Promise<void>
  /** Every window there is, as `xwininfo` prints them. */
  tree(): Promise<string>
  /** Waits for a window by its exact name and returns its id. */
  windowNamed(name: string): Promise<string>
  /** Ends the server alone, without a chance to say goodbye. */
  kill(): Promise<void>
  stop(): Promise<void>
}

export async function startX(options: XOptions = {}): Promise<XServer> {
  // Two servers that start at once and both find the folder missing would race to create it.
  mkdirSync('/tmp/.X11-unix', { recursive: true })
  try {
    chmodSync('/tmp/.X11-unix', 0o1777)
  } catch {
    // It belongs to someone else, who has set it up already.
  }
  const children: ChildProcess[] = []
  const { program, args: own, folder } = command(options)
  const args = ['-displayfd', '3', ...own, '-noreset', '-nolisten', 'tcp', ...(options.args ?? [])]
  const server = spawn(program, args, {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    env: options.inside?.env ?? process.env,
  })
  const display = `:${await firstLine(server, server.stdio[3] as Readable)}`
  const env = { ...process.env, DISPLAY: display }
  let compositor: ChildProcess | undefined

  const x: XServer = {
    display,
    pid: server.pid!,
    env,
    async run(command, ...rest) {
      const { stdout } = await run(command, rest, { env })
      return stdout
    },
    spawn(command, rest = [], spawnOptions = {}) {
      const child = spawn(command, rest, { stdio: 'ignore', ...spawnOptions, env })
      child.on('error', () => {})
      children.push(child)
      return child
    },
    async startCompositor() {
      compositor = x.spawn('picom', ['--backend', 'xrender', '--config', '/dev/null'])
      await until('picom runs', async () => (await x.tree()).includes('("picom" "picom")'))
    },
    async stopCompositor(signal = 'SIGTERM') {
      if (compositor !== undefined) await end(compositor, signal)
      compositor = undefined
    },
    async setMonitors(monitors) {
      for (const line of (await x.run('xrandr', '--listmonitors')).split('\n').slice(1)) {
        const name = /^\s*\d+:\s+[+*]*(\S+)/.exec(line)?.[1]
        if (name !== undefined && name !== 'screen') await x.run('xrandr', '--delmonitor', name)
      }
      for (const [index, monitor] of monitors.entries()) {
        const { name, width, height, mmWidth = mm(width), mmHeight = mm(height) } = monitor
        const geometry = `${width}/${mmWidth}x${height}/${mmHeight}+${monitor.x}+${monitor.y}`
        await x.run('xrandr', '--setmonitor', name, geometry, index === 0 ? 'screen' : 'none')
      }
    },
    async tree() {
      // A window that goes while the tree is walked ends the walk; it is not what the test is about.
      for (let tries = 0; ; tries++) {
        try {
          return await x.run('xwininfo', '-root', '-tree')
        } catch (error) {
          if (tries === 9) throw error
        }
      }
    },
    windowNamed(name) {
      return until(`a window named ${name}`, async () => {
        const tree = await x.tree()
        return tree
          .split('\n')
          .find((line) => line.includes(`"${name}"`))
          ?.trim()
          .split(' ')[0]
      })
    },
    kill: () => end(server, 'SIGKILL'),
    async stop() {
      for (const child of children.reverse()) await end(child, 'SIGTERM')
      await end(server, 'SIGTERM')
      if (folder !== undefined) rmSync(folder, { recursive: true, force: true })
    },
  }
  try {
    if (options.monitors !== undefined) await x.setMonitors(options.monitors)
    if (options.windowManager === true) {
      x.spawn('openbox', ['--sm-disable'])
      await until('openbox runs', async () =>
        (await x.run('xprop', '-root', '_NET_SUPPORTING_WM_CHECK')).includes('window id'),
      )
    }
    if (options.compositor === true) await x.startCompositor()
  } catch (error) {
    await x.stop()
    throw error
  }
  return x
}

/** Asks until there is an answer (anything but false and undefined); rejects after `limit` milliseconds. */
export async function until<T>(
  what: string,
  ask: () => Promise<T | false | undefined> | T | false | undefined,
  limit = 30_000,
): Promise<T> {
  const deadline = performance.now() + limit
  for (;;) {
    const answer = await ask()
    if (answer !== false && answer !== undefined) return answer
    if (performance.now() > deadline) throw new Error(`waited ${limit} ms in vain until ${what}`)
    await delay(10)
  }
}

/** What to start, and a folder of its own to remove at the end, if it has one. */
function command({ screen = '1280x800x24', outputs, inside }: XOptions) {
  if (outputs === true) {
    const folder = dummyFolder(screen)
    return { program: 'Xorg', args: dummyArgs(folder), folder }
  }
  if (inside) return { program: 'Xephyr', args: ['-screen', screen] }
  return { program: 'Xvfb', args: ['-screen', '0', screen] }
}

/** A folder with what Xorg needs to know of its outputs; its log goes there too. */
function dummyFolder(screen: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'lets-xorg-'))
  const mode = screen.split('x').slice(0, 2).join('x')
  writeFileSync(
    join(folder, 'xorg.conf'),
    `Section "ServerFlags"
  Option "AutoAddDevices" "false"
  Option "AutoAddGPU" "false"
EndSection
Section "Device"
  Identifier "dummy"
  Driver "dummy"
  VideoRam 65536
EndSection
Section "Monitor"
  Identifier "monitor"
  HorizSync 5.0-1000.0
  VertRefresh 5.0-200.0
EndSection
Section "Screen"
  Identifier "screen"
  Device "dummy"
  Monitor "monitor"
  DefaultDepth 24
  SubSection "Display"
    Depth 24
    Modes "${mode}"
    Virtual 3000 2000
  EndSubSection
EndSection
`,
  )
  return folder
}

/** Nothing of the machine's own screens, consoles and input devices is touched. */
function dummyArgs(folder: string): string[] {
  const [config, log] = [join(folder, 'xorg.conf'), join(folder, 'log')]
  return ['-config', config, '-configdir', folder, '-logfile', log, '-sharevts', '-novtswitch']
}

function mm(pixels: number): number {
  return Math.round((pixels * 25.4) / 96)
}

async function firstLine(child: ChildProcess, stream: Readable): Promise<string> {
  const failed = new Promise<never>((_, reject) => {
    child.once('error', reject)
    child.once('exit', (code) => reject(new Error(`the X server ended with ${code} before it was ready`)))
  })
  const line = new Promise<string>((resolve) => createInterface({ input: stream }).once('line', resolve))
  return Promise.race([line, failed])
}

/** Ends a process that this file started; harder when it does not listen. */
export async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  child.kill(signal)
  const limit = new AbortController()
  const harder = delay(3000, undefined, { signal: limit.signal }).then(
    () => child.kill('SIGKILL'),
    () => {},
  )
  await gone
  limit.abort()
  await harder
}
