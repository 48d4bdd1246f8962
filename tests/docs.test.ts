/**
 * The pages of the documentation: README.md and docs/*.md. Commands in `sh` blocks must succeed, those in `console` blocks
 * say what stands below them; `text` is for people, and the only way out. JSON on the page is tour.json.
 */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, normalize } from 'node:path'
import test from 'ava'
import { loadNative } from '../native/index.js'
import { parseRequest } from '../protocol/overlay/requests.js'
import { cleanEnv, runCli, startDaemonProcess } from './support/daemon.js'
import { pattern, runSteps, stepsOf } from './support/page-shell.js'
import { anchors, fences, links, PAGES, ROOT, readPage, rows, section, spans } from './support/pages.js'
import { startX } from './support/xserver.js'

/** The daemon that a page says it is run on; without a word: none, so that its commands start one. */
const DAEMONS: Readonly<Record<string, readonly string[]>> = {
  'docs/cli.md': ['--display', '1440x900@2', '--display', '1920x1080+1440+0'],
  'docs/coordinates.md': ['--display', '1440x900@2', '--display', '1920x1080+-1920+-164'],
  'docs/tours.md': ['--host', 'headless'],
}

/** Pages whose commands are for a screen: they are run on an X server with a terminal on it. */
const ON_A_SCREEN = ['README.md', 'docs/quickstart.md', 'docs/troubleshooting.md']

const TOUR = readFileSync(join(ROOT, 'docs', 'tour.json'), 'utf8')

for (const name of PAGES) {
  const steps = stepsOf(readPage(name))
  if (steps.length === 0) continue
  const screen = ON_A_SCREEN.includes(name)
  const here = !screen || (process.platform === 'linux' && loadNative().ok) ? test : test.skip
  here(`the commands of ${name} do what it says`, async (t) => {
    const home = mkdtempSync(join(tmpdir(), 'lets-'))
    t.teardown(() => rmSync(home, { recursive: true, force: true, maxRetries: 3 }))
    const env: NodeJS.ProcessEnv = { LETS_HOME: join(home, '.lets') }
    if (screen) {
      const x = await startX({ windowManager: true, compositor: true })
      t.teardown(() => x.stop())
      x.spawn('xterm', ['-T', 'terminal'])
      await x.windowNamed('terminal')
      env.DISPLAY = x.display
    }
    const args = DAEMONS[name]
    const daemon = args && (await startDaemonProcess({ env, args }))
    t.teardown(async () => void (daemon ? await daemon.stop() : await runCli(['stop'], env)))
    mkdirSync(join(home, 'docs'))
    for (const file of ['tour.json', 'docs/tour.json']) writeFileSync(join(home, file), TOUR)
    for (const { command, says, output, code } of await runSteps(steps, home, env)) {
      if (says === undefined) t.is(code, 0, `${command}\n${output}`)
      else t.regex(output, pattern(says), `$ ${command}`)
    }
  })
}

test('what stands in a fence is run, read by a parser, or for people', (t) => {
  for (const name of PAGES) {
    for (const { language, body } of fences(readPage(name))) {
      const where = `${name}\n${body}`
      t.true(['sh', 'console', 'text', 'js', 'json', 'ndjson'].includes(language), `${language}: ${where}`)
      if (language === 'json') t.notThrows(() => JSON.parse(body), where)
      if (language === 'ndjson')
        for (const line of body.trim().split('\n')) t.true(parseRequest(line).ok, line)
    }
  }
})

test('the tour of docs/tours.md is docs/tour.json', (t) => {
  const [tour] = fences(readPage('docs/tours.md')).filter(({ language }) => language === 'json')
  t.is(tour?.body, TOUR)
})

test('links between pages lead to files and headings that are there', (t) => {
  const more = ['CHANGELOG.md', 'protocol/vectors/README.md']
  for (const name of [...PAGES, ...more, ...decisions()]) {
    const page = readPage(name)
    for (const target of links(page)) {
      if (/^(https?|mailto):/.test(target)) continue
      const [path = '', anchor] = target.split('#')
      const file = path === '' ? name : normalize(join(dirname(name), path))
      if (!t.true(existsSync(join(ROOT, file)), `${name}: ${target}`)) continue
      if (anchor !== undefined) t.true(anchors(readPage(file)).includes(anchor), `${name}: ${target}`)
    }
  }
})

test('README.md names every page of docs', (t) => {
  const named = links(readPage('README.md'))
  for (const name of PAGES.slice(1)) t.true(named.includes(name), name)
})

interface Help {
  readonly usage: string
  readonly description: string
  /** Descriptions by flags, less `--help`. */
  readonly options: ReadonlyMap<string, string>
}

