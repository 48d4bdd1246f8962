/** What is too much to be told of one by one. */

/** A window said again that something of it is other than before: only the latest counts. */
export function isChange(type: string): boolean {
  return type.endsWith('.changed')
}

const MOVE = /[.](?:(?:pointer|mouse|cursor)[._-]?move[sd]?|mousemove|pointermove)$/i

/** Where the pointer is from moment to moment: never put before a model. */
export function isNoise(type: string): boolean {
  return MOVE.test(type) || /[.](?:pointer|mouse|cursor)[.](?:move[sd]?|position)$/i.test(type)
}
