/** What each system's service manager is given to start the daemon with a person's session. Pure: nothing is read or written. */
import { posix, win32 } from 'node:path'
import { CliError } from '../errors.js'

export const SERVICE_HOSTS = ['wayland', 'x11', 'electron', 'headless', 'auto'] as const
export type ServiceHost = (typeof SERVICE_HOSTS)[number]

export interface ServiceContext {
  readonly platform: string
  readonly env: NodeJS.ProcessEnv
  readonly home: string
  /** Absolute: of Node, and of the script that is `lets`. */
  readonly node: string
  readonly script: string
  readonly host: ServiceHost
  /** What finds things by their names, in order; none: nothing does, unless LETS_RESOLVER says so. */
  readonly resolvers: readonly string[]
  /** Where Lets writes here. */
  readonly letsHome: string
}

export interface ServiceDefinition {
  readonly manager: 'systemd' | 'launchd' | 'task'
  readonly file: string
  readonly text: string
  readonly encoding: 'utf8' | 'utf16le'
}

/** Names the service, to its manager. */
export const UNIT = 'lets.service'
/** What systemd calls a desktop that is up. */
export const SESSION = 'graphical-session.target'
const LABEL = 'lets-overlay.daemon'

/** Says in the file whose it is: one without it is somebody's own, and is left alone. */
export const MARKER = 'Written by `lets service install`'

/** Throws `CliError` where no service can be described. */
export function serviceDefinition(context: ServiceContext): ServiceDefinition {
  const { platform, env, home } = context
  for (const word of [...commandOf(context), ...Object.values(ownVariables(env))]) {
    // Every format would take it for the end of something.
    if (/[\r\n\0]/.test(word))
      throw new CliError(`no service can be told of a path with a line break: ${JSON.stringify(word)}`)
  }
  if (platform === 'darwin') {
    const file = posix.join(home, 'Library', 'LaunchAgents', `${LABEL}.plist`)
    return { manager: 'launchd', file, text: plist(context), encoding: 'utf8' }
  }
  if (platform === 'win32') {
    const file = win32.join(context.letsHome, 'lets-task.xml')
    return { manager: 'task', file, text: taskXml(context), encoding: 'utf16le' }
  }
  const config = env.XDG_CONFIG_HOME?.startsWith('/') ? env.XDG_CONFIG_HOME : posix.join(home, '.config')
  return {
    manager: 'systemd',
    file: posix.join(config, 'systemd', 'user', UNIT),
    text: unit(context),
    encoding: 'utf8',
  }
}

function commandOf({ node, script, host, resolvers }: ServiceContext): readonly string[] {
  const found = resolvers.length > 0 ? ['--resolver', resolvers.join(',')] : []
  return [node, script, 'daemon', '--host', host, ...found]
}

/** The resolvers that a file written here names, whichever its format. */
export function resolversIn(text: string): readonly string[] {
  const list = /--resolver(?:"? "?|<\/string>\s*<string>)([a-z,]+)/.exec(text)?.[1]
  return list?.split(',') ?? []
}

/** What moves Lets here must move its service too, or commands would not find it. */
function ownVariables(env: NodeJS.ProcessEnv): Record<string, string> {
  const names = ['LETS_HOME', 'LETS_SOCKET'] as const
  return Object.fromEntries(names.flatMap((name) => (env[name] ? [[name, env[name] as string]] : [])))
}

function unit(context: ServiceContext): string {
  const onScreen = context.host !== 'headless'
  return [
    `# ${MARKER}; \`lets service uninstall\` takes it away.`,
    '[Unit]',
    'Description=Lets: click-through marks on the screen',
    // With the desktop, whose variables say which screen there is.
    ...(onScreen ? [`PartOf=${SESSION}`, `After=${SESSION}`] : []),
    // What cannot start is given up: nothing tries for ever.
    'StartLimitIntervalSec=60',
    'StartLimitBurst=3',
    '',
    '[Service]',
    'Type=exec',
    `ExecStart=${commandOf(context)
      .map((word) => systemdWord(word))
      .join(' ')}`,
    ...Object.entries(ownVariables(context.env)).map(
      ([name, value]) => `Environment=${systemdWord(`${name}=${value}`, 'environment')}`,
    ),
    'Restart=on-failure',
    'RestartSec=5',
    '',
    '[Install]',
    `WantedBy=${onScreen ? SESSION : 'default.target'}`,
    '',
  ].join('\n')
}

