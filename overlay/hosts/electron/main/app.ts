/** The main process: takes the daemon's orders, one answer each, and ends with it. */

import { BadHostMessage, readOrder } from '../../../../protocol/host/orders.js'
import type {
  HostOrder,
  HostPlace,
  HostReport,
  HostSelfReport,
} from '../../../../protocol/host/orders-schema.js'
import { CHANNELS, COMPANION_URL } from '../bridge.js'
import type { Channel, ElectronApi } from './api.js'
import { CompanionPane } from './companion-pane.js'
import { isOwnFrame, registerScheme } from './guard.js'
import { Keys } from './keys.js'
import { screensOf, watchScreens } from './layout.js'
import { Pane } from './pane.js'
import { openProbe, type Probe } from './probe.js'
import type { Platform } from './recipe.js'
import { TrayMenu } from './tray.js'

export interface HostSetup {
  readonly platform: Platform
  /** Of the program that draws, and of Lets. */
  readonly versions: { readonly electron: string; readonly lets: string }
  readonly pid: number
  /** Files of the package. */
  readonly preload: string
  readonly icon: string
}

/** Runs until the daemon is gone. To be called before the app is ready. */
export function runHost(api: ElectronApi, channel: Channel, setup: HostSetup): void {
  registerScheme(api)
  const host = new Host(api, channel, setup)
  // No window is a window to the person: that the last one closed means nothing.
  api.app.on('window-all-closed', () => {})
  channel.onGone(() => host.end())
  const alone = becomeAlone(api)
  const ready = api.app.whenReady()
  channel.onMessage((message) => {
    ready.then(
      async () => host.take(message, await alone),
      () => host.end(),
    )
  })
}

/** How long a host whose daemon has just gone may take to go too, in ms. */
const PREDECESSOR_MS = 3000
/** Between asking whether it has gone, in ms. */
const ASK_AGAIN_MS = 100

/** Whether this is the only host of its daemon: two of them would draw everything twice. */
async function becomeAlone({ app }: ElectronApi): Promise<boolean> {
  const deadline = performance.now() + PREDECESSOR_MS
  while (!app.requestSingleInstanceLock()) {
    if (performance.now() > deadline) return false
    await new Promise((resolve) => setTimeout(resolve, ASK_AGAIN_MS))
  }
  return true
}

class Host {
  readonly #panes = new Map<number, Pane>()
  readonly #keys: Keys
  readonly #tray: TrayMenu
  readonly #companion: CompanionPane
  #probe: Probe | null = null
  #reducedMotion = false
  #ended = false

