import { appendFileSync, chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ExecutionContext } from 'ava'
import type { Behaviour, Command } from './program.js'

export interface StandInScript {
  /** What is started as Electron's binary. */
  readonly path: string
  /** A folder of its own. */
  readonly folder: string
  /** Has the process that runs do something. */
  command(command: Command): void
  /** What starts next behaves in another way. */
  behave(behaviour: Omit<Behaviour, 'control'>): void
}

/** An executable file that is the stand-in, and behaves like this. */
export function standInScript(
  t: Pick<ExecutionContext, 'teardown'>,
  behaviour: Omit<Behaviour, 'control'>,
): StandInScript {
  const folder = mkdtempSync(join(tmpdir(), 'lets-electron-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))
  const path = join(folder, 'electron')
  const control = join(folder, 'control')
  const program = fileURLToPath(new URL('./program.js', import.meta.url))
  const behave = (now: Omit<Behaviour, 'control'>) => {
    const words = JSON.stringify({ ...now, control })
    // The same process goes on as Node: its id and its channel stay what they are.
    writeFileSync(path, `#!/bin/sh\nexec '${process.execPath}' '${program}' '${words}' "$@"\n`)
    chmodSync(path, 0o755)
  }
  writeFileSync(control, '')
  behave(behaviour)
  return {
    path,
    folder,
    behave,
    command: (command) => appendFileSync(control, `${JSON.stringify(command)}\n`),
  }
}
