/** What a surface is given, and what it holds its Electron to. */
import type {
  GlobalKey,
  HostPlace,
  HostReportOf,
  HostScreen,
  HostSelfReport,
} from '../../../protocol/host/orders-schema.js'
import type { SentBackdrop } from '../../../protocol/host/page.js'
import type { Mark } from '../../../protocol/overlay/marks.js'
import { HostUnavailable } from '../../host.js'
import { type Program, START_MS } from './child.js'

export interface SurfaceTimes {
  /** How long an answer may take, in ms. */
  readonly answer: number
  /** How long Electron may take to start, in ms. */
  readonly start: number
  /** Between asking whether it still answers, while something is shown, in ms. */
  readonly heartbeat: number
  /** The wait before the first new start; each further one is twice as long. In ms. */
  readonly backoff: number
  /** More deaths than this within `forgive` ms, and it is given up. */
  readonly deaths: number
  readonly forgive: number
}

export const TIMES: SurfaceTimes = {
  // Longer than its main process gives a page to be loaded again and to paint.
  answer: 15_000,
  start: START_MS,
  heartbeat: 15_000,
  backoff: 250,
  deaths: 5,
  forgive: 120_000,
}

export interface SurfaceSetup {
  readonly program: Program
  /** Of Lets. */
  readonly version: string
  readonly reducedMotion: () => boolean
  /** Where the displays lie, for a process that starts. */
  readonly places: (screens: readonly HostScreen[]) => readonly HostPlace[]
  /**
   * What is wrong with the windows that are on the screen now; null when nothing is. Rejects when that cannot be told.
   * `wanted`: that none is there is wrong, too.
   */
  readonly fault: (report: HostSelfReport, wanted: boolean) => Promise<string | null>
  /** Told whose windows are ours now: before they can have opened any, and of nobody once they are gone, since a number may become another's. */
  readonly onProcess?: (...pids: number[]) => Promise<void>
  /** What is under the ink of marks, for choosing colours. */
  readonly backdrop: (display: number, marks: readonly Mark[]) => Promise<SentBackdrop[] | null>
  readonly onScreens: (screens: readonly HostScreen[]) => void
  readonly onPressed: (key: GlobalKey) => void
  readonly onChosen: (id: string) => void
  /** What the person did with the companion. */
  readonly onTouched?: (touch: HostReportOf<'touched'>['touch']) => void
  /** A new process is up, with the marks and without the companion. */
  readonly onAgain?: () => void
  /** It is no use any more; nothing of it is on the screen. */
  readonly onGivenUp: (reason: string) => void
  readonly log: (level: 'info' | 'warn', event: string, fields: Record<string, unknown>) => void
  readonly times?: Partial<SurfaceTimes>
}

/** The windows would take the person's clicks, or are not what was asked for: another start would change nothing. */
export class UnfitHost extends HostUnavailable {}

/** The oldest Electron that has all that is used of it: modules in the main process, handlers of schemes, and the page's features. */
const OLDEST_MAJOR = 30

export function tooOld(version: string): string | null {
  return Number.parseInt(version, 10) >= OLDEST_MAJOR
    ? null
    : `Electron ${version} is too old: ${OLDEST_MAJOR} or newer is needed`
}

/** Rejects with `UnfitHost` when something is wrong, and when that cannot be told. */
export async function refuse(fault: string | Promise<string | null>): Promise<void> {
  const wrong = await Promise.resolve(fault).catch(
    (error: Error) => `its windows cannot be looked at: ${error.message}`,
  )
  if (wrong !== null) throw new UnfitHost(wrong)
}
