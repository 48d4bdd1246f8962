/**
 * The commands to the companion, written once: LIP takes them, and so does the overlay wire. As with `schema.ts`, nothing
 * at run time needs it.
 */
import Type, { type Static, type TSchema } from 'typebox'
import { MOODS } from './domains.js'
import { LIP_LIMITS } from './limits.js'
import { Coordinate, Data, Milliseconds, Nothing, object, opt, Text, Word } from './parts.js'

const Suggestion = object({ id: Word, label: Word, hint: opt(Word) })

/** `data` of each. `mood`: LIP names them all; a medium that passes over a mood it does not know takes any word. */
const entityData = <M extends TSchema>(mood: M) => ({
  'entity.say': object({ text: Text, mood: opt(mood), ttl: opt(Milliseconds) }),
  'entity.mood': object({ mood }),
  'entity.suggest': object({
    items: Type.Array(Suggestion, { maxItems: LIP_LIMITS.suggestions }),
    replace: opt(Type.Boolean()),
  }),
  'entity.move': object(
    {
      x: opt(Coordinate),
      y: opt(Coordinate),
      to: opt(
        Type.String({
          minLength: 1,
          maxLength: LIP_LIMITS.word,
          description: 'cursor, center or a selector',
        }),
      ),
    },
    {
      oneOf: [{ required: ['x', 'y'] }, { required: ['to'] }],
      dependencies: { x: ['y'], y: ['x'] },
    },
  ),
  'entity.show': Nothing,
  'entity.hide': Nothing,
  'entity.persona': object({ name: Word, traits: Data }),
  // Any name: an expression that a shell does not know is left out, and never an error.
  'entity.react': object({ name: Word, ms: opt(Milliseconds) }),
})

export const ENTITY_DATA = entityData(Type.Enum([...MOODS]))
export const ANY_MOOD_ENTITY_DATA = entityData(Word)

export type EntityCommand = keyof typeof ENTITY_DATA
/** What the overlay wire takes for each. */
export type EntityData = { readonly [C in EntityCommand]: Static<(typeof ANY_MOOD_ENTITY_DATA)[C]> }
