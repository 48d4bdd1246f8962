/** Characters of a name that are shown; the rest is cut. */
const MOST = 40

/** What shows nothing, or makes text beside it look like another: controls, marks of direction, tags, line ends. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cn}\p{Default_Ignorable_Code_Point}]/gu
const QUOTES = /["“”„‟«»＂❝❞〝〞]/gu

/**
 * A client's name as a person is shown it, between quotation marks: the name is the client's own word, and must not look
 * like more than that.
 */
export function shownName(client: string | undefined): string {
  const name = (client ?? '')
    .replace(/\p{Surrogate}/gu, '\ufffd')
    .replace(/\s+/gu, ' ')
    .replace(INVISIBLE, '')
    .replace(QUOTES, "'")
    .trim()
  if (name === '') return 'unnamed'
  const characters = [...name]
  return characters.length <= MOST
    ? name
    : `${characters
        .slice(0, MOST - 1)
        .join('')
        .trimEnd()}…`
}
