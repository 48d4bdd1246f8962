/** Whose process is at the other end of a loopback connection: the socket of another user is not served, token or not. */
import { readFile } from 'node:fs/promises'
import type { Socket } from 'node:net'

/** The uid of the connected process; null where the system does not say. */
export async function peerOf({ remotePort, localPort, remoteFamily }: Socket): Promise<number | null> {
  if (process.platform !== 'linux' || remotePort === undefined || localPort === undefined) return null
  let table: string
  try {
    table = await readFile(remoteFamily === 'IPv6' ? '/proc/net/tcp6' : '/proc/net/tcp', 'utf8')
  } catch {
    return null
  }
  return uidIn(table, remotePort, localPort)
}

/** Finds the peer's own end in the kernel's table: from its port to ours. */
export function uidIn(table: string, from: number, to: number): number | null {
  const hex = (port: number) => port.toString(16).toUpperCase().padStart(4, '0')
  const row = new RegExp(
    `^\\s*\\d+: [0-9A-F]+:${hex(from)} [0-9A-F]+:${hex(to)} [0-9A-F]{2} \\S+ \\S+ \\S+ +(\\d+)`,
    'm',
  ).exec(table)
  return row ? Number(row[1]) : null
}
