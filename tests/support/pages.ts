/** What a page of the documentation is made of: code in fences, headings, tables, links, words set as code. */
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

export const ROOT = fileURLToPath(new URL('../../../', import.meta.url))

/** README.md and docs/*.md. */
export const PAGES: readonly string[] = [
  'README.md',
  ...readdirSync(`${ROOT}docs`)
    .filter((name) => name.endsWith('.md'))
    .sort()
    .map((name) => `docs/${name}`),
]

export function readPage(name: string): string {
  return readFileSync(ROOT + name, 'utf8')
}

export interface Fence {
  readonly language: string
  readonly body: string
}

export function fences(page: string): Fence[] {
  return [...page.matchAll(/^```(\S*)\n([\s\S]*?)^```$/gm)].map(([, language = '', body = '']) => ({
    language,
    body,
  }))
}

export function withoutFences(page: string): string {
  return page.replace(/^```[\s\S]*?^```$/gm, '')
}

/** Words set as code in running text. */
export function spans(page: string): string[] {
  return [...withoutFences(page).matchAll(/`([^`\n]+(?:\n[^`\n]+)?)`/g)].map(([, span = '']) =>
    span.replace(/\s+/g, ' '),
  )
}

/** The text below a heading, up to the next of its level or above. */
export function section(page: string, heading: string): string {
  const lines = page.split('\n')
  const start = lines.indexOf(heading)
  if (start < 0) throw new Error(`no section ${heading}`)
  const level = /^#+/.exec(heading)?.[0].length ?? 0
  let fenced = false
  const end = lines.findIndex((line, at) => {
    if (line.startsWith('```')) fenced = !fenced
    return at > start && !fenced && new RegExp(`^#{1,${level}} `).test(line)
  })
  return lines.slice(start, end < 0 ? undefined : end).join('\n')
}

/** The rows of the tables in a text, without their heads: cells as they are written. */
export function rows(text: string): string[][] {
  const lines = withoutFences(text).split('\n')
  return lines
    .filter(
      (line, at) =>
        line.startsWith('|') && !/^\|[-|: ]+$/.test(line) && !/^\|[-|: ]+$/.test(lines[at + 1] ?? ''),
    )
    .map((line) =>
      line
        .replace(/^\||\|$/g, '')
        .split(/(?<!\\)\|/)
        .map((cell) => cell.trim()),
    )
}

/** The anchors that GitHub gives the headings of a page. */
export function anchors(page: string): string[] {
  const seen = new Map<string, number>()
  return [...withoutFences(page).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => {
    const slug = heading
      .toLowerCase()
      .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replace(/\s/g, '-')
    const count = seen.get(slug) ?? 0
    seen.set(slug, count + 1)
    return count === 0 ? slug : `${slug}-${count}`
  })
}

/** Where the links and pictures of a page lead. */
export function links(page: string): string[] {
  return [...withoutFences(page).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target)
}
