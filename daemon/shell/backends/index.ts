/** The shells there are. */
import type { SessionKind } from '../../../protocol/shell/schema.js'
import type { Backend } from './backend.js'
import { posixBackend } from './posix.js'
import { windowsBackend } from './windows.js'

const windows = process.platform === 'win32'

export const BACKENDS: Readonly<Record<SessionKind, Backend>> = {
  bash: posixBackend('bash'),
  sh: posixBackend('sh'),
  zsh: posixBackend('zsh'),
  powershell: windowsBackend('powershell'),
  cmd: windowsBackend('cmd'),
}

/** Why a kind of session cannot be had here, or null. */
export function missing(kind: SessionKind): string | null {
  if (windows !== (kind === 'powershell' || kind === 'cmd') && kind !== 'powershell')
    return windows ? `${kind} needs a POSIX system` : `${kind} is there on Windows only`
  return BACKENDS[kind].find() === null ? `${kind} is not installed here` : null
}
