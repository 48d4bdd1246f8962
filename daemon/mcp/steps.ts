/** The tool that plays a tour: numbered marks, at once or one after another, in this agent's session. */
import { kindOf, TourError } from '../../protocol/tour/forms.js'
import type { Tour, TourStep } from '../../protocol/tour/schema.js'
import { playIn, type StepOutcome } from '../client/play.js'
import { notesOf } from './drawing.js'
import { Cancelled, refuse } from './errors.js'
import type { Arguments } from './places.js'
import { resultOf, type Schema, tourArguments } from './schemas.js'
import type { Tool } from './tool.js'

const OUTCOMES = ['shown', 'gone', 'no_window', 'unseen', 'refused', 'skipped'] as const satisfies readonly [
  StepOutcome['outcome'],
  ...StepOutcome['outcome'][],
]

const STEP: Schema = {
  type: 'object',
  properties: {
    step: { type: 'integer', description: 'counted from 1, as its badge is' },
    kind: { type: 'string' },
    title: { type: 'string' },
    outcome: {
      enum: OUTCOMES,
      description:
        'shown: for its time; gone: before that, for reason; no_window: the window it waits for did not appear; unseen: something is above it; refused: with code and msg; skipped: the steps ended before, for reason',
    },
    reason: { type: 'string' },
    code: { type: 'string' },
    msg: { type: 'string' },
    annotation_id: { type: 'string' },
    missing_glyphs: { type: 'array', items: { type: 'string' } },
  },
  required: ['step', 'kind', 'outcome'],
}

export const showSteps: Tool = {
  name: 'show_steps',
  title: 'Show steps',
  description:
    'Shows numbered marks one after another (or together), each for its wait, and answers when all are over. Numbers are logical points of display_id (default 1) or window; frames are refused. Called off, its marks go. At the end only marks with keep stay, until you clear them. A person who clears the screen ends it.',
  inputSchema: tourArguments({
    title: 'what the steps are about; not on the screen',
    together: 'true: all marks at once, and then the waits (default: one after another)',
    steps:
      '1 to 99 steps. Each has exactly one of point, highlight, annotate, guide, arrow, draw; wait: {ms} or {window, timeout_ms} or {next: true} (the person presses Ctrl+Shift+Space), else 3 s; keep: true when it stays',
  }),
  outputSchema: resultOf(['steps', 'all_shown', 'kept'], [], {
    steps: { type: 'array', items: STEP, description: 'what became of each' },
    all_shown: { type: 'boolean', description: 'whether each was shown for its time' },
    kept: { type: 'array', items: { type: 'string' }, description: 'marks that stay, by annotation_id' },
  }),
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  async call(given, { link, marks, signal, reaches }) {
    const tour = await checked(given)
    const total = tour.steps.length
    // What was lost meanwhile is connected anew before the first mark.
    const client = await marks.use((one) => one.status().then(() => one), signal)
    const waits = tour.steps.some(({ wait }) => wait?.window !== undefined || wait?.next)
    const waitsOn = waits ? await link.open() : client
    const unwatch: (() => void)[] = []
    try {
      const { steps, all_shown, kept } = await playIn(
        { client, waitsOn, listen: (tell) => unwatch.push(marks.watch(tell)) },
        tour,
        { signal, onShown: (step, of) => reaches(step, total, `step ${step} of ${total}${about(of)}`) },
      )
      if (signal.aborted) throw new Cancelled('the client called it off')
      const missing = steps.flatMap(({ missing_glyphs = [] }) => missing_glyphs)
      return {
        text: `show_steps: ${told(steps, all_shown)}${kept.length > 0 ? `; kept: ${kept.join(', ')}` : ''}`,
        fields: { steps, all_shown, kept },
        notes: notesOf(missing.length > 0 ? { missing_glyphs: [...new Set(missing)] } : {}, marks),
      }
    } finally {
      for (const stop of unwatch) stop()
      if (waitsOn !== client) await waitsOn.close()
    }
  },
}

async function checked(given: Arguments): Promise<Tour> {
  // Larger than the rest of the server, and of use only here.
  const { checkTour } = await import('../../protocol/tour/parse.js')
  try {
    return checkTour(given)
  } catch (error) {
    throw error instanceof TourError ? refuse(`show_steps: ${error.message}`) : error
  }
}

function about(step: TourStep): string {
  const waits = step.wait?.next ? ', until the person presses Ctrl+Shift+Space' : ''
  return `: ${step.title ?? kindOf(step)}${waits}`
}

function told(steps: readonly StepOutcome[], all: boolean): string {
  const count = steps.length === 1 ? 'the one step was' : `all ${steps.length} steps were`
  if (all) return `${count} shown`
  const each = steps.map(({ step, outcome, reason, code, msg }) => {
    const why = reason ?? (code === undefined ? undefined : `${code}: ${msg}`)
    return `${step} ${outcome}${why === undefined ? '' : ` (${why})`}`
  })
  return `not all was shown: ${each.join('; ')}`
}
