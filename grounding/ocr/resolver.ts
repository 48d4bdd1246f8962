import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { ResolverSettings } from '../registry.js'
import {
  type Availability,
  type Frame,
  type Query,
  type Resolution,
  type Resolver,
  ResolverError,
} from '../resolver.js'
import { ENGINES, type EngineName, isEngineName, languagesOf, programIn } from './engines.js'
import { OcrProcess } from './process.js'
import { modelFolder } from './tesseract-js.js'

/** Text on the pixels. Nothing leaves the machine: the reader and its model come with the package. */
export class Ocr implements Resolver {
  readonly name = 'ocr'
  readonly sees = 'text on the pixels of the display'
  readonly remote = false
  readonly needsFrame = true
  readonly #process: OcrProcess
  readonly #asked: string
  readonly #engine: EngineName

  constructor(
    private readonly settings: ResolverSettings,
    reading?: OcrProcess,
  ) {
    this.#asked = settings.env.LETS_OCR ?? 'tesseract.js'
    this.#engine = isEngineName(this.#asked) ? this.#asked : 'tesseract.js'
    this.#process = reading ?? new OcrProcess({ engine: this.#engine, env: plainEnv(settings.env) })
  }

  async available(): Promise<Availability> {
    if (!isEngineName(this.#asked)) {
      return {
        available: false,
        reason: `LETS_OCR is ${JSON.stringify(this.#asked)}`,
        fix: `set LETS_OCR to one of ${ENGINES.join(', ')}, or unset it`,
      }
    }
    return this.#engine === 'tesseract' ? this.#programAvailable() : packageAvailable()
  }

  async resolve(query: Query, frame: Frame | null, signal: AbortSignal): Promise<Resolution> {
    if (!frame) throw new ResolverError('it needs a picture of the display')
    const state = await this.available()
    if (!state.available) throw new ResolverError(state.reason, state.fix)
    try {
      const { candidates, counts } = await this.#process.find(query, frame, signal)
      this.settings.log('debug', 'read', { ...counts })
      const unread = counts.unread > 0
      return {
        candidates,
        notes: unread ? [`${counts.unread} of ${counts.lines} lines of text were not read in time`] : [],
      }
    } catch (error) {
      signal.throwIfAborted()
      throw new ResolverError(`the screen could not be read: ${(error as Error).message}`)
    }
  }

  close(): Promise<void> {
    return this.#process.close()
  }

  async #programAvailable(): Promise<Availability> {
    const { env } = this.settings
    const program = programIn(env)
    const fix = 'install tesseract-ocr, or unset LETS_OCR'
    if (!program) return { available: false, reason: 'there is no program `tesseract` in PATH', fix }
    try {
      const languages = await languagesOf(program, env)
      return { available: true, note: `${program} reads ${languages.join(', ')}` }
    } catch (error) {
      return { available: false, reason: (error as Error).message, fix }
    }
  }
}

function packageAvailable(): Availability {
  const reason = missing()
  if (reason) return { available: false, reason, fix: 'install the package again: npm install lets-overlay' }
  return { available: true, note: 'tesseract.js reads English' }
}

function missing(): string | null {
  try {
    const model = join(modelFolder(), 'eng.traineddata.gz')
    return existsSync(model) ? null : `its model is missing: ${model}`
  } catch (error) {
    return `a part of it is missing: ${(error as Error).message.split('\n')[0]}`
  }
}

/** What can be handed to another process. */
const plainEnv = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv => ({ ...env })
