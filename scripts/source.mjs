// Reads a TypeScript or JavaScript file just well enough to judge it: which modules it names, and what is
// code rather than comment or text. A small scanner, so that the walls need nothing installed.

const imports = [
  // import x from 'y' · import 'y' · export * from 'y' · import type { X } from 'y'
  {
    kind: 'static',
    pattern:
      /(?<![.\w$])(?:import|export)\b\s*(type\b(?!\s*from\b))?(?:(?:(?!\b(?:import|export)\b)[\w$\s{},*])*?\bfrom\b)?\s*(?=\x01(\d+)\x01)/g,
  },
  // import('y') · require('y') · createRequire(import.meta.url)('y'); a computed name cannot be judged
  {
    kind: 'dynamic',
    pattern:
      /(?<![.\w$])(?:import|require|require\.resolve|createRequire\([^()]*\))()\s*\(\s*(?=\x01(\d+)\x01)/g,
  },
]

/** Every module a file names: `{ specifier, kind: 'static' | 'dynamic', typeOnly, line }`. */
export function modulesOf(text) {
  const { code, strings } = scan(text)
  const found = new Map()
  for (const { kind, pattern } of imports) {
    for (const match of code.matchAll(pattern)) {
      const [whole, type, id] = match
      found.set(Number(id), {
        specifier: strings[id],
        kind,
        typeOnly: Boolean(type),
        line: lineAt(code, match.index + whole.length),
      })
    }
  }
  return [...found.values()].sort((a, b) => a.line - b.line)
}

/** The file with comments, regular expressions and the insides of strings blanked; lines keep their numbers. */
export function codeOf(text) {
  return scan(text).code.replace(/\x01\d+\x01/g, "''")
}

export function lineAt(text, index) {
  let line = 1
  for (let i = text.indexOf('\n'); i !== -1 && i < index; i = text.indexOf('\n', i + 1)) line++
  return line
}

/** Each plain string becomes \x01<its number>\x01; comments and regular expressions become blank. */
function scan(text) {
  const strings = []
  const templates = [] // for each template literal we are inside of: the depth of braces in its ${ }
  let code = ''
  let i = text.startsWith('#!') ? text.indexOf('\n') : 0
  if (i === -1) i = text.length
  const blank = (from, to) => {
    code += text.slice(from, to).replace(/[^\n]+/g, ' ')
    i = to
  }
  const find = (what, from) => {
    const at = text.indexOf(what, from)
    return at === -1 ? text.length : at
  }
  const templateText = (from) => {
    let end = from
    while (end < text.length && text[end] !== '`' && !text.startsWith('${', end))
      end += text[end] === '\\' ? 2 : 1
    if (text[end] === '`') blank(from, end + 1)
    else {
      blank(from, Math.min(end + 2, text.length))
      templates.push(0)
    }
  }
  while (i < text.length) {
    const char = text[i]
    if (text.startsWith('//', i)) blank(i, find('\n', i))
    else if (text.startsWith('/*', i)) blank(i, Math.min(find('*/', i + 2) + 2, text.length))
    else if (char === '"' || char === "'") {
      let end = i + 1
      while (end < text.length && text[end] !== char && text[end] !== '\n') end += text[end] === '\\' ? 2 : 1
      code += `\x01${strings.push(text.slice(i + 1, end)) - 1}\x01`
      i = end + 1
    } else if (char === '`') {
      const plain = /`([^`$\\\n]*)`/y
      plain.lastIndex = i
      const whole = plain.exec(text)
      if (whole) {
        code += `\x01${strings.push(whole[1]) - 1}\x01`
        i += whole[0].length
      } else templateText(i + 1)
    } else if (char === '/' && regexMayStart(code)) {
      const regex = /\/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\[\n])+\/[a-z]*/y
      regex.lastIndex = i
      const whole = regex.exec(text)
      if (whole) blank(i, i + whole[0].length)
      else code += text[i++]
    } else if (templates.length > 0 && char === '}' && templates.at(-1) === 0) {
      templates.pop()
      code += ' '
      templateText(i + 1)
    } else {
      if (templates.length > 0 && char === '{') templates[templates.length - 1]++
      if (templates.length > 0 && char === '}') templates[templates.length - 1]--
      code += char
      i++
    }
  }
  return { code, strings }
}

// A slash after a value divides; after an operator, an opening bracket or a keyword it starts a regex.
function regexMayStart(code) {
  const before = code.trimEnd()
  return (
    before === '' ||
    /[(,=:[!&|?{};+\-*%~^<>]$|\b(?:return|typeof|case|of|in|do|else|void|await|yield)$/.test(before)
  )
}
