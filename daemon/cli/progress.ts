/** A bar at the bottom of a terminal; nothing where there is none. */
import { dim, shownInLine } from './output.js'

const WIDTH = 20
const CLEAR_LINE = '\r\u001b[2K'

export interface Progress {
  /** This step of all is up, and this is what to say of it. */
  at(step: number, text: string): void
  /** Makes room for a line, to be followed by `draw`. */
  clear(): void
  draw(): void
}

export function progress(total: number): Progress {
  const { stdout } = process
  if (!stdout.isTTY) return { at() {}, clear() {}, draw() {} }
  let shown: { readonly step: number; readonly text: string } | null = null
  let last = 0
  const draw = () => {
    if (!shown) return
    const full = Math.round((shown.step / total) * WIDTH)
    const bar = '█'.repeat(full) + dim('░'.repeat(WIDTH - full))
    // Cut, since a line that wraps cannot be taken away again.
    const room = Math.max(0, (stdout.columns || 80) - WIDTH - 10)
    stdout.write(
      `${CLEAR_LINE}${bar} ${shown.step}/${total} ${[...shownInLine(shown.text)].slice(0, room).join('')}`,
    )
  }
  return {
    at(step, text) {
      shown = { step, text }
      last = step
      draw()
    },
    clear() {
      if (shown) stdout.write(CLEAR_LINE)
      if (last === total) shown = null
    },
    draw,
  }
}
