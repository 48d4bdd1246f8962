import type { ExecutionContext } from 'ava'
import { runHost } from '../../overlay/hosts/electron/main/app.js'
import type { Platform } from '../../overlay/hosts/electron/main/recipe.js'
import { readReport } from '../../protocol/host/orders.js'
import type { HostOrder, HostPlace, HostReport } from '../../protocol/host/orders-schema.js'
import { until } from '../support/xserver.js'
import { AnsweringPage } from './standin/answering.js'
import { StandIn } from './standin/electron.js'

type Without<T> = T extends unknown ? Omit<T, 'seq'> : never

export interface MainRig {
  readonly standIn: StandIn
  /** The pages of all windows that were ever made. */
  readonly pages: AnsweringPage[]
  /** All it said, checked as the daemon does. */
  readonly said: HostReport[]
  ask(order: Without<HostOrder>): Promise<HostReport>
  /** A message, whatever it is. */
  send(message: unknown): void
  /** The daemon is gone. */
  leave(): void
  /** Reports of one kind. */
  heard<T extends HostReport['type']>(type: T): Extract<HostReport, { type: T }>[]
}

/** The main process in this process, on a stand-in for Electron, up to its first `lay` if `places` are given. */
export async function mainRig(
  t: ExecutionContext,
  {
    platform = 'linux',
    places,
    make,
    alone = true,
  }: { platform?: Platform; places?: HostPlace[]; make?: () => AnsweringPage; alone?: boolean } = {},
): Promise<MainRig> {
  const pages: AnsweringPage[] = []
  const standIn = new StandIn(() => {
    const page = make?.() ?? new AnsweringPage()
    pages.push(page)
    return page
  })
  standIn.alone = alone
  const said: HostReport[] = []
  let onMessage = (_message: unknown) => {}
  let onGone = () => {}
  let seq = 0
  const rig: MainRig = {
    standIn,
    pages,
    said,
    async ask(order) {
      const mine = ++seq
      onMessage(JSON.parse(JSON.stringify({ ...order, seq: mine })))
      return until(`an answer to ${order.type}`, () => said.find((one) => 'seq' in one && one.seq === mine))
    },
    send: (message) => onMessage(message),
    leave: () => onGone(),
    heard: (type) =>
      said.filter((one): one is Extract<HostReport, { type: typeof type }> => one.type === type),
  }
  runHost(
    standIn.api,
    {
      send: (message) => said.push(readReport(JSON.parse(JSON.stringify(message)))),
      onMessage: (listener) => {
        onMessage = listener
      },
      onGone: (listener) => {
        onGone = listener
      },
    },
    {
      platform,
      versions: { electron: '42.0.0', lets: '1.0.0' },
      pid: 1234,
      preload: '/preload.cjs',
      icon: '/icon.png',
    },
  )
  standIn.ready()
  t.teardown(() => onGone())
  if (places) {
    await rig.ask({ type: 'start', version: '1.0.0', reduced_motion: false })
    await rig.ask({ type: 'lay', displays: places })
  }
  return rig
}

export const place = (id: number, more: Partial<HostPlace> = {}): HostPlace => ({
  id,
  bounds: [0, 0, 1280, 800],
  size: [1280, 800],
  zoom: 1,
  ...more,
})

export const point = (id: string) => ({ id, kind: 'point' as const, at: [100, 100] as [number, number] })

export const put = (display: number, ...ids: string[]) => ({
  type: 'apply' as const,
  display,
  put: ids.map(point),
  remove: [],
})
