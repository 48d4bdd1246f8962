/** What the person, or with `--json` a machine, reads. Colours only on a terminal. */
const ESCAPE = '\u001b'
const coloured = (stream: NodeJS.WriteStream) => stream.isTTY === true && !process.env.NO_COLOR
const colours = coloured(process.stdout)
const paint = (code: number) => (text: string) => (colours ? colour(code, text) : text)
const colour = (code: number, text: string) => `${ESCAPE}[${code}m${text}${ESCAPE}[0m`

export const bold = paint(1)
export const dim = paint(2)
export const green = paint(32)
export const yellow = paint(33)
export const red = paint(31)

/** Our own colours, which a terminal may be told. */
const COLOURS = new RegExp(`(${ESCAPE}\\[(?:0|1|2|31|32|33)m)`)
/** All else that a terminal obeys instead of showing it, and what turns the text around it. */
const COMMANDS = /(?![\n\t])[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu

/**
 * What programs, pages and agents call things is their own word: none of it may move the cursor, name the window or put
 * words into a terminal's mouth.
 */
function harmless(text: string, isColoured: boolean): string {
  const clean = (part: string) => part.replace(COMMANDS, '\ufffd')
  if (!isColoured) return clean(text)
  return text
    .split(COLOURS)
    .map((part, index) => (index % 2 === 0 ? clean(part) : part))
    .join('')
}

/** A text of somebody else's within a line: it cannot make a line of its own that looks like one of ours. */
export function inLine(text: string): string {
  return text.replace(/[\s\p{Zl}\p{Zp}]+/gu, ' ')
}

/** A text of somebody else's for a line that is written past `say`: nothing in it is obeyed by a terminal. */
export function shownInLine(text: string): string {
  return harmless(inLine(text), false)
}

/** Whoever reads may have had enough (`| head`): no fault of anybody's. */
function forgiveClosing(stream: NodeJS.WriteStream): NodeJS.WriteStream {
  return stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
  })
}

forgiveClosing(process.stdout)
// Made when it is first used, which for most commands is never.
let stderr: NodeJS.WriteStream | undefined

/** One line of result. */
export function say(text: string): void {
  process.stdout.write(`${harmless(text, colours)}\n`)
}

/** One line beside the result: it does not belong into a pipe. */
export function remark(text: string): void {
  stderr ??= forgiveClosing(process.stderr)
  stderr.write(`${harmless(text, coloured(process.stderr))}\n`)
}

/** A remark that the person should not overlook. */
export function warn(text: string): void {
  remark(coloured(process.stderr) ? colour(33, text) : text)
}

/** The result for a machine: one JSON value on one line. */
export function sayJson(value: unknown): void {
  process.stdout.write(`${escaped(value)}\n`)
}

/** JSON that has no control character in it either: the standard lets these through. */
function escaped(value: unknown): string {
  return JSON.stringify(value).replace(/[\u007f-\u009f]/g, (one) => `\\u00${one.charCodeAt(0).toString(16)}`)
}

/** A time from now as a person says it: for how long, or until when, where hours would have to be counted. */
export function until(ms: number, now = Date.now()): string {
  if (ms < 2 * 86_400_000) return `for ${duration(ms)}`
  const end = new Date(now + ms)
  if (Number.isNaN(end.getTime())) return 'for ever'
  const two = (value: number) => String(value).padStart(2, '0')
  const day = `${end.getFullYear()}-${two(end.getMonth() + 1)}-${two(end.getDate())}`
  return `until ${day} ${two(end.getHours())}:${two(end.getMinutes())}`
}

/** Milliseconds as a person says them. */
export function duration(ms: number): string {
  if (ms < 1000) return `${ms} ms`
  if (ms < 120_000) return `${round(ms / 1000)} s`
  if (ms < 7_200_000) return `${round(ms / 60_000)} min`
  return `${round(ms / 3_600_000)} h`
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}
