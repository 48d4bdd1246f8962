/** A daemon in this process whose screen is a fake that has a place for the companion: a test is the person. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ExecutionContext } from 'ava'
import { ulid } from 'ulid'
import { Captures } from '../../daemon/captures.js'
import { LipOperator } from '../../daemon/client/index.js'
import { systemClock } from '../../daemon/clock.js'
import { Companion } from '../../daemon/companion/companion.js'
import { DEFAULTS, type Settings } from '../../daemon/companion/settings.js'
import { Policy } from '../../daemon/consent-policy.js'
import { Engine } from '../../daemon/engine/engine.js'
import { display, FakeHost } from '../../daemon/engine/testing.js'
import { Resolvers } from '../../daemon/grounding.js'
import { serveLip } from '../../daemon/lip/serve.js'
import { paths } from '../../daemon/paths.js'
import { listenUnix } from '../../daemon/sockets/unix.js'
import { openUniquesHere } from '../../daemon/uniques-host.js'
import type { CompanionEvent, CompanionScene } from '../../protocol/overlay/companion.js'
import { homeWithProbe } from './support.js'

const TOKEN = 'the-persons-own'

export interface Rig {
  readonly home: string
  readonly socket: string
  /** All that was shown of the companion, in order. */
  readonly scenes: (CompanionScene | null)[]
  /** What is shown now. */
  scene(): CompanionScene | null
  /** The person does this. */
  does(event: CompanionEvent): void
  operator(key?: string): LipOperator
}

export async function rig(t: ExecutionContext, settings: Partial<Settings> = { on: true }): Promise<Rig> {
  const home = homeWithProbe(t)
  const where = paths({ LETS_HOME: home })
  mkdirSync(join(home, 'run'), { recursive: true, mode: 0o700 })
  const log = () => {}
  const scenes: (CompanionScene | null)[] = []
  const host = Object.assign(new FakeHost([display(1), display(2)]), {
    companion: {
      show: async (scene: CompanionScene | null) => {
        scenes.push(scene)
        return { visible: true }
      },
      watchPointer: async () => {},
      pointer: async () => ({ display: 1, at: [700, 400] as const }),
    },
  })
  const captures = new Captures(where.captures, 'ask', TOKEN, systemClock, log)
  const grounder = await Resolvers.start([], log)
  const engine = new Engine({
    host,
    clock: systemClock,
    newId: (prefix) => prefix + ulid(),
    captures,
    groundingConsent: new Policy('grounding', 'ask', systemClock, log),
    grounder,
    companion: new Companion({
      clock: systemClock,
      wall: { now: () => Date.now(), minuteOfDay: () => 12 * 60 },
      settings: { ...DEFAULTS, ...settings },
      keep: () => {},
      log,
    }),
    about: { version: '0.0.0', pid: process.pid, peer_check: 'credentials' },
    log,
    revive: async () => {},
    quit: () => {},
  })
  engine.hostStarted(host.layout)
  const listener = await listenUnix(where.socket, engine, null, log)
  writeFileSync(where.consentToken, TOKEN, { mode: 0o600 })
  const lip = await serveLip({
    paths: where,
    log,
    open: (address) => openUniquesHere({ paths: where, address, consentToken: TOKEN }, log, async () => null),
  })
  t.teardown(async () => {
    engine.ending()
    await lip.stop()
    await listener.close()
    captures.close()
    grounder.close()
    rmSync(where.consentToken, { force: true })
  })
  return {
    home,
    socket: where.socket,
    scenes,
    scene: () => scenes.at(-1) ?? null,
    does: (event) => engine.companionEvent(event),
    operator: (key = 'a') => LipOperator.find(where.lipHost, { key, name: `Agent ${key}` })!,
  }
}
