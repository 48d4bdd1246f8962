/** Whether what a client saw in a picture is still on the screen. */
import type { Impression, OverlayHost } from '../../overlay/host.js'
import { WireError } from '../../protocol/overlay/errors.js'
import { clip, type Display, type Rect } from '../../protocol/overlay/geometry.js'
import { buildMark, type DrawingRequest, isAboutTheScreen, subjectRect } from './build.js'

/** How far around a place it is looked at, in logical points. */
const AROUND = { x: 24, y: 16 }

/** A square has changed when its light, 0 to 255, is another by more than this. */
const NOTICED = 6

/** So large a part of the squares may have changed: a caret, a letter. */
const TOLERATED = 0.15

/** Throws `stale_frame` when what a request is about does not look as it did when its client saw it. */
export async function sureStill(
  request: DrawingRequest,
  then: Impression,
  display: Display,
  host: OverlayHost,
): Promise<void> {
  const mark = buildMark(request, display, '')
  if (isAboutTheScreen(mark)) return
  const rect = clip(around(subjectRect(mark), then), [0, 0, ...display.logical_size])
  if (!rect) return
  const { impression: now } = await host.capture({
    display: display.id,
    rect,
    marks: false,
    backdrop: 'screen',
  })
  if (!now || isStill(then, now)) return
  throw new WireError(
    'stale_frame',
    `${request.type}: what was there in the picture has moved or changed since; capture again`,
  )
}

/** Whole squares around a place. */
function around([x, y, width, height]: Rect, { square }: Impression): Rect {
  const left = Math.floor((x - AROUND.x) / square) * square
  const top = Math.floor((y - AROUND.y) / square) * square
  const right = Math.ceil((x + width + AROUND.x) / square) * square
  const bottom = Math.ceil((y + height + AROUND.y) / square) * square
  return [left, top, right - left, bottom - top]
}

/** Whether all squares that two impressions have in common look alike, but for a few. True when they have none. */
function isStill(then: Impression, now: Impression): boolean {
  const left = Math.max(then.column, now.column)
  const top = Math.max(then.row, now.row)
  const right = Math.min(then.column + then.columns, now.column + now.columns)
  const bottom = Math.min(then.row + then.rows, now.row + now.rows)
  let [all, changed] = [0, 0]
  for (let row = top; row < bottom; row++) {
    for (let column = left; column < right; column++) {
      all++
      if (Math.abs(lightAt(then, column, row) - lightAt(now, column, row)) > NOTICED) changed++
    }
  }
  return changed <= all * TOLERATED
}

function lightAt({ column, row, columns, light }: Impression, x: number, y: number): number {
  return light[(y - row) * columns + x - column] as number
}
