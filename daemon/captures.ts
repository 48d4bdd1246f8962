/** Pictures of the screen: whether the person allows them, and where they are kept. */
import { createHash, timingSafeEqual } from 'node:crypto'
import { chmodSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ulid } from 'ulid'
import type { Frame, OverlayHost } from '../overlay/host.js'
import { WireError } from '../protocol/overlay/errors.js'
import { clip, type Display } from '../protocol/overlay/geometry.js'
import { type AckFields, ackDisplay } from '../protocol/overlay/replies.js'
import type { RequestOf } from '../protocol/overlay/schema.js'
import { Policy } from './consent-policy.js'
import type { Asking, CaptureGate, CapturePolicy, PolicyRequest, Taken } from './engine/captures.js'
import type { Clock } from './engine/clock.js'
import type { Log } from './log.js'
import { PngMaker } from './png.js'

/** How long a picture is kept, in ms. */
const KEEP_MS = 3_600_000

/** Pictures that may be kept at a time; the oldest makes room. */
const MAX_KEPT = 100

/** Pictures that may wait for their turn. */
const MAX_WAITING = 8

export class Captures implements CaptureGate {
  readonly #policy: Policy
  readonly #kept = new Set<string>()
  readonly #png: PngMaker
  #turn: Promise<void> = Promise.resolve()
  #waiting = 0
  #closed = false

  constructor(
    private readonly folder: string,
    policy: CapturePolicy,
    /** What shows that a wider grant is the person's own: whoever sends it could read a file only they can. */
    private readonly token: string,
    private readonly clock: Clock,
    log: Log,
  ) {
    this.#png = new PngMaker(clock, log)
    this.#policy = new Policy('capture', policy, clock, log)
    this.#sweep()
  }

  policy(): CapturePolicy {
    return this.#policy.policy()
  }

  isPerson(token: string | undefined): boolean {
    return sameSecret(token, this.token)
  }

  decide({ capture, for_ms, token }: PolicyRequest): CapturePolicy {
    return this.#policy.decide(capture, for_ms, this.isPerson(token))
  }

  decideAsPerson(policy: CapturePolicy, forMs?: number): CapturePolicy {
    return this.#policy.decide(policy, forMs, true)
  }

  onChanged(listener: () => void): void {
    this.#policy.onChanged(listener)
  }

