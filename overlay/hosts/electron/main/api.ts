/**
 * The part of Electron that the main process uses, all of it, in the words of Electron's own declarations. `entry.ts` hands
 * the real one in; nothing else imports Electron for its values, so that a stand-in can run the same code.
 */
import type Electron from 'electron'

export interface ElectronApi {
  readonly app: Pick<
    Electron.App,
    'whenReady' | 'exit' | 'on' | 'requestSingleInstanceLock' | 'setActivationPolicy'
  >
  readonly BrowserWindow: new (options: Electron.BrowserWindowConstructorOptions) => OverlayWindow
  readonly screen: Pick<
    Electron.Screen,
    'getAllDisplays' | 'getPrimaryDisplay' | 'getCursorScreenPoint' | 'dipToScreenRect' | 'on'
  >
  readonly ipcMain: Pick<Electron.IpcMain, 'on'>
  readonly protocol: Pick<Electron.Protocol, 'registerSchemesAsPrivileged'>
  readonly session: { fromPartition(partition: string): OverlaySession }
  readonly globalShortcut: Pick<Electron.GlobalShortcut, 'register' | 'unregister'>
  readonly Tray: new (
    image: Electron.NativeImage,
  ) => Pick<Electron.Tray, 'setContextMenu' | 'setToolTip' | 'destroy'>
  readonly Menu: { buildFromTemplate(template: Electron.MenuItemConstructorOptions[]): Electron.Menu }
  readonly nativeImage: Pick<typeof Electron.nativeImage, 'createFromPath'>
  readonly systemPreferences: Pick<typeof Electron.systemPreferences, 'getAnimationSettings'>
}

/** What is done with a window. */
export interface OverlayWindow
  extends Pick<
    Electron.BrowserWindow,
    | 'on'
    | 'setIgnoreMouseEvents'
    | 'setAlwaysOnTop'
    | 'isAlwaysOnTop'
    | 'setVisibleOnAllWorkspaces'
    | 'setHiddenInMissionControl'
    | 'showInactive'
    | 'hide'
    | 'isVisible'
    | 'isFocusable'
    | 'getBounds'
    | 'setBounds'
    | 'loadURL'
    | 'destroy'
    | 'isDestroyed'
  > {
  readonly webContents: OverlayContents
}

/** What is done with a page. */
export type OverlayContents = Pick<
  Electron.WebContents,
  'id' | 'on' | 'send' | 'mainFrame' | 'setWindowOpenHandler' | 'forcefullyCrashRenderer'
>

type OverlaySession = Pick<
  Electron.Session,
  'setPermissionRequestHandler' | 'setPermissionCheckHandler' | 'setDevicePermissionHandler' | 'on'
> & {
  readonly protocol: Pick<Electron.Protocol, 'handle' | 'isProtocolHandled'>
  readonly webRequest: Pick<Electron.WebRequest, 'onBeforeRequest'>
}

/** The channel to the daemon. */
export interface Channel {
  /** Never throws: a daemon that is gone hears nothing, and `onGone` says so. */
  send(message: unknown): void
  onMessage(listener: (message: unknown) => void): void
  onGone(listener: () => void): void
}
