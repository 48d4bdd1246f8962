#!/usr/bin/env node
/** The `lets` command. Only what a command needs is loaded: it must be quick to type and to script. */
import { Command, CommanderError, Option } from 'commander'
import { version } from '../version.js'
import { UsageError } from './errors.js'

const program = new Command('lets')
  .description('Show things on the screen: click-through marks over whatever is there.')
  .version(version(), '-V, --version', 'print the version')
  .configureHelp({ showGlobalOptions: false })
  .configureOutput({ outputError: (text, write) => write(text.replace(/^error: /, 'lets: ')) })
  .showSuggestionAfterError()
  .exitOverride()

/** Options that every command has. */
function command(spec: string, description: string): Command {
  return program
    .command(spec)
    .description(description)
    .option('--json', 'print JSON for a machine')
    .option('--socket <path>', 'the daemon’s socket (default: LETS_SOCKET, or in LETS_HOME)')
    .exitOverride()
}

/** Options that every drawing command has. */
function drawing(spec: string, description: string): Command {
  return command(spec, description)
    .option('--display <id>', 'which display (default 1, the primary)')
    .option('--ttl <time>', 'how long it stays: 5s, 500ms, 2m (default 5s)')
    .option('--hold', 'keep it until Ctrl-C, and say when something takes it away')
    .option('--step <n>', 'a numbered badge, 1..99')
}

const marks = () => import('./commands/marks.js')
const info = () => import('./commands/info.js')

drawing('point [target...]', 'point at a place: X Y, --at top-right, or "the Save button"')
  .option('--at <name>', 'a named position, or a pair such as 50%,30%')
  .option('--label <text>', 'a caption')
  .action(async (target, options) => (await marks()).point(target, options))
drawing('highlight <region...>', 'outline a region: X Y WIDTH HEIGHT, or a query')
  .option('--label <text>', 'a caption')
  .option('--ellipse', 'an ellipse instead of a rectangle')
  .option('--spotlight', 'dim the rest of the display')
  .action(async (region, options) => (await marks()).highlight(region, options))
drawing('annotate <text>', 'show a note')
  .option('--rect <x,y,w,h>', 'where the box goes')
  .option('--at <name>', 'a named position for it (default center)')
  .action(async (text, options) => (await marks()).textbox('note', text, options))
drawing('guide <text>', 'show an instruction to the person')
  .option('--rect <x,y,w,h>', 'where the box goes')
  .option('--at <name>', 'a named position for it (default center)')
  .action(async (text, options) => (await marks()).textbox('guide', text, options))
drawing('draw <points...>', 'draw a path: X,Y X,Y …')
  .option('--color <#rrggbb>', 'its colour (default: one that can be seen)')
  .option('--width <points>', 'its width')
  .action(async (points, options) => (await marks()).draw(points, options))
drawing('arrow <from> <to>', 'draw an arrow between two places, each X,Y or a named position')
  .option('--bow <fraction>', 'how much it curves, -1..1; 0 is straight (default 0.2)')
  .option('--color <#rrggbb>', 'its colour (default: one that can be seen)')
  .option('--width <points>', 'its width')
  .action(async (from, to, options) => (await marks()).arrow(from, to, options))

command('move <id> [target...]', 'glide a mark to X Y, or --by DX,DY')
  .option('--by <dx,dy>', 'by how much')
  .action(async (id, target, options) => (await import('./commands/change.js')).move(id, target, options))
command('clear [id]', 'clear a mark, or all that one-shot commands drew')
  .option('--all-sessions', 'clear everyone’s marks; their owners are told')
  .action(async (id, options) => (await import('./commands/change.js')).clear(id, options))

command('displays', 'list the displays').action(async (options) => (await info()).displays(options))
command('status', 'what the daemon does; exit code 1 when none runs').action(async (options) =>
  (await info()).status(options),
)
command('snapshot <file>', 'write a display with its marks to a PNG file')
  .option('--display <id>', 'which display (default 1, the primary)')
  .option('--marks-only', 'the marks alone, without anything of your screen')
  .option('--yes', 'allow this one picture of your screen')
  .action(async (file, options) => (await info()).snapshot(file, options))
command('consent <policy>', 'whether clients may take pictures of the screen: ask, always or never')
  .option('--for <time>', 'for how long, then ask again')
  .action(async (policy, options) => (await info()).consent(policy, options))
command('doctor', 'what was found, what is missing, and the command that fixes it').action(async (options) =>
  (await import('./commands/doctor.js')).doctor(options),
)
command('demo', 'point, highlight and annotate, and write demo.png')
  .option('--keep', 'leave the daemon running')
  .option('--file <path>', 'where the picture goes', 'demo.png')
  .action(async (options) => (await import('./commands/demo.js')).demo(options))
command('stop', 'end the daemon').action(async (options) => (await info()).stop(options))
command('daemon', 'serve in the foreground')
  .option('--host <kind>', 'auto, x11 or headless', 'auto')
  .option('--display <spec>', 'a virtual display for headless: 1440x900@2 (repeatable)', collect, [])
  .option('--capture-consent <policy>', 'ask, always or never', 'ask')
  .addOption(new Option('--ready-fd <fd>').hideHelp())
  .action(async (options) => (await import('./commands/daemon.js')).daemon(options))

/** Errors that say what to do; anything else is a fault of ours and shows where. */
const EXPECTED: ReadonlySet<string> = new Set(['UsageError', 'CliError', 'LetsError', 'ConnectionError'])

function collect(value: string, before: readonly string[]): string[] {
  return [...before, value]
}

try {
  await program.parseAsync()
} catch (error) {
  process.exitCode = exitCode(error)
}

function exitCode(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
  const message = error instanceof Error ? error.message : String(error)
  const code = error instanceof UsageError || isRefusedInput(error) ? 2 : 1
  if (process.argv.includes('--json')) {
    const wire = error as { code?: unknown; candidates?: unknown }
    process.stdout.write(
      `${JSON.stringify({
        error: {
          code: typeof wire.code === 'string' ? wire.code : code === 2 ? 'usage' : 'failed',
          msg: message,
          ...(wire.candidates !== undefined && { candidates: wire.candidates }),
        },
      })}\n`,
    )
  }
  process.stderr.write(`lets: ${message}\n`)
  if (!(error instanceof Error) || !EXPECTED.has(error.name)) process.stderr.write(`${(error as Error)?.stack ?? ''}\n`)
  return code
}

/** The daemon found the words off: the same fault as one found here. */
function isRefusedInput(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'bad_schema' || error.code === 'unknown_display')
}
