/** What the daemon's thread and that of the LIP host say to each other. */
import type { Question } from './lip/runs.js'

export type ToUniques =
  /** A connection's descriptor, which is the thread's once it has set `taken` from 0 to 1. */
  | { readonly fd: number; readonly taken: Int32Array }
  | { readonly answered: number; readonly answer: 'allow' | 'deny' | null }
  | { readonly stop: true }

export type FromUniques =
  | { readonly ready: true }
  /** A line of the log, as JSON. */
  | { readonly log: string }
  | { readonly ask: number; readonly question: Question }
  /** Nobody waits for that answer any more. */
  | { readonly unask: number }
  | { readonly stopped: true }
