import type { Socket } from 'node:net'

/** Node has no public way to a socket's descriptor; the handle's `fd` has been there since its first streams. */
export function descriptorOf(socket: Socket): number {
  const { fd } = (socket as unknown as { _handle?: { fd?: number } })._handle ?? {}
  if (fd === undefined || fd < 0) throw new Error('the connection has no file descriptor')
  return fd
}