/** One word to systemd, whatever is in it: no shell reads this. */
export function systemdWord(word: string, where: 'command' | 'environment' = 'command'): string {
  const escaped = word.replace(/[\\"]/g, '\\$&').replaceAll('%', '%%')
  // Variables are filled in in commands only.
  return `"${where === 'environment' ? escaped : escaped.replaceAll('$', '$$$$')}"`
}

function plist(context: ServiceContext): string {
  const strings = commandOf(context).map((word) => `    <string>${xml(word)}</string>`)
  const variables = Object.entries(ownVariables(context.env)).map(
    ([name, value]) => `    <key>${name}</key><string>${xml(value)}</string>`,
  )
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">',
    `<!-- ${MARKER}; \`lets service uninstall\` takes it away. -->`,
    '<plist version="1.0">',
    '<dict>',
    `  <key>Label</key><string>${LABEL}</string>`,
    '  <key>ProgramArguments</key>',
    '  <array>',
    ...strings,
    '  </array>',
    ...(variables.length > 0
      ? ['  <key>EnvironmentVariables</key>', '  <dict>', ...variables, '  </dict>']
      : []),
    '  <key>RunAtLoad</key><true/>',
    '  <key>KeepAlive</key><dict><key>SuccessfulExit</key><false/></dict>',
    '  <key>LimitLoadToSessionType</key><string>Aqua</string>',
    '</dict>',
    '</plist>',
    '',
  ].join('\n')
}

function taskXml(context: ServiceContext): string {
  const [node = '', ...args] = commandOf(context)
  return [
    '\ufeff<?xml version="1.0" encoding="UTF-16"?>',
    `<!-- ${MARKER}; \`lets service uninstall\` takes it away. -->`,
    '<Task version="1.2" xmlns="http://schemas.microsoft.com/windows/2004/02/mit/task">',
    '  <Triggers><LogonTrigger><Enabled>true</Enabled></LogonTrigger></Triggers>',
    '  <Principals><Principal id="Author"><LogonType>InteractiveToken</LogonType><RunLevel>LeastPrivilege</RunLevel></Principal></Principals>',
    '  <Settings>',
    '    <MultipleInstancesPolicy>IgnoreNew</MultipleInstancesPolicy>',
    '    <DisallowStartIfOnBatteries>false</DisallowStartIfOnBatteries>',
    '    <ExecutionTimeLimit>PT0S</ExecutionTimeLimit>',
    '  </Settings>',
    '  <Actions Context="Author">',
    `    <Exec><Command>${xml(node)}</Command><Arguments>${xml(args.map(windowsWord).join(' '))}</Arguments></Exec>`,
    '  </Actions>',
    '</Task>',
    '',
  ].join('\r\n')
}

/** As programs on Windows take their command line apart. */
function windowsWord(word: string): string {
  return /[\s"]/.test(word)
    ? `"${word.replace(/(\\*)("|$)/g, (_, slashes, quote) => slashes + slashes + (quote && '\\"'))}"`
    : word
}

function xml(text: string): string {
  const names: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
  return text.replace(/[&<>"]/g, (character) => names[character] as string)
}

/** What a person runs where this is not done for them, because it is untried. */
export function untriedCommands({ manager, file }: ServiceDefinition, what: 'install' | 'uninstall'): string {
  if (manager === 'launchd')
    return what === 'install'
      ? `launchctl bootstrap gui/$UID "${file}"`
      : `launchctl bootout gui/$UID/${LABEL}`
  return what === 'install' ? `schtasks /Create /TN Lets /XML "${file}"` : 'schtasks /Delete /TN Lets'
}
