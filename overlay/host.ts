import type { CompanionEvent, CompanionScene, DisplayPoint } from '../protocol/overlay/companion.js'
import type { Display, Point, Rect } from '../protocol/overlay/geometry.js'
import type { Mark, Prompt } from '../protocol/overlay/marks.js'

/**
 * The seam between the engine and whatever puts marks on a screen. The engine keeps the whole scene: a host that was
 * started again is told everything once more. All geometry is in logical points; only hosts know physical pixels.
 */
export interface OverlayHost {
  readonly kind: HostKind
  /** Connects and returns the displays. Rejects with `HostUnavailable` when it cannot draw. */
  start(): Promise<readonly Display[]>
  /** The displays as they are at this moment, asked anew; a change is also announced through `HostEvents.displays`. */
  displays(): Promise<readonly Display[]>
  /**
   * Takes a change of one display's scene. Resolves when it is painted (on X11: when the X server has executed it), rejects with `HostUnavailable` when it could not be. Idempotent; changes are applied in the order of the calls.
   */
  apply(change: SceneChange): Promise<Applied>
  /** A picture of a display. Rejects with `HostUnavailable`. */
  capture(request: CaptureRequest): Promise<Frame>
  /** Registers the one listener; called before `start`. */
  on(events: HostEvents): void
  /** The graphemes of `text` that no font here can show; empty when all is well. */
  missingGlyphs(text: string): Promise<readonly string[]>
  /** The windows of other programs, where this host can see them. */
  readonly windows?: WindowAccess | undefined
  /** The keys a person answers a prompt with, where this host can take keys. */
  readonly answerKeys?: AnswerKeys | undefined
  /** The key with which a person goes on, where this host can take keys. */
  readonly nextKey?: NextKey | undefined
  /** A place of the desktop where the person sees what is drawn and decides about it, where this host has one. */
  readonly panel?: Panel | undefined
  /** Following what marks were put on inside windows, where this host can see what they show. */
  readonly content?: ContentAccess | undefined
  /** The companion's own surface, where this host can give it one. */
  readonly companion?: CompanionAccess | undefined
  /** Facts about what this host got, for `status` and `doctor`. */
  facts(): HostFacts
  /** Takes everything off the screen and lets go. Safe to call twice, and before `start` has settled. */
  stop(): Promise<void>
}

export interface Applied {
  /** Whether a person sees it: false below a screen locker, or another window that insists on being on top. */
  readonly visible: boolean
}

export type HostKind = 'electron' | 'x11' | 'wayland' | 'headless'

export interface SceneChange {
  readonly display: number
  /** New marks, or marks whose id is already shown: those glide to their new geometry. In drawing order. */
  readonly put: readonly Mark[]
  readonly remove: readonly string[]
  /**
   * The point mark that carries the system's one pointer, when it is on this display; null when the pointer is
   * elsewhere or nowhere; absent when that did not change.
   */
  readonly pointer?: string | null
  /** Whether the pointer shows that something is looked for there; absent when that did not change. */
  readonly thinking?: boolean
  /** What the daemon asks the person there, above all marks; null takes it off; absent when that did not change. */
  readonly prompt?: Prompt | null
  /** Marks among `put` that are at their new place at once, without a glide: what they are on has moved already. */
  readonly jump?: readonly string[]
}

/** Reading the windows of other programs, and bringing one forward. Promises reject with `HostUnavailable`. */
export interface WindowAccess {
  /** Every window a person could see, bottom to top, ours left out. */
  list(): Promise<readonly HostWindow[]>
  /** Whether `HostEvents.windows` is wanted: nothing is watched, and nothing runs, while it is not. */
  watch(on: boolean): Promise<void>
  /** Brings a window forward and gives it the focus. */
  activate(id: number): Promise<void>
}

/**
 * Two global keys, pressed while any program has the focus. Promises reject with `HostUnavailable`; the calls take effect
 * in their order.
 */
