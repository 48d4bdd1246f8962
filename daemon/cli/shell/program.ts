/** `lets shell`: a family of commands of its own. Only what a command needs is loaded. */
import { Command } from 'commander'
import { complaint } from '../failure.js'

const client = () => import('./client-commands.js')
const daemon = () => import('../commands/shell-daemon.js')

/** Runs the words after `lets shell`. Rejects with what went wrong. */
export async function runShell(words: readonly string[]): Promise<void> {
  await shellProgram().parseAsync([...words], { from: 'user' })
}

function shellProgram(): Command {
  const program = prepared(new Command('lets shell'))
    .usage('<command> [options]')
    .description('Shell sessions and commands that last: run them, follow them, find them again.')
    .helpCommand('help [command]', 'print help for a command')

  program.commandsGroup('Run something:')
  stateDir(sub(program, 'run', 'run one command and print its record and output as JSON'))
    .requiredOption('--command <text>', 'what the shell is to run')
    .option('--kind <shell>', 'bash, sh, zsh, powershell or cmd', 'bash')
    .option('--cwd <folder>', 'where (default: here)')
    .option('--timeout <seconds>', 'end it after that long')
    .option('--input <text>', 'what it reads from stdin (default: nothing)')
    .action(async (options) => (await client()).run(options))

  program.commandsGroup('Ask the daemon (answers are JSON):')
  const capability = sub(program, 'capability', 'what there is')
  stateDir(sub(capability, 'discover', 'the shells and transports that are there')).action(async (options) =>
    (await client()).ask('capability.discover', {}, options),
  )
  const session = sub(program, 'session', 'sessions: one shell each')
  stateDir(sub(session, 'create', 'start a session'))
    .option('--kind <shell>', 'bash, sh, zsh, powershell or cmd', 'bash')
    .option('--cwd <folder>', 'where (default: here)')
    .option('--metadata <json>', 'an object that is kept with it')
    .action(async (options) => (await client()).createSession(options))
  stateDir(sub(session, 'list', 'all sessions')).action(async (options) =>
    (await client()).ask('session.list', {}, options),
  )
  stateDir(sub(session, 'snapshot <session>', 'how a session stands')).action(async (session_id, options) =>
    (await client()).ask('session.snapshot', { session_id }, options),
  )
  stateDir(sub(session, 'events <session>', 'what became of a session')).action(async (session_id, options) =>
    (await client()).ask('session.events', { session_id }, options),
  )
  stateDir(sub(session, 'close <session>', 'end a session and all it started')).action(
    async (session_id, options) => (await client()).ask('session.close', { session_id }, options),
  )
  const command = sub(program, 'command', 'commands: one after another in their session')
  stateDir(sub(command, 'start <session>', 'queue a command'))
    .requiredOption('--command <text>', 'what the shell is to run')
    .option('--timeout <seconds>', 'end it after that long')
    .option('--input <text>', 'what it reads from stdin (default: nothing)')
    .option('--metadata <json>', 'an object that is kept with it')
    .action(async (session, options) => (await client()).startCommand(session, options))
  stateDir(sub(command, 'poll <command>', 'how a command stands'))
    .option('--wait <seconds>', 'until it has ended, that long at most')
    .action(async (id, options) => (await client()).askAbout('command.poll', id, options))
  stateDir(sub(command, 'events <command>', 'what it said'))
    .option('--since <seq>', 'only what came after')
    .option('--follow', 'as it says it, one event a line, to its end')
    .action(async (id, options) => (await client()).events(id, options))
  stateDir(sub(command, 'cancel <command>', 'end a command and all it started'))
    .option('--reason <text>', 'kept in its record')
    .action(async (id, options) => (await client()).askAbout('command.cancel', id, options))
  stateDir(sub(command, 'result <command>', 'its record, events and output, once it has ended'))
    .option('--wait <seconds>', 'until it has ended, that long at most')
    .action(async (id, options) => (await client()).askAbout('command.result', id, options))

  program.commandsGroup('The daemon:')
  stateDir(sub(program, 'stdio', 'serve the protocol on stdin and stdout'))
    .option('--once', 'answer one request, then end')
    .action(async (options) => (await daemon()).stdio(options))
  listening(sub(program, 'serve', 'serve over loopback TCP in the foreground'))
    .option('--ready-fd <fd>', 'a descriptor that is told once whether it serves')
    .action(async (options) => (await daemon()).serve(options))
  listening(sub(program, 'start', 'serve over loopback TCP in the background')).action(async (options) =>
    (await import('./start.js')).start(options),
  )
  stateDir(sub(program, 'status', 'what the daemon does; exit code 1 when none runs')).action(
    async (options) => (await client()).ask('daemon.status', {}, options),
  )
  stateDir(sub(program, 'stop', 'end the daemon, with all its sessions'))
    .option('--reason <text>', 'kept with what it ends')
    .action(async (options) => (await import('./start.js')).stop(options))
  return program
}

function sub(parent: Command, spec: string, description: string): Command {
  return prepared(parent.command(spec)).description(description)
}

function prepared(made: Command): Command {
  return made
    .helpOption('-h, --help', 'print this')
    .configureOutput({ outputError: () => {} })
    .exitOverride((error) => {
      throw complaint(error, fullName(made))
    })
}

function fullName(made: Command): string {
  const names: string[] = []
  for (let one: Command | null = made; one; one = one.parent) names.unshift(one.name())
  return names.join(' ').replace(/^lets /, '')
}

function stateDir(made: Command): Command {
  return made.option('--state-dir <folder>', 'whose daemon (default: shell in LETS_HOME)')
}

function listening(made: Command): Command {
  return stateDir(made)
    .option('--host <address>', 'a loopback IPv4 address', '127.0.0.1')
    .option('--port <n>', 'a port (default: one that is free)')
    .option('--require-token', 'ask each client for the secret in daemon.token')
}
