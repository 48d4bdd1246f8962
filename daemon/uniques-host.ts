/** The LIP host with all that it needs of this daemon: on a thread of its own, so that nothing pages do holds up a mark. */
import { join } from 'node:path'
import { loadNative } from '../native/index.js'
import { systemClock } from './clock.js'
import type { Question } from './lip/runs.js'
import type { LipAddress, OpenHost } from './lip/serve.js'
import type { Log } from './log.js'
import { ScreenMedium } from './medium/screen-medium.js'
import type { Paths } from './paths.js'
import { ClientScreens } from './screens.js'
import { ShellRunner } from './shell-runner.js'
import { BUNDLED_UNIQUES, SDK_FOLDER, version } from './version.js'

/** What it is opened with; can be sent to a thread. */
export interface UniquesSetup {
  readonly paths: Paths
  readonly address: LipAddress
  /** The person's, for what they do with the companion. */
  readonly consentToken: string
}

/** Asks the person whether a unique may run code; null when nobody answered. */
export type Ask = (question: Question, signal: AbortSignal) => Promise<'allow' | 'deny' | null>

/** Opens it on a thread of its own, or on this one where connections cannot change threads. */
export async function openUniques(setup: UniquesSetup, log: Log, ask: Ask): Promise<OpenHost> {
  const loaded = loadNative()
  const duplicate = loaded.ok ? loaded.native.duplicateDescriptor : null
  if (!duplicate) return openUniquesHere(setup, log, ask)
  const { UniquesThread } = await import('./uniques-thread.js')
  return UniquesThread.open(setup, { log, ask, duplicate })
}

/** Opens it on the thread that calls. */
export async function openUniquesHere(
  { paths, address, consentToken }: UniquesSetup,
  log: Log,
  ask: Ask,
): Promise<OpenHost> {
  const { openHost } = await import('./lip/open.js')
  const runner = new ShellRunner(join(paths.home, 'lip', 'shell'), log)
  const host = await openHost({
    ...address,
    home: paths.home,
    bundled: BUNDLED_UNIQUES,
    sdk: SDK_FOLDER,
    version: version(),
    clock: systemClock,
    log,
    screens: new ClientScreens(paths.socket),
    medium: (tell) =>
      new ScreenMedium({ socket: paths.socket, token: consentToken, clock: systemClock, log, tell }),
    runner,
    ask,
  })
  return {
    serve: (socket) => host.serve(socket),
    ended: host.ended,
    async stop() {
      await host.stop()
      await runner.close()
    },
  }
}
