/**
 * A stand-in for exactly what the main process uses of Electron, held by the compiler to Electron's own declarations. What a
 * window shows is a `Backing`'s to say: nothing, a page that answers by itself, or a real Chromium with the real page.
 */
import { EventEmitter } from 'node:events'
import type Electron from 'electron'
import type { ElectronApi, OverlayContents, OverlayWindow } from '../../../overlay/hosts/electron/main/api.js'

export interface StandInDisplay {
  readonly id: number
  readonly label: string
  readonly bounds: Electron.Rectangle
  readonly scaleFactor: number
}

/** What a window is, behind what Electron's API says of it. */
export interface Backing {
  /** The page at `url` is loaded (again). `tell` is its way to main, as `ipcRenderer.send`. */
  load(tell: (message: unknown) => void, url: string): Promise<void>
  /** A message of main. */
  send(message: unknown): void
  show(bounds: Electron.Rectangle): void
  hide(): void
  /** The page's process ends. */
  crash(): void
  destroy(): void
}

export type MakeBacking = (options: Electron.BrowserWindowConstructorOptions) => Backing

type Accelerator = () => void

export class StandIn {
  readonly windows: StandInWindow[] = []
  readonly schemes: Electron.CustomScheme[] = []
  readonly sessions = new Map<string, SessionLog>()
  readonly shortcuts = new Map<string, Accelerator>()
  readonly menus: Electron.MenuItemConstructorOptions[][] = []
  /** Accelerators another program has. */
  readonly takenElsewhere = new Set<string>()
  readonly ipc = new EventEmitter()
  readonly screenEvents = new EventEmitter()
  displays: StandInDisplay[] = [
    { id: 11, label: 'One', bounds: { x: 0, y: 0, width: 1280, height: 800 }, scaleFactor: 1 },
  ]
  trayTip: string | null = null
  cursor: Electron.Point = { x: 0, y: 0 }
  alone = true
  exitCode: number | null = null
  accessory = false
  reducedMotion = false
  #ready: () => void = () => {}
  readonly #whenReady = new Promise<void>((resolve) => {
    this.#ready = resolve
  })
  #nextId = 1

  constructor(
    readonly makeBacking: MakeBacking,
    private readonly onExit: (code: number) => void = () => {},
  ) {}

  /** The app is ready, as Electron says a moment after it has started. */
  ready(): void {
    this.#ready()
  }

  /** The displays are other ones now, as a person's plugs make it, with one event of each kind that applies. */
  setDisplays(displays: StandInDisplay[]): void {
    const before = this.displays
    this.displays = displays
    for (const display of displays) {
      const then = before.find(({ id }) => id === display.id)
      if (!then) this.screenEvents.emit('display-added', {}, display)
      else if (JSON.stringify(then) !== JSON.stringify(display))
        this.screenEvents.emit('display-metrics-changed', {}, display, ['bounds'])
    }
    for (const display of before) {
      if (!displays.some(({ id }) => id === display.id))
        this.screenEvents.emit('display-removed', {}, display)
    }
  }

  /** A message as a page sends it: from the window's own frame, but for what is said. */
  fromPage(
    window: StandInWindow,
    channel: string,
    message: unknown,
    frame: Partial<Electron.WebFrameMain> = {},
  ): void {
    const senderFrame = { ...window.frame, ...frame }
    this.ipc.emit(channel, { sender: window.webContents, senderFrame }, message)
  }

  readonly api: ElectronApi = ((standIn: StandIn): ElectronApi => {
    const { ipc, screenEvents, shortcuts } = standIn
    const display = (one: StandInDisplay) =>
      ({ ...one, size: one.bounds, nativeOrigin: one.bounds }) as unknown as Electron.Display
    const appEvents = new EventEmitter()
    return {
      app: {
        whenReady: () => standIn.#whenReady,
        exit: (code = 0) => standIn.#exit(code),
        on: listen<Electron.App>(appEvents),
        requestSingleInstanceLock: () => standIn.alone,
        setActivationPolicy: (policy) => {
          standIn.accessory = policy === 'accessory'
        },
      },
      BrowserWindow: class extends StandInWindow {
        constructor(options: Electron.BrowserWindowConstructorOptions) {
          super(standIn, standIn.#nextId++, options)
        }
      } as unknown as ElectronApi['BrowserWindow'],
      screen: {
        getAllDisplays: () => standIn.displays.map(display),
        getPrimaryDisplay: () => display(standIn.displays[0] as StandInDisplay),
        getCursorScreenPoint: () => standIn.cursor,
        dipToScreenRect: (_window, { x, y, width, height }) => ({ x, y, width, height }),
        on: listen<Electron.Screen>(screenEvents),
      },
      ipcMain: { on: listen<Electron.IpcMain>(ipc) },
      protocol: { registerSchemesAsPrivileged: (schemes) => void standIn.schemes.push(...schemes) },
      session: { fromPartition: (partition) => standIn.#session(partition) },
      globalShortcut: {
        register: (accelerator, callback) => {
          const key = String(accelerator)
          if (standIn.takenElsewhere.has(key)) return false
          shortcuts.set(key, callback)
          return true
        },
        unregister: (accelerator) => void shortcuts.delete(String(accelerator)),
      },
      Tray: class {
        setToolTip(tip: string): void {
          standIn.trayTip = tip
        }
        setContextMenu(): void {}
        destroy(): void {
          standIn.trayTip = null
        }
      },
      Menu: {
        buildFromTemplate: (template) => {
          standIn.menus.push(template)
          return {} as Electron.Menu
        },
      },
      nativeImage: { createFromPath: () => ({ setTemplateImage() {} }) as unknown as Electron.NativeImage },
      systemPreferences: {
        getAnimationSettings: () => ({
          prefersReducedMotion: standIn.reducedMotion,
          scrollAnimationsEnabledBySystem: true,
          shouldRenderRichAnimation: true,
        }),
      },
    }
  })(this)

  #exit(code: number): void {
    if (this.exitCode !== null) return
    this.exitCode = code
    for (const window of this.windows) window.destroy()
    this.onExit(code)
  }

  #session(partition: string): ReturnType<ElectronApi['session']['fromPartition']> {
    let log = this.sessions.get(partition)
    if (!log) {
      log = { handlers: new Map(), permissions: [], blocks: null }
      this.sessions.set(partition, log)
    }
    const { handlers, permissions } = log
    const session = log
    return {
      protocol: {
        handle: (scheme, handler) => void handlers.set(scheme, handler),
        isProtocolHandled: (scheme) => handlers.has(scheme),
      },
      setPermissionRequestHandler: (handler) => void permissions.push(['request', handler]),
      setPermissionCheckHandler: (handler) => void permissions.push(['check', handler]),
      setDevicePermissionHandler: (handler) => void permissions.push(['device', handler]),
      webRequest: {
        onBeforeRequest: ((listener: BlockRequest) => {
          session.blocks = listener
        }) as Electron.WebRequest['onBeforeRequest'],
      },
      on: listen<Electron.Session>(new EventEmitter()),
    }
  }
}

