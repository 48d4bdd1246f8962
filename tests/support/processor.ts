import { readFileSync } from 'node:fs'

/** Processor time a process has used, in ms. Linux counts it in hundredths of a second. */
export function busyMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) * 10
}
