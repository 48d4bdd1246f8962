/** Pictures that a command leaves with the person. */
import { copyFileSync, rmSync } from 'node:fs'
import { resolve } from 'node:path'
import { cannotWrite, UsageError } from './errors.js'

/** Where a picture is to go. Checked before anything is drawn or pictured. */
export function picturePath(file: string): string {
  if (!/\.png$/i.test(file))
    throw new UsageError(`a picture is a PNG file, such as screen.png; got ${JSON.stringify(file)}`)
  return resolve(file)
}

/** Moves a picture out of the daemon's private folder. */
export function keepPicture(from: string, target: string): void {
  try {
    copyFileSync(from, target)
  } catch (error) {
    throw cannotWrite(target, error)
  } finally {
    rmSync(from, { force: true })
  }
}
