/** How people speak of things on a screen beyond their names: "the message about …", "open …", "… in the sidebar". Pure. */

/** What a thing is, in words that are on no control: taking them away loses nothing. */
const KIND =
  '(?:folder|file|document|message|mail|e-?mail|post|letter|song|track|album|video|photo|card|product|article|entry|item|record|process|person|member|contact|task|note|result|page|screen|view|section|panel|area|indicator|control|element|thing|settings?|choice|value|date|time|appointment|meeting|event|channel|conversation|project|service|one|sheet|alert|warning|error|alarm|level|mode|step|calendar|label|list|category|preferences|options?|tag|branch|policy|filter|status|number|code|server|host|job|site|book|recipe|topic|line)'

/** Words that stand before a name, but are half of one where they stand after it: "order 12", and "new order". */
const BEFORE =
  '(?:folder|file|document|message|mail|e-?mail|post|letter|song|track|album|video|photo|card|product|article|entry|item|record|process|person|member|contact|task|note|result|page|event|appointment|meeting|channel|conversation|project|service|server|host|job|alert|warning|error|alarm|branch|tag|recipe|book|one|order|account|user|customer|booking|invoice|row|line|thing|setting|section|view|screen|date|time|value|choice|element|control)'

/** What joins a kind to what tells it: "the song by", "the file called". */
const TELLS = '(?:about|by|from|for|of|with|called|named|saying|to|on)'

const SIZES =
  /\b(?:(?:very|really)\s+)?(?:only|just|big|large|small|little|tiny|huge|round|wide|long)\s+(?=\S)/g

