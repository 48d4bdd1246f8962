/** Where the caret of a field is on the screen, as its program says. */
import type { DisplayRect } from '../../protocol/overlay/companion.js'
import type { Screen } from '../resolver.js'
import { type Atspi, has, type Node, PREFIX, type RawRect, type Ref, STATE } from './atspi.js'
import { CallFailed } from './bus.js'
import { toPoints } from './calibrate.js'
import { common, findTops, WEB_PAGE, webMapping } from './placed.js'

/** AT-SPI's numbers for a program, and for a terminal: that is typed into, though its text cannot be edited. */
const APPLICATION = 75
const TERMINAL = 60

/** Levels between a field and its window: more than those nobody has. */
const DEEPEST = 80

/** A field that is no higher has one line, in logical points: where its program does not say more, the caret is in it. */
const MOST_LINE = 60

/** A caret that a program says is so far outside of its field is not to be believed, in units. */
const SLACK = 4

/** How long one answer about text may take, in ms. */
const CALL_MS = 800

/** What of a field stays the same while it has the focus. */
export interface Field {
  readonly ref: Ref
  readonly pid: number
  readonly window: Pick<Node, 'ref' | 'name'>
  /** The web page it is in. */
  readonly page: Ref | null
}

/** Whether the person types there now. */
export async function isTypedInto(atspi: Atspi, ref: Ref): Promise<boolean> {
  const [states, role] = await Promise.all([atspi.states(ref), atspi.role(ref)])
  const isTyped = has({ states }, STATE.editable) || role === TERMINAL
  return isTyped && has({ states }, STATE.focused) && !has({ states }, STATE.defunct)
}

/** What a field is in; null: in no window. */
export async function fieldOf(atspi: Atspi, ref: Ref): Promise<Field | null> {
  let page: Ref | null = null
  let at = ref
  for (let depth = 0; depth < DEEPEST; depth++) {
    const up = await atspi.parent(at)
    if (!up) return null
    const role = await atspi.role(up)
    if (role === APPLICATION) {
      const [name, pid] = await Promise.all([atspi.name(at), atspi.pidOf(ref.bus)])
      return { ref, pid, window: { ref: at, name }, page }
    }
    // The outermost one: frames in it count as it does.
    if (role === WEB_PAGE) page = up
    at = up
  }
  return null
}

/** Where its caret is; null: nowhere on these displays. Rejects with a `CallFailed`. */
export async function caretIn(
  atspi: Atspi,
  { ref, pid, window, page }: Field,
  screens: readonly Screen[],
): Promise<DisplayRect | null> {
  const [whole, sheet, offset] = await Promise.all([
    atspi.extents(ref),
    page ? atspi.extents(page) : undefined,
    caretOffset(atspi, ref),
  ])
  const caret = await rawCaret(atspi, ref, offset, whole)
  for (const screen of screens) {
    const { id, scale, logical_size: size } = screen.display
    const [top] = await findTops(atspi, [window], pid, screen)
    if (!top) continue
    const mapping = webMapping(sheet, top.mapping, scale)
    const isLine = whole[2] > 0 && whole[3] > 0 && whole[3] / mapping.scale <= MOST_LINE
    if (!caret && !isLine) return null
    const rect = common(toPoints(caret ?? whole, mapping), top.window.content)
    if (!rect?.every(Number.isFinite)) continue
    const [x, y] = [rect[0] + rect[2] / 2, rect[1] + rect[3] / 2]
    if (x >= 0 && y >= 0 && x < size[0] && y < size[1]) return { display: id, rect }
  }
  return null
}

/** The caret in the units of its program; null: it does not say, or it is scrolled out of sight. */
async function rawCaret(atspi: Atspi, ref: Ref, offset: number, whole: RawRect): Promise<RawRect | null> {
  const here = await characterExtents(atspi, ref, offset)
  if (here && isWithin(here, whole)) return [here[0], here[1], 1, here[3]]
  // Behind the last character there is none to ask about.
  const before = offset > 0 ? await characterExtents(atspi, ref, offset - 1) : null
  if (!before || !isWithin(before, whole)) return null
  return [before[0] + before[2], before[1], 1, before[3]]
}

function isWithin([x, y, width, height]: RawRect, [left, top, wide, high]: RawRect): boolean {
  if (height <= 0 || width < 0) return false
  return x >= left - SLACK && x <= left + wide + SLACK && y + height > top - SLACK && y < top + high + SLACK
}

/** Before which of its characters the caret is. Rejects for what has no text. */
async function caretOffset(atspi: Atspi, ref: Ref): Promise<number> {
  const [variant] = await atspi.bus.call(
    {
      to: ref.bus,
      path: ref.path,
      interface: 'org.freedesktop.DBus.Properties',
      member: 'Get',
      signature: 'ss',
      body: [`${PREFIX}Text`, 'CaretOffset'],
    },
    CALL_MS,
  )
  const offset = (variant as { value?: unknown } | undefined)?.value
  if (typeof offset !== 'number') throw new CallFailed('it has no caret', 'failed')
  return offset
}

/** Where a character is; null: it is nowhere, or the program does not say. */
async function characterExtents(atspi: Atspi, ref: Ref, offset: number): Promise<RawRect | null> {
  try {
    const rect = await atspi.bus.call(
      {
        to: ref.bus,
        path: ref.path,
        interface: `${PREFIX}Text`,
        member: 'GetCharacterExtents',
        signature: 'iu',
        body: [offset, 0],
      },
      CALL_MS,
    )
    return rect.length === 4 && rect.every(Number.isFinite) ? (rect as unknown as RawRect) : null
  } catch (error) {
    if ((error as CallFailed).reason === 'timeout') throw error
    return null
  }
}