  constructor(
    private readonly api: ElectronApi,
    private readonly channel: Channel,
    private readonly setup: HostSetup,
  ) {
    this.#keys = new Keys(api.globalShortcut, (key) => this.#tell({ type: 'pressed', key }))
    this.#tray = new TrayMenu(api, setup.icon, (id) => this.#tell({ type: 'chosen', id }))
    this.#companion = new CompanionPane({
      api,
      platform: setup.platform,
      preload: setup.preload,
      note: (event, detail) => this.#note(event, detail),
      touched: (touch) => this.#tell({ type: 'touched', touch }),
    })
    api.ipcMain.on(CHANNELS.fromPage, (event, message) => {
      const companion = this.#companion.contents
      if (companion && isOwnFrame(event, companion, COMPANION_URL)) {
        this.#companion.take(message)
        return
      }
      const pane = [...this.#panes.values()].find(({ contents }) => isOwnFrame(event, contents))
      if (pane) pane.take(message)
      else this.#note('foreign_frame', event.senderFrame?.url ?? 'a frame that is gone')
    })
  }

  /** Takes everything off the screen and ends the process. */
  end(): void {
    if (this.#ended) return
    this.#ended = true
    this.#probe?.close()
    for (const pane of this.#panes.values()) pane.close()
    this.#companion.close()
    this.#keys.releaseAll()
    this.#tray.close()
    // Not `quit`, which asks windows and may be refused: nobody is there any more who could try again.
    this.api.app.exit(0)
  }

  async take(message: unknown, alone: boolean): Promise<void> {
    if (this.#ended) return
    const seq = seqOf(message)
    try {
      const order = readOrder(message)
      if (!alone) throw new Error('another host of this daemon has not ended yet')
      this.#tell(await this.#carryOut(order))
    } catch (error) {
      const reason = (error as Error).message.slice(0, 2000)
      if (seq !== null) this.#tell({ type: 'failed', seq, reason })
      if (seq === null || error instanceof BadHostMessage) this.#note('bad_order', reason)
    }
  }

  /** In the order of the calls up to the first wait of each, which is what keeps changes in their order. */
  async #carryOut(order: HostOrder): Promise<HostReport> {
    const { seq } = order
    switch (order.type) {
      case 'start':
        return await this.#start(order)
      case 'lay':
        this.#lay(order.displays)
        break
      case 'apply': {
        const pane = this.#panes.get(order.display)
        const painted = pane ? await pane.apply(order) : { visible: false, mapped: false }
        return { type: 'painted', seq, ...painted }
      }
      case 'companion':
        return { type: 'painted', seq, ...(await this.#companion.show(order)) }
      case 'no_companion':
        this.#companion.close()
        break
      case 'where': {
        const { x, y } = this.api.screen.getCursorScreenPoint()
        return { type: 'pointer', seq, at: [x, y] }
      }
      case 'hide':
        for (const pane of this.#panes.values()) pane.hide(order.hidden)
        this.#companion.hide(order.hidden)
        break
      case 'take_keys':
        return { type: 'keys', seq, had: this.#keys.take(order.keys) }
      case 'release_keys':
        this.#keys.release(order.keys)
        break
      case 'look':
        return { type: 'screens', seq, screens: screensOf(this.api, this.setup.platform) }
      case 'glyphs':
        return { type: 'missing', seq, graphemes: await this.#missing(order.text) }
      case 'panel':
        this.#tray.show(order.panel)
        break
      case 'ping':
        await Promise.all([...this.#panes.values()].filter(({ hasInk }) => hasInk).map((pane) => pane.ping()))
        break
    }
    return { type: 'done', seq }
  }

  async #start({ seq, version, reduced_motion }: Extract<HostOrder, { type: 'start' }>): Promise<HostReport> {
    const { api, setup } = this
    if (version !== setup.versions.lets)
      throw new Error(`the daemon is of version ${version} and its host of ${setup.versions.lets}`)
    // Neither in the dock nor in the application switcher, and windows may join full-screen spaces.
    if (setup.platform === 'darwin') api.app.setActivationPolicy('accessory')
    this.#reducedMotion = reduced_motion || api.systemPreferences.getAnimationSettings().prefersReducedMotion
    watchScreens(api, setup.platform, (screens) => this.#tell({ type: 'layout', screens }))
    this.#probe?.close()
    this.#probe = await openProbe(api, setup.platform)
    const report: HostSelfReport = {
      version: setup.versions.electron,
      pid: setup.pid,
      platform: setup.platform,
      window: this.#probe.got,
      reduced_motion: this.#reducedMotion,
      notes: [],
    }
    return { type: 'started', seq, screens: screensOf(api, setup.platform), report }
  }

  #lay(displays: Extract<HostOrder, { type: 'lay' }>['displays']): void {
    this.#probe?.close()
    this.#probe = null
    const before = new Map(this.#panes)
    this.#panes.clear()
    for (const place of displays) {
      const pane = before.get(place.id)
      if (pane?.isAt(place, displays)) {
        before.delete(place.id)
        this.#panes.set(place.id, pane)
      } else {
        this.#panes.set(place.id, this.#pane(place, displays, pane?.suits(place) ? pane : undefined))
      }
    }
    // After the new ones: what is only elsewhere now is at no time nowhere.
    for (const pane of before.values()) pane.close()
  }

  #pane(place: HostPlace, others: readonly HostPlace[], before: Pane | undefined): Pane {
    const setup = {
      api: this.api,
      platform: this.setup.platform,
      preload: this.setup.preload,
      reducedMotion: this.#reducedMotion,
      note: (event: string, detail: string) => this.#note(event, detail),
      onHopeless: (reason: string) => {
        this.#note('hopeless', reason)
        // The daemon starts a new one, and counts.
        this.end()
      },
    }
    return new Pane(place, others, setup, before)
  }

  async #missing(text: string): Promise<string[]> {
    for (const pane of this.#panes.values()) {
      const graphemes = await pane.missing(text)
      if (graphemes) return [...graphemes]
    }
    throw new Error('no page is there to ask')
  }

  #note(event: string, detail: string): void {
    this.#tell({ type: 'noted', event, detail: detail.slice(0, 2000) })
  }

  #tell(report: HostReport): void {
    if (!this.#ended) this.channel.send(report)
  }
}

function seqOf(message: unknown): number | null {
  const seq = (message as { seq?: unknown } | null)?.seq
  return Number.isSafeInteger(seq) && (seq as number) > 0 ? (seq as number) : null
}
