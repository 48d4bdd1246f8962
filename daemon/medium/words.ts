/** Components and notices as the text of a box on the screen. Pure. */

type Props = Readonly<Record<string, unknown>>

/** How wide a box is, and how high text of this length makes it, in logical points: near enough to put boxes beside each other. */
export const BOX_WIDTH = 320
const LINE = 20
const PADDING = 22
const ACROSS = BOX_WIDTH - 28
const NARROW = 7.4
const WIDE = 15

/** The characters of a progress bar. */
const BAR = 20

export function wordsOf(type: string, props: Props): string {
  if (type === 'progress') return progressWords(props)
  if (type === 'note')
    return joined([plain(props.title), plain(props.text)]) || joined([plain(props.label)]) || 'Note'
  const { title, ...rest } = props
  return joined([plain(title) || type, JSON.stringify(rest, null, 1)])
}

export function boxHeight(text: string): number {
  let lines = 0
  for (const line of text.split('\n')) {
    let width = 0
    for (const character of line) width += (character.codePointAt(0) ?? 0) > 0x2e7f ? WIDE : NARROW
    lines += Math.max(1, Math.ceil(width / ACROSS))
  }
  return lines * LINE + PADDING
}

/** As the SDK’s: without a value it goes on, and nobody knows how far it is. */
function progressWords({ label, title, value, max, text }: Props): string {
  const name = plain(label) || plain(title) || 'Working'
  const most = typeof max === 'number' && max > 0 ? max : 1
  if (typeof value !== 'number' || !Number.isFinite(value)) return joined([`${name} …`, plain(text)])
  const share = Math.min(1, Math.max(0, value / most))
  const full = Math.round(share * BAR)
  const bar = '█'.repeat(full) + '░'.repeat(BAR - full)
  return joined([`${name}: ${Math.round(share * 100)} %`, bar, plain(text)])
}

function plain(value: unknown): string {
  if (typeof value === 'string') return value.trim()
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : ''
}

function joined(parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join('\n')
}
