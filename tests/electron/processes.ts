import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** The process that was started with this folder to write to, as Electron is; 0: there is none. On Linux. */
export function electronOf(folder: string): number {
  const found = new Map<number, number>()
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    try {
      const words = readFileSync(join('/proc', name, 'cmdline'), 'utf8').split('\0')
      // Those that it starts itself are told the folder as well, and what they are.
      if (words.includes(`--user-data-dir=${folder}`) && !words.some((word) => word.startsWith('--type=')))
        found.set(
          Number(name),
          Number(readFileSync(`/proc/${name}/stat`, 'utf8').split(') ')[1]?.split(' ')[1]),
        )
    } catch {
      // It ended meanwhile.
    }
  }
  // What is to end it has its words for a moment, as a child of it.
  for (const [pid, parent] of found) if (!found.has(parent)) return pid
  return 0
}

/** The same on every system. */
export async function runningElectron(folder: string): Promise<number> {
  if (process.platform === 'linux') return electronOf(folder)
  const [program, args] =
    process.platform === 'win32'
      ? (['powershell', ['-NoProfile', '-Command', WINDOWS_LIST]] as const)
      : (['ps', ['-axww', '-o', 'pid=,command=']] as const)
  const { stdout } = await run(program, [...args], { maxBuffer: 2 ** 26 })
  const line = stdout
    .split(/\r?\n/)
    .find((one) => one.includes(`--user-data-dir=${folder}`) && !one.includes('--type='))
  return Number(line?.trim().split(/\s+/)[0] ?? 0)
}

const WINDOWS_LIST = 'Get-CimInstance Win32_Process | ForEach-Object { "$($_.ProcessId) $($_.CommandLine)" }'

export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch {
    return false
  }
  // One that ended and was not asked after yet, by whoever started it, is no process any more.
  return process.platform !== 'linux' || !readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ')
}
