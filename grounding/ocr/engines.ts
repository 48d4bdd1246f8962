import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import type { Engine } from './engine.js'
import { TesseractJs } from './tesseract-js.js'
import { run, TesseractProgram } from './tesseract-program.js'

/** Which engine is asked for: `LETS_OCR`. */
export const ENGINES = ['tesseract.js', 'tesseract'] as const
export type EngineName = (typeof ENGINES)[number]

export function isEngineName(name: string): name is EngineName {
  return (ENGINES as readonly string[]).includes(name)
}

export async function makeEngine(name: EngineName, env: NodeJS.ProcessEnv): Promise<Engine> {
  if (name === 'tesseract.js') return new TesseractJs()
  const program = programIn(env)
  if (!program) throw new Error('there is no program `tesseract` in PATH')
  return new TesseractProgram(program, (await languagesOf(program, env)).join('+'), env)
}

/** Where the `tesseract` program is, if it is installed. */
export function programIn(env: NodeJS.ProcessEnv): string | undefined {
  const folders = (env.PATH ?? '').split(delimiter).filter((folder) => folder !== '')
  return folders
    .map((folder) => join(folder, process.platform === 'win32' ? 'tesseract.exe' : 'tesseract'))
    .find((path) => {
      try {
        accessSync(path, constants.X_OK)
        return true
      } catch {
        return false
      }
    })
}

/** The languages it has models for, English first. */
export async function languagesOf(program: string, env: NodeJS.ProcessEnv): Promise<string[]> {
  const output = await run(program, ['--list-langs'], Buffer.alloc(0), {
    env,
    limitMs: 3000,
    signal: new AbortController().signal,
  })
  // The first line is a heading; `osd` tells how a page lies and reads nothing.
  const names = output
    .split('\n')
    .slice(1)
    .map((line) => line.trim())
  const languages = names.filter((name) => /^[\w/-]+$/.test(name) && name !== 'osd' && name !== 'equ')
  if (languages.length === 0) throw new Error(`${program} has no language to read in`)
  return languages.sort((a, b) => Number(b === 'eng') - Number(a === 'eng'))
}
