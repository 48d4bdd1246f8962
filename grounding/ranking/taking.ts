/** Takes from a query what is no name: a role, a place, a number, a colour. Pure. */

import { ROLE_WORDS, type Role, rolesOf } from '../roles.js'
import type { Place } from './reading.js'

const COLORS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    'red orange yellow green blue purple pink brown black white gray'.split(' ').map((one) => [one, one]),
  ),
  grey: 'gray',
  violet: 'purple',
  magenta: 'pink',
  cyan: 'blue',
  teal: 'green',
}

const ORDINALS = 'first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth'.split(
  ' ',
)

export function takeRole(text: string): { rest: string; roles: readonly Role[] | null } {
  // At the end ("the Save button"), or else at the beginning ("button Save"): "the message box" is a box.
  const places = [(word: string) => `(?:^|\\s)${word}(?:e?s)?$`, (word: string) => `^(?:the )?${word}\\s`]
  for (const place of places) {
    for (const word of ROLE_WORDS) {
      const pattern = new RegExp(place(word))
      const at = text.match(pattern)
      const roles = at && rolesOf(word)
      if (roles) return { rest: text.replace(pattern, ' ').trim(), roles }
    }
  }
  return { rest: text, roles: null }
}

const PLACE =
  /(?:^|\s)(?:(?:in|at|on|to|towards|near)\s+)?(?:the\s+)?(?:(?:far|very)\s+)?(?:(top|upper|bottom|lower|middle|center|centre)(?:[\s-]+(left|right|center|centre|middle))?|(left|right)(?:most|-hand)?)(?:[\s-]+(?:hand|corner|side|edge|half))*(?:\s+of\s+the\s+(?:screen|window|page|display|app|application))?(?=\s|$)/

export function takePlace(text: string): { rest: string; where: Place | null; isAll: boolean } {
  const match = text.match(PLACE)
  if (!match) return { rest: text, where: null, isAll: false }
  const [, first, second, side] = match
  const x = side ?? second
  const where: Place = {
    x: x === 'left' || x === 'right' ? x : x || isMiddle(first) ? 'center' : null,
    y:
      first === 'top' || first === 'upper'
        ? 'top'
        : first === 'bottom' || first === 'lower'
          ? 'bottom'
          : isMiddle(first)
            ? 'middle'
            : null,
  }
  const rest = text.replace(PLACE, ' ').replace(/ +/g, ' ').trim()
  return { rest, where, isAll: rest === '' || rest === 'the' }
}

const isMiddle = (word: string | undefined) => word !== undefined && /^(?:middle|cent)/.test(word)

export function takeOrdinal(text: string): { rest: string; nth: number | null; isName?: boolean } {
  const spelled = text.match(
    new RegExp(`(?:^|\\s)(?:(${ORDINALS.join('|')})|(\\d{1,3})(?:st|nd|rd|th)|(last))(?=\\s|$)`),
  )
  if (spelled) {
    const [all, word, digits] = spelled
    const nth = word ? ORDINALS.indexOf(word) + 1 : digits ? Number(digits) : -1
    return { rest: text.replace(all, ' ').trim(), nth: nth === 0 ? null : nth }
  }
  const counted = text.match(
    /\b(row|item|line|button|link|tab|option|entry|cell)\s+(?:number\s+|no\.?\s+|#)?(\d{1,3})$/,
  )
  if (!counted) return { rest: text, nth: null }
  // "Item 3" is as likely what it says.
  return {
    rest: text.replace(counted[0], counted[1] as string),
    nth: Number(counted[2]) || null,
    isName: true,
  }
}

export function takeColor(text: string): { rest: string; color: string | null } {
  const match = text.match(
    new RegExp(`(?:^|\\s)(${Object.keys(COLORS).join('|')})(?:-coloured|-colored)?(?=\\s|$)`),
  )
  if (!match) return { rest: text, color: null }
  return { rest: text.replace(match[0], ' ').trim(), color: COLORS[match[1] as string] ?? null }
}
