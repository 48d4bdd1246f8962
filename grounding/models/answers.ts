/**
 * What a vision model answered, to a place in the picture it was shown. Models have their own habits: JSON in several forms, an
 * action such as UI-TARS's, a tag around two numbers. The form tells which numbers are meant, never what they mean: that
 * is the declared space. Pure.
 */
import { type Declared, SpaceError, toPixels } from '../../protocol/overlay/spaces.js'

/** One place, in pixels of the picture; a point has no extent. */
export interface Place {
  readonly rect: readonly [x: number, y: number, width: number, height: number]
  readonly name?: string
  /** 0..1, as the model sees it itself. */
  readonly sure?: number
}

/** The answer is none of the forms, or beyond the picture. */
export class AnswerError extends Error {
  override readonly name = 'AnswerError'
}

/** As much of an answer is quoted in an error. */
const QUOTED = 120
/** More places are no answer to "where is it". */
const MOST_PLACES = 20

/** The places a model named, the first first; none where it said that there is none. Throws `AnswerError`. */
export function placesIn(answer: string, declared: Declared): readonly Place[] {
  const text = answer.replace(/<think>[\s\S]*?<\/think>/g, '').trim()
  const found = fromJson(text) ?? fromAction(text) ?? fromTag(text)
  if (found === null) throw new AnswerError(`the model's answer names no place: ${quote(text)}`)
  return found
    .slice(0, MOST_PLACES)
    .map(({ numbers, ...more }) => ({ rect: inPicture(numbers, declared), ...more }))
}

interface Named {
  readonly numbers: readonly number[]
  readonly name?: string
  readonly sure?: number
}

function inPicture(numbers: readonly number[], declared: Declared): Place['rect'] {
  try {
    const [x, y, width = 0, height = 0] = toPixels(numbers, { ...declared, form: 'corners' })
    return [x as number, y as number, width, height]
  } catch (error) {
    if (!(error instanceof SpaceError)) throw error
    throw new AnswerError(`the model answered with a place that is not in its picture: ${error.message}`)
  }
}

// --- JSON: our own schema, and those that models were trained on.

function fromJson(text: string): readonly Named[] | null {
  const value = parsed(text)
  if (value === undefined) return null
  const all = (Array.isArray(value) && !isNumbers(value) ? value : [value]).map(fromValue)
  if (all.length > 0 && all.every((one) => one === null)) return null
  return all.flatMap((one) => one ?? [])
}

/** The JSON in an answer: all of it, what is fenced, or what is between the outermost brackets. */
function parsed(text: string): unknown {
  const fenced = /```(?:json)?\s*([\s\S]*?)```/.exec(text)?.[1]
  const call = /<tool_call>\s*([\s\S]*?)\s*<\/tool_call>/.exec(text)?.[1]
  const bare = /[[{][\s\S]*[\]}]/.exec(text)?.[0]
  for (const part of [text, call, fenced, bare]) {
    if (part === undefined) continue
    try {
      return JSON.parse(part)
    } catch {
      // The next form, then.
    }
  }
  return undefined
}

const POINT_KEYS = ['point_2d', 'point', 'coordinate', 'coordinates', 'position', 'center'] as const
const BOX_KEYS = ['bbox_2d', 'box_2d', 'bbox', 'box', 'rect'] as const

/** Null: nothing that could be a place. Empty: the model says there is none. */
function fromValue(value: unknown): readonly Named[] | null {
  if (isNumbers(value)) return [{ numbers: value }]
  if (typeof value !== 'object' || value === null) return null
  const record = value as Record<string, unknown>
  if (record.found === false) return []
  // A tool call has its arguments one level down.
  if (typeof record.arguments === 'object' && record.arguments !== null) return fromValue(record.arguments)
  const numbers = numbersOf(record)
  if (numbers === null) return null
  const name = [record.name, record.label, record.text].find((one) => typeof one === 'string' && one !== '')
  const sure = record.confidence
  return [
    {
      numbers,
      ...(typeof name === 'string' && { name: name.slice(0, 200) }),
      ...(typeof sure === 'number' && sure >= 0 && sure <= 1 && { sure }),
    },
  ]
}

function numbersOf(record: Record<string, unknown>): readonly number[] | null {
  for (const key of [...BOX_KEYS, ...POINT_KEYS]) {
    const value = record[key]
    if (isNumbers(value)) return value
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      const inner = numbersOf(value as Record<string, unknown>)
      if (inner) return inner
    }
  }
  const { x, y } = record
  return typeof x === 'number' && typeof y === 'number' ? [x, y] : null
}

function isNumbers(value: unknown): value is number[] {
  return (
    Array.isArray(value) &&
    (value.length === 2 || value.length === 4) &&
    value.every((one) => typeof one === 'number')
  )
}

// --- Actions: `click(start_box='(x,y)')`, `gui.click(x=1, y=2)`. They name a place; nothing is ever clicked.

const NUMBER = '-?\\d+(?:\\.\\d+)?'
const ACTION =
  /\b(?:left_|right_|double_|middle_)?(?:click|double|single|hover|drag|scroll|type|tap|long_press|move_?to|select)\w*\s*\(([^\n]*)\)/i
/** The model gave up, asks the person, or thinks that all is done. */
const NO_PLACE = /\b(?:finished|call_user|wait|fail|not_found|none)\s*\(/i

function fromAction(text: string): readonly Named[] | null {
  const said = /\bAction\s*:\s*([\s\S]*)/i.exec(text)?.[1] ?? text
  const inside = ACTION.exec(said)?.[1]
  if (inside === undefined) return NO_PLACE.test(said) ? [] : null
  const named = new RegExp(`\\bx\\s*=\\s*(${NUMBER})\\s*,\\s*y\\s*=\\s*(${NUMBER})`).exec(inside)
  if (named) return [{ numbers: [Number(named[1]), Number(named[2])] }]
  // Of a drag, the start is what was meant.
  const [first] = inside.split(/,\s*(?=end_box|end_point|direction|content)/)
  const numbers = (first?.replace(/\w+\s*=/g, '').match(new RegExp(NUMBER, 'g')) ?? []).map(Number)
  return numbers.length === 2 || numbers.length === 4 ? [{ numbers }] : null
}

// --- Tags: `<point>12 34</point>`, `<point x="12" y="34">`, `<|box_start|>(12,34)<|box_end|>`.

function fromTag(text: string): readonly Named[] | null {
  const attributes = new RegExp(`<point\\s+x1?="(${NUMBER})"\\s+y1?="(${NUMBER})"`, 'g')
  const inTags = [...text.matchAll(attributes)].map((match) => ({
    numbers: [Number(match[1]), Number(match[2])],
  }))
  if (inTags.length > 0) return inTags
  const between = [...text.matchAll(/<(?:point|box|\|box_start\|)>([^<]*)<\/?\|?(?:point|box|box_end)/g)]
  const found = between.map((match) => (match[1]?.match(new RegExp(NUMBER, 'g')) ?? []).map(Number))
  if (found.length > 0) return found.every(isNumbers) ? found.map((numbers) => ({ numbers })) : null
  // Two numbers in brackets, and nothing else.
  const alone = new RegExp(`^[[(]\\s*(${NUMBER})\\s*,\\s*(${NUMBER})\\s*[\\])]\\.?$`).exec(text)
  return alone ? [{ numbers: [Number(alone[1]), Number(alone[2])] }] : null
}

function quote(text: string): string {
  const line = text.replace(/\s+/g, ' ')
  return JSON.stringify(line.length > QUOTED ? `${line.slice(0, QUOTED)}…` : line)
}
