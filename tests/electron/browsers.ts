/** The browsers of one test file: each is started once, when it is wanted first, and ends with the file. */
import { type Browser, type BrowserServer, chromium } from 'playwright-core'
import { atEnd } from './at-end.js'

const ARGS = ['--no-sandbox', '--disable-gpu', '--hide-scrollbars', '--window-size=900,700']

const shared = new Map<number | undefined, Promise<Browser>>()
let server: Promise<BrowserServer> | null = null

/** One without windows. `ratio` is that of its screen, as a real one has it, and not emulated. */
export function sharedBrowser(ratio?: number): Promise<Browser> {
  let browser = shared.get(ratio)
  if (!browser) {
    browser = chromium.launch({
      executablePath: '/usr/bin/chromium',
      args: [...ARGS, ...(ratio ? [`--force-device-scale-factor=${ratio}`] : [])],
    })
    shared.set(ratio, browser)
    atEnd(async () => (await browser)?.close())
  }
  return browser
}

/** The address of one that other processes may use. */
export async function browserServer(): Promise<string> {
  if (!server) {
    server = chromium.launchServer({ executablePath: '/usr/bin/chromium', args: ARGS })
    atEnd(async () => (await server)?.close())
  }
  return (await server).wsEndpoint()
}
