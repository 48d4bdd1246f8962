import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Book } from './book.js'
import { chance, words } from './chance.js'
import { desktop, version } from './desktop.js'
import { Pan } from './pan.js'
import type { Stage } from './stage.js'

/** A GTK editor: menu bar, text, scroll bar. */
export async function mousepad(stage: Stage): Promise<void> {
  const book = new Book('mousepad', version('mousepad'))
  const pick = chance(29)
  await desktop(
    stage,
    ['mousepad', '--disable-server', 'story.txt'],
    [600, 440],
    async (window) => {
      // Below the menu bar and, for root, a warning; above the status bar; left of the scroll bar.
      const [top, bottom, width] = [76, window.height - 20, window.width - 24]
      const pane = [2, top, width, bottom - top] as const
      const pan = new Pan(window, book, pane, [240, 30], [2, 2, 400, 26])
      await window.click(300, 200)
      await pan.look()
      await pan.step('wheel', 'wheel', () => window.wheel(5), 4, 1)
      await pan.step('wheel', 'wheel', () => window.wheel(5, 3), 4, 1)
      await pan.step('wheel', 'wheel', () => window.wheel(4, 2), 4, 1)
      await pan.step('page', 'scroll by a page', () => window.wheel(5, 5), 4)
      await pan.step('flick', 'flick out of sight', () => window.wheel(5, 14), 4)
      await window.click(300, 200)
      await pan.look()
      const above = [2, top, width, 200 - top - 14] as const
      const below = [2, 214, width, bottom - 214] as const
      await pan.split('typing', 'typing', () => window.type('amber'), [above, below], 3)
      await pan.split('typing', 'typing', () => window.type(' and cedar'), [above, below], 2)
      await pan.split(
        'line',
        'row put in above',
        () => window.keys('Return'),
        [above, [2, 234, width, bottom - 260]],
        3,
      )
      await window.click(300, 300)
      await pan.look()
      await pan.known('selection', 'selection', () => window.keys('Home', 'shift+End'), [
        { rect: [30, 300, 0, 0], truth: { outcome: 'same' } },
        { rect: [20, 292, 120, 16], truth: { outcome: 'same' } },
        { rect: [80, 270, 0, 0], truth: { outcome: 'same' } },
        { rect: [20, 311, 160, 17], truth: { outcome: 'same' } },
      ])
      await window.keys('Right')
      await pan.look()
      await pan.step('find', 'bar opened', () => window.keys('ctrl+f'), 5, 1)
    },
    (folder) => {
      const lines = Array.from({ length: 300 }, (_, n) =>
        n % 7 === 6 ? '' : `${words(pick, 4 + pick(6))} ${n}`,
      )
      writeFileSync(join(folder, 'story.txt'), `${lines.join('\n')}\n`)
    },
  )
  book.save()
}
