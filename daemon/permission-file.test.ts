import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test, { type ExecutionContext } from 'ava'
import { PermissionFile } from './permission-file.js'

function place(t: ExecutionContext) {
  const folder = mkdtempSync(join(tmpdir(), 'lets-permission-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  const warned: string[] = []
  const file = join(folder, 'home', 'screencast')
  return { file, warned, open: () => new PermissionFile(file, (_, event) => warned.push(event)) }
}

test('a token is kept where only the person can read it, and is gone once it is forgotten', (t) => {
  const { file, warned, open } = place(t)
  const first = open()
  t.is(first.read(), null)
  t.true(first.keep('one'))
  t.true(first.keep('two'))
  t.is(readFileSync(file, 'utf8'), 'two\n')
  if (process.platform !== 'win32') t.is(statSync(file).mode & 0o777, 0o600)
  const next = open()
  t.is(next.read(), 'two')
  next.forget()
  t.is(next.read(), null)
  t.false(existsSync(file))
  t.deepEqual(warned, [])
})

test('what cannot be a token of ours is not used, and said', (t) => {
  const { file, warned, open } = place(t)
  mkdirSync(file, { recursive: true })
  t.is(open().read(), null)
  rmSync(file, { recursive: true })
  writeFileSync(file, 'x'.repeat(5000), { mode: 0o600 })
  t.is(open().read(), null)
  if (process.platform !== 'win32') {
    writeFileSync(file, 'token')
    chmodSync(file, 0o640)
    t.is(open().read(), null)
    t.is(warned.length, 3)
  }
  t.true(warned.every((event) => event === 'permission_file'))
})

test('a token that cannot be written is not said to be kept', (t) => {
  const { file, warned, open } = place(t)
  mkdirSync(join(file, 'in the way'), { recursive: true })
  const store = open()
  t.false(store.keep('one'))
  t.is(store.read(), null)
  t.true(warned.length > 0)
})