/** Parts of a window that are no things of their own on most screens. */
const PARTS =
  /\s(?:(?:in|on|at|from|of)\s+)(?:the\s+)?(?:left\s+|right\s+|main\s+|top\s+|bottom\s+)?(?:side ?bar|navigation(?: bar| menu)?|nav(?: bar)?|menu|tool ?bar|status ?bar|header|footer|dialog(?:'s \w+)?|dialogue|popup|pop-up|page|screen|window|form|list|table|grid|tree|legend|chart|graph|explorer|tab bar|title bar)(?:\s+(?:on|at|to)\s+the\s+(?:left|right|top|bottom))?$/

/** Words for where something is put in: what follows, or stands between, is a field's name. */
const ENTERED =
  /^(?:where\s+(?:do\s+)?(?:i|you|we|one|to)\s+(?:can\s+)?(?:type|enter|write|put|fill in|set|change|choose|pick)\s+(?:in\s+)?(.+)|where\s+(.+?)\s+(?:goes|go|belongs|is typed|is entered)|(?:how\s+(?:many|much)|(?:the\s+)?(?:number|amount)\s+of|(?:enter|type|write|fill in|put in)\s+(?:in\s+)?(?:my|your|the|a|an))\s+(.+))$/

/** Without words for a thing's size. */
export function withoutSize(text: string): string {
  return text.replace(SIZES, '').trim()
}

/** Without a word that tells which one to the one who asks, and is on no control: "the nearest store"; null where there is none. */
export function withoutWhich(text: string): string | null {
  const rest = text.replace(/\b(?:current|nearest|closest|entire|whole|actual|available)\s+(?=\S)/g, '')
  return rest === text ? null : rest
}

/** The name in "the message about the contract" or "order 12"; null where no kind is told before it. */
export function ofKind(text: string): string | null {
  const before = new RegExp(
    `^(?:the\\s+|a\\s+)?(?:(?!next|previous|first|last|other|new)\\p{L}+\\s+)?${BEFORE}\\s+${TELLS}\\s+(.+)$`,
    'u',
  ).exec(text)?.[1]
  if (before) return before
  // "E-mail the scan", "book a table": what stands before an article says what to do.
  return (
    new RegExp(
      `^(?:the\\s+)?${BEFORE}(?:\\s+|s\\s+(?=\\p{L}+ed\\s))(?!(?:the|an?|my|this|that|it)\\s)(.+)$`,
      'u',
    ).exec(text)?.[1] ?? null
  )
}

/** The name in "the drafts folder". Less sure: "new folder" may be all of a name, of which "new" is another. */
export function beforeKind(text: string): string | null {
  const name = new RegExp(`^(.+?)\\s+${KIND}$`).exec(text)?.[1]
  return name && !/(?:^|\s)(?:the|a|an|my|this)$/.test(name) && !DONE.test(name) ? name : null
}

/** "New folder", "save draft": the word that is left says what is done, and is no name of what it is done to. */
const DONE =
  /^(?:the |a )?(?:new|add|create|save|open|edit|delete|remove|rename|share|copy|move|upload|download|send|print|search|find|view|show|close|cancel|start|stop|change|select|last|first|other|same|no|more)$/

/** What a thing is called, in "ships called Måsen", and what it is said to be. */
export function called(text: string): { kind: string; name: string } | null {
  const match = /^(?:the\s+)?(\S+(?:\s\S+){0,2}?)\s+(?:called|named|titled)\s+(.+)$/.exec(text)
  return match?.[1] && match[2] ? { kind: match[1], name: match[2] } : null
}

/** Whether a word says only what kind of thing is meant. */
export function isKind(word: string): boolean {
  return new RegExp(`^(?:the\\s+)?${KIND}s?$`).test(word)
}

/** What is done, in "apply the changes" or "invite someone": what it is done to is plain, and on no control. */
export function withoutAim(text: string): string | null {
  const match =
    /^(\S+(?:\s(?:up|out|off|on|back|down))?)\s+(?:it|this|that|them|all|everything|everyone|everybody|someone|somebody|something|myself|him|her|me|us|(?:the\s+|my\s+)?(?:last\s+)?changes?|(?:the\s+|my\s+)?selection|(?:the\s+)?selected\s+\S+)$/.exec(
      text,
    )
  return match?.[1] ?? null
}

const JOINS = /(?:^|\s)(?:on|in|at|of|for|by|from|with|to|and|or)$/

/** What is done, in "upload a file": the control may say only that, where it says just that. */
export function withoutKind(text: string): string | null {
  return new RegExp(`^(\\S+)\\s+(?:a|an|the|this|my)\\s+${KIND}$`).exec(text)?.[1] ?? null
}

/** "The savings sheet": a name, and a word that may say what it is, unless that is on the screen. */
export function stranger(text: string): { rest: string; word: string } | null {
  const match = /^the\s+(\S+(?:\s\S+)?)\s+(\p{L}{3,})$/u.exec(text)
  return match?.[1] && match[2] && !DONE.test(match[1]) && !JOINS.test(match[1])
    ? { rest: match[1], word: match[2] }
    : null
}

/** Whether a thing is told by something among what it says: "the message about the contract". */
export function isAbout(text: string): boolean {
  return /\s(?:about|mentioning|containing|saying|with)\s/.test(text)
}

/** "The mailer error" says more than "mailer". */
export function isTrouble(text: string): boolean {
  return /\s(?:error|warning|alert|message)$/.test(text)
}

/** "The labels settings button" is for more than what is called so. */
export function isAspect(text: string): boolean {
  return /\s(?:settings?|options?|preferences|filter|status|number|code|mode|level)$/.test(text)
}

/** Whose something is, and what: "Tom's messages". */
export function possessed(text: string): { owner: string; thing: string } | null {
  const match = /^(?:the\s+)?(\p{L}\S*)'s\s+(.+)$/u.exec(text)
  return match?.[1] && match[2] ? { owner: match[1], thing: match[2] } : null
}

/** Without the part of a window that it is said to be in. */
export function withoutPart(text: string): string | null {
  return PARTS.test(text) ? text.replace(PARTS, '').trim() || null : null
}

/** The name of a field, in "where I type my name". */
export function entered(text: string): string | null {
  const match = ENTERED.exec(text)
  return match?.[1] ?? match?.[2] ?? match?.[3] ?? null
}

export interface Deed {
  /** What is on the control. */
  readonly deed: string
  /** What it is done to. */
  readonly object: string
}

/** "Edit Ben", "add tea to the basket": a control's words around, or before, the thing that it is for. */
export function deedsIn(text: string): readonly Deed[] {
  const parts = text.split(' ')
  const deeds: Deed[] = []
  const [verb, ...rest] = parts
  if (!verb || rest.length === 0 || verb === 'the' || (verb.endsWith('s') && isKind(verb))) return []
  const around =
    /^(\S+)\s+(.+?)\s+((?:to|from|in|as|for|on)\s+(?:the\s+|my\s+)?\S+|off|on|back|up|down|out)$/.exec(text)
  if (around?.[1] && around[2] && around[3])
    deeds.push({ deed: `${around[1]} ${around[3]}`, object: around[2] })
  const marked = /^(?:mark|flag|set|tag)\s+(.+?)\s+as\s+(.+)$/.exec(text)
  if (marked?.[1] && marked[2]) deeds.push({ deed: marked[2], object: marked[1] })
  const [more, ...last] = rest
  if (more && last.length > 0 && /^(?:back|up|out|off|on|down|in|over|away|again)$/.test(more))
    deeds.push({ deed: `${verb} ${more}`, object: last.join(' ') })
  deeds.push({ deed: verb, object: rest.join(' ') })
  return deeds
}

/** What something is done with or to: "pay with Visa", "sort by price" where the control says only that. */
export function afterDeed(text: string): string | null {
  return /^(?!the\s)\S+\s+(?:with|by|via|using|to|into|as)\s+(?:the\s+)?(.+)$/.exec(text)?.[1] ?? null
}
