/** A unique as it lies in its folder: everything a host checks before it serves a byte of it. */
import { closeSync, constants, fstatSync, lstatSync, openSync, readFileSync, realpathSync } from 'node:fs'
import { basename, join, sep } from 'node:path'
import { duplicateKey } from '../../protocol/lip/json.js'
import { LIP_LIMITS } from '../../protocol/lip/limits.js'
import {
  filesOf,
  MANIFEST_FILE,
  ManifestError,
  type ManifestFault,
  type ManifestRule,
  parseManifest,
  pathFault,
} from '../../protocol/lip/manifest.js'
import type { Manifest } from '../../protocol/lip/manifest-schema.js'
import { schemaFault } from './schema-guard.js'

/** The longest guide that is read, in bytes. LIP asks for under about 1500 words. */
const GUIDE_BYTES = 64 * 1024

export interface Unique {
  readonly name: string
  /** The folder, with every link resolved. */
  readonly folder: string
  readonly manifest: Manifest
  readonly warnings: readonly string[]
  /** The declared schemas by direction and type, as JSON that was checked and not yet compiled. */
  readonly schemas: { readonly up: SchemaTable; readonly down: SchemaTable }
}

export type SchemaTable = ReadonlyMap<string, Readonly<Record<string, unknown>>>

/**
 * Reads and checks the unique in `folder` for a host of version `host`. Throws `ManifestError` with everything that is
 * wrong. `named` is the name it must have, where its folder is to be called like it.
 */
export function readUnique(folder: string, host: string, named?: string): Unique {
  const root = realFolder(folder)
  const { manifest, warnings } = parseManifest(readManifest(root), host)
  const faults: ManifestFault[] = []
  if (named !== undefined && manifest.name !== named)
    faults.push(fault(MANIFEST_FILE, 'name', 1, `is ${manifest.name}, and the folder is ${named}`))
  for (const [key, path] of filesOf(manifest)) {
    const wrong = fileFault(root, path)
    if (wrong !== null) faults.push(fault(MANIFEST_FILE, key, 2, `${path} ${wrong}`))
  }
  if (faults.length > 0) throw new ManifestError(faults)
  const schemas = {
    up: readSchemas(root, manifest, 'events', faults),
    down: readSchemas(root, manifest, 'commands', faults),
  }
  if (faults.length > 0) throw new ManifestError(faults)
  return { name: manifest.name, folder: root, manifest, warnings, schemas }
}

/** The guide of a unique, for the model; empty without one. */
export function readGuide({ folder, manifest }: Unique): string {
  return manifest.guide === undefined ? '' : readText(join(folder, manifest.guide), GUIDE_BYTES)
}

/** Where a file inside `root` really is; null when there is none, or it is not to be served. */
export function resolveInside(root: string, path: string): string | null {
  if (pathFault(path) !== null) return null
  try {
    const real = realpathSync(join(root, path))
    if (!real.startsWith(root + sep) || real.slice(root.length).split(sep).some(isHidden)) return null
    return lstatSync(real).isFile() ? real : null
  } catch {
    return null
  }
}

function isHidden(part: string): boolean {
  return part.startsWith('.')
}

function realFolder(folder: string): string {
  try {
    const real = realpathSync(folder)
    if (lstatSync(real).isDirectory()) return real
  } catch (error) {
    throw new ManifestError([
      fault(basename(folder), '', 0, `the folder cannot be read (${(error as NodeJS.ErrnoException).code})`),
    ])
  }
  throw new ManifestError([fault(basename(folder), '', 0, 'is not a folder')])
}

function readManifest(root: string): string {
  const file = resolveInside(root, MANIFEST_FILE)
  if (file === null) throw new ManifestError([fault(MANIFEST_FILE, '', 0, 'is missing')])
  try {
    return readText(file, LIP_LIMITS.manifestBytes)
  } catch (error) {
    throw new ManifestError([fault(MANIFEST_FILE, '', 0, (error as Error).message)])
  }
}

function fileFault(root: string, path: string): string | null {
  if (resolveInside(root, path) !== null) return null
  try {
    realpathSync(join(root, path))
  } catch {
    return 'is not there'
  }
  return 'leads out of the folder, or is no file'
}

function readSchemas(
  root: string,
  manifest: Manifest,
  kind: 'events' | 'commands',
  faults: ManifestFault[],
): SchemaTable {
  const table = new Map<string, Readonly<Record<string, unknown>>>()
  for (const [type, { schema: path }] of Object.entries(manifest[kind] ?? {})) {
    if (path === undefined) continue
    const add = (message: string, key = '') => faults.push(fault(path, key, ruleOfSchemas, message))
    try {
      const text = readText(join(root, path), LIP_LIMITS.schemaBytes)
      const schema = JSON.parse(text)
      const twice = duplicateKey(text)
      const wrong = schemaFault(schema)
      if (twice !== null) add('is there twice', twice)
      else if (wrong) add(wrong.message, wrong.key)
      else table.set(type, schema)
    } catch (error) {
      add((error as Error).message)
    }
  }
  return table
}

/** Declared types are rule 4, and their schemas with them. */
const ruleOfSchemas: ManifestRule = 4

/** A file's text, at most `max` bytes: the size is that of what was opened, not of what was looked at before. */
function readText(file: string, max: number): string {
  const fd = openSync(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
  try {
    const { size } = fstatSync(fd)
    if (size > max) throw new Error(`is ${size} bytes, and may have ${max}`)
    return readFileSync(fd, 'utf8')
  } finally {
    closeSync(fd)
  }
}

function fault(file: string, key: string, rule: ManifestRule, message: string): ManifestFault {
  return { file, key, rule, message }
}