export interface AnswerKeys {
  /** Their names, a key cap each. */
  readonly names: { readonly yes: readonly string[]; readonly no: readonly string[] }
  /**
   * Takes them from all other programs until `release`: presses are told through `HostEvents.answered`. Resolves with
   * which of them could be had. A yes that was down already does not count before it is let go.
   */
  take(): Promise<{ readonly yes: boolean; readonly no: boolean }>
  release(): Promise<void>
}

/** One global key, as with `AnswerKeys`. */
export interface NextKey {
  /** A key cap each. */
  readonly names: readonly string[]
  /**
   * Takes it from all other programs until `release`: presses are told through `HostEvents.next`. Resolves with whether it
   * could be had. A key that was down already does not count before it is let go.
   */
  take(): Promise<boolean>
  release(): Promise<void>
}

/** A menu of the desktop (a tray icon's). Never in the way: it is there to be opened by the person. */
export interface Panel {
  /** Shows this from now on. */
  show(state: PanelState): void
}

export interface PanelState {
  /** One line on what goes on, such as "2 marks, 1 client". */
  readonly summary: string
  readonly items: readonly PanelItem[]
}

/** A line of the menu. */
export type PanelItem =
  | { readonly kind: 'separator' }
  /** Says something; it cannot be chosen. */
  | { readonly kind: 'text'; readonly label: string }
  /** Chosen, it is told through `HostEvents.chosen`. `checked`: on or off; absent: it is neither. */
  | { readonly kind: 'action'; readonly id: string; readonly label: string; readonly checked?: boolean }

/**
 * The companion's surface, apart from all marks: it takes clicks where the companion's body and its open menu have pixels,
 * and nowhere else. It is in no picture without marks. Promises reject with `HostUnavailable`.
 */
export interface CompanionAccess {
  /**
   * Shows it so from now on, easing there from what is shown; null takes it off. Resolves when the first frame of that is
   * on the screen. While its menu is open the host takes the keys of `CompanionEvent`, and gives them back with it.
   */
  show(scene: CompanionScene | null): Promise<Applied>
  /** There is something to say, and marks, which are above it, leave no place for that: it is shown once they do. */
  readonly isCrowded: boolean
  /** Whether `pointer` events are wanted: nothing is watched, and nothing runs, while they are not. */
  watchPointer(on: boolean): Promise<void>
  /** Where the pointer is now; null where that cannot be told. */
  pointer(): Promise<DisplayPoint | null>
  /** It knows of the pointer over itself at most: that it hears of no move does not mean that there is none. */
  readonly nearsighted?: boolean
  /** The key that summons it, where this host can take keys: presses are told through `HostEvents.companion`. */
  readonly summonKey?: {
    /** A key cap each. */
    readonly names: readonly string[]
    take(): Promise<boolean>
    release(): Promise<void>
  }
}

export interface HostWindow {
  /** The host's own number for it, unique while the window exists. */
  readonly id: number
  /** The application's name, such as `XTerm`. */
  readonly app: string
  readonly title: string
  /** Where it is with its frame, in logical points of each display, also where it lies outside of that display. */
  readonly rects: ReadonlyMap<number, Rect>
  /** The same without its frame, and without a shadow it draws itself; absent where the host cannot tell. */
  readonly contents?: ReadonlyMap<number, Rect>
  /** The process that made it, as it says itself. */
  readonly pid?: number
  /** On the screen now: neither minimised nor on another workspace. */
  readonly visible: boolean
  /** A menu, a tooltip and the like: it comes and goes over what it belongs to. */
  readonly transient: boolean
  /** It covers a whole display with nothing beside it, as a film or a talk does; absent where the host cannot tell. */
  readonly fullScreen?: boolean
}

export interface WindowsChange {
  /** Windows that moved or changed size. */
  readonly moved: readonly { readonly id: number; readonly rects: ReadonlyMap<number, Rect> }[]
  /** Windows appeared, went or changed places in the stack: the list is another one. */
  readonly relisted: boolean
}

/**
 * Following what marks were put on: content that scrolls inside its window. Nothing runs while nothing is followed, or
 * while no window changes near a mark.
 */
