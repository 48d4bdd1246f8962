#!/usr/bin/env node
/** The `lets` command. Only what a command needs is loaded: it must be quick to type and to script. */
import { type Argument, Command, Option } from 'commander'
import { version } from '../version.js'
import { complaint, fail } from './failure.js'
import './output.js'

const program = new Command('lets')
  .usage('<command> [options]')
  .configureHelp({
    subcommandTerm: (made) => [made.name(), ...made.registeredArguments.map(shown)].join(' '),
  })
  .description('Show things on the screen: click-through marks over whatever is there.')
  .version(version(), '-V, --version', 'print the version')
  .helpOption('-h, --help', 'print help; `lets <command> --help` for one command')
  .helpCommand('help [command]', 'print help for a command')
  // Said once, and in one line, where every other error is.
  .configureOutput({ outputError: () => {} })
  .showSuggestionAfterError()
  .exitOverride((error) => {
    throw complaint(error)
  })

function command(spec: string, description: string): Command {
  const made = program.command(spec).description(description)
  return made.helpOption('-h, --help', 'print this').exitOverride((error) => {
    throw complaint(error, made.name())
  })
}

/** Options that every drawing command has, after its own. */
function drawing(made: Command): Command {
  return made
    .option('--step <n>', 'a numbered badge, 1..99')
    .option('--display <id>', 'which display (default: 1, the primary)')
    .option('--frame <id>', 'image pixels of a picture that `lets capture` took')
    .option('--window <name>', 'relative to the window of this application or title (see `lets apps`)')
    .option('--ttl <time>', 'how long it stays: 5s, 500ms, 2m (default: 5s)')
    .option('--hold', 'keep it until Ctrl-C, and say when something takes it away')
}

const marks = () => import('./commands/marks.js')
const change = () => import('./commands/change.js')
const info = () => import('./commands/info.js')
const pictures = () => import('./commands/pictures.js')
const lip = () => import('./commands/lip.js')

program.commandsGroup('Show something:')
/** Options that narrow what words are about. */
function asking(made: Command): Command {
  return made
    .option('--app <name>', 'of words: in windows of this application or title')
    .option('--within <x,y,w,h>', 'of words: in this part of the display')
    .option('--nth <n>', 'of words: which of those that fit equally, from 1')
    .option('--yes', 'of words: allow this one look at your screen')
}

asking(
  drawing(
    command('point [target...]', 'point at a place: X Y, --at top-right, or words such as "the Save button"')
      .option('--at <name>', 'a named position (top-left, top, … center), or a pair such as 50%,30%')
      .option('--label <text>', 'a caption'),
  ),
)
  .addHelpText(
    'after',
    examples(
      'point 640 400 --label "Here"',
      'point --at top-right --ttl 20s',
      'point "the Save button" --app Gedit',
    ),
  )
  .action(async (target, options) => (await marks()).point(target, options))
asking(
  drawing(
    command('highlight <region...>', 'outline a region: X Y WIDTH HEIGHT, or words such as "the Save button"')
      .option('--label <text>', 'a caption')
      .option('--ellipse', 'an ellipse instead of a rectangle')
      .option('--spotlight', 'dim the rest of the display'),
  ),
)
  .addHelpText(
    'after',
    examples(
      'highlight 100 200 340 90 --label "Fill this in"',
      'highlight 100,200,340,90 --spotlight --hold',
    ),
  )
  .action(async (region, options) => (await marks()).highlight(region, options))
for (const [name, what, example] of [
  ['annotate', 'a note', 'annotate "This is last year" --at top'],
  ['guide', 'an instruction to the person', 'guide "Open the settings" --rect 600,80,320,60'],
] as const) {
  drawing(
    command(`${name} <text>`, `show ${what}`)
      .option(
        '--at <name>',
        'a named position (top-left, top, … center), or a pair such as 50%,30% (default: center)',
      )
      .option('--rect <x,y,w,h>', 'where the box goes, instead of --at'),
  )
    .addHelpText('after', examples(example))
    .action(async (text, options) =>
      (await marks()).textbox(name === 'guide' ? 'guide' : 'note', text, options),
    )
}
drawing(
  stroked(
    command('arrow <from> <to>', 'draw an arrow between two places, each X,Y or a named position').option(
      '--bow <fraction>',
      'how much it curves, -1..1; 0 is straight (default: 0.2)',
    ),
  ),
)
  .addHelpText('after', examples('arrow 100,100 top-right', 'arrow 10%,50% 90%,50% --bow 0'))
  .action(async (from, to, options) => (await marks()).arrow(from, to, options))
