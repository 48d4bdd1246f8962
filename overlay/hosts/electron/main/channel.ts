import type { Channel } from './api.js'

/** The channel that the daemon started this process with; null when there is none. */
export function parentChannel(): Channel | null {
  if (!process.send || !process.connected) return null
  return {
    send: (message) => {
      // The callback takes what would otherwise be thrown: that the daemon is gone is told by `disconnect`.
      if (process.connected) process.send?.(message, undefined, {}, () => {})
    },
    onMessage: (listener) => void process.on('message', listener),
    onGone: (listener) => void process.on('disconnect', listener),
  }
}
