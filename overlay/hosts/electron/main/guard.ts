/** What keeps the pages to themselves: nothing from outside gets in, nothing of them gets out. */
import type Electron from 'electron'
import { PAGE_URL, SCHEME, SCHEME_PRIVILEGES } from '../bridge.js'
import { pageFile } from '../page-files.js'
import type { ElectronApi, OverlayContents } from './api.js'
import { partition } from './recipe.js'

/** Before the app is ready: Chromium learns of a scheme then or never. */
export function registerScheme({ protocol }: Pick<ElectronApi, 'protocol'>): void {
  protocol.registerSchemesAsPrivileged([{ scheme: SCHEME, privileges: { ...SCHEME_PRIVILEGES } }])
}

/** Once the app is ready: serves our own files, a fixed few, and refuses everything else a page could ask for. */
export function guardSession({ session }: Pick<ElectronApi, 'session'>, zoom: number): void {
  const own = session.fromPartition(partition(zoom))
  // The pages of one zoom share it, and a scheme has one handler.
  if (own.protocol.isProtocolHandled(SCHEME)) return
  own.protocol.handle(SCHEME, async ({ url }) => {
    const file = await pageFile(url)
    return file
      ? new Response(new Uint8Array(file.body), { headers: { ...file.headers } })
      : new Response(null, { status: 404 })
  })
  own.setPermissionRequestHandler((_contents, _permission, answer) => answer(false))
  own.setPermissionCheckHandler(() => false)
  own.setDevicePermissionHandler(() => false)
  own.on('will-download', (event) => event.preventDefault())
  // Also what a CSP would let through by mistake: no page ever talks to anything but this scheme.
  own.webRequest.onBeforeRequest(({ url }, answer) => answer({ cancel: !url.startsWith(`${SCHEME}:`) }))
}

/** A page shows what main loads into it: it opens nothing, goes nowhere and embeds nothing. */
export function guardContents(contents: OverlayContents): void {
  contents.setWindowOpenHandler(() => ({ action: 'deny' }))
  contents.on('will-navigate', (event) => event.preventDefault())
  contents.on('will-frame-navigate', (event) => event.preventDefault())
  contents.on('will-redirect', (event) => event.preventDefault())
  contents.on('will-attach-webview', (event) => event.preventDefault())
}

/** Whether a message came from the page of `contents` itself: not from a frame in it, and not from another page loaded there. */
export function isOwnFrame(
  event: Pick<Electron.IpcMainEvent, 'sender' | 'senderFrame'>,
  contents: OverlayContents,
  url = PAGE_URL,
): boolean {
  const { sender, senderFrame } = event
  return (
    sender.id === contents.id &&
    senderFrame !== null &&
    senderFrame.parent === null &&
    senderFrame.routingId === contents.mainFrame.routingId &&
    senderFrame.processId === contents.mainFrame.processId &&
    senderFrame.url === url
  )
}
