import { mkdirSync } from 'node:fs'
import { folderFault } from '../paths.js'

/**
 * The guard of the socket's folder: only its owner may traverse it. Creates it (0700) when it is missing; throws,
 * saying what to do, when it is another user's or open to others.
 */
export function ensurePrivateFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
  } catch (error) {
    throw new Error(
      `the socket's folder ${folder} cannot be made (${(error as NodeJS.ErrnoException).code}); set LETS_SOCKET or LETS_HOME to a place that can be written`,
    )
  }
  const fault = folderFault(folder)
  if (fault) throw new Error(fault)
}
