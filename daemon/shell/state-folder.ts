/** The state folder: private, of one daemon at a time, with what a client needs to find that daemon. */
import { chmodSync, lstatSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Database, openLock } from './database.js'

/** What daemon.json and daemon.lock say. */
export interface Published {
  readonly daemon_id: string
  readonly pid: number
  readonly protocol_version: string
  readonly transport: 'stdio' | 'tcp' | 'none'
  readonly state_dir: string
  readonly started_at: string
  readonly updated_at: string
  readonly shutdown_requested: boolean
  readonly socket_host: string | null
  readonly socket_port: number | null
}

/** The folder cannot be used; the message says why and what to do. */
class StateFolderError extends Error {
  override readonly name: string = 'StateFolderError'
}

/** Another daemon has the folder. */
class FolderOwned extends StateFolderError {
  override readonly name = 'FolderOwned'
  constructor(
    folder: string,
    readonly owner: Published | null,
  ) {
    const who = owner
      ? `the daemon ${owner.daemon_id} (pid ${owner.pid}, ${owner.transport}, since ${owner.started_at})`
      : 'another daemon'
    super(`${folder} is owned by ${who}; use that one, or another --state-dir`)
  }
}

export class StateFolder {
  readonly #lock: Database
  #published: Published | null = null

  /** Takes the folder; makes it (0700) when it is missing. Throws `StateFolderError`. */
  constructor(readonly path: string) {
    prepare(path)
    this.#lock = takeOwnership(path)
    rmSync(this.marker, { force: true })
  }

  /** A file of this name asks the daemon to stop. */
  get marker(): string {
    return join(this.path, MARKER)
  }

  publish(published: Published): void {
    this.#published = published
    const text = `${JSON.stringify(published)}\n`
    for (const name of ['daemon.lock', 'daemon.json']) replaceFile(join(this.path, name), text)
  }

  /** Writes a secret that only this user can read, and returns where. */
  publishToken(token: string): string {
    const file = join(this.path, TOKEN)
    replaceFile(file, token)
    return file
  }

  /** Lets the folder go. What daemon.json says last is that nothing serves any more. */
  release(): void {
    try {
      if (this.#published)
        this.publish({
          ...this.#published,
          shutdown_requested: true,
          socket_host: null,
          socket_port: null,
          updated_at: new Date().toISOString(),
        })
      for (const name of ['daemon.lock', TOKEN, MARKER]) rmSync(join(this.path, name), { force: true })
    } catch {
      // The folder is gone or full; there is nothing to say where nobody can read it.
    }
    this.#lock.close()
  }
}

const MARKER = 'daemon.shutdown.json'
const TOKEN = 'daemon.token'

/** What the folder's daemon says about itself, or null. It may be dead. */
export function readPublished(folder: string): Published | null {
  try {
    return JSON.parse(readFileSync(join(folder, 'daemon.json'), 'utf8')) as Published
  } catch {
    return null
  }
}

function prepare(path: string): void {
  const fail = (what: string) => {
    throw new StateFolderError(`the state folder ${path} ${what}; use another --state-dir`)
  }
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 })
  } catch (error) {
    fail(`cannot be made (${(error as NodeJS.ErrnoException).code})`)
  }
  const stats = lstatSync(path)
  if (!stats.isDirectory()) fail('is not a folder')
  if (process.platform === 'win32') return
  if (stats.uid !== process.geteuid?.()) fail('belongs to another user')
  // Such as /tmp: what others share cannot be closed to them.
  if ((stats.mode & 0o1000) !== 0) fail('is shared with others')
  try {
    if ((stats.mode & 0o077) !== 0) chmodSync(path, 0o700)
    // Root may write where the mode says no; a file system that is read-only says so here.
    writeFileSync(join(path, '.writable'), '')
    rmSync(join(path, '.writable'))
  } catch (error) {
    fail(`cannot be written (${(error as NodeJS.ErrnoException).code})`)
  }
}

/**
 * A lock that goes with the process, however it ends: the system's own on a small database file. A file with a pid in it
 * would outlive a killed daemon, and its number may be somebody else's by then.
 */
function takeOwnership(folder: string): Database {
  const file = join(folder, 'daemon.owner')
  let lock: Database | null
  try {
    lock = openLock(file)
  } catch (error) {
    const { message } = error as Error
    throw new StateFolderError(`${file} cannot be used (${message}); remove it, or use another --state-dir`)
  }
  if (lock === null) throw new FolderOwned(folder, readPublished(folder))
  return lock
}

function replaceFile(file: string, text: string): void {
  const next = `${file}.${process.pid}`
  writeFileSync(next, text, { mode: 0o600 })
  renameSync(next, file)
}
