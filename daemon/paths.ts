/** Where Lets writes and listens. `LETS_HOME` moves all of it, `LETS_SOCKET` the socket alone. */
import { lstatSync, type Stats } from 'node:fs'
import { homedir, userInfo } from 'node:os'
import { dirname, join, resolve } from 'node:path'

export interface Paths {
  /** The folder of everything Lets writes. */
  readonly home: string
  /** The Unix socket (on Windows, the named pipe). */
  readonly socket: string
  /** Holds the secret that shows that a decision about pictures is the person's own command's. */
  readonly consentToken: string
  /** The log of a daemon that runs in the background. */
  readonly log: string
  /** Pictures taken by `capture`. */
  readonly captures: string
  /** What agents are still to be told, a file for each MCP server. */
  readonly agents: string
  /** Where the LIP host of the daemon that runs is found, and the operator's token. */
  readonly lipHost: string
  /** The uniques that were installed, and what the person has allowed them to run. */
  readonly uniques: string
  readonly allowed: string
  /** What is kept of the companion: what the person decided about it, and where it was. */
  readonly companion: string
  /** What a Wayland desktop has allowed for good: the token with which it lets pictures be taken. */
  readonly screencast: string
  /** The state folder of the shell daemon. */
  readonly shell: string
}

export function paths(env: NodeJS.ProcessEnv = process.env): Paths {
  const home = resolve(env.LETS_HOME || join(homedir(), '.lets'))
  const socket = env.LETS_SOCKET ? resolveSocket(env.LETS_SOCKET) : defaultSocket(home, env)
  return {
    home,
    socket,
    // Beside the socket, whose folder is private.
    consentToken: process.platform === 'win32' ? join(home, 'consent') : `${socket}.consent`,
    log: join(home, 'daemon.log'),
    captures: join(home, 'captures'),
    agents: join(home, 'agents'),
    lipHost: join(home, 'host.json'),
    uniques: join(home, 'uniques'),
    allowed: join(home, 'allow.json'),
    companion: join(home, 'companion.json'),
    screencast: join(home, 'screencast'),
    shell: join(home, 'shell'),
  }
}

/** A folder of its own, so that it can be 0700 whatever the home folder's mode is. */
function defaultSocket(home: string, env: NodeJS.ProcessEnv): string {
  if (process.platform !== 'win32') return join(home, 'run', 'lets.sock')
  // A pipe has no folder: the name carries the user, and the home folder when that was moved.
  const moved = env.LETS_HOME ? `-${Buffer.from(home).toString('base64url')}` : ''
  return `\\\\.\\pipe\\lets-${userInfo().username}${moved}`
}

function resolveSocket(path: string): string {
  return process.platform === 'win32' && path.startsWith('\\\\') ? path : resolve(path)
}

/**
 * The longest socket path the system takes, in bytes; Node cuts a longer one silently, and would listen under a name
 * nobody looks for.
 */
const MAX_SOCKET_PATH_BYTES = process.platform === 'darwin' ? 103 : 107

/** What is wrong with a socket path, or null. */
export function socketPathFault(path: string): string | null {
  const bytes = Buffer.byteLength(path)
  if (process.platform === 'win32' || bytes <= MAX_SOCKET_PATH_BYTES) return null
  return `the socket path is ${bytes} bytes, and the system takes ${MAX_SOCKET_PATH_BYTES}: ${path}; set LETS_SOCKET to a shorter one`
}

/** The folder a socket lies in. */
export function socketFolder(socket: string): string {
  return dirname(socket)
}

/** What is wrong with a folder that must be private, or null. */
export function folderFault(folder: string): string | null {
  if (process.platform === 'win32') return null
  let stats: Stats
  try {
    stats = lstatSync(folder)
  } catch (error) {
    return `${folder} cannot be looked at: ${(error as Error).message}`
  }
  const elsewhere = 'set LETS_SOCKET to a path in a folder of yours'
  if (!stats.isDirectory()) return `${folder} is not a folder; ${elsewhere}`
  // Such as /tmp: closing it to others would break them.
  if ((stats.mode & 0o1000) !== 0 && (stats.mode & 0o077) !== 0)
    return `${folder} is shared with others; ${elsewhere}`
  if (stats.uid !== process.geteuid?.()) return `${folder} belongs to another user; ${elsewhere}`
  if ((stats.mode & 0o077) === 0) return parentFault(dirname(folder), elsewhere)
  return `${folder} is open to others (mode ${(stats.mode & 0o777).toString(8)}): run \`chmod 700 ${folder}\`, or ${elsewhere}`
}

/** Whoever may write the folder above could put another folder in this one's place (a sticky one, like /tmp, guards that). */
function parentFault(parent: string, elsewhere: string): string | null {
  const { mode, uid } = lstatSync(parent)
  const sticky = (mode & 0o1000) !== 0
  if ((mode & 0o022) !== 0 && !sticky) {
    return `${parent} can be written by others (mode ${(mode & 0o777).toString(8)}): run \`chmod go-w ${parent}\`, or ${elsewhere}`
  }
  if (uid !== 0 && uid !== process.geteuid?.()) return `${parent} belongs to another user; ${elsewhere}`
  return null
}
