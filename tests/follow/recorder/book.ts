import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { folder, type Movement, type Rect, type Truth } from '../movements.js'
import { png } from './png.js'

/** A picture of a window, as opaque RGBA. */
export interface Shot {
  readonly width: number
  readonly height: number
  readonly data: Buffer
}

export type Source = 'devtools' | 'terminal text' | 'search' | 'what was done'

export interface Place {
  readonly rect: Rect
  readonly truth: Truth
}

/** What has been recorded of one application. Nothing is on disk before `save`. */
export class Book {
  readonly #movements: Movement[] = []
  readonly #pictures = new Map<string, { name: string; shot: Shot }>()
  readonly #counts = new Map<string, number>()

  constructor(
    readonly app: string,
    readonly madeWith: string,
  ) {}

  put(
    series: string,
    situation: string,
    shots: readonly [Shot, Shot],
    places: readonly Place[],
    source: Source,
  ) {
    for (const { rect, truth } of places) {
      const [before, after] = shots.map((shot) => this.#picture(series, shot)) as [string, string]
      const number = this.#next(series)
      const id = `${this.app}/${series}/${number}`
      this.#movements.push({ id, situation, before, after, rect, truth, truth_from: source })
    }
    console.log(`${this.app} ${series}: ${places.map(({ truth }) => said(truth)).join(', ') || 'NOTHING'}`)
  }

  save(): void {
    const own = new URL(`${this.app}/`, folder)
    mkdirSync(own, { recursive: true })
    for (const name of readdirSync(own)) rmSync(new URL(name, own))
    for (const { name, shot } of this.#pictures.values())
      writeFileSync(new URL(name, own), png(shot.width, shot.height, shot.data))
    const lines = this.#movements.map((movement) => `    ${JSON.stringify(movement)}`)
    writeFileSync(
      new URL(`${this.app}.json`, folder),
      `{\n  "app": ${JSON.stringify(this.app)},\n  "made_with": ${JSON.stringify(this.madeWith)},\n` +
        `  "movements": [\n${lines.join(',\n')}\n  ]\n}\n`,
    )
    console.log(`${this.app}: ${this.#movements.length} movements, ${this.#pictures.size} pictures`)
  }

  /** Each picture is stored once, whoever shares it. */
  #picture(series: string, shot: Shot): string {
    const hash = createHash('sha1').update(shot.data).digest('hex')
    const known = this.#pictures.get(hash)
    if (known !== undefined) return known.name
    const name = `${series}-${this.#next(`${series} picture`)}.png`
    this.#pictures.set(hash, { name, shot })
    return name
  }

  #next(what: string): number {
    const number = (this.#counts.get(what) ?? 0) + 1
    this.#counts.set(what, number)
    return number
  }
}

function said(truth: Truth): string {
  return truth.outcome === 'moved' ? `by ${truth.by}` : truth.outcome
}

/** The truth for content that is now `dx`, `dy` away and to be seen. */
export function shifted(dx: number, dy: number): Truth {
  return dx === 0 && dy === 0 ? { outcome: 'same' } : { outcome: 'moved', by: [dx, dy] }
}
