import { existsSync } from 'node:fs'
import test, { type ExecutionContext } from 'ava'
import { end } from './at-end.js'

test.after.always(end)

/** A test in Debian's Chromium; skipped where that is not installed. One at a time: a browser wants all of a machine. */
export function inBrowser(title: string, run: (t: ExecutionContext) => Promise<void>): void {
  const available = process.env.LETS_TEST_NO_X !== '1' && existsSync('/usr/bin/chromium')
  const declare = available ? test.serial : test.serial.skip
  declare(title, async (t) => {
    t.timeout(120_000)
    await run(t)
  })
}
