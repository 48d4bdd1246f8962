/** What the schemas of LIP are made of. As with `schema.ts`, nothing at run time needs it. */
import Type, { type TProperties } from 'typebox'
import { LIP_LIMITS } from './limits.js'

export const Word = Type.String({ minLength: 1, maxLength: LIP_LIMITS.word })
export const Text = Type.String({ maxLength: LIP_LIMITS.text })
export const Milliseconds = Type.Integer({
  minimum: 1,
  maximum: LIP_LIMITS.ttlMs,
  description: 'milliseconds',
})
/** Points of the medium: CSS pixels in a window, logical points on the screen. */
export const Coordinate = Type.Number({ minimum: -1e6, maximum: 1e6, description: 'points of the medium' })
export const Data = Type.Record(Type.String(), Type.Unknown())
export const Nothing = Type.Object({})
export const opt = Type.Optional
export const object = <P extends TProperties>(properties: P, options: Record<string, unknown> = {}) =>
  Type.Object(properties, options)
