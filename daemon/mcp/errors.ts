/** Failures as a model should read them: what is wrong, and what to do next. */
import { ConnectionError, LetsError } from '../client/errors.js'

/** A refusal of this server, or one of the daemon in words of this server. */
export class ToolError extends Error {
  override readonly name = 'ToolError'
  constructor(
    readonly code: string,
    message: string,
    readonly candidates?: readonly unknown[],
  ) {
    super(message)
  }
}

/** The client called the request off: nobody reads an answer. */
export class Cancelled extends Error {
  override readonly name = 'Cancelled'
}

/** What to do about each code of the wire; a code without an entry says all in its message. */
const NEXT: Readonly<Record<string, string>> = {
  stale_frame: 'Call look again, and name pixels of the new picture with its frame_id.',
  not_permitted:
    'Do not try again at once: tell the person why you want to see the screen. They can press Ctrl+Shift+Y while the question is on the screen, or run `lets consent always --for 10m` (or `lets consent grounding always`) in a terminal. You can draw without seeing, by named positions such as "top-right".',
  unknown_display: 'list_displays tells which displays there are.',
  not_owner: 'The mark has gone, or was never yours: draw a new one.',
  limit: 'Clear marks that are no longer needed, or ask for less, and call again.',
  ambiguous: 'Say which of the candidates: by its exact name, or with nth, app or within.',
  resolve_failed: 'Say it as it is called on the screen, try one of the candidates, or look and name pixels.',
  not_found: 'Check the name; wait_for_window waits for a window that is about to appear.',
  no_resolver:
    'Words cannot be turned into a place here. Call look, find it in the picture, and call again with frame, x and y.',
  bad_schema: 'Correct the arguments and call again.',
  not_running: 'Ask the person to run `lets doctor` in a terminal: it says what is missing.',
  closed: 'Call again: the daemon is started anew if need be. Marks from before are gone.',
  timeout: 'Ask the person to run `lets doctor` in a terminal.',
  internal: 'It is a fault of Lets, not of your call; calling once more may work.',
}

/** One code, several reasons: what to do about a `not_permitted` that is not about seeing the screen. By the words of its message. */
const NOT_ABOUT_SEEING: readonly (readonly [RegExp, string])[] = [
  [
    /paused drawing/,
    'Nothing can be shown until then, and only the person ends it: say in the conversation what you wanted to show, and do not try again at once.',
  ],
  [
    /only the person|is the person’s to say/,
    'It is theirs alone: if it matters, ask them in the conversation, and do not try again.',
  ],
]

/** Any failure as the error of a tool. */
export function asToolError(error: unknown): ToolError {
  if (error instanceof ToolError) return error
  if (error instanceof LetsError || error instanceof ConnectionError) {
    const candidates = error instanceof LetsError ? error.candidates : undefined
    return new ToolError(error.code, advised(error.code, error.message), candidates)
  }
  const message = error instanceof Error ? error.message : String(error)
  return new ToolError('internal', advised('internal', message))
}

/** A refusal before anything was sent. */
export function refuse(message: string): ToolError {
  return new ToolError('bad_schema', advised('bad_schema', message))
}

export function advised(code: string, message: string): string {
  const next = nextStep(code, message)
  const sentence = /[.!?]$/.test(message) ? message : `${message}.`
  return next === undefined ? sentence : `${sentence} ${next}`
}

function nextStep(code: string, message: string): string | undefined {
  if (code !== 'not_permitted') return NEXT[code]
  return NOT_ABOUT_SEEING.find(([about]) => about.test(message))?.[1] ?? NEXT[code]
}
