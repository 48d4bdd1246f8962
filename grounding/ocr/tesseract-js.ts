import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Page, Worker } from 'tesseract.js'
import { pgm } from './crop.js'
import type { Engine } from './engine.js'
import type { Word } from './reading.js'

const require = createRequire(import.meta.url)

/** As the crops are enlarged: two pixels a point, and 96 points an inch. */
const DPI = '192'
/** Tesseract's number for "one line of text". */
const ONE_LINE = '7'

/**
 * Tesseract as WebAssembly, with the English model that comes as a package: everything is read from disk, and its thread
 * can reach no network (see `tesseract-thread.ts`).
 */
export class TesseractJs implements Engine {
  readonly name = 'tesseract.js'
  #worker: Promise<Worker> | null = null

  async read(
    crops: Parameters<Engine['read']>[0],
    signal: AbortSignal,
    done: Parameters<Engine['read']>[2],
  ): Promise<void> {
    for (const [index, crop] of crops.entries()) {
      signal.throwIfAborted()
      this.#worker ??= start()
      const worker = await this.#worker
      const { data } = await worker.recognize(pgm(crop), {}, { text: false, blocks: true })
      done(index, wordsOf(data))
    }
  }

  async close(): Promise<void> {
    const worker = this.#worker
    this.#worker = null
    await worker?.then((one) => one.terminate()).catch(() => {})
  }
}

async function start(): Promise<Worker> {
  const { createWorker, OEM } = await import('tesseract.js')
  const worker = await createWorker('eng', OEM.LSTM_ONLY, {
    workerPath: fileURLToPath(new URL('./tesseract-thread.js', import.meta.url)),
    langPath: modelFolder(),
    // Nothing is written: the model is read where it lies.
    cacheMethod: 'none',
    gzip: true,
    // Faults also reject the call that met them; without this they would end the thread as well.
    errorHandler: () => {},
  })
  // What it says about each picture on its own error output would be in the daemon's.
  const parameters = { tessedit_pageseg_mode: ONE_LINE, user_defined_dpi: DPI, debug_file: '/dev/null' }
  await worker.setParameters(parameters as unknown as Parameters<Worker['setParameters']>[0])
  return worker
}

export function modelFolder(): string {
  return join(dirname(require.resolve('@tesseract.js-data/eng/package.json')), '4.0.0_best_int')
}

function wordsOf({ blocks }: Page): Word[] {
  const lines = (blocks ?? []).flatMap(({ paragraphs }) => paragraphs.flatMap(({ lines }) => lines))
  return lines.flatMap(({ words }) =>
    words.map(({ text, confidence, bbox }) => ({
      text,
      confidence,
      box: { left: bbox.x0, top: bbox.y0, right: bbox.x1, bottom: bbox.y1 },
    })),
  )
}
