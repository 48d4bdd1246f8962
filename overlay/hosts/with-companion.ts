import type { CompanionDriver } from './companion-driver.js'
import type { Painter } from './look.js'

/** What paints the marks of a display, and below them the companion, where it is on that display. */
export function withCompanion(driver: CompanionDriver | null, display: number, marks: Painter): Painter {
  if (!driver?.isOn(display)) return marks
  return {
    settled: async () => void (await Promise.all([marks.settled(), driver.settled()])),
    get shown() {
      return marks.shown === 'nothing' ? 'marks' : marks.shown
    },
    paintOver: async (picture, rect) => {
      driver.paintOver(display, picture, rect)
      await marks.paintOver(picture, rect)
    },
  }
}
