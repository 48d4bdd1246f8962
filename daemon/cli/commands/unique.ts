/** `lets unique`: uniques are installed, checked and begun. These are files: no daemon is needed. */
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { NAME_PATTERN } from '../../../protocol/lip/domains.js'
import { Catalog } from '../../uniques/catalog.js'
import { readUnique } from '../../uniques/folder.js'
import { install, remove } from '../../uniques/install.js'
import { DeclaredSchemas } from '../../uniques/schemas.js'
import { templateFiles } from '../../uniques/template.js'
import { BUNDLED_UNIQUES, version } from '../../version.js'
import { type CommonOptions, pathsOf } from '../connection.js'
import { CliError, cannotWrite, UsageError } from '../errors.js'
import { bold, dim, red, remark, say, sayJson, warn } from '../output.js'

interface UniqueOptions extends CommonOptions {
  readonly replace?: boolean
}

const ACTIONS: Readonly<Record<string, (what: string, options: UniqueOptions) => Promise<void>>> = {
  add,
  remove: take,
  check,
  new: begin,
}

export async function unique(
  action: string,
  what: string | undefined,
  options: UniqueOptions,
): Promise<void> {
  if (action === 'list') return list(options)
  const act = Object.hasOwn(ACTIONS, action) ? ACTIONS[action] : undefined
  if (!act)
    throw new UsageError(`a unique is one of add, list, remove, check, new; got ${JSON.stringify(action)}`)
  if (what === undefined)
    throw new UsageError(
      `say which: lets unique ${action} ${action === 'remove' || action === 'new' ? 'NAME' : 'FOLDER'}`,
    )
  await act(what, options)
}

async function add(what: string, options: UniqueOptions): Promise<void> {
  if (!isGitAddress(what)) return put(resolve(what), resolve(what), options)
  const folder = mkdtempSync(join(tmpdir(), 'lets-unique-'))
  try {
    const clone = join(folder, 'clone')
    await git(['clone', '--quiet', '--depth', '1', '--', what, clone])
    await put(clone, what, options)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function put(from: string, source: string, options: UniqueOptions): Promise<void> {
  const { uniques, allowed } = pathsOf(options)
  const { unique: made, before } = install({
    from,
    source,
    uniques,
    allowed,
    host: version(),
    replace: options.replace ?? false,
  })
  const { name, manifest, warnings } = made
  if (options.json) return sayJson({ name, version: manifest.version, before, warnings })
  for (const warning of warnings) warn(`note: ${warning}`)
  say(
    before === null
      ? `installed ${bold(name)} ${manifest.version}; \`lets open ${name}\` opens it`
      : `${bold(name)} is ${manifest.version} now, and was ${before}; windows that are open keep what they loaded`,
  )
}

/** What git clones, rather than a folder here. */
function isGitAddress(what: string): boolean {
  if (existsSync(what)) return false
  return /^(?:https?|ssh|git|file):\/\//.test(what) || /^[\w.-]+@[\w.-]+:/.test(what)
}

function git(args: readonly string[]): Promise<void> {
  return new Promise((done, failed) => {
    // Whatever it has to ask, it asks the person; its words go beside ours.
    const child = spawn('git', args, { stdio: ['inherit', 'ignore', 'inherit'] })
    child.once('error', (error) => failed(new CliError(`git cannot be run: ${error.message}`)))
    child.once('exit', (code) =>
      code === 0 ? done() : failed(new CliError(`git could not clone ${args.at(-2)} (exit code ${code})`)),
    )
  })
}

async function take(name: string, options: UniqueOptions): Promise<void> {
  const { uniques, allowed } = pathsOf(options)
  if (!new RegExp(NAME_PATTERN).test(name) || !remove(name, uniques, allowed))
    throw new CliError(
      `no unique ${JSON.stringify(name)} is installed; \`lets unique list\` lists them`,
      'unknown_unique',
    )
  if (options.json) return sayJson({ name, removed: true })
  say(`removed ${bold(name)}; what was sent from it stays (\`lets sessions ${name}\`)`)
}

async function check(what: string, options: UniqueOptions): Promise<void> {
  const made = readUnique(resolve(what), version())
  new DeclaredSchemas(made)
  const { name, manifest, warnings } = made
  if (options.json) return sayJson({ name, version: manifest.version, warnings })
  for (const warning of warnings) warn(`note: ${warning}`)
  say(`${bold(name)} ${manifest.version} keeps the rules`)
}

async function list(options: UniqueOptions): Promise<void> {
  const { uniques } = pathsOf(options)
  const all = new Catalog({ own: uniques, bundled: BUNDLED_UNIQUES }, version()).list()
  if (options.json)
    return sayJson(
      all.map((each) => ({
        name: each.name,
        bundled: each.bundled,
        ...('unique' in each
          ? { version: each.unique.manifest.version, title: each.unique.manifest.title }
          : { error: each.error.message }),
      })),
    )
  if (all.length === 0) say('no uniques are installed; `lets unique add FOLDER` installs one')
  for (const each of all) {
    if ('unique' in each)
      say(
        `${bold(each.name)}  ${each.unique.manifest.title}  ${dim(each.bundled ? `${each.unique.manifest.version}, built in` : each.unique.manifest.version)}`,
      )
    else
      say(`${bold(each.name)}  ${red('cannot be served')}\n  ${each.error.message.replaceAll('\n', '\n  ')}`)
  }
}

async function begin(what: string, options: UniqueOptions): Promise<void> {
  const folder = resolve(what)
  const name = basename(folder)
  if (!new RegExp(NAME_PATTERN).test(name))
    throw new UsageError(
      `a unique’s name is a lower-case word of 2 to 32 letters, digits and hyphens; got ${JSON.stringify(name)}`,
    )
  if (existsSync(folder)) throw new CliError(`${what} is there already; choose another name`)
  for (const [path, text] of Object.entries(templateFiles(name))) {
    const file = join(folder, path)
    try {
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, text, { flag: 'wx' })
    } catch (error) {
      throw cannotWrite(file, error)
    }
  }
  if (options.json) return sayJson({ name, folder })
  say(`made ${bold(what)}: begin in ui/main.js`)
  remark(
    `\`lets unique check ${what}\` says whether it keeps the rules, \`lets unique add ${what}\` installs it`,
  )
}
