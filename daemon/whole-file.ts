/** Files that are whole at every moment: written beside their name, made to last, then renamed onto it. */
import { randomBytes } from 'node:crypto'
import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync, writeSync } from 'node:fs'
import { mkdir, open, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'

/** What half-written files are called; whoever lists a folder passes over hidden ones. */
function besideOf(file: string): string {
  return join(dirname(file), `.${basename(file)}.${randomBytes(6).toString('hex')}.tmp`)
}

/**
 * Resolves once the text would survive the machine going down; a crash leaves what was there before, or all of it. Pieces
 * are written one after another, and whatever else there is to do is done between them.
 */
export async function writeWhole(file: string, pieces: Iterable<string>): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  const beside = besideOf(file)
  try {
    const handle = await open(beside, 'wx', 0o600)
    try {
      for (const piece of pieces) await handle.writeFile(piece)
      await handle.sync()
    } finally {
      await handle.close()
    }
    await rename(beside, file)
  } catch (error) {
    await rm(beside, { force: true })
    throw error
  }
  await syncFolder(dirname(file))
}

/** The rename itself is only sure once the folder is. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** The same, for the moment in which the daemon ends. */
export function writeWholeSync(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const beside = besideOf(file)
  try {
    const fd = openSync(beside, 'wx', 0o600)
    try {
      writeSync(fd, text)
      fsyncSync(fd)
    } finally {
      closeSync(fd)
    }
    renameSync(beside, file)
  } catch (error) {
    rmSync(beside, { force: true })
    throw error
  }
}
