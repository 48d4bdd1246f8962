/** Puts the daemon together: host, engine, socket. The one place where parts meet. */
import { randomBytes } from 'node:crypto'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { monotonicFactory, ulid } from 'ulid'
import type { HostEvents } from '../overlay/host.js'
import { Captures } from './captures.js'
import { Carets } from './carets.js'
import { systemClock, wallClock } from './clock.js'
import { Companion } from './companion/companion.js'
import { CompanionStore } from './companion-store.js'
import { Policy } from './consent-policy.js'
import type { CapturePolicy } from './engine/captures.js'
import { Engine } from './engine/engine.js'
import { Resolvers } from './grounding.js'
import type { HostChoice } from './host-plan.js'
import { chooseHost } from './hosts.js'
import { type Lip, serveLip } from './lip/serve.js'
import type { Log } from './log.js'
import type { Paths } from './paths.js'
import { peerOf } from './peer.js'
import { Reviver } from './reviver.js'
import { AlreadyServed, probe } from './sockets/bind.js'
import { listenUnix } from './sockets/unix.js'
import { type Ask, openUniques } from './uniques-host.js'
import { version } from './version.js'

export interface DaemonOptions {
  readonly paths: Paths
  readonly host: HostChoice
  readonly captureConsent: CapturePolicy
  readonly groundingConsent: CapturePolicy
  /** The resolvers that queries are put to, in their order; none: queries are refused. */
  readonly resolvers: readonly string[]
  readonly log: Log
  /** The person asks for the end in a menu of the desktop: whoever started this is to stop it. */
  readonly onQuit: () => void
}

export interface Daemon {
  /** What is drawn on, and what a person should know about it. */
  readonly host: string
  readonly notes: readonly string[]
  /** Takes everything off the screen, hangs up on everyone and removes the socket. Safe to call twice. */
  stop(): Promise<void>
}

/** Starts a daemon; resolves once it really serves. Rejects with `AlreadyServed`, or with what is wrong. */
export async function startDaemon({
  paths,
  host: choice,
  captureConsent,
  groundingConsent,
  resolvers,
  log,
  onQuit,
}: DaemonOptions): Promise<Daemon> {
  // Asked before anything touches the screen; binding asks again, and that answer counts.
  if ((await probe(paths.socket)) === 'alive')
    throw new AlreadyServed(`a daemon already serves ${paths.socket}`)
  const nextUlid = monotonicFactory()
  const peer = peerOf()
  const consentToken = randomBytes(24).toString('base64url')
  const captures = new Captures(paths.captures, captureConsent, consentToken, systemClock, log)
  const grounder = await Resolvers.start(resolvers, log)
  let engine: Engine | null = null
  const events: HostEvents = {
    displays: (displays) => {
      log('info', 'displays', { displays: displays.length })
      engine?.displaysChanged(displays)
    },
    windows: (change) => engine?.windowsChanged(change),
    content: (change) => engine?.contentChanged(change),
    clearRequested: () => log('info', 'cleared_by_person', { marks: engine?.clearForPerson() }),
    answered: (yes) => engine?.answered(yes),
    next: () => engine?.nextPressed(),
    companion: (event) => engine?.companionEvent(event),
    chosen: (id) => {
      log('info', 'chosen', { id })
      engine?.chosen(id)
    },
    exit: (reason) => {
      log('warn', 'host_exit', { reason })
      engine?.hostExited(reason)
    },
  }
  const { host, displays } = await chooseHost(
    { folder: join(paths.home, 'electron'), permissions: paths.screencast, ...choice },
    events,
    log,
  )
  if (captureConsent === 'never') host.forgetPermission?.()
  const store = new CompanionStore(paths.companion, systemClock, log)
  const companion = new Companion({
    clock: systemClock,
    wall: wallClock,
    settings: store.settings,
    keep: (settings) => store.keep(settings),
    // Elsewhere nobody tells, and where windows are not known nobody could say where on the screen that is.
    ...(process.platform === 'linux' && host.windows && { carets: new Carets(process.env, log) }),
    log,
  })
  const reviver = new Reviver(host, systemClock, log, (again) => engine?.hostStarted(again))
  engine = new Engine({
    host,
    clock: systemClock,
    // Ids of sessions and frames are secrets: they must not follow from the ids of marks.
    newId: (prefix) => prefix + (prefix === 'a_' ? nextUlid() : ulid()),
    captures,
    groundingConsent: new Policy('grounding', groundingConsent, systemClock, log),
    grounder,
    companion,
    about: { version: version(), pid: process.pid, peer_check: peer ? 'credentials' : 'folder' },
    log,
    revive: () => reviver.revive(),
    quit: onQuit,
  })
  engine.hostStarted(displays)
  let listener: Awaited<ReturnType<typeof listenUnix>>
  try {
    listener = await listenUnix(paths.socket, engine, peer, log)
  } catch (error) {
    await host.stop()
    throw error
  }
  rmSync(paths.consentToken, { force: true })
  writeFileSync(paths.consentToken, consentToken, { mode: 0o600, flag: 'wx' })
  log('info', 'serving', {
    pid: process.pid,
    socket: paths.socket,
    host: host.kind,
    displays: displays.length,
  })
  const serving = engine
  const lip = await serveUniques(paths, consentToken, log, async (wish, signal) => {
    const yes = await serving.askToRun(wish, signal)
    return yes === null ? null : yes ? 'allow' : 'deny'
  })
  let stopping: Promise<void> | null = null
  const stop = async () => {
    engine?.ending()
    // The screen first: whatever else takes time, nothing stays on it.
    await host.stop()
    await lip?.stop()
    // Before the socket is free: the next daemon writes one of its own.
    if (isOurs(paths.consentToken, consentToken)) rmSync(paths.consentToken, { force: true })
    await listener.close()
    captures.close()
    grounder.close()
    store.close()
    log('info', 'stopped')
  }
  return {
    host: host.kind,
    notes: host.facts().notes,
    stop: () => {
      stopping ??= stop()
      return stopping
    },
  }
}

/** Marks are drawn also where no port is to be had. */
async function serveUniques(paths: Paths, consentToken: string, log: Log, ask: Ask): Promise<Lip | null> {
  try {
    return await serveLip({
      paths,
      log,
      open: (address) => openUniques({ paths, address, consentToken }, log, ask),
    })
  } catch (error) {
    log('error', 'lip_not_serving', { error: String(error) })
    return null
  }
}

/** Whether the file still holds our secret: a daemon that took the socket over has put its own there. */
function isOurs(file: string, secret: string): boolean {
  try {
    return readFileSync(file, 'utf8') === secret
  } catch {
    return false
  }
}
