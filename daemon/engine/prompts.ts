import type { OverlayHost } from '../../overlay/host.js'
import { type Display, differs } from '../../protocol/overlay/geometry.js'
import type { Prompt } from '../../protocol/overlay/marks.js'
import type { Clock } from './clock.js'
import type { SceneQueue } from './scene-queue.js'

/** How long a question waits for an answer, in ms. */
export const ANSWER_MS = 30_000

/** How long a question must have been seen before a yes counts, in ms: one typed for something else is no answer to it. */
const READ_MS = 700

/** Where an answer came from, or why there will be none. */
export type Why =
  | 'key'
  | 'terminal'
  | 'clear_key'
  | 'policy'
  | 'no_answer'
  | 'client_gone'
  | 'not_visible'
  | 'display_changed'
  | 'host_gone'
  | 'daemon_ends'

export interface Answer {
  readonly yes: boolean
  readonly why: Why
}

/** A question to the person, in plain words. */
export interface Question extends Pick<Prompt, 'title' | 'body' | 'sign'> {
  readonly display: Display
  readonly yes: string
  readonly no: string
  /** What answers it in a terminal. */
  readonly commands: { readonly yes: string; readonly no: string }
}

interface Open {
  readonly display: Display
  readonly end: (answer: Answer) => void
  /** When the person could first read it; null before. */
  seenAt: number | null
}

/**
 * Asks the person on the screen, one question at a time. The overlay takes no input, so the answer is a global key, taken
 * only while a question is up, or comes from a terminal. Whatever goes wrong is a no.
 */
export class Prompts {
  #open: Open | null = null

  constructor(
    private readonly host: OverlayHost,
    private readonly queue: SceneQueue,
    private readonly clock: Clock,
    /** A question came up, or went. */
    private readonly onChanged: () => void,
  ) {}

  /** Whether a question is up, so that another one has to wait. */
  get isAsking(): boolean {
    return this.#open !== null
  }

  /** Where the person is asked now; null: they are not. */
  get display(): Display | null {
    return this.#open?.display ?? null
  }

  /** Shows a question until it is answered; never rejects. `gone`: nobody wants to know any more. */
  ask(question: Question, gone: AbortSignal): Promise<Answer> {
    const { display } = question
    return new Promise((resolve) => {
      const hangUp = () => open.end({ yes: false, why: 'client_gone' })
      const cancelTimer = this.clock.after(ANSWER_MS, () => open.end({ yes: false, why: 'no_answer' }))
      const open: Open = {
        display,
        seenAt: null,
        end: (answer) => {
          if (this.#open !== open) return
          this.#open = null
          this.onChanged()
          cancelTimer()
          gone.removeEventListener('abort', hangUp)
          // Of no use where the host is gone, or about to go, and with it everything on the screen.
          if (answer.why !== 'host_gone' && answer.why !== 'daemon_ends') this.queue.prompt(display.id, null)
          if (open.seenAt !== null) this.host.answerKeys?.release().catch(() => {})
          // A picture must not show the question: a yes counts once it is off the screen.
          const off = answer.yes ? this.queue.painted(display.id) : Promise.resolve(true)
          off.then(
            () => resolve(answer),
            () => resolve({ yes: false, why: 'host_gone' }),
          )
        },
      }
      this.#open = open
      this.onChanged()
      gone.addEventListener('abort', hangUp)
      this.queue.prompt(display.id, this.#prompt(question, { yes: true, no: true }))
      this.#show(open, question).catch(() => open.end({ yes: false, why: 'not_visible' }))
    })
  }

  /** An answer to the question that is up. False: there is none, or it is a yes before anybody could have read it. */
  answer(yes: boolean, why: Why): boolean {
    const open = this.#open
    if (!open) return false
    const seen = open.seenAt !== null && this.clock.now() - open.seenAt >= READ_MS
    // A decision about all pictures is not about this question, and needs nobody to have read it.
    if (yes && !seen && why !== 'policy') return false
    open.end({ yes, why })
    return true
  }

  /** The question goes without an answer when its display is not as it was. */
  displaysChanged(displays: readonly Display[]): void {
    const open = this.#open
    if (!open) return
    const now = displays.find(({ id }) => id === open.display.id)
    if (differs(open.display, now)) open.end({ yes: false, why: 'display_changed' })
  }

  async #show(open: Open, question: Question): Promise<void> {
    const visible = await this.queue.painted(open.display.id)
    if (this.#open !== open) return
    if (!visible) return open.end({ yes: false, why: 'not_visible' })
    // From here on: a key pressed before must not answer what was not there to be read.
    open.seenAt = this.clock.now()
    const keys = await this.host.answerKeys?.take()
    if (this.#open !== open || (keys?.yes && keys.no)) return
    // The text names keys that do not work: it must not stay.
    this.queue.prompt(open.display.id, this.#prompt(question, keys ?? { yes: false, no: false }))
  }

  #prompt(
    { title, body, sign, yes, no, commands }: Question,
    keys: { readonly yes: boolean; readonly no: boolean },
  ): Prompt {
    const names = this.host.answerKeys?.names
    return {
      title,
      body,
      ...(sign && { sign }),
      answers: [
        { label: yes, keys: keys.yes && names ? names.yes : [commands.yes] },
        { label: no, keys: keys.no && names ? names.no : [commands.no] },
      ],
    }
  }
}
