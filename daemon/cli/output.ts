/** What the person, or with `--json` a machine, reads. Colours only on a terminal. */
const coloured = (stream: NodeJS.WriteStream) => stream.isTTY === true && !process.env.NO_COLOR
const colours = coloured(process.stdout)
const paint = (code: number) => (text: string) => (colours ? colour(code, text) : text)
const colour = (code: number, text: string) => `\u001b[${code}m${text}\u001b[0m`

export const bold = paint(1)
export const dim = paint(2)
export const green = paint(32)
export const yellow = paint(33)
export const red = paint(31)

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
  process.stdout.write(`${text}\n`)
}

/** One line beside the result: it does not belong into a pipe. */
export function remark(text: string): void {
  stderr ??= forgiveClosing(process.stderr)
  stderr.write(`${text}\n`)
}

/** A remark that the person should not overlook. */
export function warn(text: string): void {
  remark(coloured(process.stderr) ? colour(33, text) : text)
}

/** The result for a machine: one JSON value on one line. */
export function sayJson(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value)}\n`)
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
