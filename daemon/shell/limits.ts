/** What a service keeps, and how it tells of itself. */
import type { CommandLimits } from './command.js'

export type ShellLog = (
  level: 'debug' | 'info' | 'warn' | 'error',
  event: string,
  fields?: Record<string, unknown>,
) => void

export interface ServiceLimits extends CommandLimits {
  /** Bytes of output that are kept of all commands together; then the oldest becomes gaps. */
  readonly storeBytes: number
  /** Commands that are remembered. */
  readonly commands: number
}

export const DEFAULT_LIMITS: ServiceLimits = {
  heartbeatMs: 15_000,
  outputBytes: 512 * 1024 * 1024,
  storeBytes: 2 * 1024 * 1024 * 1024,
  commands: 50_000,
}
/** How much may be added before it is looked again whether there is too much. */
export const LOOK_BYTES = 16 * 1024 * 1024
export const LOOK_COMMANDS = 1000
