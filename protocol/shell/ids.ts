/** The text of a request's `id` in its line, for numbers that do not survive being parsed: a 64-bit one, 1.0, 1e400. */

/** Whether the parsed `id` says all that its text did. */
export function isExact(id: unknown): boolean {
  if (typeof id === 'number') return Number.isSafeInteger(id) && !Object.is(id, -0)
  if (Array.isArray(id)) return id.every(isExact)
  if (typeof id === 'object' && id !== null) return Object.values(id).every(isExact)
  return true
}

/** The last `id` of an object's text, as it stands there. `line` is known to be JSON, and to have one. */
export function idText(line: string): string {
  let found = 'null'
  let depth = 0
  let key: string | null = null
  let start = 0
  const tokens = /"(?:[^"\\]|\\.)*"|[{}[\],:]/gs
  for (let match = tokens.exec(line); match; match = tokens.exec(line)) {
    const [token] = match
    if (token === '{' || token === '[') depth++
    else if (token === '}' || token === ']') depth--
    if (depth === 1 && token === ':') start = tokens.lastIndex
    const ends = (depth === 1 && token === ',') || (depth === 0 && token === '}')
    if (ends && key === 'id') found = line.slice(start, match.index).trim()
    if (ends || (depth === 1 && token === '{')) {
      key = null
      start = 0
    } else if (depth === 1 && start === 0 && token.startsWith('"')) key = JSON.parse(token) as string
  }
  return found
}
