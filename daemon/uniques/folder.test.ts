import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test, { type ExecutionContext } from 'ava'
import { LipError } from '../../protocol/lip/errors.js'
import { ManifestError } from '../../protocol/lip/manifest.js'
import { Allowed } from './allowed.js'
import { Catalog } from './catalog.js'
import { readUnique, resolveInside } from './folder.js'
import { install, NameTaken, remove } from './install.js'
import { DeclaredSchemas } from './schemas.js'
import { templateFiles } from './template.js'

function folder(t: ExecutionContext): string {
  const made = mkdtempSync(join(tmpdir(), 'lets-unique-'))
  t.teardown(() => rmSync(made, { recursive: true, force: true }))
  return made
}

function template(t: ExecutionContext, name = 'colors', more: Readonly<Record<string, string>> = {}): string {
  const at = join(folder(t), name)
  for (const [path, text] of Object.entries({ ...templateFiles(name), ...more })) {
    mkdirSync(join(at, path, '..'), { recursive: true })
    writeFileSync(join(at, path), text)
  }
  return at
}

const faultsOf = (t: ExecutionContext, act: () => unknown) =>
  t.throws<ManifestError>(act, { instanceOf: ManifestError })?.message.split('\n') ?? []

test('what `lets unique new` makes keeps every rule, and its schemas judge messages', (t) => {
  const unique = readUnique(template(t), '0.1.0', 'colors')
  t.deepEqual(unique.warnings, [])
  const schemas = new DeclaredSchemas(unique)
  t.notThrows(() => schemas.check('up', 'colors.picked', { color: 'red' }))
  t.throws(() => schemas.check('up', 'colors.picked', {}), {
    instanceOf: LipError,
    message: 'colors.picked: color is missing',
  })
  t.throws(() => schemas.check('down', 'colors.show', { text: 3 }), {
    message: 'colors.show: text must be a string, got 3',
  })
  t.notThrows(() => schemas.check('down', 'colors.load', { any: 1 }))
})

test('a file that is missing, leads out, or is a schema of a stranger’s wishes is named, with its key and rule', (t) => {
  const broken = (path: string, text: string) =>
    faultsOf(t, () => readUnique(template(t, 'colors', { [path]: text }), '0.1.0'))
  const manifest = JSON.parse(templateFiles('colors')['unique.json'] ?? '')
  t.deepEqual(broken('unique.json', JSON.stringify({ ...manifest, entry: 'ui/none.html' })), [
    'unique.json: entry: ui/none.html is not there (rule 2)',
  ])
  t.deepEqual(broken('schemas/show.json', '{"$ref": "http://x/"}'), [
    'schemas/show.json: $ref: may only refer into its own file: #/definitions/… (rule 4)',
  ])
  t.regex(broken('schemas/show.json', '{')[0] ?? '', /^schemas\/show\.json: .*JSON.* \(rule 4\)$/)
  t.regex(
    broken('schemas/show.json', `{"description":"${'x'.repeat(70_000)}"}`)[0] ?? '',
    /is 70\d+ bytes, and may have 65536 \(rule 4\)$/,
  )
  t.regex(
    broken('unique.json', `{"x":"${'x'.repeat(10 * 1024 * 1024)}"}`)[0] ?? '',
    /^unique\.json: is 10\d+ bytes, and may have/,
  )
  t.deepEqual(
    faultsOf(t, () => readUnique(template(t), '0.1.0', 'other')),
    ['unique.json: name: is colors, and the folder is other (rule 1)'],
  )
  t.regex(
    faultsOf(t, () => readUnique(join(folder(t), 'none'), '0.1.0'))[0] ?? '',
    /cannot be read \(ENOENT\)/,
  )
  t.deepEqual(
    faultsOf(t, () => readUnique(folder(t), '0.1.0')),
    ['unique.json: is missing (rule 0)'],
  )
  const linked = template(t)
  rmSync(join(linked, 'GUIDE.md'))
  symlinkSync('/etc/passwd', join(linked, 'GUIDE.md'))
  t.deepEqual(
    faultsOf(t, () => readUnique(linked, '0.1.0')),
    ['unique.json: guide: GUIDE.md leads out of the folder, or is no file (rule 2)'],
  )
  t.is(resolveInside(linked, 'GUIDE.md'), null)
})