drawing(stroked(command('draw <points...>', 'draw a path: X,Y X,Y …')))
  .addHelpText('after', examples('draw 100,100 200,150 300,100 --color "#00c853"'))
  .action(async (points, options) => (await marks()).draw(points, options))

command('play <file>', 'play a tour: numbered marks from a JSON file (`-`: from standard input)')
  .option('--dry-run', 'only say whether the file is a tour')
  .addHelpText('after', examples('play tour.json', 'play tour.json --dry-run'))
  .action(async (file, options) => (await import('./commands/play.js')).playFile(file, options))

program.commandsGroup('Change what is shown:')
command('move <id> [target...]', 'glide a mark to X Y, or --by DX,DY')
  .option('--by <dx,dy>', 'by how much')
  .addHelpText('after', examples('move a_01J… 640 400', 'move a_01J… --by 0,-40'))
  .action(async (id, target, options) => (await change()).move(id, target, options))
command('clear [id]', 'clear a mark, or all that these commands drew')
  .option('--all-sessions', 'clear everyone’s marks; their owners are told')
  .action(async (id, options) => (await change()).clear(id, options))

program.commandsGroup('Look around:')
command('displays', 'list the displays').action(async (options) => (await info()).displays(options))
command('apps', 'list the windows on the screen, the topmost first').action(async (options) =>
  (await info()).apps(options),
)
asking(
  command(
    'locate <words>',
    'where a thing is that you name, such as "the Save button"; draws nothing',
  ).option('--display <id>', 'which display (default: 1, the primary)'),
)
  .addHelpText(
    'after',
    examples('locate "the Save button"', 'locate "Edit in the row of Pear" --app Shop --json'),
  )
  .action(async (words, options) => (await import('./commands/find.js')).locate(words, options))
command('resolvers', 'what could find things by their names, and what it needs').action(async (options) =>
  (await import('./commands/find.js')).resolvers(options),
)
command('snapshot <file>', 'write a display with its marks to a PNG file')
  .option('--display <id>', 'which display (default: 1, the primary)')
  .option('--marks-only', 'the marks alone, without anything of your screen')
  .option('--yes', 'allow this one picture of your screen')
  .action(async (file, options) => (await pictures()).snapshot(file, options))
command('capture <file>', 'write what is under the marks to a PNG file, to point into')
  .option('--display <id>', 'which display (default: 1, the primary)')
  .option('--rect <x,y,w,h>', 'a part of it')
  .option('--max-edge <pixels>', 'its longer edge (default: what models take)')
  .option('--marks', 'with the marks')
  .option('--yes', 'allow this one picture of your screen')
  .addHelpText('after', examples('capture screen.png --yes', 'point 414 1069 --frame f_…'))
  .action(async (file, options) => (await pictures()).capture(file, options))
command('convert <place...>', 'a place as a model named it, in image pixels and logical points')
  .option('--space <name>', 'what its numbers are: pixels, 0..1000, fractions or percent')
  .option('--order <order>', 'xy or yx')
  .option('--form <form>', 'four numbers are a rectangle: size (x y w h) or corners (x0 y0 x1 y1)')
  .option('--image <size>', 'the picture as the model got it: 1568x882')
  .option('--frame <id>', 'the picture is one that `lets capture` took')
  .option('--display <id>', 'the picture shows this display')
  .option('--part <x,y,w,h>', 'the part of it that the picture shows, in logical points')
  .addHelpText(
    'after',
    examples(
      'convert 500 300 --space 0..1000 --order yx --image 1568x882',
      'convert 20 10 50 40 --space percent --order yx --form corners --frame f_…',
    ),
  )
  .action(async (place, options) => (await import('./commands/convert.js')).convert(place, options))
command(
  'consent <decision...>',
  'whether clients may picture the screen, or find things there: ask, always, never; or yes, no',
)
  .option('--for <time>', 'for how long, then ask again')
  .addHelpText(
    'after',
    `
ask     each client that wants a picture (or, with grounding, to find things) is
        asked about on the screen
yes no  answer the client that is asked about now (Ctrl+Shift+Y, Ctrl+Shift+N)
${examples('consent always --for 10m', 'consent grounding never')}`,
  )
  .action(async (words, options) => (await info()).consent(words, options))

