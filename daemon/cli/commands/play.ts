/** `lets play tour.json`: a tour from a file, with what became of each step. */
import { readFileSync } from 'node:fs'
import { kindOf, TourError } from '../../../protocol/tour/forms.js'
import { parseTour } from '../../../protocol/tour/parse.js'
import type { Tour, TourStep } from '../../../protocol/tour/schema.js'
import { playOn, type StepOutcome, TOUR_SESSION } from '../../client/play.js'
import { type CommonOptions, reach } from '../connection.js'
import { elsewhere, WHY } from '../draw.js'
import { UsageError } from '../errors.js'
import { bold, dim, duration, green, red, say, sayJson, yellow } from '../output.js'
import { progress } from '../progress.js'

interface PlayFileOptions extends CommonOptions {
  readonly dryRun?: boolean
}

/** Exits 1 when not all of it was shown. */
export async function playFile(file: string, options: PlayFileOptions): Promise<void> {
  const tour = read(file)
  const total = tour.steps.length
  if (options.dryRun) {
    if (options.json)
      sayJson({ valid: true, steps: total, ...(tour.title !== undefined && { title: tour.title }) })
    else say(`${file} is a tour of ${total === 1 ? 'one step' : `${total} steps`}`)
    return
  }
  const client = await reach(options, { ...TOUR_SESSION, clientName: 'lets-play' })
  elsewhere(client)
  // From here on Ctrl-C means: clear up, and report.
  const interrupted = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => interrupted.abort())
  const shows = options.json ? machine(total) : person(tour)
  const { all_shown, steps } = await playOn(client, tour, {
    ...shows,
    signal: interrupted.signal,
    // What comes from a pipe is the tour itself, or nobody's.
    ...(process.stdin.isTTY && file !== '-' && { next: enter }),
  })
  if (options.json) sayJson({ type: 'tour', all_shown, steps: total })
  else if (!all_shown) say(`${steps.filter(({ outcome }) => outcome === 'shown').length} of ${total} shown`)
  if (!all_shown) process.exitCode = 1
}

function read(file: string): Tour {
  let text: string
  try {
    text = readFileSync(file === '-' ? 0 : file, 'utf8')
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    throw new UsageError(`${file} cannot be read: ${code === 'ENOENT' ? 'there is no such file' : message}`)
  }
  try {
    return parseTour(text)
  } catch (error) {
    throw error instanceof TourError ? new UsageError(`${file}: ${error.message}`) : error
  }
}

function machine(of: number) {
  return {
    onShown: (step: number, shown: TourStep) =>
      sayJson({ type: 'shown', step, of, kind: kindOf(shown), ...(shown.title && { title: shown.title }) }),
    onOutcome: (outcome: StepOutcome) => sayJson({ type: 'outcome', ...outcome }),
  }
}

function person(tour: Tour) {
  const total = tour.steps.length
  const bar = progress(total)
  if (tour.title !== undefined) say(bold(tour.title))
  return {
    onShown: (step: number, shown: TourStep) => bar.at(step, `${name(shown, step)}${hint(shown)}`),
    onOutcome: (outcome: StepOutcome) => {
      bar.clear()
      say(line(outcome, total, tour.steps[outcome.step - 1] as TourStep))
      bar.draw()
      if (outcome.missing_glyphs)
        say(`       no font here shows ${outcome.missing_glyphs.join(' ')}; a box stands for each`)
    },
  }
}

function name(step: TourStep, number: number): string {
  return step.title ?? `${kindOf(step)} ${number}`
}

/** What goes on from here, where the person is awaited. */
function hint({ wait }: TourStep): string {
  if (wait?.next)
    return process.stdin.isTTY ? ': Enter or Ctrl+Shift+Space goes on' : ': Ctrl+Shift+Space goes on'
  if (wait?.window !== undefined) return `: until ${wait.window} appears`
  return wait?.ms === undefined ? '' : `: for ${duration(wait.ms)}`
}

const SIGNS = {
  shown: green('✓'),
  gone: yellow('·'),
  no_window: red('✗'),
  unseen: red('✗'),
  refused: red('✗'),
  skipped: dim('-'),
} as const

function line(outcome: StepOutcome, total: number, step: TourStep): string {
  const place = `${outcome.step}/${total}`.padStart(5)
  return `${SIGNS[outcome.outcome]} ${place}  ${name(step, outcome.step)}  ${dim(became(outcome, step))}`
}

function became({ outcome, reason = '', code, msg }: StepOutcome, { wait }: TourStep): string {
  switch (outcome) {
    case 'shown':
      return 'shown'
    case 'gone':
      return `went away: ${reason}${WHY[reason] ? ` (${WHY[reason]})` : ''}`
    case 'no_window':
      return `shown, but no window of ${wait?.window} appeared`
    case 'unseen':
      return 'nobody can see it: something insists on being above everything, such as a screen locker'
    case 'refused':
      return `${code}: ${msg}`
    case 'skipped':
      return `skipped: ${SKIPPED[reason] ?? reason}`
  }
}

const SKIPPED: Readonly<Record<string, string>> = {
  interrupted: 'you ended the tour',
  cleared: 'everything was cleared from the screen',
  no_window: 'the window of a step before did not appear',
  wait_refused: 'what a step before waits for cannot be waited for here',
  connection_lost: 'the daemon went away',
}

/** Enter in this terminal. */
function enter(over: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const { stdin } = process
    const done = () => {
      stdin.off('data', pressed)
      stdin.pause()
    }
    const pressed = () => {
      done()
      resolve()
    }
    stdin.on('data', pressed)
    stdin.resume()
    over.addEventListener('abort', done)
  })
}
