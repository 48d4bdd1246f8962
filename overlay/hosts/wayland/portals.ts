/** What a Wayland host has through the desktop's portals: pictures where the compositor shows none, and the clear key. */
import type { HostFacts } from '../../host.js'
import type { PictureSource } from '../picture-source.js'
import { type Output, PortalPictures } from './portal-pictures.js'
import { PortalShortcut } from './portal-shortcuts.js'

export interface PortalSetup {
  /** The address of the session's bus; undefined: there is none. */
  readonly bus: string | undefined
  /** Whether the person wants their desktop to ask them for the key: its dialog takes the focus, so nobody else decides that. */
  readonly wantsKey: boolean
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
  readonly pictures: PictureSource
  readonly #pictures: PortalPictures
  readonly #key: PortalShortcut | null

  constructor({ bus, wantsKey }: PortalSetup, outputs: () => readonly Output[], onClear: () => void) {
    this.#pictures = new PortalPictures(bus, outputs)
    this.pictures = this.#pictures
    this.#key = wantsKey ? new PortalShortcut(bus, CLEAR, onClear) : null
  }

  /** The host has started. `seesScreen`: it takes pictures by itself. */
  begin(seesScreen: boolean): void {
    void this.#key?.bind()
    if (!seesScreen) void this.#pictures.find()
  }

  /** What can be said now of the key and of pictures. */
  facts(seesScreen: boolean): Pick<HostFacts, 'hotkey' | 'hotkey_keys' | 'capture'> {
    return { ...this.#keyFacts(), ...(!seesScreen && { capture: this.#pictures.state }) }
  }

  close(): void {
    this.#key?.close()
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