test('docs/cli.md is what `--help` says: each command, each option with its words and an example', async (t) => {
  const page = readPage('docs/cli.md')
  const helps = await allHelp()
  const shared = ['## Options of every command', '## Options of drawing commands'].map((heading) =>
    section(page, heading),
  ) as [string, string]
  const documented = [...page.matchAll(/^### lets (.+)$/gm)].map(([, name]) => name)
  t.deepEqual(documented, [...helps.keys()])
  for (const [name, help] of helps) {
    // A family of its own, on a page of its own.
    if (name === 'shell') continue
    const own = section(page, `### lets ${name}`)
    t.true(
      own.includes(`\`lets ${help.usage}\`: ${help.description}.`),
      `${name}: ${help.usage}: ${help.description}`,
    )
    const drawing = help.options.has('--hold') ? [shared[1]] : []
    const parts = [own, shared[0], ...drawing]
    const listed = parts.flatMap(optionRows)
    t.deepEqual(new Map(sorted(listed)), new Map(sorted([...help.options])), name)
    t.is(listed.length, help.options.size, `${name}: an option is named twice`)
    for (const part of parts) {
      const code = fences(part).map(({ body }) => body)
      t.true(part !== own || code.some((body) => body.includes(`lets ${name}`)), `${name} has no example`)
      for (const [flags] of optionRows(part)) {
        const flag = flags.split(' ')[0] as string
        t.true(
          code.some((body) => new RegExp(`${flag}\\b`).test(body)),
          `${name} ${flag} has no example`,
        )
      }
    }
  }
})

test('docs/shell.md is what `lets shell … --help` says: each command with its words, and its options', async (t) => {
  const page = readPage('docs/shell.md')
  const helps = await shellHelp()
  t.true(helps.size > 15)
  const listed = new Map(
    rows(page).map(([usage = '', words = '', options = '']) => [usage, { words, options }]),
  )
  for (const [, { usage, description, options }] of helps) {
    const row = listed.get(`\`lets ${usage}\``)
    if (!t.truthy(row, usage)) continue
    t.true(row?.words.startsWith(description), `${usage}: ${description}`)
    const flags = [...options.keys()]
      .map((each) => each.split(' ')[0])
      .filter((flag) => flag !== '--state-dir')
    t.deepEqual(spans(row?.options ?? '').sort(), flags.sort(), usage)
  }
})

/** Help of the commands of `lets shell`, by their words. */
async function shellHelp(words: readonly string[] = ['shell']): Promise<Map<string, Help>> {
  const { stdout } = await runCli([...words, '--help'], cleanEnv())
  const names = [...stdout.matchAll(/^ {2}([a-z]+)\b/gm)].flatMap(([, name]) =>
    name && name !== 'help' ? [name] : [],
  )
  if (names.length === 0) return new Map([[words.join(' '), parseHelp(stdout)]])
  const below = await Promise.all(names.map((name) => shellHelp([...words, name])))
  return new Map(below.flatMap((each) => [...each]))
}

test('commands that are named in running text are there, with their options', async (t) => {
  const [helps, shell] = [await allHelp(), await shellHelp()]
  for (const name of PAGES) {
    for (const span of spans(readPage(name))) {
      const [, command, rest = ''] =
        /^lets (shell (?:(?:session|command|capability) )?[a-z]+|[a-z]+)\b(.*)$/.exec(span) ?? []
      if (command === undefined) continue
      const help = helps.get(command) ?? shell.get(command)
      if (!t.truthy(help, `${name}: ${span}`)) continue
      const flags = [...(help?.options.keys() ?? [])].map((each) => each.split(' ')[0])
      for (const [flag] of rest.matchAll(/--[a-z-]+/g))
        t.true(flag === '--help' || flags.includes(flag), `${name}: ${span}`)
    }
  }
})

function optionRows(part: string): [string, string][] {
  return rows(part)
    .filter(([flags = '']) => flags.startsWith('`-'))
    .map(([flags = '', words = '']) => [flags.replaceAll('`', ''), words.replaceAll('\\|', '|')])
}

function sorted<T extends readonly [string, string]>(entries: readonly T[]): T[] {
  return [...entries].sort(([a], [b]) => (a < b ? -1 : 1))
}

let known: Promise<Map<string, Help>> | undefined

function allHelp(): Promise<Map<string, Help>> {
  known ??= readHelp()
  return known
}

async function readHelp(): Promise<Map<string, Help>> {
  const { stdout } = await runCli(['--help'], cleanEnv())
  const names = [...stdout.matchAll(/^ {2}([a-z]+)\b/gm)].flatMap(([, name]) =>
    name === undefined || ['help', 'lets'].includes(name) ? [] : [name],
  )
  const helps = new Map<string, Help>()
  for (const name of names) helps.set(name, parseHelp((await runCli([name, '--help'], cleanEnv())).stdout))
  return helps
}

function parseHelp(text: string): Help {
  const [, usage = '', description = '', body = ''] =
    /^Usage: lets (.*)\n\n([\s\S]*?)\n\nOptions:\n([\s\S]*?)(?:\n\n|\n*$)/.exec(text) ?? []
  const options = new Map<string, string>()
  for (const entry of body.split(/\n(?= {2}-)/)) {
    const [, flags = '', words = ''] = /^ {2}(-.*?)(?: {2,}|\n\s*)([\s\S]*)$/.exec(entry) ?? []
    if (!flags.startsWith('-h')) options.set(flags, words.replace(/\s*\n\s*/g, ' '))
  }
  return {
    usage: usage.replace('[options] ', '').replace(' [options]', ''),
    description: description.replaceAll('\n', ' '),
    options,
  }
}

function decisions(): string[] {
  return readdirSync(join(ROOT, 'docs', 'decisions')).map((file) => `docs/decisions/${file}`)
}
