/** The uniques that are installed here: the person's own, and those that come with Lets. */
import { lstatSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { NAME_PATTERN } from '../../protocol/lip/domains.js'
import { MANIFEST_FILE, ManifestError } from '../../protocol/lip/manifest.js'
import { readUnique, type Unique } from './folder.js'

const NAME = new RegExp(NAME_PATTERN)

export type Listed =
  | { readonly name: string; readonly unique: Unique; readonly bundled: boolean }
  | { readonly name: string; readonly error: ManifestError; readonly bundled: boolean }

export interface CatalogFolders {
  /** Where `lets unique add` copies to. */
  readonly own: string
  /** What comes with the package; an own unique of the same name goes before it. */
  readonly bundled: string
}

export class Catalog {
  readonly #read = new Map<string, { readonly stamp: string; readonly unique: Unique }>()

  /** @param host the version of the host that they must fit */
  constructor(
    private readonly folders: CatalogFolders,
    private readonly host: string,
  ) {}

  /** The unique of this name, as it lies there now; null when there is none. Throws `ManifestError`. */
  get(name: string): Unique | null {
    const folder = this.folderOf(name)
    if (folder === null) return null
    const stamp = stampOf(folder)
    const known = this.#read.get(name)
    if (known && known.stamp === stamp && stamp !== '') return known.unique
    const unique = readUnique(folder, this.host, name)
    this.#read.set(name, { stamp, unique })
    return unique
  }

  list(): Listed[] {
    const own = namesIn(this.folders.own)
    const bundled = namesIn(this.folders.bundled).filter((name) => !own.includes(name))
    return [...own, ...bundled].sort().map((name) => {
      const isBundled = bundled.includes(name)
      try {
        const unique = this.get(name)
        if (unique) return { name, unique, bundled: isBundled }
        throw new ManifestError([{ file: name, key: '', rule: 0, message: 'is not there any more' }])
      } catch (error) {
        if (!(error instanceof ManifestError)) throw error
        return { name, error, bundled: isBundled }
      }
    })
  }

  /** The folder a unique of this name is served from; null when there is none. */
  folderOf(name: string): string | null {
    if (!NAME.test(name)) return null
    const folders = [this.folders.own, this.folders.bundled].map((folder) => join(folder, name))
    return folders.find(isFolder) ?? null
  }
}

/** Changes whenever the manifest does. */
function stampOf(folder: string): string {
  try {
    const { mtimeMs, size, ino } = statSync(join(folder, MANIFEST_FILE))
    return `${folder} ${mtimeMs} ${size} ${ino}`
  } catch {
    return ''
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => NAME.test(name) && isFolder(join(folder, name)))
  } catch {
    return []
  }
}

/** A link is no folder: what is served was copied here. */
function isFolder(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
}
