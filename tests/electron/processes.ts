import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The process that was started with this folder to write to, as Electron is; 0: there is none. */
export function electronOf(folder: string): number {
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    try {
      const words = readFileSync(join('/proc', name, 'cmdline'), 'utf8')
      if (words.split('\0').includes(`--user-data-dir=${folder}`)) return Number(name)
    } catch {
      // It ended meanwhile.
    }
  }
  return 0
}