test('a pattern that backtracks for minutes elsewhere is checked in no time, and one that cannot be is refused', (t) => {
  const at = template(t, 'colors', {
    'schemas/show.json': '{"type":"object","properties":{"text":{"type":"string","pattern":"^(a+)+$"}}}',
  })
  const schemas = new DeclaredSchemas(readUnique(at, '0.1.0'))
  const began = performance.now()
  t.throws(() => schemas.check('down', 'colors.show', { text: `${'a'.repeat(50_000)}!` }), {
    instanceOf: LipError,
  })
  t.notThrows(() => schemas.check('down', 'colors.show', { text: 'aaaa' }))
  t.true(performance.now() - began < 20_000)
  const back = template(t, 'colors', {
    'schemas/show.json': '{"properties":{"text":{"pattern":"(a)\\\\1"}}}',
  })
  t.regex(
    faultsOf(t, () => new DeclaredSchemas(readUnique(back, '0.1.0')))[0] ?? '',
    /^schemas\/show\.json: .*\(rule 4\)$/,
  )
})

test('installing copies what is served, and no more; it is whole or not there', (t) => {
  const home = folder(t)
  const from = template(t, 'colors', {
    '.env': 'SECRET',
    '.git/config': 'SECRET',
    'node_modules/x/index.js': 'x',
  })
  const into = {
    uniques: join(home, 'uniques'),
    allowed: join(home, 'allow.json'),
    host: '0.1.0',
    replace: false,
  }
  const catalog = new Catalog({ own: into.uniques, bundled: join(home, 'none') }, '0.1.0')
  t.is(catalog.get('colors'), null)
  t.is(install({ ...into, from, source: from }).before, null)
  t.deepEqual(readdirSync(into.uniques), ['colors'])
  t.deepEqual(readdirSync(join(into.uniques, 'colors')).sort(), [
    '.lets-source.json',
    'GUIDE.md',
    'schemas',
    'ui',
    'unique.json',
  ])
  t.is(catalog.get('colors')?.manifest.version, '0.1.0')

  new Allowed(into.allowed).set('colors', 'python', 'allow')
  const manifest = JSON.parse(readFileSync(join(from, 'unique.json'), 'utf8'))
  writeFileSync(join(from, 'unique.json'), JSON.stringify({ ...manifest, version: '0.2.0' }))
  t.is(install({ ...into, from, source: from }).before, '0.1.0')
  t.is(catalog.get('colors')?.manifest.version, '0.2.0', 'seen without a restart')
  t.is(new Allowed(into.allowed).answer('colors', 'python'), 'allow')

  const other = template(t)
  t.throws(() => install({ ...into, from: other, source: other }), { instanceOf: NameTaken })
  t.is(catalog.get('colors')?.manifest.version, '0.2.0')
  t.is(install({ ...into, from: other, source: other, replace: true }).before, '0.2.0')
  t.is(new Allowed(into.allowed).answer('colors', 'python'), null, 'what one was allowed is not another’s')

  symlinkSync('/etc/passwd', join(other, 'ui', 'passwd'))
  t.throws(() => install({ ...into, from: other, source: other }), { message: /ui\/passwd is no file/ })
  t.deepEqual(readdirSync(into.uniques), ['colors'], 'nothing is left of it')
  t.true(remove('colors', into.uniques, into.allowed))
  t.false(remove('colors', into.uniques, into.allowed))
})

test('a catalog lists what cannot be served, too, and follows no links', (t) => {
  const home = folder(t)
  const own = join(home, 'uniques')
  const bundled = join(home, 'bundled')
  cpSync(template(t), join(own, 'colors'), { recursive: true })
  cpSync(template(t), join(bundled, 'colors'), { recursive: true })
  cpSync(template(t, 'shapes'), join(bundled, 'shapes'), { recursive: true })
  mkdirSync(join(own, 'broken'))
  symlinkSync(template(t, 'linked'), join(own, 'linked'))
  const listed = new Catalog({ own, bundled }, '0.1.0').list()
  t.deepEqual(
    listed.map((each) => [each.name, each.bundled, 'error' in each]),
    [
      ['broken', false, true],
      ['colors', false, false],
      ['shapes', true, false],
    ],
  )
})
