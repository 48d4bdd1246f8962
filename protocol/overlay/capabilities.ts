/**
 * What can be done where a daemon draws, a word each: the ack of `session_start` and `status` list those that are so. A word
 * that is not listed cannot be done there, for now; `lacks` says what that means.
 */
export const HOST_CAPABILITIES = {
  capture: {
    has: 'pictures of the screen',
    lacks: 'no pictures of the screen can be taken',
  },
  windows: {
    has: 'windows of other programs',
    lacks:
      'the windows of other programs are not known: none can be named, listed, waited for or brought forward',
  },
  following: {
    has: 'marks that follow windows',
    lacks: 'marks do not follow windows: when one moves or closes, its marks stay where they were put',
  },
  content: {
    has: 'marks that follow what scrolls',
    lacks: 'marks do not follow what scrolls or changes: they stay where they were put',
  },
  hotkey: {
    has: 'a key that clears',
    lacks: 'no key clears the screen; `lets clear --all-sessions` does',
  },
  answer_keys: {
    has: 'keys that answer questions',
    lacks: 'no keys answer a question on the screen; `lets consent yes` and `lets consent no` do',
  },
  next_key: {
    has: 'a key to the next step',
    lacks: 'no key goes to the next step of a tour; Enter in the terminal of `lets play` does',
  },
  companion: {
    has: 'the companion on the screen',
    lacks: 'the companion is not on the screen, only in windows of uniques',
  },
} as const

export type HostCapability = keyof typeof HOST_CAPABILITIES

const WORDS = Object.keys(HOST_CAPABILITIES) as HostCapability[]

/** What cannot be done, as words; none for a daemon that is too old to say. */
export function lacking(capabilities: readonly string[] | undefined): HostCapability[] {
  if (capabilities === undefined) return []
  return WORDS.filter((word) => !capabilities.includes(word))
}
