import type { ExecutionContext } from 'ava'
import { version } from '../../daemon/version.js'
import type { OverlayHost } from '../../overlay/host.js'
import { privateEnvironment, switchesFor } from '../../overlay/hosts/electron/child.js'
import { ElectronHost } from '../../overlay/hosts/electron/host.js'
import type { SurfaceTimes } from '../../overlay/hosts/electron/surface-setup.js'
import type { Display } from '../../protocol/overlay/geometry.js'
import type { Mark } from '../../protocol/overlay/marks.js'
import { electronOf } from './processes.js'
import type { Behaviour } from './standin/program.js'
import { type StandInScript, standInScript } from './standin/script.js'

export interface HostRig {
  readonly host: OverlayHost
  readonly script: StandInScript
  /** The process that is Electron now; 0: there is none. */
  pid(): number
  start(): Promise<readonly Display[]>
  readonly exits: string[]
  readonly layouts: (readonly Display[])[]
  /** What the person did, in order. */
  readonly events: string[]
  readonly logged: { readonly event: string; readonly fields: Record<string, unknown> }[]
  /** Pictures that were taken of the screen. */
  readonly shots: number[]
}

export interface RigOptions {
  readonly behaviour?: Omit<Behaviour, 'control'>
  readonly times?: Partial<SurfaceTimes>
  /** Instead of the stand-in. */
  readonly path?: string
  readonly started?: boolean
}

/** A host without eyes whose Electron is the stand-in; it ends with the test. */
export async function hostRig(t: ExecutionContext, options: RigOptions = {}): Promise<HostRig> {
  const script = standInScript(t, options.behaviour ?? { windows: 'answering' })
  const shots: number[] = []
  const logged: HostRig['logged'] = []
  const host = new ElectronHost({
    program: {
      path: options.path ?? script.path,
      entry: 'entry.js',
      folder: script.folder,
      switches: switchesFor('linux', script.folder),
      env: privateEnvironment(process.env),
    },
    version: version(),
    pictures: {
      name: 'the stand-in',
      take: async ({ id }, { width, height }) => {
        shots.push(id)
        return new Uint8Array(width * height * 4).fill(0x55)
      },
    },
    log: (_level, event, fields) => logged.push({ event, fields }),
    times: { backoff: 10, ...options.times },
  })
  const [exits, layouts, events]: [string[], (readonly Display[])[], string[]] = [[], [], []]
  host.on({
    displays: (displays) => void layouts.push(displays),
    clearRequested: () => void events.push('clear'),
    answered: (yes) => void events.push(yes ? 'yes' : 'no'),
    next: () => void events.push('next'),
    chosen: (id) => void events.push(`chosen ${id}`),
    exit: (reason) => void exits.push(reason),
  })
  t.teardown(() => host.stop())
  if (options.started !== false) await host.start()
  return {
    host,
    script,
    pid: () => electronOf(script.folder),
    start: () => host.start(),
    exits,
    layouts,
    events,
    logged,
    shots,
  }
}

export const point = (id: string): Mark => ({ id, kind: 'point', at: [100, 100] })