program.commandsGroup('Windows to talk in:')
command('open <unique>', 'open a window of a unique, in the browser')
  .option('--resume <session>', 'go on with what was sent: last, or an id of `lets sessions`')
  .option('--no-browser', 'only print the address')
  .option('--plain', 'an address on 127.0.0.1, for a browser that does not know *.localhost')
  .addHelpText('after', examples('open graph', 'open graph --resume last'))
  .action(async (unique, options) => (await lip()).open(unique, options))
command('listen', 'wait for what the person does in windows and with the companion, and print it')
  .option('--cursor <name>', 'whose place in the queue it is (default: claude)')
  .option('--wait <time>', 'how long to wait while there is nothing: 5s, 2m (default: 30s)')
  .option('--max <n>', 'the most events to print (default: 100)')
  .action(async (options) => (await lip()).listen(options))
command(
  'send <window> <type> [data]',
  'send a command to a window or a screen; data is JSON, or - for standard input',
)
  .option('--re <id>', 'the event it answers')
  .option('--ttl <time>', 'when it is of no more use, if the window is not connected')
  .option('--no-browser', 'show no window that is made for it: only print its address')
  .addHelpText(
    'after',
    examples(
      'send w1 ui.toast \'{"text":"Done"}\'',
      'send w1 session.close \'{"reason":"done"}\'',
      'send screen#d1 ui.toast \'{"text":"Done"}\'',
    ),
  )
  .action(async (window, type, data, options) => (await lip()).send(window, type, data, options))
command('windows', 'list the windows of uniques, and the screens').action(async (options) =>
  (await lip()).windows(options),
)
command('sessions [unique]', 'list what was sent from windows, the latest first').action(
  async (unique, options) => (await lip()).sessions(unique, options),
)
command('allow [unique] [language]', 'let a unique run code on this machine; without words, list what may')
  .option('--deny', 'never let it')
  .option('--forget', 'ask anew')
  .action(async (unique, language, options) => (await lip()).allow(unique, language, options))
command('unique <action> [what]', 'install uniques: add, list, remove, check or new')
  .option('--replace', 'take the place of another unique of this name')
  .addHelpText(
    'after',
    `
add     a folder or a git address; it is checked, and copied
check   a folder, without installing it
new     a folder with a unique to begin with
${examples('unique new colors', 'unique check colors', 'unique add colors', 'unique list')}`,
  )
  .action(async (action, what, options) =>
    (await import('./commands/unique.js')).unique(action, what, options),
  )

program.commandsGroup('A companion on the screen:')
command('companion [action] [words...]', 'a small character on your screen that agents speak through')
  .option('--log', 'of status: what was asked of it')
  .option('--for <time>', 'of quiet: for how long (default: 1h); of react: how long it takes')
  .option('--hours <from-to>', 'of quiet: every day, such as 22:00-07:00, or none')
  .option('--mood <mood>', 'of say: how it looks meanwhile')
  .option('--ttl <time>', 'of say: for how long (default: as long as it takes to read)')
  .option('--to <place>', 'of move: X,Y, cursor, a named position, or a pair such as 50%,30%')
  .option('--display <id>', 'of move: which display (default: the one it is on)')
  .option('--name <name>', 'of persona: what it is called')
  .option('--pace <factor>', 'of persona: how fast it goes, 0.25..4; 1 is its own pace')
  .option('--color <#rrggbb>', 'of persona: the colour of its body')
  .option('--distance <points>', 'of persona: how far it stays from what it goes to')
  .addHelpText(
    'after',
    `
on off        whether it is there at all; on also brings it back into reach
show hide     bring it back, send it away; its summoning key brings it, too
quiet         for a time, or every day at some hours; quiet off ends it
mute unmute   an application over which it is not shown
say mood react move suggest persona
              what agents do with it
listen        print what you do with it, until Ctrl-C
status        how it is; so does the command alone
${examples(
  'companion on',
  'companion say "The tests pass" --mood proud',
  'companion quiet --hours 22:00-07:00',
  'companion move --to bottom-left',
)}`,
  )
  .action(async (action, words, options) =>
    (await import('./commands/companion.js')).companion(action, words, options),
  )

