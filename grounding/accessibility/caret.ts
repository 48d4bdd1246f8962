/** Where the person types: programs tell of it on the accessibility bus, and are asked once after each burst of that. */
import type { DisplayRect } from '../../protocol/overlay/companion.js'
import type { Screen } from '../resolver.js'
import { Atspi, keyOf, type Ref } from './atspi.js'
import { type Bus, CallFailed, type Signal } from './bus.js'
import { caretIn, type Field, fieldOf, isTypedInto } from './caret-place.js'
import { RunningBus } from './running-bus.js'

/** What programs are to tell of, … */
const EVENTS = ['object:text-caret-moved', 'object:state-changed:focused', 'window:deactivate']

/** … and how that is heard: as D-Bus writes it. The last one: a program is gone. */
const RULES = [
  "type='signal',interface='org.a11y.atspi.Event.Object',member='TextCaretMoved'",
  "type='signal',interface='org.a11y.atspi.Event.Object',member='StateChanged',arg0='focused'",
  "type='signal',interface='org.a11y.atspi.Event.Window',member='Deactivate'",
  "type='signal',sender='org.freedesktop.DBus',member='NameOwnerChanged',arg2=''",
]

/** Looks are so far apart, in ms, however fast somebody types. */
const APART_MS = 300

/** How long one answer may take, in ms. */
const CALL_MS = 800

/** For how long a program that did not answer is not asked, in ms. */
const SULK_MS = 30_000

/** Of what told of its caret since the last look, so many are looked at. */
const MOST_TOLD = 4

/** So many programs that did not answer are remembered. */
const MOST_SILENT = 64

export interface CaretOptions {
  readonly env: NodeJS.ProcessEnv
  /** What is on the displays at this moment. */
  readonly screens: () => readonly Screen[]
  /** It is elsewhere; null: nowhere, or not known. */
  readonly moved: (place: DisplayRect | null) => void
  /** Why nothing is known of it. */
  readonly unknown: (reason: string) => void
}

/** Watches from when it is made until it is closed: nothing is connected or registered after that. */
export class CaretWatch {
  readonly #bus: RunningBus
  #atspi: Atspi | null = null
  /** What has the focus, as far as it told. */
  #focus: Ref | null = null
  #field: Field | null = null
  #told = new Map<string, Ref>()
  readonly #silent = new Map<string, number>()
  #place: DisplayRect | null = null
  #timer: NodeJS.Timeout | null = null
  #isLooking = false
  #lookedAt = Number.NEGATIVE_INFINITY
  /** Rises whenever what is being asked about is no longer so. */
  #turn = 0

  constructor(private readonly options: CaretOptions) {
    this.#bus = new RunningBus(options.env, (bus) => this.#register(bus), options.unknown)
    void this.#bus.start()
  }

  /** Windows are elsewhere: the caret may be, too. */
  look(): void {
    if (this.#focus) this.#hear(this.#focus)
  }

  close(): void {
    this.#leave(false)
    this.#atspi = null
    this.#bus.close()
  }

  async #register(bus: Bus): Promise<void> {
    const atspi = new Atspi(bus, CALL_MS)
    this.#atspi = atspi
    bus.onEnd(() => {
      if (this.#atspi !== atspi) return
      this.#atspi = null
      this.#leave()
      this.options.unknown('the accessibility bus is gone')
    })
    await bus.listen(RULES, (signal) => this.#atspi === atspi && this.#signal(signal), CALL_MS)
    await Promise.all(EVENTS.map((event) => atspi.register(event)))
  }

  #signal({ from, path, member, body }: Signal): void {
    const ref = { bus: from, path }
    const isFocus = this.#focus !== null && keyOf(this.#focus) === keyOf(ref)
    switch (member) {
      case 'TextCaretMoved':
        this.#hear(ref)
        break
      case 'StateChanged':
        if (body[1] === 1) {
          if (!isFocus) this.#leave()
          this.#focus = ref
          this.#hear(ref)
        } else if (isFocus) this.#leave()
        break
      case 'Deactivate':
        if (from === this.#focus?.bus) this.#leave()
        break
      case 'NameOwnerChanged':
        this.#silent.delete(String(body[0]))
        if (body[0] === this.#focus?.bus) this.#leave()
        break
    }
  }

  /** The focus is elsewhere. */
  #leave(tell = true): void {
    this.#turn++
    this.#focus = null
    this.#field = null
    this.#told.clear()
    if (this.#timer) clearTimeout(this.#timer)
    this.#timer = null
    if (tell) this.#tell(null)
    else this.#place = null
  }

  #tell(place: DisplayRect | null): void {
    if (JSON.stringify(place) === JSON.stringify(this.#place)) return
    this.#place = place
    this.options.moved(place)
  }

  #hear(ref: Ref): void {
    if ((this.#silent.get(ref.bus) ?? 0) > performance.now()) return
    const key = keyOf(ref)
    if (this.#told.size >= MOST_TOLD && !this.#told.has(key)) return
    this.#told.set(key, ref)
    this.#soon()
  }

  #soon(): void {
    if (this.#timer || this.#isLooking) return
    const wait = Math.max(0, this.#lookedAt + APART_MS - performance.now())
    this.#timer = setTimeout(() => {
      this.#timer = null
      void this.#look()
    }, wait)
    this.#timer.unref()
  }

  async #look(): Promise<void> {
    const atspi = this.#atspi
    const refs = [...this.#told.values()]
    this.#told.clear()
    if (!atspi) return
    this.#isLooking = true
    for (const ref of refs) await this.#lookAt(atspi, ref)
    this.#isLooking = false
    this.#lookedAt = performance.now()
    if (this.#told.size > 0) this.#soon()
  }

  async #lookAt(atspi: Atspi, ref: Ref): Promise<void> {
    const turn = this.#turn
    const isFocus = () => this.#focus !== null && keyOf(this.#focus) === keyOf(ref)
    let place: DisplayRect | null = null
    try {
      const isTyped = await isTypedInto(atspi, ref)
      if (turn !== this.#turn) return
      // Text that changes somewhere else has a caret as well.
      if (!isTyped && !isFocus()) return
      this.#focus = ref
      if (isTyped) {
        const known = this.#field && keyOf(this.#field.ref) === keyOf(ref) ? this.#field : null
        const field = known ?? (await fieldOf(atspi, ref))
        if (turn !== this.#turn) return
        this.#field = field
        place = field && (await caretIn(atspi, field, this.options.screens()))
      }
    } catch (error) {
      // Whatever a program answers, it is not known then; one that answers nonsense is to harm nobody.
      if (error instanceof CallFailed && error.reason === 'timeout') this.#sulk(ref)
      // Others of the same moment say nothing of the one that has the focus.
      if (!isFocus()) return
    }
    if (turn === this.#turn) this.#tell(place)
  }

  #sulk({ bus }: Ref): void {
    if (this.#silent.size >= MOST_SILENT) this.#silent.clear()
    this.#silent.set(bus, performance.now() + SULK_MS)
  }
}
