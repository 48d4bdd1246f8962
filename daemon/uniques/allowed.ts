/** What the person has allowed uniques to have run: one answer for each unique and language, on this machine. */
import { readFileSync } from 'node:fs'
import { writeWholeSync } from '../whole-file.js'

export type Answer = 'allow' | 'deny'
/** By unique, then by language. */
export type Answers = Readonly<Record<string, Readonly<Record<string, Answer>>>>

export class Allowed {
  constructor(private readonly file: string) {}

  /** Read anew each time: a person may edit the file. Whatever cannot be read allows nothing. */
  all(): Answers {
    try {
      const value = JSON.parse(readFileSync(this.file, 'utf8'))
      return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {}
    } catch {
      return {}
    }
  }

  answer(unique: string, language: string): Answer | null {
    const all = this.all()
    const languages = Object.hasOwn(all, unique) ? all[unique] : undefined
    const answer = languages && Object.hasOwn(languages, language) ? languages[language] : undefined
    return answer === 'allow' || answer === 'deny' ? answer : null
  }

  /** Remembers an answer; null forgets it, so that the person is asked anew. */
  set(unique: string, language: string, answer: Answer | null): void {
    const all = this.all()
    const { [language]: _, ...others } = all[unique] ?? {}
    const languages = answer === null ? others : { ...others, [language]: answer }
    writeWholeSync(this.file, `${JSON.stringify({ ...all, [unique]: languages }, null, 2)}\n`)
  }

  /** Forgets all answers about a unique. */
  forget(unique: string): void {
    const { [unique]: gone, ...others } = this.all()
    if (gone !== undefined) writeWholeSync(this.file, `${JSON.stringify(others, null, 2)}\n`)
  }
}
