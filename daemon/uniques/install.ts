/** Uniques come and go: copied to where they are served from, whole or not at all. */
import {
  copyFileSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { Allowed } from './allowed.js'
import { readUnique, type Unique } from './folder.js'
import { DeclaredSchemas } from './schemas.js'

/** What a unique may be made of. */
const FILES = 5000
const BYTES = 100 * 1024 * 1024
/** Beside the unique's files, and never served: where it came from. */
const SOURCE = '.lets-source.json'

export interface Installing {
  /** The folder with `unique.json`. */
  readonly from: string
  /** What it is remembered by: the folder, or the address it was cloned from. */
  readonly source: string
  /** Where uniques are served from, and the answers about what they may run. */
  readonly uniques: string
  readonly allowed: string
  /** The version of the host. */
  readonly host: string
  /** Whether it may take the place of another unique of its name. */
  readonly replace: boolean
}

export interface Installed {
  readonly unique: Unique
  /** The version that was there before. */
  readonly before: string | null
}

/** Another unique has this name already; `source` says where it came from. */
export class NameTaken extends Error {
  override readonly name = 'NameTaken'
  constructor(
    readonly unique: string,
    readonly source: string,
  ) {
    super(`a unique called ${unique} is installed, from ${source}`)
  }
}

/** Checks a unique, and what is copied once more. Throws `ManifestError`, `NameTaken`, or what is wrong with the copy. */
export function install({ from, source, uniques, allowed, host, replace }: Installing): Installed {
  const { name, folder } = readUnique(from, host)
  const target = join(uniques, name)
  const before = readBefore(target, host)
  if (before && before.source !== source && !replace)
    throw new NameTaken(name, before.source ?? 'an unknown place')
  mkdirSync(uniques, { recursive: true, mode: 0o700 })
  const beside = join(uniques, `.${name}.${process.pid}`)
  const aside = `${beside}.old`
  try {
    copyFolder(folder, beside)
    writeFileSync(join(beside, SOURCE), `${JSON.stringify({ source, added: Date.now() })}\n`)
    // What is served is what was checked, whatever became of the original meanwhile.
    new DeclaredSchemas(readUnique(beside, host, name))
    if (before) renameSync(target, aside)
    renameSync(beside, target)
  } finally {
    rmSync(beside, { recursive: true, force: true })
    rmSync(aside, { recursive: true, force: true })
  }
  // What one unique was allowed is not another's because it has its name.
  if (before && before.source !== source) new Allowed(allowed).forget(name)
  return { unique: readUnique(target, host, name), before: before?.version ?? null }
}

/** Takes a unique away; whether there was one. What the person allowed it to run goes with it. */
export function remove(name: string, uniques: string, allowed: string): boolean {
  const target = join(uniques, name)
  if (!lstatSync(target, { throwIfNoEntry: false })) return false
  const aside = join(uniques, `.${name}.${process.pid}.old`)
  renameSync(target, aside)
  rmSync(aside, { recursive: true, force: true })
  new Allowed(allowed).forget(name)
  return true
}

function readBefore(
  target: string,
  host: string,
): { readonly source: string | null; readonly version: string } | null {
  if (!lstatSync(target, { throwIfNoEntry: false })) return null
  let source: string | null = null
  let version = 'unknown'
  try {
    source = JSON.parse(readFileSync(join(target, SOURCE), 'utf8')).source
    version = readUnique(target, host).manifest.version
  } catch {
    // Put there by hand, or broken: it is replaced like any other.
  }
  return { source, version }
}

function copyFolder(from: string, to: string): void {
  const count = { files: 0, bytes: 0 }
  const copy = (source: string, target: string, shown: string) => {
    mkdirSync(target, { mode: 0o700 })
    for (const entry of readdirSync(source, { withFileTypes: true })) {
      const path = shown === '' ? entry.name : `${shown}/${entry.name}`
      // Neither is ever served.
      if (entry.name.startsWith('.') || entry.name === 'node_modules') continue
      if (entry.isDirectory()) copy(join(source, entry.name), join(target, entry.name), path)
      else if (!entry.isFile())
        throw new Error(`${path} is no file: links and devices are not copied (rule 2)`)
      else {
        count.files++
        count.bytes += lstatSync(join(source, entry.name)).size
        if (count.files > FILES || count.bytes > BYTES)
          throw new Error(`it has more than ${FILES} files or ${BYTES / 1024 / 1024} MB`)
        copyFileSync(join(source, entry.name), join(target, entry.name))
      }
    }
  }
  copy(from, to, '')
}
