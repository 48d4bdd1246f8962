/** Files to tours: the one place where a tour's untyped JSON becomes typed. */
import { explain, fieldName, list, lookUp, show, wellFormed } from '../overlay/explain.js'
import { resolvePosition } from '../overlay/positions.js'
import type { ValidationFault } from '../overlay/requests.js'
import { kindOf, TOUR_FORMS, TOUR_KINDS, TourError } from './forms.js'
import type { Tour, TourStep } from './schema.js'
import * as validators from './tour.generated.js'

interface Fault extends ValidationFault {
  readonly schemaPath: string
  readonly parentSchema?: unknown
}

const validate = (validators as unknown as Record<string, unknown>).tour as ((value: unknown) => boolean) & {
  errors?: readonly Fault[] | null
}

/** Reads the text of a tour file. Throws `TourError`. */
export function parseTour(text: string): Tour {
  let value: unknown
  try {
    value = JSON.parse(text.replace(/^\ufeff/, ''))
  } catch (error) {
    throw new TourError(`it is not JSON: ${wellFormed((error as Error).message)}`)
  }
  return checkTour(value)
}

/** A tour that was made rather than read. Throws `TourError`. */
export function checkTour(value: unknown): Tour {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new TourError(`a tour is a JSON object with "steps"; got ${show(value)}`)
  if (!validate(value))
    throw new TourError(explainTour(validate.errors ?? [], value as Record<string, unknown>))
  const tour = value as Tour
  for (const [index, step] of tour.steps.entries()) checkStep(step, `steps[${index}]`, tour)
  return tour
}

/** What a schema cannot say. */
function checkStep(step: TourStep, path: string, { together }: Tour): void {
  if (together && step.keep !== undefined)
    throw new TourError(
      `${path}.keep: all marks of a tour that is shown together stay to its end; leave it out`,
    )
  const kind = kindOf(step)
  const mark = step[kind]
  if (mark?.window !== undefined && mark.display_id !== undefined)
    throw new TourError(`${path}.${kind}: send window or display_id, not both; a window is where it is`)
  const at = mark && 'at' in mark ? mark.at : undefined
  if (at !== undefined && !resolvePosition(at, [1, 1]))
    throw new TourError(
      `${path}.${kind}.at must be a named position such as "top-right", or a pair such as "50%,30%"; got ${show(at)}`,
    )
  if ((kind === 'annotate' || kind === 'guide') && at !== undefined && mark?.window !== undefined)
    throw new TourError(`${path}.${kind}: with a window say where in it: rect, from its top left`)
}

function explainTour(all: readonly Fault[], value: Record<string, unknown>): string {
  // What a failed alternative says of each of its branches is not about what was meant.
  const faults = all.filter(({ schemaPath }) => !/\/(?:oneOf|anyOf)\/\d+\//.test(schemaPath))
  const unknown = faults.find(({ keyword }) => keyword === 'additionalProperties')
  if (unknown) return explainUnknown(unknown, value)
  const fault = faults[0]
  if (!fault) return 'it is not a valid tour'
  const path = fieldName(fault.instancePath)
  if (fault.keyword === 'oneOf') return explainForms(fault, path, value)
  if (fault.keyword === 'dependencies') {
    const { property, missingProperty } = fault.params
    return `${path}.${property} came without ${missingProperty}: it needs both`
  }
  const about = all.filter(
    (one) => one !== fault && fault.keyword === 'anyOf' && one.instancePath.startsWith(fault.instancePath),
  )
  return explain([...about, fault], value)
}

function explainUnknown({ instancePath, params }: Fault, value: Record<string, unknown>): string {
  const field = String(params.additionalProperty)
  const path = fieldName(`${instancePath}/${field.replaceAll('~', '~0').replaceAll('/', '~1')}`)
  const part = partOf(instancePath)
  const instead = INSTEAD[field]
  const isMark = (TOUR_KINDS as readonly string[]).includes(part)
  if (isMark && instead !== undefined) return `${path}: ${instead}`
  const known = FIELDS[part as keyof typeof FIELDS]
  const there = known ? `; there are ${known.join(', ')}` : ''
  const sent = lookUp(value, instancePath) as Record<string, unknown>
  return `${path} is not a field of a ${part}${there}; got ${show(sent[field])}`
}

const INSTEAD: Readonly<Record<string, string>> = {
  frame: 'a file outlives every frame; give logical points, or a window',
  step: 'steps are numbered in their order; leave it out',
  query: 'places cannot be named in words here; give coordinates, or a named position',
}

function explainForms({ instancePath }: Fault, path: string, value: Record<string, unknown>): string {
  const part = partOf(instancePath)
  const forms: readonly (readonly string[])[] = TOUR_FORMS[part as keyof typeof TOUR_FORMS]
  const sent = (lookUp(value, instancePath) ?? {}) as Record<string, unknown>
  const got = forms.flat().filter((field) => field in sent)
  const wanted = list(forms.map((form) => form.join(' and ')))
  return `${path}: say exactly one of ${wanted}; got ${got.length > 0 ? got.join(', ') : 'none'}`
}

/** What the value at a path is: the tour, a step, or a part of one by its name. */
function partOf(instancePath: string): string {
  if (instancePath === '') return 'tour'
  const last = instancePath.split('/').at(-1) ?? ''
  return /^\d+$/.test(last) ? 'step' : last
}

const WHERE = ['display_id', 'window', 'ttl_ms'] as const
const FIELDS = {
  tour: ['title', 'together', 'steps'],
  step: ['title', ...TOUR_KINDS, 'wait', 'keep'],
  wait: ['ms', 'window', 'timeout_ms', 'next'],
  point: ['x', 'y', 'at', 'label', ...WHERE],
  highlight: ['rect', 'label', 'shape', 'spotlight', ...WHERE],
  annotate: ['text', 'rect', 'at', ...WHERE],
  guide: ['text', 'rect', 'at', ...WHERE],
  arrow: ['from', 'to', 'bow', 'style', ...WHERE],
  draw: ['path', 'style', ...WHERE],
  style: ['width', 'color'],
} as const
