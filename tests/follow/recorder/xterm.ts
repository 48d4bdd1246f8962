import { execFileSync } from 'node:child_process'
import { createWriteStream, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Book, type Place } from './book.js'
import { chance, words } from './chance.js'
import { version } from './desktop.js'
import type { Stage } from './stage.js'
import { type Screen, scrolled, Terminal } from './terminal.js'

const pick = chance(1)

export async function xterm(stage: Stage): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'follow-'))
  const book = new Book('xterm', version('xterm', '-version'))
  try {
    await less(stage, folder, book)
    await lookAlikes(stage, folder, book)
    await log(stage, folder, book)
    await prompt(stage, folder, book)
    await vim(stage, folder, book)
    book.save()
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const levels = ['info ', 'debug', 'warn ', 'error']

function entry(n: number): string {
  const time = `12:${String(Math.floor(n / 60) % 60).padStart(2, '0')}:${String(n % 60).padStart(2, '0')}`
  return `${n} ${time} ${levels[pick(4)]} ${words(pick, 2 + pick(5))}${pick(3) === 0 ? ` ${pick(9999)} ms` : ''}`
}

async function less(stage: Stage, folder: string, book: Book): Promise<void> {
  const name = 'service.log'
  writeFileSync(join(folder, name), `${Array.from({ length: 400 }, (_, n) => entry(n + 1)).join('\n')}\n`)
  const terminal = await Terminal.start(stage, folder, ['less', '-M', name])
  const pane = [0, 27] as const
  let before = await terminal.screen()
  const step = async (series: string, situation: string, keys: string[], count: number) => {
    const after = await terminal.after(() => terminal.window.keys(...keys), before)
    const by = scrolled(before.lines, after.lines, pane)
    const places = terminal.places(before.lines, by === 'all' ? 1000 : by, pane, pick, count)
    book.put(series, situation, [before.shot, after.shot], places, 'terminal text')
    before = after
  }
  await step('less-line', 'scroll by a line', ['j'], 4)
  await step('less-line', 'scroll by a line', ['j', 'j', 'j'], 4)
  await step('less-half-page', 'scroll by half a page', ['d'], 6)
  await step('less-half-page', 'scroll by half a page', ['u'], 6)
  await step('less-page', 'scroll by a page', ['f'], 5)
  await step('less-flick', 'flick out of sight', ['5', '0', 'f'], 3)
  await step('less-search', 'search', ['slash', ...'pebble', 'Return'], 5)
  await terminal.close()
}

/** Lines of which most are the same: only less itself knows how far it went, and says so in its prompt. */
async function lookAlikes(stage: Stage, folder: string, book: Book): Promise<void> {
  const name = 'jobs.log'
  const line = (n: number) =>
    n % 9 === 4
      ? `job ${n} finished in ${pick(900)} ms`
      : n % 3 === 0
        ? '  retry: no answer'
        : '  idle, waiting for work'
  writeFileSync(join(folder, name), `${Array.from({ length: 300 }, (_, n) => line(n)).join('\n')}\n`)
  const terminal = await Terminal.start(stage, folder, ['less', '-M', name])
  const pane = [0, 27] as const
  const first = (screen: Screen): number => Number(/lines (\d+)-/.exec(screen.lines.at(-1)!)![1])
  let before = await terminal.screen()
  for (const [keys, count] of [
    [['j'], 5],
    [['j', 'j'], 5],
    [['6', 'j'], 5],
    [['d'], 6],
    [['u'], 6],
    [['f'], 4],
  ] as const) {
    const after = await terminal.after(() => terminal.window.keys(...keys), before)
    const places = terminal.places(before.lines, first(after) - first(before), pane, pick, count)
    book.put('less-look-alikes', 'look-alikes', [before.shot, after.shot], places, 'terminal text')
    before = after
  }
  await terminal.close()
}

/** Output that arrives at the bottom, and the wheel over what was written before. */
async function log(stage: Stage, folder: string, book: Book): Promise<void> {
  const fifo = join(folder, 'fifo')
  execFileSync('mkfifo', [fifo])
  const terminal = await Terminal.start(stage, folder, ['cat', fifo])
  const out = createWriteStream(fifo)
  const write = (lines: string[]) =>
    new Promise<void>((done) => out.write(`${lines.join('\n')}\n`, () => done()))
  let n = 0
  const entries = (count: number) => Array.from({ length: count }, () => entry(++n))
  // The last row holds the caret.
  const pane = [0, 27] as const
  let before = await terminal.screen()
  const step = async (
    series: string,
    situation: string,
    what: () => Promise<unknown>,
    count: number,
    to = 27,
  ) => {
    const after = await terminal.after(what, before)
    const by = scrolled(before.lines, after.lines, pane)
    if (count > 0) {
      const places = terminal.places(before.lines, by === 'all' ? 1000 : by, [0, to], pick, count)
      book.put(series, situation, [before.shot, after.shot], places, 'terminal text')
    }
    before = after
  }
  await step('log', '', () => write(entries(9)), 0)
  await step('log-grows', 'output appended', () => write(entries(4)), 4, 9)
  await step('log', '', () => write(entries(30)), 0)
  await step('log-appended', 'output appended', () => write(entries(1)), 5)
  await step('log-appended', 'output appended', () => write(entries(5)), 5)
  await step('log-appended', 'output appended', () => write(entries(17)), 6)
  await step('log', '', () => write(entries(200)), 0)
  await step('log-wheel', 'wheel', () => terminal.window.wheel(4), 4, 28)
  await step('log-wheel', 'wheel', () => terminal.window.wheel(4, 3), 5, 28)
  await step('log-wheel', 'wheel', () => terminal.window.wheel(5, 2), 5, 28)
  await step('log-flick', 'flick out of sight', () => terminal.window.wheel(4, 12), 3, 28)
  out.end()
  await terminal.close()
}

async function prompt(stage: Stage, folder: string, book: Book): Promise<void> {
  writeFileSync(
    join(folder, 'notes.txt'),
    `${Array.from({ length: 12 }, (_, n) => entry(n + 700)).join('\n')}\n`,
  )
  const shell = ['env', 'PS1=$ ', 'bash', '--norc', '--noprofile']
  const terminal = await Terminal.start(stage, folder, shell, ['-bc', '-bcn', '400', '-bcf', '400'])
  const { window } = terminal
  // With a caret that blinks the terminal is still for less than 400 ms at a time.
  let before = await terminal.screen(60)
  const last = (screen: Screen): number => screen.lines.findLastIndex((line) => line.trim() !== '')
  const step = async (
    series: string,
    situation: string,
    what: () => Promise<unknown>,
    places: () => Place[],
  ) => {
    await window.after(what, before.shot, 60)
    const after = await terminal.screen(60)
    book.put(series, situation, [before.shot, after.shot], places(), 'terminal text')
    before = after
  }
  const type = async (text: string) => {
    await window.type(text)
    await window.after(async () => {}, await window.glance(), 60)
  }
  const still = (count: number) => () => {
    const row = last(before)
    const typed = before.lines[row]!.trimEnd()
    const [x, y] = terminal.cells(0, row, 1)
    const more =
      typed.length > 3 ? [[x + 20, y + 7, 0, 0] as const, terminal.cells(2, row, typed.length - 2)] : []
    return [
      ...(row > 4 ? terminal.places(before.lines, 0, [1, row], pick, count) : []),
      ...more.map((rect): Place => ({ rect, truth: { outcome: 'same' } })),
    ]
  }
  await type('cat notes.txt\n')
  before = await terminal.screen(60)
  await type('echo ')
  before = await terminal.screen(60)
  await step('typing', 'typing', () => window.type('amber '), still(3))
  await step('typing', 'typing', () => window.type('and more words than that'), still(3))
  await step('caret', 'blinking caret', async () => {}, still(2))
  await step('caret', 'blinking caret', async () => {}, still(2))
  const lines = before.lines
  await step(
    'clear',
    'replaced',
    () => window.type('\nclear; seq 1 5\n'),
    () => terminal.places(lines, 1000, [3, 13], pick, 4),
  )
  await terminal.close()
}

/** An editor with line numbers at the side, where nothing but the text moves when a line is put in. */
async function vim(stage: Stage, folder: string, book: Book): Promise<void> {
  const file = join(folder, 'text.txt')
  writeFileSync(
    file,
    `${Array.from({ length: 120 }, (_, n) => `${words(pick, 3 + pick(6))} ${n}`).join('\n')}\n`,
  )
  const terminal = await Terminal.start(stage, folder, ['vim', '-u', 'NONE', '-n', file])
  let before = await terminal.screen()
  const step = async (series: string, situation: string, keys: string[], from: number, count: number) => {
    const after = await terminal.after(() => terminal.window.keys(...keys), before)
    const pane = [from, 27] as const
    const by = scrolled(before.lines, after.lines, pane)
    const places = terminal.places(before.lines, by === 'all' ? 1000 : by, pane, pick, count)
    book.put(series, situation, [before.shot, after.shot], places, 'terminal text')
    before = after
  }
  await step('vim-scroll', 'scroll by a line', ['ctrl+e'], 0, 4)
  await step('vim-scroll', 'scroll by half a page', ['ctrl+d'], 0, 5)
  await terminal.close()
}
