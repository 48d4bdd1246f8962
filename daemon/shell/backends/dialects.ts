/**
 * The words in which a command is put to each shell. A session may have functions, aliases and options of any kind: words
 * are quoted (no alias), functions are passed by, and where a shell can speak without any command at all, it does.
 */
import type { SessionKind } from '../../../protocol/shell/schema.js'
import type { ShellOptions } from './backend.js'
import { isComplete, mayBeUnclosed } from './unclosed.js'

export interface Dialect {
  readonly args: readonly string[]
  /** Before a quoted text: runs it. */
  readonly evaluate: string
  /** Before redirections: they stay. */
  readonly redirect: string
  /** Runs a file's text. */
  fromFile(file: string): string
  /** Whether a parse error in what is evaluated keeps all of it from being run. */
  readonly parsesAhead: boolean
  /** Says `value` and `word` to `to`, or where the shell’s streams go. */
  say(value: string, word: string, to: string): string
  /** What follows on that, whatever the session’s options: some shells can only speak by failing. */
  readonly goOn: '||' | '&&'
  /** Does nothing. */
  readonly pass: string
  /** Whether the shell itself might not survive what `text` is. */
  endangers?(text: string, options: ShellOptions): Promise<boolean>
}

export const DIALECTS = {
  bash: {
    args: ['--noprofile', '--norc'],
    evaluate: '\\command eval',
    redirect: '\\command exec',
    fromFile: (file) => `\\command eval "$(<${file})"`,
    parsesAhead: false,
    // What bash says of an expression that is none (a name would be looked up): there is no word in it that a session
    // could have redefined.
    say: (value, word, to) => `(( ${value} 9${word} ))${to && ` 2>${to}`}`,
    goOn: '||',
    pass: '(( 1 ))',
    endangers: async (text, { program, env }) =>
      mayBeUnclosed(text) && !(await isComplete(program, text, env)),
  },
  zsh: {
    args: ['-f'],
    evaluate: '\\builtin eval',
    redirect: '\\builtin exec',
    fromFile: (file) => `\\builtin eval "$(<${file})"`,
    parsesAhead: true,
    say: (value, word, to) => `\\builtin printf '%s\\n' "${value} ${word}"${to && ` >${to}`}`,
    goOn: '&&',
    pass: '\\builtin true',
  },
  sh: {
    args: [],
    evaluate: '\\command eval',
    redirect: '\\exec',
    fromFile: (file) => `\\command . ${file}`,
    parsesAhead: false,
    // What a shell says of a variable that is not there.
    say: (value, word, to) => `( \${${word}?${value} ${word}} )${to && ` 2>${to}`}`,
    goOn: '||',
    pass: '\\:',
  },
} as const satisfies Partial<Record<SessionKind, Dialect>>

/** A text as one word of a shell. */
export function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}

export interface Wording {
  /** The command, with its streams. */
  readonly call: string
  /** Where the shell reports, quoted. */
  readonly report: string
  /** A word that no command knows. */
  readonly nonce: string
}

/**
 * A line that runs the command and reports three times: its status; that the words that the next one needs still mean what
 * they should; and that this was all.
 */
export function wording(dialect: Dialect, { call, report, nonce }: Wording): string {
  const { redirect, evaluate, say, goOn, pass } = dialect
  const sound = `${say('1', `${nonce}b`, '')} ${goOn} ${pass}`
  return [
    call,
    // It lets go of the streams, which is how their end is known.
    `${say('$?', `${nonce}a`, report)} ${goOn} ${redirect} </dev/null >${report} 2>&1 && ${evaluate} ${quote(sound)}`,
    `${redirect} >/dev/null 2>&1`,
    `${say('2', `${nonce}c`, report)} ${goOn} ${pass}`,
  ].join('; ')
}

/** What a shell reported of one command. */
export interface Report {
  readonly status: number
  /** Whether it can take another one. */
  readonly sound: boolean
}

/** Reads the lines of a shell's reports about the command of `nonce`; returns the report once it is whole. */
export function reportReader(nonce: string): (line: string) => Report | null {
  const said = new RegExp(`(\\d+) +9?${nonce}([abc])`)
  let status: number | null = null
  let sound = false
  return (line) => {
    const [, value, which] = said.exec(line) ?? []
    if (which === 'a') status = Number(value)
    else if (which === 'b') sound = true
    else if (which === 'c' && status !== null) return { status, sound }
    return null
  }
}