type BlockRequest = (details: { url: string }, answer: (response: { cancel?: boolean }) => void) => void

export interface SessionLog {
  readonly handlers: Map<string, (request: Request) => Response | Promise<Response>>
  readonly permissions: [kind: string, handler: unknown][]
  blocks: BlockRequest | null
}

export class StandInWindow implements Omit<OverlayWindow, 'on' | 'webContents'> {
  readonly events = new EventEmitter()
  readonly pageEvents = new EventEmitter()
  readonly calls: string[] = []
  readonly frame = {
    parent: null,
    routingId: 1,
    processId: 0,
    url: '',
  } as unknown as Electron.WebFrameMain & { url: string; processId: number }
  openHandler: ((details: Electron.HandlerDetails) => Electron.WindowOpenHandlerResponse) | null = null
  readonly webContents: OverlayContents
  #bounds: Electron.Rectangle
  #visible = false
  #destroyed = false
  #ignoring = false
  readonly #backing: Backing

  constructor(
    private readonly standIn: StandIn,
    readonly id: number,
    readonly options: Electron.BrowserWindowConstructorOptions,
  ) {
    const { x = 0, y = 0, width = 0, height = 0 } = options
    this.#bounds = { x, y, width, height }
    this.#backing = standIn.makeBacking(options)
    this.frame.processId = 100 + id
    this.webContents = {
      id: 1000 + id,
      mainFrame: this.frame,
      on: listen<Electron.WebContents>(this.pageEvents),
      send: (_channel, message) => {
        this.#living()
        this.#backing.send(message)
      },
      setWindowOpenHandler: (handler) => {
        this.openHandler = handler
      },
      forcefullyCrashRenderer: () => {
        this.#backing.crash()
        setImmediate(() => this.pageEvents.emit('render-process-gone', {}, { reason: 'killed', exitCode: 9 }))
      },
    }
    standIn.windows.push(this)
  }

