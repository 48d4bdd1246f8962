/** The colours of things, as far as a program says how their text is set. */
import { type Color, colorName } from '../ocr/colors.js'
import { isUsable } from '../roles.js'
import { type Atspi, roleWord } from './atspi.js'
import { inBatches, type TreeNode } from './tree.js'

/** So many things at most are asked for their colour: only where a query names one. */
const MOST_ASKED = 400

const AT_A_TIME = 64

/** Colours that hardly anything is told by: grounds and plain text have them. */
const PLAIN = new Set(['black', 'white', 'gray'])

export async function colorsOf(
  atspi: Atspi,
  nodes: readonly TreeNode[],
  signal?: AbortSignal,
): Promise<ReadonlyMap<TreeNode, string>> {
  const asked = nodes
    .filter(({ interfaces }) => interfaces.some((one) => one.endsWith('.Text')))
    .slice(0, MOST_ASKED)
  const told = await inBatches(
    asked,
    AT_A_TIME,
    (node) => atspi.textAttributes(node.ref).catch((): Record<string, string> => ({})),
    signal,
  )
  return new Map(
    asked.flatMap((node, index) => {
      const color = seen(told[index] ?? {}, isUsable(roleWord(node)) && roleWord(node) !== 'link')
      return color ? [[node, color] as const] : []
    }),
  )
}

/** What a person would call it: a button by its ground, a word by its letters, either by what is not plain. */
function seen(attributes: Readonly<Record<string, string>>, byGround: boolean): string | null {
  const [ground, letters] = [named(attributes['bg-color']), named(attributes['fg-color'])]
  const [first, second] = byGround ? [ground, letters] : [letters, ground]
  if (first && !PLAIN.has(first)) return first
  if (second && !PLAIN.has(second)) return second
  return first
}

function named(color: string | undefined): string | null {
  const parts = color?.split(',').map(Number) ?? []
  return parts.length === 3 && parts.every(Number.isFinite) ? colorName(parts as unknown as Color) : null
}
