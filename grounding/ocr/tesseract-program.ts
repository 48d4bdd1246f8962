import { type ChildProcess, spawn } from 'node:child_process'
import type { Engine } from './engine.js'
import type { Word } from './reading.js'
import { pages } from './tiff.js'

/** All lines of a screen take a second or two; a program that takes longer hangs. In ms. */
const LIMIT_MS = 20_000
/** More output than this is no reading of text. */
const MOST_OUTPUT = 16 * 1024 * 1024

/** The `tesseract` program, with the languages that the person installed for it. All lines go to one run of it. */
export class TesseractProgram implements Engine {
  readonly name = 'tesseract'

  constructor(
    private readonly program: string,
    private readonly languages: string,
    private readonly env: NodeJS.ProcessEnv = process.env,
    private readonly limitMs = LIMIT_MS,
  ) {}

  async read(
    crops: Parameters<Engine['read']>[0],
    signal: AbortSignal,
    done: Parameters<Engine['read']>[2],
  ): Promise<void> {
    if (crops.length === 0) return
    const args = ['stdin', 'stdout', '-l', this.languages, '--oem', '1', '--psm', '7', '--dpi', '192', 'tsv']
    const output = await run(this.program, args, pages(crops), {
      env: this.env,
      limitMs: this.limitMs,
      signal,
    })
    const words = parse(output)
    for (const index of crops.keys()) done(index, words.get(index + 1) ?? [])
  }

  async close(): Promise<void> {}
}

interface RunOptions {
  readonly env: NodeJS.ProcessEnv
  readonly limitMs: number
  readonly signal: AbortSignal
}

/** What a program prints for an input. It is killed when the signal is aborted or its time is up. */
export async function run(
  program: string,
  args: readonly string[],
  input: Buffer,
  { env, limitMs, signal }: RunOptions,
): Promise<string> {
  signal.throwIfAborted()
  const limit = AbortSignal.timeout(limitMs)
  const child = spawn(program, args, {
    stdio: ['pipe', 'pipe', 'pipe'],
    // Several threads wait for each other more than they compute: one is five times as quick.
    env: { ...env, OMP_THREAD_LIMIT: '1' },
    signal: AbortSignal.any([signal, limit]),
    killSignal: 'SIGKILL',
  })
  try {
    return await outputOf(child, input)
  } catch (error) {
    signal.throwIfAborted()
    if (limit.aborted) throw new Error(`${program} did not answer within ${limitMs} ms`)
    throw error
  }
}

function outputOf(child: ChildProcess, input: Buffer): Promise<string> {
  return new Promise((resolve, reject) => {
    let [output, errors] = ['', '']
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      output += text
      if (output.length > MOST_OUTPUT) child.kill('SIGKILL')
    })
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      errors = (errors + text).slice(-2000)
    })
    // It may end before it has read everything; its exit code says why.
    child.stdin?.on('error', () => {})
    child.stdin?.end(input)
    child.once('error', reject)
    child.once('close', (code) => {
      if (code === 0) resolve(output)
      else reject(new Error(`${child.spawnfile} ended with ${code ?? child.signalCode}: ${errors.trim()}`))
    })
  })
}

/** Its table: level, page, block, paragraph, line, word, left, top, width, height, confidence, text. */
function parse(table: string): Map<number, Word[]> {
  const words = new Map<number, Word[]>()
  for (const line of table.split('\n')) {
    const cells = line.split('\t')
    if (cells[0] !== '5' || cells.length < 12) continue
    const [page = 0, left = 0, top = 0, width = 0, height = 0, confidence = 0] = [1, 6, 7, 8, 9, 10].map(
      (n) => Number(cells[n]),
    )
    const own = words.get(page) ?? []
    words.set(page, own)
    own.push({
      text: cells[11] ?? '',
      confidence,
      box: { left, top, right: left + width, bottom: top + height },
    })
  }
  return words
}