  async capture(
    request: RequestOf<'capture'>,
    display: Display,
    host: OverlayHost,
    asking: Asking,
  ): Promise<Taken> {
    // A display that exists in memory only, and marks alone, show nothing of the person's screen.
    const isPrivate = request.backdrop !== 'none' && host.kind !== 'headless'
    // The person's own command says yes to this one picture.
    const isOwn = request.token !== undefined && this.isPerson(request.token)
    // Outside of the turn: while a person thinks, pictures that need no answer are taken.
    if (isPrivate && !isOwn && this.policy() === 'ask') await asking.ask()
    const isAllowed = () =>
      !isPrivate || this.policy() === 'always' || (this.policy() === 'ask' && (isOwn || asking.stands()))
    if (!isAllowed()) throw refused(this.policy())
    if (this.#waiting >= MAX_WAITING) {
      throw new WireError('limit', `capture: ${MAX_WAITING} pictures are being taken already; ask again`)
    }
    // One after the other: each holds a whole display's pixels several times over.
    this.#waiting++
    const turn = this.#turn.then(() => {
      // The answer may have been taken back while others had their turn.
      if (!isAllowed()) throw refused(this.policy())
      return this.#capture(request, display, host)
    })
    this.#turn = turn.then(
      () => {},
      () => {},
    )
    return turn.finally(() => this.#waiting--)
  }

  async #capture(request: RequestOf<'capture'>, display: Display, host: OverlayHost): Promise<Taken> {
    const backdrop = request.backdrop ?? 'screen'
    const [width, height] = display.logical_size
    const rect = request.rect && clip(request.rect, [0, 0, width, height])
    if (rect === null) {
      throw new WireError(
        'bad_schema',
        `capture: rect is off display ${display.id}, which is ${width}x${height} logical points`,
      )
    }
    this.#png.warm()
    const frame = await host.capture({
      display: display.id,
      ...(rect && { rect }),
      marks: request.marks ?? false,
      backdrop,
    })
    const ack = await this.#save(frame, display, request.max_edge)
    return { ack, ...(frame.impression && { impression: frame.impression }) }
  }

  async #save(frame: Frame, display: Display, maxEdge: number | undefined): Promise<AckFields> {
    const { width, height, scale, origin, data: pixels } = frame
    const shrink = shrinkFor(frame, maxEdge)
    // Rounded down, so that the limits hold exactly.
    const pixelsOf = (length: number) => Math.max(1, Math.floor(length * shrink))
    const size: [number, number] = [pixelsOf(width), pixelsOf(height)]
    const png = await this.#png.make({ pixels, width, height, size })
    mkdirSync(this.folder, { recursive: true, mode: 0o700 })
    chmodSync(this.folder, 0o700)
    // The pid says whose it is: another daemon may keep its pictures in the same folder.
    const path = join(this.folder, `${process.pid}-${ulid()}.png`)
    await writeFile(path, png, { mode: 0o600, flag: 'wx' })
    if (this.#closed) rmSync(path, { force: true })
    this.#kept.add(path)
    for (const oldest of this.#kept) {
      if (this.#kept.size <= MAX_KEPT) break
      this.#remove(oldest)
    }
    this.clock.after(KEEP_MS, () => this.#remove(path))
    return {
      path,
      image_size: size,
      logical_size: [width / scale, height / scale],
      scale_to_logical: (size[0] / width) * scale,
      origin: [...origin] as [number, number],
      display: ackDisplay(display),
    }
  }

  /** Removes every picture that is still kept: none outlives the daemon that took it. */
  close(): void {
    this.#closed = true
    this.#png.close()
    for (const path of this.#kept) this.#remove(path)
  }

  #remove(path: string): void {
    this.#kept.delete(path)
    rmSync(path, { force: true })
  }

  /** Removes what daemons that are gone have left behind, and what is too old. */
  #sweep(): void {
    let names: string[]
    try {
      names = readdirSync(this.folder)
    } catch {
      // No folder yet: nothing was ever captured.
      return
    }
    for (const name of names.filter((one) => one.endsWith('.png'))) {
      const path = join(this.folder, name)
      const age = Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0)
      if (age > KEEP_MS || !isAnotherAlive(Number.parseInt(name, 10))) rmSync(path, { force: true })
    }
  }
}

function sameSecret(given: string | undefined, secret: string): boolean {
  const [a, b] = [given ?? '', secret].map((text) => createHash('sha256').update(text).digest())
  return timingSafeEqual(a as Buffer, b as Buffer)
}

function refused(policy: CapturePolicy): WireError {
  return new WireError(
    'not_permitted',
    policy === 'never'
      ? 'the person has turned pictures of the screen off; "backdrop":"none" pictures the marks alone'
      : 'the person does not allow pictures of the screen any more; `lets consent always --for 10m` allows them for a time, and "backdrop":"none" pictures the marks alone',
  )
}

/** What model providers take as it is; they shrink larger pictures without a word, and their pixels mean another place. */
const MODEL_EDGE = 1568
const MODEL_PIXELS = 1_150_000

/** By how much a picture is shrunk: to the edge that was asked for, else to what models see unchanged. */
function shrinkFor({ width, height }: Frame, maxEdge: number | undefined): number {
  const edge = Math.max(width, height)
  if (maxEdge !== undefined) return Math.min(1, maxEdge / edge)
  return Math.min(1, MODEL_EDGE / edge, Math.sqrt(MODEL_PIXELS / (width * height)))
}

/** Whether `pid` is a process other than this one. */
function isAnotherAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0 || pid === process.pid) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // Somebody else's process is a process all the same.
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
