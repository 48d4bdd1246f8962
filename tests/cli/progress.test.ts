import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import test from 'ava'

const onTerminal = process.platform === 'linux' ? test : test.skip

onTerminal('what a script calls its steps moves no cursor and names no window', (t) => {
  const module = join(import.meta.dirname, '..', '..', 'daemon', 'cli', 'progress.js')
  const code = `const { progress } = await import(${JSON.stringify(module)})
    progress(2).at(1, 'a\\u001b]0;owned\\u0007b\\nc\\u001b[2Jd\\u009bx')`
  // A terminal of its own: without one there is no bar.
  const said = execFileSync(
    'script',
    ['-qec', `"${process.execPath}" --input-type=module -e "$CODE"`, '/dev/null'],
    { env: { ...process.env, CODE: code, TERM: 'xterm' }, encoding: 'utf8', timeout: 60_000 },
  )
  t.regex(said, /1\/2 a\ufffd\]0;owned\ufffdb c\ufffd\[2Jd\ufffdx/)
})
