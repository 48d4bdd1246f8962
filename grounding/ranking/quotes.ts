/** Quotes, articles and marks around a name. Pure. */

/** What is in quotes is a name, whatever words are in it; the role may stand outside. */
export function unquoted(text: string): string {
  return text.replace(/["']/g, (mark, at: number) => (isApostrophe(text, at) ? mark : '')).trim()
}

function isApostrophe(text: string, at: number): boolean {
  return /\p{L}/u.test(text[at - 1] ?? '') && /\p{L}/u.test(text[at + 1] ?? '')
}

export function isQuoted(text: string, at: number): boolean {
  const before = text.slice(0, at)
  return (before.match(/"/g)?.length ?? 0) % 2 === 1
}

/** Without an article before it and marks around it. */
export function bare(text: string): string {
  return unquoted(text)
    .replace(/^(?:(?:the|a|an)(?:\s+|$))+/, '')
    .replace(/^[\s:,;*•·]+|(?:\s*(?:[:,;*•·>›…]|\.{2,}))+$/g, '')
    .trim()
}
