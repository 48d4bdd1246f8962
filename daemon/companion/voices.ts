/** What each session wants the companion to be, and whose word counts now. What a session wants goes with it. */
import type { Mood } from '../../protocol/lip/domains.js'
import type { CompanionItem } from '../../protocol/overlay/companion.js'

/** After so long without a word a session has no mood any more, in ms: it may have died, and nothing "thinks" for ever. */
export const SILENT_MS = 300_000
/** The same for what it suggests. */
const STALE_MS = 1_800_000
/** Sessions that want something of it: the one that was silent for the longest makes room. */
const MOST_VOICES = 256
/** What the menu holds of one session. */
export const MOST_ITEMS = 32

interface Voice {
  readonly session: string
  mood: { readonly name: Mood; readonly order: number } | null
  items: { readonly all: readonly CompanionItem[]; readonly order: number } | null
  /** It wants nothing of the companion to be seen. */
  hides: boolean
  heardAt: number
  /** When what it wanted goes, once its session is over. */
  endsAt: number | null
}

export class Voices {
  readonly #voices = new Map<string, Voice>()
  #order = 0

  /** A session asked for something; what it asked the companion for holds on. */
  heard(session: string, now: number): void {
    const voice = this.#voices.get(session)
    if (voice) voice.heardAt = now
  }

  mood(session: string, name: Mood, now: number): void {
    this.#of(session, now).mood = { name, order: ++this.#order }
  }

  /** Returns how many of `items` there was no room for. */
  suggest(session: string, items: readonly CompanionItem[], replace: boolean, now: number): number {
    const voice = this.#of(session, now)
    // One that is said again is the one that was there, as it is now.
    const isNew = new Set(items.map(({ id }) => id))
    const kept = replace ? [] : (voice.items?.all ?? []).filter(({ id }) => !isNew.has(id))
    const all = [...kept, ...items]
    voice.items = all.length === 0 ? null : { all: all.slice(0, MOST_ITEMS), order: ++this.#order }
    return Math.max(0, all.length - MOST_ITEMS)
  }

  hide(session: string, now: number): void {
    this.#of(session, now).hides = true
  }

  /** Nobody hides it any more. */
  show(): void {
    for (const voice of this.#voices.values()) voice.hides = false
  }

  /** What a session wanted goes at `at`, for it is over; null: it was taken up again. */
  ends(session: string, at: number | null): void {
    const voice = this.#voices.get(session)
    if (voice) voice.endsAt = at
  }

  /** Forgets what is over. */
  prune(now: number): void {
    for (const voice of this.#voices.values()) {
      if (now >= voice.heardAt + SILENT_MS) {
        voice.mood = null
        // One that says nothing any more must not keep it from the person for ever.
        voice.hides = false
      }
      if (now >= voice.heardAt + STALE_MS) voice.items = null
      const isOver = voice.endsAt !== null && now >= voice.endsAt
      if (isOver || (!voice.mood && !voice.items && !voice.hides)) this.#voices.delete(voice.session)
    }
  }

  /** When something of this is over next, in ms; Infinity: never. */
  due(): number {
    let due = Number.POSITIVE_INFINITY
    for (const { mood, items, hides, heardAt, endsAt } of this.#voices.values()) {
      if (mood || hides) due = Math.min(due, heardAt + SILENT_MS)
      if (items) due = Math.min(due, heardAt + STALE_MS)
      if (endsAt !== null) due = Math.min(due, endsAt)
    }
    return due
  }

  /** The latest mood that anybody has. */
  get mostRecentMood(): Mood {
    return this.#latest('mood')?.mood?.name ?? 'idle'
  }

  /** What was suggested last, and by whom. */
  get suggested(): {
    readonly session: string
    readonly order: number
    readonly items: readonly CompanionItem[]
  } | null {
    const voice = this.#latest('items')
    return voice?.items ? { session: voice.session, order: voice.items.order, items: voice.items.all } : null
  }

  itemsOf(session: string | null): readonly CompanionItem[] {
    return (session !== null && this.#voices.get(session)?.items?.all) || []
  }

  get isHidden(): boolean {
    return [...this.#voices.values()].some(({ hides }) => hides)
  }

  #latest(what: 'mood' | 'items'): Voice | undefined {
    let latest: Voice | undefined
    for (const voice of this.#voices.values()) {
      if ((voice[what]?.order ?? 0) > (latest?.[what]?.order ?? 0)) latest = voice
    }
    return latest
  }

  #of(session: string, now: number): Voice {
    const known = this.#voices.get(session)
    if (known) {
      known.heardAt = now
      return known
    }
    if (this.#voices.size >= MOST_VOICES) {
      const [silent] = [...this.#voices.values()].sort((a, b) => a.heardAt - b.heardAt)
      if (silent) this.#voices.delete(silent.session)
    }
    const voice: Voice = { session, mood: null, items: null, hides: false, heardAt: now, endsAt: null }
    this.#voices.set(session, voice)
    return voice
  }
}
