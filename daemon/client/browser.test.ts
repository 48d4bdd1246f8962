import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test from 'ava'
import { browserFor } from './browser.js'

test('a window of its own where a browser can do that, else a tab, else nothing', (t) => {
  const bin = mkdtempSync(join(tmpdir(), 'lets-bin-'))
  t.teardown(() => rmSync(bin, { recursive: true, force: true }))
  const add = (name: string) => {
    writeFileSync(join(bin, name), '')
    chmodSync(join(bin, name), 0o755)
  }
  const url = 'http://graph.localhost:1/u/graph/?t=x#lip=y'
  const env = { PATH: bin, DISPLAY: ':0' }
  t.is(browserFor(url, env, 'linux'), null)
  add('xdg-open')
  t.deepEqual(browserFor(url, env, 'linux'), ['xdg-open', url])
  add('chromium')
  t.deepEqual(browserFor(url, env, 'linux'), ['chromium', `--app=${url}`])
  t.is(browserFor(url, { PATH: bin }, 'linux'), null, 'no screen')
  t.deepEqual(browserFor(url, { PATH: bin, WAYLAND_DISPLAY: 'w' }, 'linux'), ['chromium', `--app=${url}`])
  t.deepEqual(browserFor(url, { LETS_BROWSER: '/x/browse' }, 'linux'), ['/x/browse', url])
  t.deepEqual(browserFor(url, {}, 'darwin'), ['open', url])
  t.deepEqual(browserFor(url, {}, 'win32')?.at(-1), url)
})
