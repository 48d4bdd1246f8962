/** Whether the programs that agents live in are set up to start `lets mcp`. Their files are read and never written. */
import { existsSync, readFileSync } from 'node:fs'
import { basename, isAbsolute, join } from 'node:path'
import type { Finding } from './finding.js'

interface Place {
  readonly platform: string
  readonly env: NodeJS.ProcessEnv
  readonly home: string
  /** A project may have files of its own. */
  readonly cwd: string
}

interface Agent {
  readonly app: string
  readonly files: readonly string[]
  /** Where in a file its servers are. */
  readonly servers: (config: Json, place: Place) => readonly Json[]
  readonly fix: string
}

type Json = Readonly<Record<string, unknown>>

/** What to write down. Many of them hand their servers almost nothing of the environment: the screen has to be named. */
function serverOf(env: NodeJS.ProcessEnv): Json {
  const named = screenNamed(env)
  return {
    command: 'lets',
    args: ['mcp'],
    ...(named.length > 0 && { env: Object.fromEntries(named) }),
  }
}

function screenNamed({ DISPLAY, WAYLAND_DISPLAY, XDG_RUNTIME_DIR }: NodeJS.ProcessEnv): [string, string][] {
  const wayland = WAYLAND_DISPLAY ? { WAYLAND_DISPLAY, XDG_RUNTIME_DIR } : {}
  return Object.entries({ DISPLAY, ...wayland }).flatMap(([name, value]) => (value ? [[name, value]] : []))
}

export function agents(place: Place): Finding[] {
  return agentsOf(place).map((agent) => look(agent, place))
}

function agentsOf(place: Place): readonly Agent[] {
  const { env, home, cwd } = place
  const config = configFolder(place)
  const usual = (file: Json) => [object(file.mcpServers)]
  const server = serverOf(env)
  const json = (file: string) => `add to ${file}: ${JSON.stringify({ mcpServers: { lets: server } })}`
  const desktop = join(config, 'Claude', 'claude_desktop_config.json')
  const cursor = join(home, '.cursor', 'mcp.json')
  return [
    {
      app: 'Claude Code',
      files: [
        join(env.CLAUDE_CONFIG_DIR || home, '.claude.json'),
        join(env.CLAUDE_CONFIG_DIR || join(home, '.claude'), 'settings.json'),
        join(cwd, '.mcp.json'),
      ],
      servers: (file) => [
        object(file.mcpServers),
        object(object(object(file.projects)[cwd]).mcpServers),
        plugin(file),
      ],
      fix: `claude mcp add --scope user lets ${screenNamed(env)
        .map(([name, value]) => `--env ${name}=${value} `)
        .join('')}-- lets mcp`,
    },
    { app: 'Claude Desktop', files: [desktop], servers: usual, fix: json(desktop) },
    { app: 'Cursor', files: [cursor, join(cwd, '.cursor', 'mcp.json')], servers: usual, fix: json(cursor) },
    {
      app: 'VS Code',
      files: [join(config, 'Code', 'User', 'mcp.json'), join(cwd, '.vscode', 'mcp.json')],
      servers: (file) => [object(file.servers)],
      fix: `code --add-mcp '${JSON.stringify({ name: 'lets', ...server })}'`,
    },
  ]
}

/** The server of the plugin, where settings turn that on; which marketplace it came from does not matter. */
function plugin({ enabledPlugins }: Json): Json {
  const isOn = Object.entries(object(enabledPlugins)).some(([id, on]) => /^lets@/.test(id) && on === true)
  return isOn ? { lets: serverOf({}) } : {}
}

function configFolder({ platform, env, home }: Place): string {
  if (platform === 'darwin') return join(home, 'Library', 'Application Support')
  if (platform === 'win32') return env.APPDATA || join(home, 'AppData', 'Roaming')
  return env.XDG_CONFIG_HOME && isAbsolute(env.XDG_CONFIG_HOME) ? env.XDG_CONFIG_HOME : join(home, '.config')
}

function look({ app, files, servers, fix }: Agent, place: Place): Finding {
  const name = 'mcp'
  const there = files.filter((file) => existsSync(file))
  if (there.length === 0)
    return { name, state: 'unknown', found: `${app}: no ${files[0]}; whether it is here cannot be told` }
  const unread: string[] = []
  for (const file of there) {
    const config = read(file)
    if (config === null) {
      unread.push(file)
      continue
    }
    const server = servers(config, place)
      .flatMap((all) => Object.values(all).map(object))
      .find(startsLets)
    if (server) return registered(app, file, server)
  }
  if (unread.length > 0)
    return {
      name,
      state: 'unknown',
      found: `${app}: ${unread.join(', ')} cannot be read, so whether it starts \`lets mcp\` cannot be told`,
    }
  return { name, state: 'warning', found: `${app}: nothing in ${there.join(', ')} starts \`lets mcp\``, fix }
}

function registered(app: string, file: string, server: Json): Finding {
  const missing = wordsOf(server).find((word) => isAbsolute(word) && !existsSync(word))
  if (missing !== undefined) {
    const found = `${app}: ${file} starts \`lets mcp\`, but ${missing} does not exist`
    return { name: 'mcp', state: 'problem', found, fix: `correct it in ${file}` }
  }
  if (server.disabled === true)
    return { name: 'mcp', state: 'warning', found: `${app}: registered in ${file}, and disabled there` }
  return { name: 'mcp', state: 'ok', found: `${app}: registered in ${file}` }
}

/** By what it runs, whatever it is called there. */
function startsLets(server: Json): boolean {
  const words = wordsOf(server)
  const isLets = (word: string) =>
    /^lets(-overlay)?(@[\w.-]+)?(\.(mjs|cmd|exe))?$/.test(basename(word.replaceAll('\\', '/'))) ||
    /lets[^/]*\/(dist\/)?daemon\/cli\/main\.js$/.test(word.replaceAll('\\', '/'))
  const isPlugin = (word: string) => /(lets[^/]*|CLAUDE_PLUGIN_ROOT[^/]*)\/bin\/mcp\.mjs$/.test(word)
  return (words.includes('mcp') && words.some(isLets)) || words.some(isPlugin)
}

function wordsOf({ command, args }: Json): readonly string[] {
  return [command, ...(Array.isArray(args) ? args : [])].filter((word) => typeof word === 'string')
}

function read(file: string): Json | null {
  try {
    const value: unknown = JSON.parse(withoutComments(readFileSync(file, 'utf8').replace(/^\ufeff/, '')))
    return typeof value === 'object' && value !== null ? (value as Json) : null
  } catch {
    return null
  }
}

/** Some of these files may have comments, and commas before a closing bracket. */
function withoutComments(text: string): string {
  const strings = /"(?:[^"\\]|\\.)*"/.source
  const without = (what: RegExp, from: string) =>
    from.replace(new RegExp(`${strings}|${what.source}`, 'g'), (found) =>
      found.startsWith('"') ? found : '',
    )
  return without(/,(?=\s*[}\]])/, without(/\/\/[^\n]*|\/\*[\s\S]*?\*\//, text))
}

function object(value: unknown): Json {
  return typeof value === 'object' && value !== null ? (value as Json) : {}
}
