/** Who is at the other end of a loopback connection: the system knows the user of every socket. */
import { readFileSync } from 'node:fs'
import type { Socket } from 'node:net'

/** Whether the system tells. Elsewhere a token is asked for. */
export const knowsPeers = process.platform === 'linux'

/** The peer's user id; null when the system does not say (it hung up already, or is not on this machine). */
export function peerUid(socket: Socket): number | null {
  const { remoteAddress, remotePort, localAddress, localPort } = socket
  if (!remoteAddress || !localAddress || remotePort === undefined || localPort === undefined) return null
  const its = address(remoteAddress, remotePort)
  const ours = address(localAddress, localPort)
  return find('/proc/net/tcp', its, ours) ?? find('/proc/net/tcp6', mapped(its), mapped(ours))
}

/** The row of the socket whose own address is `local`. */
function find(table: string, local: string, remote: string): number | null {
  let text: string
  try {
    text = readFileSync(table, 'latin1')
  } catch {
    return null
  }
  for (const line of text.split('\n')) {
    const [, from, to, , , , , uid, , inode] = line.trim().split(/\s+/)
    if (from !== local || to !== remote) continue
    // One that its process has closed is nobody's: the table says 0 then, which is root.
    return inode === '0' ? null : Number(uid)
  }
  return null
}

/** As the table writes it: the bytes of the address in the machine's order, in hex. */
function address(ip: string, port: number): string {
  const bytes = ip
    .replace(/^::ffff:/, '')
    .split('.')
    .map((part) => Number(part).toString(16).padStart(2, '0'))
  return `${bytes.reverse().join('')}:${port.toString(16).padStart(4, '0')}`.toUpperCase()
}

function mapped(v4: string): string {
  return `0000000000000000FFFF0000${v4}`
}
