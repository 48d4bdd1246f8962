/**
 * bash up to 5.2 at least damages its own memory when an `eval` ends inside of `$(` or `<(`, and dies some commands later. Such
 * a text is a syntax error all the same, so it is evaluated in a copy of the shell, which may die in its place.
 */
import { spawn } from 'node:child_process'

/** Whether a text may end inside of a substitution: told cheaply, and rather too often. */
export function mayBeUnclosed(text: string): boolean {
  if (!/[$<>]\(/.test(text)) return false
  // What can hide a parenthesis.
  if (/['"\\#`]|<<|\bcase\b/.test(text)) return true
  return text.split('(').length !== text.split(')').length
}

/** Whether bash takes `text` for complete. Without an answer it does. */
export function isComplete(program: string, text: string, env: NodeJS.ProcessEnv): Promise<boolean> {
  return new Promise((resolve) => {
    // Patterns that a session may have switched on are no mistake.
    const child = spawn(program, ['--noprofile', '--norc', '-O', 'extglob', '-n'], {
      env,
      stdio: ['pipe', 'ignore', 'ignore'],
    })
    child.on('error', () => resolve(true))
    child.stdin.on('error', () => {})
    child.once('exit', (code) => resolve(code === 0))
    child.stdin.end(text)
  })
}
