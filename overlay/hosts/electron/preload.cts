// The one bridge from the page to main. A sandboxed preload may only require what Electron gives it, so the names of
// bridge.ts are written again here; their types make the compiler hold them to be the same.
type Shared = typeof import('./bridge.js', { with: { 'resolution-mode': 'import' }})
type Bridge = import('./bridge.js', { with: { 'resolution-mode': 'import' }}).Bridge

{
  const { contextBridge, ipcRenderer }: typeof import('electron') = require('electron')
  const channels: Shared['CHANNELS'] = { toPage: 'lets:to-page', fromPage: 'lets:from-page' }
  const name: Shared['BRIDGE'] = 'lets'
  let listening = false

  const bridge: Bridge = {
    listen(listener) {
      if (typeof listener !== 'function') throw new TypeError('the listener is no function')
      if (listening) throw new Error('there is a listener already')
      listening = true
      // The event stays here: its sender would be a way to every channel.
      ipcRenderer.on(channels.toPage, (_event, message: unknown) => {
        listener(message)
      })
    },
    tell(message) {
      ipcRenderer.send(channels.fromPage, message)
    },
  }

  contextBridge.exposeInMainWorld(name, bridge)
}
