/** The Claude Code plugin: what its format requires, and that it names only what there is. */
import { execFile, spawn } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import test from 'ava'
import { HOST_CAPABILITIES } from '../protocol/overlay/capabilities.js'
import { prompt } from './mcp/hook.js'
import { agent } from './mcp/support.js'
import { cleanEnv, exitOf, runCli, startDaemonProcess, tempHome } from './support/daemon.js'
import { until } from './support/xserver.js'

const root = fileURLToPath(new URL('../..', import.meta.url))
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const json = (path: string) => JSON.parse(read(path))

const TEXTS = [
  'skills/pointing/SKILL.md',
  'skills/companion/SKILL.md',
  'commands/point.md',
  'commands/clear.md',
]

interface ServerEntry {
  readonly command: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
}

/** The server's entry with its variables in place, as Claude Code does it. */
function entry(variables: Readonly<Record<string, string>>): ServerEntry {
  const inPlace = read('.mcp.json').replace(
    /\$\{(\w+)(?::-([^}]*))?\}/g,
    (_, name: string, otherwise = '') => variables[name] ?? otherwise,
  )
  return JSON.parse(inPlace).mcpServers.lets
}

/** The front matter, one `key: value` a line, and what follows. */
function parts(path: string) {
  const [, front = '', body = ''] = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(read(path)) ?? []
  const fields = front.split('\n').map((line) => /^([a-z-]+): (\S.*)$/.exec(line)?.slice(1) ?? ['', line])
  return { fields: Object.fromEntries(fields) as Record<string, string>, body }
}

test('the manifests have what their format requires, and the version of the package', (t) => {
  const { version, license } = json('package.json')
  const plugin = json('.claude-plugin/plugin.json')
  t.like(plugin, { name: 'lets', version, license })
  t.regex(plugin.name, /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/)
  t.is(typeof plugin.description, 'string')
  const market = json('.claude-plugin/marketplace.json')
  t.regex(market.name, /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/)
  t.is(typeof market.owner.name, 'string')
  const [{ name, source }] = market.plugins
  t.is(name, plugin.name)
  t.true(source.startsWith('./'))
  t.true(existsSync(join(root, source, '.claude-plugin/plugin.json')), 'the plugin is the repository')
  const { hooks } = json('hooks/hooks.json')
  t.deepEqual(Object.keys(hooks), ['UserPromptSubmit'])
  const [{ hooks: commands }] = hooks.UserPromptSubmit
  t.like(commands, [{ type: 'command', timeout: 5 }])
})

test('what the plugin is made of exists, and is packed', async (t) => {
  const named = [read('.mcp.json'), read('hooks/hooks.json')].flatMap((file) =>
    [...file.matchAll(/\$\{CLAUDE_PLUGIN_ROOT(?::-\.)?\}\/([\w./-]+)/g)].map(([, path]) => path as string),
  )
  t.deepEqual(named.sort(), ['bin/mcp.mjs', 'hooks/prompt.mjs'])
  const { stdout } = await promisify(execFile)('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
    cwd: root,
  })
  const packed = new Set(JSON.parse(stdout)[0].files.map(({ path }: { path: string }) => path))
  const parts = [...named, ...TEXTS, '.claude-plugin/plugin.json', '.claude-plugin/marketplace.json']
  for (const path of [...parts, '.mcp.json', 'hooks/hooks.json']) {
    t.true(existsSync(join(root, path)), path)
    t.true(packed.has(path), `${path} is packed`)
  }
})

