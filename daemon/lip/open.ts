/** The host with its server, on the thread that calls. All of it is loaded by importing this. */
import type { Socket } from 'node:net'
import { createApp } from './app.js'
import { LipHost, type LipHostOptions } from './host.js'
import { CONNECTIONS } from './loopback.js'
import type { LipAddress, OpenHost } from './serve.js'

export interface OpenOptions extends LipHostOptions, LipAddress {
  /** The folder that holds `sdk.js`. */
  readonly sdk: string
}

export async function openHost({ port, token, sdk, ...options }: OpenOptions): Promise<OpenHost> {
  const host = new LipHost(options)
  const { app, server } = await createApp({ host, port, token, sdk })
  const sockets = new Set<Socket>()
  let end = () => {}
  const ended = new Promise<void>((resolve) => {
    end = resolve
  })
  return {
    ended,
    serve(socket) {
      socket.on('error', () => socket.destroy())
      if (sockets.size >= CONNECTIONS) return void socket.destroy()
      sockets.add(socket)
      socket.once('close', () => sockets.delete(socket))
      server.emit('connection', socket)
      socket.resume()
    },
    async stop() {
      // What is on the screens goes with the daemon, and that is told before the queue is written.
      await host.screens.stop()
      host.leave()
      await app.close()
      for (const socket of sockets) socket.destroy()
      await host.end()
      end()
    },
  }
}
