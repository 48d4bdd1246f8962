import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test from 'ava'
import { MARKER, resolversIn, type ServiceContext, serviceDefinition, systemdWord } from './definition.js'

const context = (more: Partial<ServiceContext> = {}): ServiceContext => ({
  platform: 'linux',
  env: {},
  home: '/home/ann',
  node: '/usr/bin/node',
  script: '/opt/lets/main.js',
  host: 'x11',
  resolvers: [],
  letsHome: '/home/ann/.lets',
  ...more,
})

test('the unit is in the person’s config folder, with absolute paths and no shell', (t) => {
  const { file, text, manager } = serviceDefinition(context())
  t.is(manager, 'systemd')
  t.is(file, '/home/ann/.config/systemd/user/lets.service')
  t.true(text.startsWith(`# ${MARKER}`))
  t.regex(text, /^ExecStart="\/usr\/bin\/node" "\/opt\/lets\/main\.js" "daemon" "--host" "x11"$/m)
  t.regex(text, /^WantedBy=graphical-session\.target$/m)
  t.is(serviceDefinition(context({ env: { XDG_CONFIG_HOME: '/x' } })).file, '/x/systemd/user/lets.service')
  t.is(
    serviceDefinition(context({ env: { XDG_CONFIG_HOME: 'relative' } })).file,
    '/home/ann/.config/systemd/user/lets.service',
    'as the specification wants it',
  )
})

test('the resolvers that it is told of are in the command, and found there again, in every format', (t) => {
  for (const platform of ['linux', 'darwin', 'win32']) {
    const { text } = serviceDefinition(context({ platform, resolvers: ['accessibility', 'ocr'] }))
    t.deepEqual(resolversIn(text), ['accessibility', 'ocr'], text)
    t.deepEqual(resolversIn(serviceDefinition(context({ platform })).text), [])
  }
  const { text } = serviceDefinition(context({ resolvers: ['ocr'] }))
  t.regex(text, /"daemon" "--host" "x11" "--resolver" "ocr"$/m)
})

test('without a screen it needs no desktop', (t) => {
  const { text } = serviceDefinition(context({ host: 'headless' }))
  t.regex(text, /^WantedBy=default\.target$/m)
  t.notRegex(text, /graphical/)
})

test('what systemd would fill in or take apart is taken as it is', (t) => {
  t.is(systemdWord('a b"c\\d%e$f'), '"a b\\"c\\\\d%%e$$f"')
  t.is(systemdWord('A=$x %h', 'environment'), '"A=$x %%h"')
  const { text } = serviceDefinition(context({ node: '/a b/$node', env: { LETS_HOME: '/h 1' } }))
  t.regex(text, /^ExecStart="\/a b\/\$\$node" /m)
  t.regex(text, /^Environment="LETS_HOME=\/h 1"$/m)
  t.throws(() => serviceDefinition(context({ script: '/a\nExecStartPost=/bin/true' })), {
    message: /line break/,
  })
})

const analyze = 'systemd-analyze'
const analyzed = spawnSync(analyze, ['--version']).status === 0 ? test : test.skip

analyzed('systemd itself has nothing to say against the unit, with odd paths too', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'lets-unit-'))
  t.teardown(() => rmSync(folder, { recursive: true }))
  const script = join(folder, 'a b"c%d.js')
  writeFileSync(script, '')
  for (const host of ['x11', 'headless'] as const) {
    const file = join(folder, 'lets.service')
    const odd = context({ node: process.execPath, script, host, env: { LETS_HOME: '/h "1" %h' } })
    writeFileSync(file, serviceDefinition(odd).text)
    const env = { ...process.env, XDG_RUNTIME_DIR: folder }
    const { status, stderr } = spawnSync(analyze, ['--user', 'verify', file], { env, encoding: 'utf8' })
    t.is(status, 0, stderr)
    t.notRegex(stderr, /lets\.service/)
  }
})

test('the plist and the task name the same command, escaped', (t) => {
  const odd = { node: '/a&b/node', script: '/c d/<main>.js', host: 'auto' } as const
  const mac = serviceDefinition(context({ ...odd, platform: 'darwin', home: '/Users/ann' }))
  t.is(mac.file, '/Users/ann/Library/LaunchAgents/lets-overlay.daemon.plist')
  t.regex(mac.text, /<string>\/a&amp;b\/node<\/string>\n {4}<string>\/c d\/&lt;main&gt;\.js<\/string>/)
  const windows = serviceDefinition(
    context({
      ...odd,
      platform: 'win32',
      node: 'C:\\n\\node.exe',
      script: 'C:\\a b\\main.js',
      letsHome: 'C:\\l',
    }),
  )
  t.is(windows.file, 'C:\\l\\lets-task.xml')
  t.is(windows.encoding, 'utf16le')
  t.regex(
    windows.text,
    /<Command>C:\\n\\node\.exe<\/Command><Arguments>&quot;C:\\a b\\main\.js&quot; daemon --host auto<\/Arguments>/,
  )
})
