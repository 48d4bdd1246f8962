import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The root of the installed package: compiled code lies in `dist/`, assets beside it. */
const packageRoot = join(dirname(fileURLToPath(import.meta.url)), '..', '..')

/** This package's version. */
export function version(): string {
  return JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8')).version
}

/** What the page of a unique loads as `/lip/sdk.js`, and the uniques that come with Lets. */
export const SDK_FOLDER = join(packageRoot, 'dist', 'sdk')
export const BUNDLED_UNIQUES = join(packageRoot, 'dist', 'uniques')