program.commandsGroup('The daemon:')
command('status', 'what the daemon does; exit code 1 when none runs').action(async (options) =>
  (await info()).status(options),
)
command('doctor', 'what works here, what is missing, and what fixes it').action(async (options) =>
  (await import('./commands/doctor.js')).doctor(options),
)
command('demo', 'see it work: draws, and writes demo.png')
  .option('--keep', 'leave the daemon running')
  .option('--file <path>', 'where the picture goes', 'demo.png')
  .action(async (options) => (await import('./commands/demo.js')).demo(options))
command('daemon', 'serve in the foreground (other commands start one themselves)')
  .option('--host <kind>', 'auto, wayland, x11, electron or headless', 'auto')
  .option('--electron <path>', 'an Electron binary to use instead of the installed one')
  .option('--display <spec>', 'a virtual display for headless, such as 1440x900@2 (repeatable)', collect, [])
  .option('--capture-consent <policy>', 'pictures of the screen: ask, always or never', 'ask')
  .option(
    '--resolver <names>',
    'what finds things by their names: accessibility, ocr, … (see `lets resolvers`)',
  )
  .option('--local-endpoint <url>', 'the model server on this machine that the resolver `local` asks')
  .option('--grounding-consent <policy>', 'finding things by their names: ask, always or never', 'ask')
  .addOption(new Option('--ready-fd <fd>').hideHelp())
  .action(async (options) => (await import('./commands/daemon.js')).daemon(options))
command('mcp', 'serve MCP on stdin and stdout: what an agent is configured to start')
  .option('--headless', 'where no daemon runs, start one that draws in memory')
  .action(async (options) => (await import('./commands/mcp.js')).mcp(options))
command('service <action>', 'start it with your session: install, uninstall or status')
  .option(
    '--host <kind>',
    'wayland, x11, electron, headless or auto (default: auto on a Wayland desktop, x11 where there is only a DISPLAY, headless elsewhere)',
  )
  .option('--resolver <names>', 'as of `lets daemon`; "" for none (default: as it is installed)')
  .addHelpText('after', examples('service install --host x11 --resolver accessibility,ocr', 'service status'))
  .action(async (action, options) => (await import('./commands/service.js')).service(action, options))
command('pause', 'take everything off the screen, and let nothing be drawn until `lets resume`').action(
  async (options) => (await info()).pause(true, options),
)
command('resume', 'let drawing go on after `lets pause`').action(async (options) =>
  (await info()).pause(false, options),
)
command('electron <action>', 'what draws on macOS and Windows: install or status')
  .addHelpText('after', examples('electron install', 'electron status'))
  .action(async (action, options) => (await import('./commands/electron.js')).electron(action, options))
command('stop', 'end the daemon').action(async (options) => (await info()).stop(options))

const shell = command('shell <command> [words...]', 'shell sessions and commands that last').usage(
  '<command> [options]',
)

for (const made of program.commands) {
  if (made === shell) continue
  made
    .option('--json', 'print JSON for a machine')
    .option('--socket <path>', 'the daemon’s socket (default: LETS_SOCKET, or in LETS_HOME)')
}
program.addHelpText(
  'after',
  `
Coordinates are logical points from the top left of a display. A mark stays 5 s
unless --ttl or --hold says otherwise, and never takes a click.
${examples('demo', 'point 640 400 --label "Here"', 'guide "Open the settings" --at top', 'clear')}`,
)

/** An argument as usage lines show it. */
function shown(argument: Argument): string {
  const name = argument.name() + (argument.variadic ? '…' : '')
  return argument.required ? `<${name}>` : `[${name}]`
}

function stroked(made: Command): Command {
  return made
    .option('--color <#rrggbb>', 'its colour (default: one that can be seen)')
    .option('--width <points>', 'its width (default: 4)')
}

function examples(...lines: readonly string[]): string {
  return `\nExamples:\n${lines.map((line) => `  lets ${line}`).join('\n')}`
}

function collect(value: string, before: readonly string[]): string[] {
  return [...before, value]
}

/** `-5,10` is a place, not an option: a leading space, which every parser of numbers forgives, says so. */
function withNegativePlaces(argv: readonly string[]): string[] {
  return argv.map((word) => (/^-[\d.]+(,-?[\d.]+)+$/.test(word) ? ` ${word}` : word))
}

try {
  // A family of its own, with options of its own.
  if (process.argv[2] === 'shell') await (await import('./shell/program.js')).runShell(process.argv.slice(3))
  else await program.parseAsync(withNegativePlaces(process.argv))
} catch (error) {
  process.exitCode = fail(error)
}
