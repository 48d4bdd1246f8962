/**
 * The stand-in as a program: started as Electron's binary is, with the same switches, entry and channel. How it behaves comes
 * first among its arguments, from the script that a test wrote (`standInProgram`).
 */
import { spawn } from 'node:child_process'
import { readFileSync, watch } from 'node:fs'
import type Electron from 'electron'
import { version } from '../../../daemon/version.js'
import { runHost } from '../../../overlay/hosts/electron/main/app.js'
import { parentChannel } from '../../../overlay/hosts/electron/main/channel.js'
import { AnsweringPage } from './answering.js'
import { type Backing, StandIn, type StandInDisplay } from './electron.js'

export interface Behaviour {
  /** What its windows are: none at all, the real page on the X display, or a real Chromium window, which takes clicks. */
  readonly windows: 'answering' | 'painted' | 'chromium'
  readonly platform?: 'linux' | 'darwin' | 'win32'
  readonly electron?: string
  readonly lets?: string
  readonly displays?: StandInDisplay[]
  /** What goes wrong at start: nothing is said, or it ends with words. */
  readonly start?: 'hangs' | 'ends'
  /** Where a browser is that runs already, for pages; absent: one is started. */
  readonly browser?: string
  /** So many pages are loaded at start. */
  readonly spares?: number
  /** Lines of JSON that come to be in this file are done (`Command`). */
  readonly control?: string
}

export type Command =
  | { readonly do: 'displays'; readonly displays: StandInDisplay[] }
  | { readonly do: 'press'; readonly accelerator: string }
  | { readonly do: 'choose'; readonly label: string }
  | { readonly do: 'say'; readonly message: unknown }
  | { readonly do: 'crash-page' }
  | { readonly do: 'close-channel' }
  /** The main thread does nothing else any more. */
  | { readonly do: 'hang' }

const behaviour: Behaviour = JSON.parse(process.argv[2] ?? '{}')

/** A window of a real Chromium, as it comes: it is not transparent, and it takes every click. */
class ChromiumWindow extends AnsweringPage implements Backing {
  #child: ReturnType<typeof spawn> | null = null

  constructor(private readonly display: string) {
    super()
  }

  override show(): void {
    if (this.#child) return
    const profile = `--user-data-dir=/tmp/lets-standin-${process.pid}`
    const size = ['--window-position=0,0', '--window-size=300,300']
    const args = ['--no-sandbox', '--disable-gpu', '--no-first-run', '--ozone-platform=x11', ...size, profile]
    this.#child = spawn('/usr/bin/chromium', [...args, '--app=data:text/html,window'], {
      stdio: 'ignore',
      env: { ...process.env, DISPLAY: this.display },
    })
    chromiumPid = this.#child.pid ?? 0
  }

  override hide(): void {
    this.#child?.kill('SIGKILL')
    this.#child = null
  }

  override destroy(): void {
    super.destroy()
    this.hide()
  }
}

let chromiumPid = 0

async function main(): Promise<void> {
  if (behaviour.start === 'ends') {
    process.stderr.write('[1:1130/1:ERROR:ozone_platform_x11.cc(244)] Missing X server or $DISPLAY\n')
    process.exitCode = 1
    process.disconnect?.()
    return
  }
  const channel = parentChannel()
  if (behaviour.start === 'hangs') return void setInterval(() => {}, 1000)
  if (channel === null) return
  const display = process.env.DISPLAY ?? ''
  // Only where it is wanted: a browser's driver takes its time to load.
  const painted = behaviour.windows === 'painted' ? await import('./painted.js') : null
  const note = (error: unknown) => process.stderr.write(`${error instanceof Error ? error.stack : error}\n`)
  const glass = painted && new painted.Glass(display, note, behaviour.browser)
  const pages: AnsweringPage[] = []
  const make = (options: Electron.BrowserWindowConstructorOptions): Backing => {
    if (painted && glass) return new painted.PaintedPage(glass, options, note)
    const page = behaviour.windows === 'chromium' ? new ChromiumWindow(display) : new AnsweringPage()
    pages.push(page)
    return page
  }
  const standIn = new StandIn(make, (code) => {
    void Promise.resolve(glass?.close()).then(() => process.exit(code))
  })
  if (behaviour.displays) standIn.displays = [...behaviour.displays]
  runHost(standIn.api, channel, {
    platform: behaviour.platform ?? 'linux',
    versions: { electron: behaviour.electron ?? '42.11.18', lets: behaviour.lets ?? version() },
    get pid() {
      return chromiumPid || process.pid
    },
    preload: 'preload.cjs',
    icon: 'icon.png',
  })
  if (behaviour.spares) await glass?.pages.prepare(behaviour.spares)
  standIn.ready()
  if (behaviour.control !== undefined)
    follow(behaviour.control, (command) => obey(command, standIn, channel.send))
}

function obey(command: Command, standIn: StandIn, send: (message: unknown) => void): void {
  switch (command.do) {
    case 'displays':
      standIn.setDisplays(command.displays)
      return
    case 'press':
      standIn.shortcuts.get(command.accelerator)?.()
      return
    case 'choose':
      standIn.menus
        .at(-1)
        ?.find(({ label }) => label === command.label)
        ?.click?.(...([] as unknown as Parameters<NonNullable<Electron.MenuItemConstructorOptions['click']>>))
      return
    case 'say':
      send(command.message)
      return
    case 'crash-page':
      for (const window of standIn.windows)
        if (!window.isDestroyed())
          window.pageEvents.emit('render-process-gone', {}, { reason: 'crashed', exitCode: 1 })
      return
    case 'close-channel':
      process.disconnect?.()
      return
    case 'hang':
      for (;;);
  }
}

/** Does each line once, but for those that were meant for a process before. */
function follow(file: string, onCommand: (command: Command) => void): void {
  const lines = () => readFileSync(file, 'utf8').split('\n').slice(0, -1)
  let done = lines().length
  watch(file, () => {
    for (const line of lines().slice(done)) {
      done++
      onCommand(JSON.parse(line))
    }
  })
}

void main()
