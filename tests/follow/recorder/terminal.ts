import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { until } from '../../support/xserver.js'
import type { Rect } from '../movements.js'
import { type Place, type Shot, shifted } from './book.js'
import type { Stage, Window } from './stage.js'

const COLUMNS = 76
const ROWS = 28
const BORDER = 2

/** What is on the screen, as the terminal itself tells: xterm sends its text to a "printer", here a file. */
export interface Screen {
  readonly shot: Shot
  readonly lines: readonly string[]
}

export class Terminal {
  private constructor(
    readonly window: Window,
    private readonly file: string,
  ) {}

  static async start(
    stage: Stage,
    folder: string,
    command: readonly string[],
    options: readonly string[] = [],
  ): Promise<Terminal> {
    const file = join(folder, 'screen.txt')
    const title = `terminal ${Math.random()}`
    stage.x.spawn(
      'xterm',
      [
        ...[
          '-b',
          String(BORDER),
          '+sb',
          '-fa',
          'DejaVu Sans Mono',
          '-fs',
          '9',
          '-title',
          title,
          '-sl',
          '2000',
        ],
        ...[
          '-geometry',
          `${COLUMNS}x${ROWS}`,
          '-xrm',
          `XTerm*printerCommand: cat > ${file}.part; mv ${file}.part ${file}`,
        ],
        ...['-xrm', 'XTerm*printAttributes: 0', '-xrm', 'XTerm*printerAutoClose: true'],
        ...[
          '-xrm',
          'XTerm*VT100.translations: #override <Key>F12: print()',
          '-xrm',
          'XTerm*allowTitleOps: false',
        ],
        ...options,
        '-e',
        ...command,
      ],
      { cwd: folder },
    )
    const window = await stage.window(['--name', `^${title}$`])
    await window.pointer(window.width - 30, window.height / 2)
    return new Terminal(window, file)
  }

  async screen(quiet?: number): Promise<Screen> {
    for (;;) {
      const shot = await this.window.shot(quiet)
      const lines = await this.#text()
      // Text and picture are of the same moment when the picture was the same before and after.
      if ((await this.window.shot(quiet)).data.equals(shot.data)) return { shot, lines }
    }
  }

  async after(what: () => Promise<unknown>, before: Screen): Promise<Screen> {
    await this.window.after(what, before.shot)
    return this.screen()
  }

  async close(): Promise<void> {
    await this.window.x.run('xdotool', 'windowkill', this.window.id)
  }

  async #text(): Promise<string[]> {
    rmSync(this.file, { force: true })
    await this.window.keys('F12')
    const text = await until('xterm has printed its screen', () => {
      try {
        return readFileSync(this.file, 'utf8')
      } catch {
        return undefined
      }
    })
    return text.split('\n').slice(0, ROWS)
  }

  cells(column: number, row: number, columns: number, rows = 1): Rect {
    const width = (this.window.width - 2 * BORDER) / COLUMNS
    const height = (this.window.height - 2 * BORDER) / ROWS
    return [BORDER + column * width, BORDER + row * height, columns * width, rows * height]
  }

  /** Places on the rows of `pane` (from, to) and where `down` lines of scrolling leave them. */
  places(
    lines: readonly string[],
    down: number,
    pane: readonly [number, number],
    pick: (below: number) => number,
    count: number,
  ): Place[] {
    const [top, bottom] = pane
    const height = bottom - top
    const places: Place[] = []
    // Spread over the pane, with both of its edges.
    for (let n = 0; n < count; n++) {
      const row = top + Math.round((n * (height - 1)) / (count - 1))
      const found = this.#place(lines, row, pane, pick)
      if (found === undefined) continue
      const [rect, rows] = found
      const [first, last] = [row - down, row - down + rows - 1]
      const inside = [first, last].filter((at) => at >= top && at < bottom).length
      const y = this.cells(0, 1, 1)[1] - this.cells(0, 0, 1)[1]
      if (inside === 2) places.push({ rect, truth: shifted(0, -down * y) })
      else if (inside === 0) places.push({ rect, truth: { outcome: 'gone' } })
    }
    return places
  }

  #place(
    lines: readonly string[],
    row: number,
    pane: readonly [number, number],
    pick: (below: number) => number,
  ): [Rect, number] | undefined {
    const text = (lines[row] ?? '').trimEnd()
    if (text.length < 4) return undefined
    const start = text.length - text.trimStart().length
    const [x, y, , height] = this.cells(0, row, 1)
    const right = this.cells(text.length, row, 1)[0]
    switch (pick(4)) {
      case 0:
        return [
          [this.cells(start + pick(text.length - start), row, 1)[0] + 3, y + Math.round(height / 2), 0, 0],
          1,
        ]
      case 1:
        if (text.length > COLUMNS - 6) return undefined
        return [[right + 12 + pick(20), y + Math.round(height / 2), 0, 0], 1]
      case 2: {
        const word = /\S+\s*$/.exec(text)!
        return [this.cells(word.index, row, word[0].trimEnd().length), 1]
      }
      default:
        if (row + 2 > pane[1] - 1 || pick(2) === 0) return [[x, y, right - x, height], 1]
        return [this.cells(start, row, Math.min(COLUMNS, 40), 3), 3]
    }
  }
}

/** How many lines further down the text is, by its lines, each of which must be told from all the others. */
export function scrolled(
  before: readonly string[],
  after: readonly string[],
  pane: readonly [number, number],
): number | 'all' {
  const [top, bottom] = pane
  const fits: number[] = []
  for (let down = top - bottom + 1; down < bottom - top; down++) {
    let same = 0
    let compared = 0
    for (let row = top; row < bottom; row++) {
      const now = row - down
      if (now < top || now >= bottom || before[row]!.trim() === '') continue
      compared += 1
      if (before[row] === after[now]) same += 1
    }
    if (compared > 0 && same === compared) fits.push(down)
  }
  if (fits.length > 1) throw new Error(`the text fits at ${fits}: it is not clear how far it went`)
  return fits[0] ?? 'all'
}
