/** Plays a tour: numbered marks as data, at once or one after another. */
import type { TourKind } from '../../protocol/tour/forms.js'
import type { Tour, TourStep } from '../../protocol/tour/schema.js'
import { type ConnectOptions, connect, type LetsClient } from './client.js'
import type { GoneMark } from './gone.js'
import { Player, type Stage } from './tour-player.js'

/** What became of a step. */
export interface StepOutcome {
  /** Counted from 1, as its badge is. */
  readonly step: number
  readonly kind: TourKind
  readonly title?: string
  /**
   * `shown`: until its time was over. `gone`: it went before that, for `reason`. `no_window`: it was shown, and the window it
   * waits for did not appear. `unseen`: drawn where nobody can see it, such as below a screen locker. `refused`: by the daemon,
   * with `code` and `msg`. `skipped`: the tour ended before, for `reason`.
   */
  readonly outcome: 'shown' | 'gone' | 'no_window' | 'unseen' | 'refused' | 'skipped'
  readonly reason?: string
  readonly code?: string
  readonly msg?: string
  readonly annotation_id?: string
  readonly missing_glyphs?: readonly string[]
}

export interface TourOutcome {
  readonly steps: readonly StepOutcome[]
  /** Whether each was shown for its time; a mark with a `ttl_ms` of its own may have gone by that. */
  readonly all_shown: boolean
}

export interface PlayOptions {
  /** Ends the tour: its marks go, and what was not shown yet is skipped. */
  readonly signal?: AbortSignal
  /** Told when a step's mark is up. */
  readonly onShown?: (step: number, of: TourStep) => void
  /** Told what became of each step, once that is known. */
  readonly onOutcome?: (outcome: StepOutcome) => void
  /** Another way than the key for the person to go on; resolves when they do. */
  readonly next?: (signal: AbortSignal) => Promise<void>
}

/** Plays a tour in a session of its own, whose marks go with it. Throws `TourError` for what is none. */
export async function play(
  tour: Tour,
  options: PlayOptions & Partial<Pick<ConnectOptions, 'clientName' | 'socket' | 'timeoutMs'>> = {},
): Promise<TourOutcome> {
  // As large as the rest of the client, and of use only to those who play.
  const { checkTour } = await import('../../protocol/tour/parse.js')
  checkTour(tour)
  const { clientName = 'tour', socket, timeoutMs } = options
  const client = await connect({
    clientName,
    ...(socket !== undefined && { socket }),
    ...(timeoutMs !== undefined && { timeoutMs }),
    ...TOUR_SESSION,
  })
  return playOn(client, tour, options)
}

/** What a session must be like to play a tour on: a client that is killed leaves nothing on the screen. */
export const TOUR_SESSION = { lingerMs: 0, acks: 'painted' } as const

/** Plays a checked tour on a session that was opened for it, and closes that. */
export async function playOn(client: LetsClient, tour: Tour, options: PlayOptions): Promise<TourOutcome> {
  const listen = async (tell: (gone: GoneMark) => void) => {
    for await (const gone of client.invalidations()) tell(gone)
  }
  const player = new Player({ client, waitsOn: client, listen }, tour, options)
  try {
    return await player.play()
  } finally {
    await client.close()
  }
}

/**
 * Plays a checked tour in a session that goes on. When it was played to its end the marks that are kept stay, and are
 * named in `kept`; when it ended before, all of its marks go.
 */
export async function playIn(
  stage: Stage,
  tour: Tour,
  options: PlayOptions,
): Promise<TourOutcome & { readonly kept: readonly string[] }> {
  const player = new Player(stage, tour, options)
  const outcome = await player.play()
  return { ...outcome, kept: await player.leave() }
}
