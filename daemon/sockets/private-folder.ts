import { type Stats, lstatSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * The guard of the socket's folder: only its owner may traverse it. Creates it (0700) when it is missing; throws,
 * saying what to do, when it is another user's or open to others.
 */
export function ensurePrivateFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const fault = folderFault(folder)
  if (fault) throw new Error(fault)
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
  if (!stats.isDirectory()) return `${folder} is not a folder; set LETS_SOCKET to a path in one`
  if (stats.uid !== process.geteuid?.()) return `${folder} belongs to another user; set LETS_SOCKET to a path in a folder of yours`
  if ((stats.mode & 0o077) === 0) return null
  return `${folder} is open to others (mode ${(stats.mode & 0o777).toString(8)}): run \`chmod 700 ${folder}\`, or set LETS_SOCKET to a path in a private folder`
}

/** The folder a socket lies in. */
export function socketFolder(socket: string): string {
  return dirname(socket)
}
