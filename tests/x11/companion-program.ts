/**
 * A process with a native host that shows a companion as it is told: a line of JSON each way. It stands in for the daemon
 * where a test has to end it, or to see what it costs.
 */
import { createHash } from 'node:crypto'
import { createInterface } from 'node:readline'
import type { X11Host } from '../../native/index.js'
import { NativeHost } from '../../overlay/hosts/native/host.js'
import type { CompanionScene } from '../../protocol/overlay/companion.js'
import { native } from '../native/support.js'

/** When a frame was put on the screen, and where its middle was, in pixels of the root. */
export interface PlacedFrame {
  readonly at: number
  readonly x: number
  readonly y: number
  readonly width: number
}

export type CompanionOrder =
  /** Answered when it is on the screen. */
  | { readonly show: CompanionScene | null }
  /** What it is to be as soon as its body is clicked. */
  | { readonly onClick: CompanionScene }
  | { readonly watch: boolean }
  | { readonly summon: boolean }
  /** Answered with a digest of a picture, with the marks or without. */
  | { readonly picture: boolean }
  /** Answered with how many frames were put on the screen until now, and where the last of them were. */
  | { readonly frames: true }

async function main(display: string): Promise<void> {
  let frames = 0
  const places: PlacedFrame[] = []
  let onClick: CompanionScene | null = null
  const counted: typeof native = {
    ...native,
    X11Host: {
      connect: async (options, tell) => {
        const connection = await native.X11Host.connect(options, tell)
        const show: X11Host['showCompanion'] = (request) => {
          frames += 1
          const { x, y, width, height } = request
          places.push({ at: performance.now(), x: x + width / 2, y: y + height / 2, width })
          return X11HostShow.call(connection, request)
        }
        const X11HostShow = connection.showCompanion
        return Object.assign(connection, { showCompanion: show })
      },
    },
  }
  const host = new NativeHost(counted, display)
  const say = (what: object) => process.stdout.write(`${JSON.stringify(what)}\n`)
  host.on({
    displays: () => say({ event: { kind: 'displays' } }),
    clearRequested: () => {},
    exit: (reason) => say({ event: { kind: 'exit', reason } }),
    companion: (event) => {
      if (event.kind === 'clicked' && onClick) host.companion.show(onClick).catch(() => {})
      say({ event })
    },
  })
  await host.start()

  async function obey(order: CompanionOrder): Promise<object> {
    if ('show' in order) return host.companion.show(order.show)
    if ('onClick' in order) {
      onClick = order.onClick
      return {}
    }
    if ('watch' in order) {
      await host.companion.watchPointer(order.watch)
      return {}
    }
    if ('summon' in order) {
      if (order.summon) return { had: await host.companion.summonKey.take() }
      await host.companion.summonKey.release()
      return {}
    }
    if ('picture' in order) {
      const { data } = await host.capture({ display: 1, marks: order.picture, backdrop: 'screen' })
      return { digest: createHash('sha256').update(data).digest('hex') }
    }
    return { frames, places: places.splice(0) }
  }

  let last: Promise<void> = Promise.resolve()
  createInterface({ input: process.stdin }).on('line', (line) => {
    last = last.then(async () => void say({ done: await obey(JSON.parse(line) as CompanionOrder) }))
  })
  say({ ready: true })
}

await main(process.argv[2] ?? '')
