/** How a command that failed says so: one line, and with `--json` one JSON value. */
import { CommanderError } from 'commander'
import { UsageError } from './errors.js'
import { remark, sayJson } from './output.js'

/** Errors that say what to do; anything else is a fault of ours and shows where. */
const EXPECTED: ReadonlySet<string> = new Set([
  'UsageError',
  'CliError',
  'LetsError',
  'ConnectionError',
  'ManifestError',
  'NameTaken',
])

/** Reports an error and returns the exit code: 2 for words that are off, 1 for what did not work. */
export function fail(error: unknown): number {
  if (error instanceof CommanderError && (error.exitCode === 0 || error.code === 'commander.help')) {
    return error.exitCode === 0 ? 0 : 2
  }
  const message = error instanceof Error ? error.message : String(error)
  const code = error instanceof UsageError || error instanceof CommanderError || isRefusedInput(error) ? 2 : 1
  if (process.argv.includes('--json') || isForMachines(process.argv)) {
    const { code: named, candidates } = error as { code?: unknown; candidates?: unknown }
    const wireCode =
      code === 2 && !isRefusedInput(error) ? 'usage' : typeof named === 'string' ? named : 'failed'
    sayJson({ error: { code: wireCode, msg: message, ...(candidates !== undefined && { candidates }) } })
  }
  remark(`lets: ${message}`)
  const expected = error instanceof CommanderError || (error instanceof Error && EXPECTED.has(error.name))
  if (!expected) remark((error as Error)?.stack ?? '')
  return code
}

/** `lets shell` answers in JSON always; what serves on stdout says nothing of its own there. */
function isForMachines([, , family, name]: readonly string[]): boolean {
  return family === 'shell' && name !== 'stdio' && name !== 'serve'
}

/** The parser's complaint about `command`, in one line that says where to look. */
export function complaint(error: CommanderError, command?: string): CommanderError {
  if (error.exitCode === 0 || error.code === 'commander.help') return error
  const text = error.message.replace(/^error: /, '').replace(/\s*\n\s*/g, ' ')
  const where =
    command === undefined ? '`lets --help` lists the commands' : `\`lets ${command} --help\` says how`
  return new CommanderError(2, error.code, `${text.replace(/\.$/, '')}; ${where}`)
}

/** Codes of the wire, and of windows and screens. */
const REFUSED_INPUT: ReadonlySet<string> = new Set([
  'bad_schema',
  'bad_data',
  'bad_request',
  'unknown_display',
])

/** The daemon found the words off: the same fault as one found here. */
function isRefusedInput(error: unknown): boolean {
  return (
    error instanceof Error &&
    'code' in error &&
    typeof error.code === 'string' &&
    REFUSED_INPUT.has(error.code)
  )
}
