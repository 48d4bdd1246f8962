import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'

import type * as Binding from './binding.js'

export type {
  AnswerKeys,
  CaptureRequest,
  CaptureResult,
  Info,
  Layout,
  ListDisplaysOptions,
  LookRequest,
  LookResult,
  Monitor,
  OwnedSurface,
  Owner,
  PeerCredentials,
  PixelRect,
  PresentRequest,
  PresentResult,
  ScreenCast,
  ScreenCastFault,
  ScreenCastMonitor,
  ScreenCastOffer,
  Touch,
  WatchedContent,
  WaylandEvent,
  WaylandHost,
  WaylandOutput,
  WindowChange,
  WindowInfo,
  X11Event,
  X11Host,
  X11Options,
} from './binding.js'

export interface NativeBinding {
  readonly peerCredentials: typeof Binding.peerCredentials
  readonly listDisplays: typeof Binding.listDisplays
  /** null where the system has no file descriptors. */
  readonly duplicateDescriptor: typeof Binding.duplicateDescriptor | null
  /** On systems without X11, `connect` rejects. */
  readonly X11Host: Pick<typeof Binding.X11Host, 'connect'>
  /** On systems without Wayland, `connect` rejects. */
  readonly WaylandHost: Pick<typeof Binding.WaylandHost, 'connect'>
  /** On systems without Wayland nothing asks for it, and it cannot be made. */
  readonly ScreenCast: typeof Binding.ScreenCast
}

export type NativeLoad =
  | { readonly ok: true; readonly native: NativeBinding }
  /** `reason` says what is wrong, `fix` what would help: one sentence each. */
  | { readonly ok: false; readonly reason: string; readonly fix: string }

let loaded: NativeLoad | undefined

/** The native addon, or why there is none. Never throws, needs no display, and looks only once per process. */
export function loadNative(): NativeLoad {
  loaded ??= load()
  return loaded
}

const BUILD = 'npm run build'

// Beside this file when it runs from source, and in the package's `native/` when it runs from `dist/native/`.
const LOADERS = ['./binding.cjs', '../../native/binding.cjs']

function load(): NativeLoad {
  const loader = LOADERS.map((path) => fileURLToPath(new URL(path, import.meta.url))).find(existsSync)
  if (loader === undefined) {
    return {
      ok: false,
      reason: 'native/binding.cjs, the loader of the native addon, is missing',
      fix: `run: ${BUILD}`,
    }
  }
  try {
    const binding: Partial<typeof Binding> = createRequire(import.meta.url)(loader)
    const {
      peerCredentials,
      listDisplays,
      duplicateDescriptor = null,
      X11Host = without('X11'),
      WaylandHost = without('Wayland'),
      ScreenCast = NoScreenCast,
    } = binding
    if (peerCredentials === undefined || listDisplays === undefined) {
      return {
        ok: false,
        reason: 'the native addon is of another version than this package',
        fix: `run: ${BUILD}`,
      }
    }
    return {
      ok: true,
      native: { peerCredentials, listDisplays, duplicateDescriptor, X11Host, WaylandHost, ScreenCast },
    }
  } catch (error) {
    return explain(error)
  }
}

/** What stands for a surface that this system does not have. */
const without = (kind: 'X11' | 'Wayland') => ({
  connect: () =>
    Promise.reject(new Error(`the ${kind} surface exists on Linux only, and this is ${process.platform}`)),
})

const NoScreenCast = class {
  constructor() {
    throw new Error(`screen casts exist on Linux only, and this is ${process.platform}`)
  }
} as unknown as typeof Binding.ScreenCast

/** The loader tries several places; only what went wrong apart from "not there" tells anything. */
function explain(error: unknown): NativeLoad {
  const target = `${process.platform}-${process.arch}`
  const real = [...causes(error)].find((cause) => cause !== error && !isNotFound(cause))
  if (real !== undefined) {
    return {
      ok: false,
      reason: `the native addon for ${target} is there but does not load: ${messageOf(real)}`,
      fix: `build it on this machine: ${BUILD}`,
    }
  }
  if (error instanceof Error && (isNotFound(error) || error.cause !== undefined)) {
    return {
      ok: false,
      reason: `there is no native addon for ${target}: native/lets-native.${target}*.node is missing`,
      fix: `run: ${BUILD} (needs Rust), or install a release that has it`,
    }
  }
  return { ok: false, reason: `the native addon does not load: ${messageOf(error)}`, fix: `run: ${BUILD}` }
}

function* causes(error: unknown): Generator<unknown> {
  const seen = new Set<unknown>()
  const queue = [error]
  while (queue.length > 0) {
    const next = queue.shift()
    if (next === undefined || next === null || seen.has(next)) continue
    seen.add(next)
    yield next
    if (Array.isArray(next)) queue.push(...next)
    else if (next instanceof AggregateError) queue.push(...next.errors, next.cause)
    else if (next instanceof Error) queue.push(next.cause)
  }
}

/** By its message: the loader copies the errors it met, without their codes. */
function isNotFound(error: unknown): boolean {
  return Array.isArray(error) || (error instanceof Error && error.message.startsWith('Cannot find module'))
}

function messageOf(error: unknown): string {
  return error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error)
}
