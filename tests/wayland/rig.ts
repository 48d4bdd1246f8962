/** What the compositors of these tests have in common. No device and no screen of the machine is touched. */
import type { ChildProcess } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { end } from '../support/xserver.js'
import { Hand, WaylandWindow, type WindowOptions } from './clients.js'
import { PYTHON, type Quarters } from './processes.js'

/** A Wayland compositor of its own for a test. Every process started through it ends with `stop`. */
export interface Compositor {
  readonly pid: number
  /** Its socket, an absolute path: what WAYLAND_DISPLAY may be. */
  readonly display: string
  /** The environment of its clients. */
  readonly env: NodeJS.ProcessEnv
  readonly quarters: Quarters
  /** A native window, shown. */
  window(options?: WindowOptions): Promise<WaylandWindow>
  /** The person's pointer. */
  hand(): Promise<Hand>
  /** The interfaces that an ordinary client is offered. */
  globals(): Promise<string[]>
  /** Ends the compositor alone, without a chance to say goodbye. */
  kill(): Promise<void>
  stop(): Promise<void>
}

export function compositor(
  server: ChildProcess,
  quarters: Quarters,
  env: NodeJS.ProcessEnv,
  extent: () => Promise<readonly [number, number]>,
): Compositor {
  return {
    pid: server.pid!,
    display: env.WAYLAND_DISPLAY!,
    env,
    quarters,
    window: (options = {}) => WaylandWindow.open(quarters, env, options),
    hand: () => Hand.take(quarters, env, extent),
    globals: () => globalsOf(quarters, env),
    kill: () => end(server, 'SIGKILL'),
    stop: () => quarters.stop(),
  }
}

export async function globalsOf(quarters: Quarters, env: NodeJS.ProcessEnv): Promise<string[]> {
  const child = quarters.start(PYTHON, [quarters.program('wire.py')], env, {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  let said = ''
  child.stdout?.setEncoding('utf8').on('data', (chunk) => {
    said += chunk
  })
  await new Promise((resolve) => child.once('close', resolve))
  if (said === '') throw new Error('no compositor answers')
  return said.trim().split('\n')
}

/** What `begin` resolves with, unless the program ends before. */
export function alive<T>(server: ChildProcess, name: string, begin: () => Promise<T>): Promise<T> {
  const ended = new Promise<never>((_, reject) => {
    server.once('error', reject)
    server.once('exit', (code) => reject(new Error(`${name} ended with ${code} before it was ready`)))
  })
  return Promise.race([begin(), ended])
}

export function socketIn(folder: string): string | undefined {
  const name = readdirSync(folder).find((file) => /^wayland-\d+$/.test(file))
  return name && join(folder, name)
}