test('the skill and the commands have their front matter, are short, and name only tools, fields and commands that exist', async (t) => {
  const { mcp } = await agent(t, { LETS_HOME: tempHome() })
  const { tools } = await mcp.listTools()
  const known = new Set(tools.map(({ name }) => name))
  const fields = new Set(
    tools.flatMap(({ inputSchema, outputSchema }) => [
      ...Object.keys(inputSchema.properties ?? {}),
      ...Object.keys(outputSchema?.properties ?? {}),
    ]),
  )
  const others = new Set([
    ...Object.keys(HOST_CAPABILITIES),
    'cleared',
    'scroll',
    'display_change',
    'connection_lost',
    'stale_frame',
    'not_permitted',
    'lets',
  ])
  for (const path of TEXTS) {
    const { fields: front, body } = parts(path)
    t.truthy(front.description, path)
    t.true((front.description ?? '').length < 1024)
    t.true(body.split('\n').length < 60)
    const code = [...body.matchAll(/`([^`]+)`/g)].map(([, word]) => word as string)
    const names = code.filter((word) => /^[a-z_]+$/.test(word))
    t.true(
      names.some((name) => known.has(name)),
      path,
    )
    for (const name of names)
      t.true(known.has(name) || fields.has(name) || others.has(name), `${path} names ${name}`)
    for (const command of code.filter((word) => word.startsWith('lets '))) {
      const [, name = '', ...words] = command.split(' ')
      const help = await runCli([name, '--help'], {})
      t.is(help.code, 0, command)
      for (const option of words.filter((word) => word.startsWith('--')))
        t.true(help.stdout.includes(option), command)
    }
  }
  t.like(parts('skills/pointing/SKILL.md').fields, { name: 'pointing' })
  t.like(parts('skills/companion/SKILL.md').fields, { name: 'companion' })
  t.true(read('commands/point.md').includes('$ARGUMENTS'))
  t.deepEqual(readdirSync(join(root, 'commands')).sort(), ['clear.md', 'point.md'])
  const errors = read('docs/protocol.md')
  for (const code of ['stale_frame', 'not_permitted']) t.true(errors.includes(code))
})

for (const [how, variables, cwd] of [
  ['as a plugin', { CLAUDE_PLUGIN_ROOT: root.replace(/\/$/, '') }, tmpdir()],
  ['in a checkout', {}, root],
] as const) {
  test.serial(
    `the server starts ${how}, with the environment it is given, and its agent is told`,
    async (t) => {
      const daemon = await startDaemonProcess({ args: ['--host', 'headless'] })
      t.teardown(() => daemon.stop())
      const { command, args, env } = entry({ ...variables, LETS_HOME: daemon.home })
      t.is(env.XAUTHORITY, '', 'what is not set comes empty')
      const client = new Client({ name: 'test-agent', version: '1.0.0' })
      const clean = cleanEnv(env) as Record<string, string>
      await client.connect(
        new StdioClientTransport({ command, args: [...args], cwd, env: clean, stderr: 'ignore' }),
      )
      t.teardown(() => client.close())
      const drawn = await client.callTool({ name: 'point_at', arguments: { at: 'top' } })
      t.falsy(drawn.isError, JSON.stringify(drawn))
      await runCli(['clear', '--all-sessions'], daemon.env)
      await until('it is for the hook', () => readdirSync(daemon.home).includes('agents'))
      const hook = json('hooks/hooks.json').hooks.UserPromptSubmit[0].hooks[0].command
      const { context } = await prompt({ ...daemon.env, CLAUDE_PLUGIN_ROOT: root }, '{}', hook)
      t.regex(context ?? '', /a_\w+ \(cleared/)
    },
  )
}

test.serial(
  'without a build beside it the server is what npx gets, of this version, and its end is its own',
  async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'lets-plugin-'))
    t.teardown(() => rmSync(folder, { recursive: true, force: true }))
    for (const path of ['package.json', 'bin', '.mcp.json'])
      cpSync(join(root, path), join(folder, path), { recursive: true })
    const npx = join(folder, 'npx')
    writeFileSync(npx, `#!/bin/sh\necho "$@" "$LETS_AGENT_PID" "\${XAUTHORITY-unset}"\nexit 3\n`)
    chmodSync(npx, 0o755)
    const { command, args, env } = entry({ CLAUDE_PLUGIN_ROOT: folder })
    const child = spawn(command, args, {
      env: cleanEnv({ ...env, PATH: `${folder}:${process.env.PATH}` }),
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const [out, err, exit] = await Promise.all([text(child.stdout), text(child.stderr), exitOf(child)])
    t.is(out, `-y lets-overlay@${json('package.json').version} mcp ${process.pid} unset\n`)
    t.regex(err, /no build is here/)
    t.is(exit.code, 3)
  },
)
