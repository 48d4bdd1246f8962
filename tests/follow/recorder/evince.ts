import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Book } from './book.js'
import { files } from './browser.js'
import { desktop, version } from './desktop.js'
import { Pan } from './pan.js'
import type { Stage } from './stage.js'

/** A viewer of PDF files: tool bar, pages. */
export async function evince(stage: Stage): Promise<void> {
  const book = new Book('evince', version('evince'))
  await desktop(
    stage,
    ['evince', 'article.pdf'],
    [620, 480],
    async (window) => {
      const pane = [14, 58, window.width - 44, window.height - 76] as const
      const pan = new Pan(window, book, pane, [200, 26], [10, 12, 330, 34])
      await window.pointer(300, 300)
      await pan.look()
      await pan.step('wheel', 'wheel', () => window.wheel(5), 4, 1)
      await pan.step('wheel', 'wheel', () => window.wheel(5, 2), 4, 1)
      await pan.step('wheel', 'wheel', () => window.wheel(4), 4)
      await pan.step('lines', 'scroll by a line', () => window.keys('Down'), 3)
      await pan.step('page', 'scroll by a page', () => window.keys('space'), 4)
      await pan.step('flick', 'flick out of sight', () => window.keys('Next'), 4)
      await pan.gone('zoom', 'zoom', () => window.keys('ctrl+plus'), 4)
      await window.keys('ctrl+plus', 'ctrl+plus', 'ctrl+plus')
      await pan.look()
      await pan.step('zoomed', 'sideways', () => window.wheel(7), 4)
      await pan.step('zoomed', 'sideways', () => window.wheel(6, 2), 4)
      const drag = (dx: number, dy: number) => async () => {
        await window.pointer(300, 250)
        await stage.x.run('xdotool', 'mousedown', '2')
        await window.pointer(300 + dx, 250 + dy)
        await stage.x.run('xdotool', 'mouseup', '2')
      }
      await pan.step('zoomed-drag', 'both ways at once', drag(-60, -45), 4)
      await pan.step('zoomed-drag', 'both ways at once', drag(90, -120), 4)
    },
    (folder) => {
      const page = fileURLToPath(new URL('article.html', files))
      const args = ['--headless', '--no-sandbox', '--disable-gpu', '--no-pdf-header-footer']
      const out = join(folder, 'article.pdf')
      const data = `--user-data-dir=${join(folder, 'chromium')}`
      execFileSync('chromium', [...args, data, `--print-to-pdf=${out}`, `file://${page}`], {
        stdio: 'ignore',
      })
    },
  )
  book.save()
}
