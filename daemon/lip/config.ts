/** What a person may set in `config.json` of the home folder. Read when it is needed, so that a change counts at once. */
import { readFileSync } from 'node:fs'
import type { Log } from '../log.js'

export interface LipConfig {
  /** Whether a window goes when it was sent. */
  readonly handoff: 'close' | 'stay'
  /** The largest upload, and what all uploads of a unique may take, in bytes. */
  readonly uploadBytes: number
  readonly quotaBytes: number
}

const MB = 1024 * 1024
const DEFAULTS: LipConfig = { handoff: 'close', uploadBytes: 25 * MB, quotaBytes: 1000 * MB }

export function readConfig(file: string, log: Log): LipConfig {
  let value: Record<string, unknown>
  try {
    value = JSON.parse(readFileSync(file, 'utf8'))
    if (typeof value !== 'object' || value === null) throw new Error('must be a JSON object')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT')
      log('warn', 'config_unreadable', { file, error: String(error) })
    return DEFAULTS
  }
  const megabytes = (name: string, otherwise: number) => {
    const given = value[name]
    return typeof given === 'number' && given > 0 && given <= 100_000 ? given * MB : otherwise
  }
  return {
    handoff: value.handoff === 'stay' ? 'stay' : DEFAULTS.handoff,
    uploadBytes: megabytes('upload_mb', DEFAULTS.uploadBytes),
    quotaBytes: megabytes('upload_quota_mb', DEFAULTS.quotaBytes),
  }
}
