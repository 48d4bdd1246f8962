// The dependency rules of docs/ARCHITECTURE.md, checked rather than remembered. Without them the engine
// would sooner or later read a clock, a client would reach into the daemon, and a second implementation
// of any part would have nothing to hold on to.  Usage: node scripts/walls.mjs [--root DIR]

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { join, posix, resolve } from 'node:path'
import { root as here, isMain, main, StepFailed } from './setup.mjs'
import { codeOf, lineAt, modulesOf } from './source.mjs'
import { areas, banned, homes, impure, isTest, isTool, mayUseBanned } from './wall-rules.mjs'

/** Every breach below `root`, as `file:line  what is wrong`. */
export function breaches(root) {
  const files = ['protocol', 'overlay', 'native', 'grounding', 'daemon', 'tests'].flatMap((folder) =>
    listSources(root, folder),
  )
  const devOnly = developmentPackages(root)
  return files.flatMap((file) => {
    const text = readFileSync(join(root, file), 'utf8')
    return [...importBreaches(root, file, text, devOnly), ...bannedBreaches(file, text)]
  })
}

function importBreaches(root, file, text, devOnly) {
  const rule = ruleFor(file)
  if (!rule) return [`${file}:1  is in no area that scripts/walls.mjs knows`]
  return modulesOf(text).flatMap(({ specifier, kind, typeOnly, line }) => {
    // What the host of a page serves it, and no file of the project.
    if (specifier === '/lip/sdk.js' && file.startsWith('tests/')) return []
    const breach = (message) => [`${file}:${line}  ${message}`]
    if (specifier.startsWith('.') || specifier.startsWith('/') || specifier.startsWith('file:')) {
      const target = sourceOf(root, posix.join(posix.dirname(file), specifier))
      if (target.startsWith('../') || specifier.startsWith('/') || specifier.startsWith('file:'))
        return breach(`imports ${specifier}, outside the project`)
      if (/^(?:dist|scripts)\//.test(target))
        return file.startsWith('tests/') ? [] : breach(`imports ${target}, which is not a source`)
      if (target.startsWith('tests/') && rule.area !== 'tests/') {
        // A unit test may use what the system tests share; nothing that ships may.
        return isTest(file) ? [] : breach(`imports ${target}: nothing imports tests/`)
      }
      if (!allowed(rule, target)) return breach(`imports ${target}: ${rule.why}`)
      const early = kind === 'static' && !typeOnly && ruleFor(target)?.lazy && !isTool(file)
      return early ? breach(`imports ${target} up front; use import() where it is needed`) : []
    }
    if (isBuiltin(specifier)) {
      if (!specifier.startsWith('node:')) return breach(`imports ${specifier}; write node:${specifier}`)
      return rule.node || isTest(file) ? [] : breach(`imports ${specifier}, a Node module: ${rule.why}`)
    }
    const pack = packageOf(specifier)
    if (pack === devOnly.self)
      return file.startsWith('tests/') ? [] : breach('imports this package by its name; use a relative path')
    const home = Object.hasOwn(homes, pack) ? homes[pack] : undefined
    if (home && file !== home.in && !isTool(file)) return breach(`imports ${pack}: ${home.why}`)
    // What is bundled into a page is there with it.
    if (devOnly.names.has(pack) && !typeOnly && !isTool(file) && !rule.bundles?.includes(pack))
      return breach(`imports ${pack}, which is only there in development`)
    return []
  })
}

function bannedBreaches(file, text) {
  const code = codeOf(text)
  const found = (pattern, message) =>
    [...code.matchAll(pattern)].map((match) => `${file}:${lineAt(code, match.index)}  ${message(match[0])}`)
  const rule = ruleFor(file)
  return [
    ...(mayUseBanned(file)
      ? []
      : banned.flatMap(({ pattern, what, instead }) => found(pattern, () => `uses ${what}; ${instead}`))),
    ...(!rule || rule.node || rule.page || isTest(file)
      ? []
      : found(impure, (name) => `uses ${name}: ${rule.why}`)),
  ]
}

function ruleFor(file) {
  for (const rule of areas) {
    if (!covers(rule.area, file)) continue
    // A pattern such as overlay/hosts/*/ stands for one folder: the one this file is in.
    const depth = rule.area.split('/').length - 1
    return {
      ...rule,
      self: rule.area.endsWith('/') ? `${file.split('/').slice(0, depth).join('/')}/` : rule.area,
    }
  }
  return undefined
}

function allowed(rule, target) {
  return [rule.self, ...rule.mayImport].some((entry) => covers(entry, target))
}

function covers(entry, file) {
  if (entry === '') return true
  const pattern = entry
    .split('*')
    .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .join('[^/]+')
  return new RegExp(`^${pattern}${entry.endsWith('/') ? '' : '$'}`).test(file)
}

/** `./x.js` is written, `x.ts` is meant. */
function sourceOf(root, path) {
  const source = path.replace(/\.([mc]?)js$/, '.$1ts')
  return existsSync(join(root, source)) || !existsSync(join(root, path)) ? source : path
}

function isBuiltin(specifier) {
  return (
    specifier.startsWith('node:') ||
    builtinModules.includes(specifier) ||
    builtinModules.includes(specifier.split('/')[0])
  )
}

function packageOf(specifier) {
  return specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/')
}

function developmentPackages(root) {
  const file = join(root, 'package.json')
  const { name, dependencies, optionalDependencies, devDependencies } = existsSync(file)
    ? JSON.parse(readFileSync(file, 'utf8'))
    : {}
  const shipped = { ...dependencies, ...optionalDependencies }
  return {
    self: name,
    names: new Set(Object.keys(devDependencies ?? {}).filter((pack) => !(pack in shipped))),
  }
}

function listSources(root, folder) {
  if (!existsSync(join(root, folder))) return []
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`
    if (entry.isDirectory())
      return ['node_modules', 'target', 'dist'].includes(entry.name) ? [] : listSources(root, path)
    return /\.[mc]?[tj]sx?$/.test(entry.name) &&
      !/\.d\.[mc]?ts$/.test(entry.name) &&
      !path.startsWith('native/binding.')
      ? [path]
      : []
  })
}

if (isMain(import.meta.url)) {
  await main(async () => {
    const at = process.argv.indexOf('--root')
    const found = breaches(at === -1 ? here : resolve(process.argv[at + 1] ?? '.'))
    if (found.length > 0)
      throw new StepFailed(`${found.length} import wall${found.length === 1 ? '' : 's'} broken`, {
        output: found.join('\n'),
        hint: 'The rules and their reasons are in docs/ARCHITECTURE.md.',
      })
  })
}
