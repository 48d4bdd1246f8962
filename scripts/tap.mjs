// Reads the TAP that ava writes, as it arrives: a line for each pass, a failure in full, and the counts.
// The counts are our own, because the closing line of `npm test` sums what two test runners say.

export function tapReader(print) {
  const counts = { passed: 0, failed: 0, skipped: 0 }
  const failures = []
  let inFailure = false // among the indented diagnostics that follow a failure

  const take = lines((line) => {
    const result = /^(not )?ok(?: \d+)?(?: - )?(.*)$/.exec(line)
    if (!result) {
      if (inFailure && line.startsWith('  ')) print(line)
      return
    }
    const [, not, text] = result
    const outcome = /# (?:SKIP|TODO)\b/i.test(text) ? 'skipped' : not ? 'failed' : 'passed'
    inFailure = outcome === 'failed'
    counts[outcome]++
    if (inFailure) failures.push(text)
    print(`${{ passed: '✓', failed: '✗', skipped: '-' }[outcome]} ${text}`)
  })
  return { counts, failures, take }
}

/** Cuts text that comes in pieces into lines; one that is not ended yet is kept for the next piece. */
export function lines(takeLine) {
  let rest = ''
  return (text) => {
    const whole = (rest + text).split(/\r?\n/)
    rest = whole.pop()
    whole.forEach(takeLine)
  }
}

/** Sums cargo's `test result: ok. 3 passed; 0 failed; 1 ignored; …` lines. */
export function cargoCounts(output) {
  const counts = { passed: 0, failed: 0, skipped: 0 }
  for (const [, passed, failed, ignored] of output.matchAll(
    /^test result: \w+\. (\d+) passed; (\d+) failed; (\d+) ignored/gm,
  )) {
    counts.passed += Number(passed)
    counts.failed += Number(failed)
    counts.skipped += Number(ignored)
  }
  return counts
}
