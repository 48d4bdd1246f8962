/** The window's token: taken out of the address, kept for as long as the tab is there. */

const KEY = 'lets-window'

interface Kept {
  readonly token: string
  /** The last command that came, before the page was loaded anew. */
  readonly last?: string
}

/** The window this page speaks for; null when it was not opened by Lets. */
export function takeToken(): string | null {
  const { hash, pathname, search } = location
  const given = new URLSearchParams(hash.slice(1)).get('lip')
  if (given) {
    keep({ token: given })
    // What is in the address can be copied, seen and remembered.
    history.replaceState(history.state, '', pathname + search)
    return given
  }
  return kept()?.token ?? null
}

export function keepLast(token: string, last: string): void {
  keep({ token, last })
}

/** The last command this tab got for its window. */
export function lastOf(token: string): string | undefined {
  const known = kept()
  return known?.token === token ? known.last : undefined
}

/** What the page held, kept over a reload; undefined for a window that is new. */
export function takeState(token: string): unknown {
  const key = `${KEY}-state`
  const text = sessionStorage.getItem(key)
  sessionStorage.removeItem(key)
  if (text === null) return undefined
  const { of, state } = JSON.parse(text)
  return of === token ? state : undefined
}

export function keepState(token: string, state: unknown): void {
  try {
    sessionStorage.setItem(`${KEY}-state`, JSON.stringify({ of: token, state }))
  } catch {
    // Too large for the browser: the page begins anew, and what was sent is saved with the host.
  }
}

function keep(value: Kept): void {
  sessionStorage.setItem(KEY, JSON.stringify(value))
}

function kept(): Kept | null {
  try {
    return JSON.parse(sessionStorage.getItem(KEY) ?? 'null')
  } catch {
    return null
  }
}
