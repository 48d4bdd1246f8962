import { loadNative } from '../native/index.js'
import type { Peer } from './sockets/unix.js'

/** The system's word on who is at the other end of a socket, or null where the addon cannot ask. */
export function peerOf(): Peer {
  const loaded = loadNative()
  if (!loaded.ok || process.platform === 'win32') return null
  return (fd) => loaded.native.peerCredentials(fd)
}
