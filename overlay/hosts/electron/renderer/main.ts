/** The entry of the page: the bridge of the preload, the canvas, the fonts. */
import type { BRIDGE, Bridge } from '../bridge.js'
import { loadFonts } from './fonts.js'
import { faultMessage, Page } from './page.js'

declare global {
  interface Window {
    readonly [BRIDGE]: Bridge
  }
}

const { lets: bridge } = window
addEventListener('error', ({ error, message }) => bridge.tell(faultMessage(error ?? message)))
addEventListener('unhandledrejection', ({ reason }) => bridge.tell(faultMessage(reason)))

const canvas = document.querySelector('canvas')
if (!canvas) throw new Error('the page has no canvas')
await loadFonts()
new Page(bridge, canvas)
