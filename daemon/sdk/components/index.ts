/** The built-in components by type, and as elements: `lets-note`, `lets-slider` and so on. */
import type { COMPONENTS } from '../../../protocol/lip/domains.js'
import { Code } from './code.js'
import type { Component } from './component.js'
import { Form } from './form.js'
import { ImageDrop } from './image-drop.js'
import { Note, RawNote } from './note.js'
import { Options } from './options.js'
import { Progress, Slider, Toggle } from './range.js'

const builtIn: Readonly<Record<(typeof COMPONENTS)[number], new () => Component>> = {
  note: Note,
  options: Options,
  slider: Slider,
  toggle: Toggle,
  form: Form,
  'image-drop': ImageDrop,
  progress: Progress,
  code: Code,
}

export function defineComponents(): void {
  for (const [type, element] of [...Object.entries(builtIn), ['unknown', RawNote] as const])
    if (!customElements.get(`lets-${type}`)) customElements.define(`lets-${type}`, element)
}

/** A component of this type; a type that is not built in becomes a note with its props. */
export function makeComponent(type: string): Component {
  if (Object.hasOwn(builtIn, type)) return document.createElement(`lets-${type}`) as Component
  const note = document.createElement('lets-unknown') as RawNote
  note.type = type
  return note
}