export interface ContentAccess {
  /** Remembers what is at this place now (anew, for an id that was followed), and tells `HostEvents.content` what becomes of it. */
  follow(id: string, place: ContentPlace): void
  /** Follows it no more; nothing is told of it after this. */
  release(id: string): void
  /** The window may show something else although nothing was drawn in it. */
  recheck(window: number): void
}

/** A place in a window that a mark is about. */
export interface ContentPlace {
  readonly window: number
  readonly display: number
  /** In logical points of that display, from the window's top left; a single place has no extent. */
  readonly rect: Rect
  /** The engine knows by other means where it is, and asks them whenever something was drawn near it. */
  readonly live?: boolean
}

export interface ContentChange {
  /** What was found in another place of its window, and by how much it moved there, in logical points. */
  readonly moved: readonly { readonly id: string; readonly by: Point }[]
  /** What was not found again for sure. It is not followed any more. */
  readonly lost: readonly string[]
  /** `live` places near which something was drawn, and that look as before. */
  readonly still?: readonly string[]
}

export interface CaptureRequest {
  readonly display: number
  /** Part of the display in logical points; absent: all of it. */
  readonly rect?: Rect
  /** Whether the marks are in the picture. */
  readonly marks: boolean
  /** `none`: the marks alone on a plain ground, so that nothing of the person's screen is in the picture. */
  readonly backdrop: 'screen' | 'none'
}

/** Opaque pixels in RGBA order, rows without padding, with the scale that maps them to logical points. */
export interface Frame {
  readonly width: number
  readonly height: number
  readonly scale: number
  /** Top left of the picture on its display, in logical points. */
  readonly origin: readonly [x: number, y: number]
  /** The taker's own from then on: it may hand them to another thread. */
  readonly data: Uint8Array
  /** What was on the screen there; absent where the host cannot tell that from its own marks. */
  readonly impression?: Impression
}

/** How light a part of a display is, square by square: enough to tell whether a place still looks as it did. */
export interface Impression {
  /** The side of a square, in logical points. Squares are counted from the display's top left. */
  readonly square: number
  /** The first square of the part. */
  readonly column: number
  readonly row: number
  readonly columns: number
  readonly rows: number
  /** 0 to 255, row by row. */
  readonly light: Uint8Array
}

export interface HostEvents {
  /**
   * The layout changed. The host shows nothing any more on displays that are gone, and on those whose size or scale
   * changed: the engine puts there again what is still true.
   */
  displays(displays: readonly Display[]): void
  /** Windows moved, came or went; only while they are watched. */
  windows?(change: WindowsChange): void
  /** Content moved, or is gone, under marks that are followed. */
  content?(change: ContentChange): void
  /** The person asked for a clean screen (the global hotkey). */
  clearRequested(): void
  /** The person pressed one of the `answerKeys`. */
  answered?(yes: boolean): void
  /** The person pressed the `nextKey`. */
  next?(): void
  /** The person chose this item of the `panel`. */
  chosen?(id: string): void
  /** What the person did with the companion. */
  companion?(event: CompanionEvent): void
  /** The host cannot draw any more; nothing of it is on the screen. */
  exit(reason: string): void
}

export interface HostFacts {
  /** The screen that is drawn on, as its system calls it, such as `:0`; absent: none. */
  readonly screen?: string
  /** `compositor`, `none` (blended in software) or absent where that means nothing. */
  readonly compositor?: 'present' | 'none'
  /** The global clear hotkey: `ready`, or why not. */
  readonly hotkey: string
  /** What that hotkey is called where it is not Ctrl+Shift+K: the person may have chosen it. */
  readonly hotkey_keys?: string
  /** Pictures of what is below the marks: `ready`, or why there are none; absent: `ready`. */
  readonly capture?: string
  readonly reduced_motion: boolean
  /** Things that are so and that a person would want to know, one sentence each. */
  readonly notes: readonly string[]
}

/** The host cannot do it, through no fault of the client's. `message` says why and what would help. */
export class HostUnavailable extends Error {
  override readonly name = 'HostUnavailable'
}