  get isClickThrough(): boolean {
    return this.#ignoring
  }

  get bounds(): Electron.Rectangle {
    return this.#bounds
  }

  on = listen<Electron.BrowserWindow>(this.events)

  setIgnoreMouseEvents(ignore: boolean): void {
    this.#call(`setIgnoreMouseEvents ${ignore}`)
    this.#ignoring = ignore
  }

  setAlwaysOnTop(flag: boolean, level?: string): void {
    this.#call(`setAlwaysOnTop ${flag} ${level}`)
  }

  isAlwaysOnTop(): boolean {
    return this.calls.some((call) => call.startsWith('setAlwaysOnTop true'))
  }

  setVisibleOnAllWorkspaces(visible: boolean, options?: Electron.VisibleOnAllWorkspacesOptions): void {
    this.#call(`setVisibleOnAllWorkspaces ${visible} ${JSON.stringify(options)}`)
  }

  setHiddenInMissionControl(hidden: boolean): void {
    this.#call(`setHiddenInMissionControl ${hidden}`)
  }

  isFocusable(): boolean {
    return this.options.focusable !== false
  }

  isVisible(): boolean {
    return this.#visible
  }

  isDestroyed(): boolean {
    return this.#destroyed
  }

  getBounds(): Electron.Rectangle {
    this.#living()
    return this.#bounds
  }

  setBounds(bounds: Partial<Electron.Rectangle>): void {
    this.#call('setBounds')
    this.#bounds = { ...this.#bounds, ...bounds }
  }

  showInactive(): void {
    this.#call('showInactive')
    this.#visible = true
    this.#backing.show(this.#bounds)
    setImmediate(() => this.events.emit('show'))
  }

  hide(): void {
    this.#call('hide')
    this.#visible = false
    this.#backing.hide()
  }

  async loadURL(url: string): Promise<void> {
    this.#call(`loadURL ${url}`)
    this.frame.url = url
    await this.#backing.load((message) => {
      if (!this.#destroyed) this.standIn.fromPage(this, 'lets:from-page', message)
    }, url)
    if (this.#destroyed) throw new Error('ERR_ABORTED (-3)')
  }

  destroy(): void {
    if (this.#destroyed) return
    this.#destroyed = true
    this.#visible = false
    this.#backing.destroy()
    this.events.emit('closed')
  }

  #call(call: string): void {
    this.#living()
    this.calls.push(call)
  }

  #living(): void {
    // As Electron does; whoever still uses a window that is gone has a fault.
    if (this.#destroyed) throw new TypeError('Object has been destroyed')
  }
}

/** `on` as Electron declares it, on a plain emitter: the declarations name a class of Electron's as its result. */
function listen<T extends { on: unknown }>(emitter: EventEmitter): T['on'] {
  return ((event: string, listener: (...args: unknown[]) => void) => emitter.on(event, listener)) as T['on']
}
