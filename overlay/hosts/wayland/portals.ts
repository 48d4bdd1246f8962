/** What a Wayland host has through the desktop's portals: pictures where the compositor shows none, and the clear key. */
import type { NativeBinding, WaylandOutput } from '../../../native/index.js'
import type { HostFacts, PermissionStore } from '../../host.js'
import type { PictureSource } from '../picture-source.js'
import { CastPictures } from './cast-pictures.js'
import { PortalPictures } from './portal-pictures.js'
import { PortalShortcut } from './portal-shortcuts.js'

export interface PortalSetup {
  /** The address of the session's bus; undefined: there is none. */
  readonly bus: string | undefined
  /** Whether the person wants their desktop to ask them for the key: its dialog takes the focus, so nobody else decides that. */
  readonly wantsKey: boolean
  /** Where what the desktop allowed for good is kept. */
  readonly permissions: PermissionStore
}

const CLEAR = {
  id: 'clear',
  description: 'Lets: take everything off the screen',
  trigger: 'CTRL+SHIFT+k',
} as const

/** How that is written where it was given as it was proposed. */
const USUAL = 'Ctrl+Shift+K'

const INSTEAD = '`lets clear --all-sessions` does the same'

export class Portals {
  /** Without marks, and with a permission that lasts. */
  readonly cast: CastPictures
  /** Where that cannot be had: pictures with everything on them. */
  readonly pictures: PictureSource
  readonly #pictures: PortalPictures
  readonly #key: PortalShortcut | null

  constructor(
    native: Pick<NativeBinding, 'ScreenCast'>,
    { bus, wantsKey, permissions }: PortalSetup,
    outputs: () => readonly WaylandOutput[],
    onClear: () => void,
  ) {
    this.cast = new CastPictures(native, bus, permissions, outputs)
    this.#pictures = new PortalPictures(bus, outputs)
    this.pictures = this.#pictures
    this.#key = wantsKey ? new PortalShortcut(bus, CLEAR, onClear) : null
  }

  /** The host has started. `seesScreen`: it takes pictures by itself. */
  begin(seesScreen: boolean): void {
    void this.#key?.bind()
    if (seesScreen) return
    void this.cast.find()
    void this.#pictures.find()
  }

  /** What can be said now of the key and of pictures. */
  facts(seesScreen: boolean): Pick<HostFacts, 'hotkey' | 'hotkey_keys' | 'capture' | 'capture_permission'> {
    const { isAllowed } = this.cast
    return {
      ...this.#keyFacts(),
      ...(!seesScreen && { capture: this.#pictureState() }),
      ...(isAllowed && { capture_permission: 'kept' }),
    }
  }

  close(): void {
    this.cast.close()
    this.#key?.close()
  }

  /** A no to the one is not asked about again by the other. */
  #pictureState(): string {
    const { state, isRefused } = this.cast
    return state === 'ready' || isRefused ? state : this.#pictures.state
  }

  #keyFacts(): Pick<HostFacts, 'hotkey' | 'hotkey_keys'> {
    if (!this.#key)
      return {
        hotkey: `off: no program has a key here unless you give it one; ${INSTEAD}, and with LETS_HOTKEY=portal in its environment \`lets daemon\` has your desktop ask you`,
      }
    const { state } = this.#key
    switch (state.kind) {
      case 'ready':
        return state.keys !== undefined && sameKeys(state.keys, USUAL)
          ? { hotkey: 'ready' }
          : { hotkey: 'ready', hotkey_keys: state.keys ?? 'the key you gave it' }
      case 'off':
        return { hotkey: `off: ${state.reason}; ${INSTEAD}` }
      default:
        return { hotkey: `off: your desktop has not given it yet; ${INSTEAD}` }
    }
  }
}

/** Desktops write the same keys in many ways: `Shift+Ctrl+K`, `<Control><Shift>k`, `CTRL+SHIFT+k`. */
function sameKeys(a: string, b: string): boolean {
  const caps = (keys: string) =>
    keys
      .toLowerCase()
      .replaceAll('control', 'ctrl')
      .split(/[\s+<>]+/)
      .filter(Boolean)
      .sort()
      .join(' ')
  return caps(a) === caps(b)
}
