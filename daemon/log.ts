/** Structured logs: one JSON object a line. `LETS_LOG` sets the level: debug, info (default), warn, error or off. */

const LEVELS = ['debug', 'info', 'warn', 'error', 'off'] as const
export type Level = (typeof LEVELS)[number]

export type Log = (level: Exclude<Level, 'off'>, event: string, fields?: Record<string, unknown>) => void

/** The level `LETS_LOG` names. Throws on a name that is none, rather than logging at a level nobody asked for. */
export function logLevel(env: NodeJS.ProcessEnv = process.env): Level {
  const named = env.LETS_LOG?.toLowerCase() || 'info'
  const level = LEVELS.find((one) => one === named)
  if (!level)
    throw new Error(`LETS_LOG must be one of ${LEVELS.join(', ')}; got ${JSON.stringify(env.LETS_LOG)}`)
  return level
}

export function createLog(level: Level, write: (line: string) => void): Log {
  const threshold = LEVELS.indexOf(level)
  return (at, event, fields) => {
    if (LEVELS.indexOf(at) < threshold) return
    write(`${JSON.stringify({ ts: new Date().toISOString(), level: at, event, ...fields })}\n`)
  }
}
