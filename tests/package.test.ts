import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import test from 'ava'
import { loadNative } from '../native/index.js'
import { PAGE_URL } from '../overlay/hosts/electron/bridge.js'
import { IMPORT_MAP, type pageFile as Serve } from '../overlay/hosts/electron/page-files.js'
import { fontFiles } from '../overlay/scene/index.js'
import { cleanEnv } from './support/daemon.js'

const run = promisify(execFile)
const root = fileURLToPath(new URL('../..', import.meta.url))

const packages = (JSON.parse(IMPORT_MAP) as { imports: Record<string, string> }).imports

/** All that a page is made of: what its files name, and what those name. Throws where one is not served. */
async function reachable(first: string, serve: typeof Serve): Promise<string[]> {
  const found = new Set([first])
  for (const url of found) {
    const file = await serve(url)
    if (!file) throw new Error(`${url} is not served`)
    const names = /(?:^(?:import|export)\b(?:[^"'\n]*\bfrom)? |(?:src|href)=)["']([^"']+)["']/gm
    for (const [, name] of Buffer.from(file.body).toString().matchAll(names))
      found.add(new URL(packages[name!] ?? name!, url).href)
  }
  return [...found]
}

// Where the addon was not built there is nothing to publish.
const packaged = loadNative().ok && process.platform === 'linux' ? test : test.skip

packaged(
  'what is published works where neither the sources nor Rust are: the addon is a package of its own',
  async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'lets-package-'))
    t.teardown(() => rmSync(folder, { recursive: true, force: true }))
    await run(process.execPath, [join(root, 'scripts/package.mjs'), folder, '--no-build'])
    const modules = join(folder, 'node_modules')
    for (const file of readdirSync(folder).filter((name) => name.endsWith('.tgz'))) {
      const target = join(modules, file.replace(/-\d+\.\d+\.\d+\.tgz$/, ''))
      mkdirSync(target, { recursive: true })
      await run('tar', ['-xzf', join(folder, file), '-C', target, '--strip-components=1'])
    }
    for (const dependency of [
      '@modelcontextprotocol',
      '@napi-rs',
      'ajv',
      'bidi-js',
      'commander',
      're2js',
      'screenshot-desktop',
      'typebox',
      'ulid',
    ]) {
      symlinkSync(join(root, 'node_modules', dependency), join(modules, dependency))
    }
    const cli = join(modules, 'lets-overlay', 'dist', 'daemon', 'cli', 'main.js')
    const env = cleanEnv({ LETS_HOME: join(folder, 'home') })
    const { stdout } = await run(process.execPath, [cli, 'doctor', '--json'], { env })
    const { findings } = JSON.parse(stdout) as { findings: { name: string; state: string }[] }
    t.is(findings.find(({ name }) => name === 'addon')?.state, 'ok')
    const demo = await run(process.execPath, [cli, 'demo', '--json', '--file', join(folder, 'demo.png')], {
      env,
    })
    t.is(JSON.parse(demo.stdout).host, 'headless')
    // As the plugin starts it.
    const plugin = join(modules, 'lets-overlay')
    const agent = run(process.execPath, [join(plugin, 'bin', 'mcp.mjs')], { env })
    agent.child.stdin?.end('{"jsonrpc":"2.0","id":1,"method":"tools/list"}\n')
    t.is(JSON.parse((await agent).stdout).result.tools.length, 21)
    for (const part of ['.mcp.json', '.claude-plugin/plugin.json', 'hooks/prompt.mjs', 'skills', 'commands'])
      t.true(existsSync(join(plugin, part)), part)
    // What browsers load: the SDK, and the uniques that come with Lets, whole and with the licences of what is in them.
    for (const part of ['sdk/sdk.js', 'daemon/sdk/index.d.ts', ...['graph', 'look'].flatMap(uniqueFiles)])
      t.true(existsSync(join(plugin, 'dist', part)), part)
    const { stdout: listed } = await run(process.execPath, [cli, 'unique', 'list', '--json'], { env })
    t.deepEqual(
      (JSON.parse(listed) as { name: string; bundled: boolean; error?: string }[]).map(
        ({ name, bundled, error }) => [name, bundled, error],
      ),
      [
        ['cards', true, undefined],
        ['graph', true, undefined],
        ['look', true, undefined],
      ],
    )
    // The SDK's types are those of the package.
    writeFileSync(
      join(folder, 'page.ts'),
      `import { connect, History, type Lip } from 'lets-overlay/sdk'
const lip: Lip = await connect()
lip.on('ui.toast', ({ text }) => text.length)
lip.on('mine.said', (data) => data.anything)
const id: string = await lip.emit('component.action', { id: 'a', action: 'b' })
// @ts-expect-error a core message has the data it has
void lip.emit('component.action', { id })
new History<number>(() => 1, () => {}).undo()
`,
    )
    const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
    const types = [
      '--noEmit',
      '--strict',
      '--module',
      'nodenext',
      '--target',
      'es2022',
      '--lib',
      'es2023,dom,dom.iterable',
    ]
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
    await run(process.execPath, [tsc, ...types, '--types', '', join(folder, 'page.ts')], { cwd: folder })
    // What Electron loads: the preload, the tray's icons, and every file of the page, from its first one on.
    const electron = join('overlay', 'hosts', 'electron')
    for (const icon of ['trayTemplate.png', 'trayTemplate@2x.png', 'tray.png', 'tray@2x.png'])
      t.true(existsSync(join(plugin, electron, 'assets', icon)), icon)
    const { PRELOAD_FILE, pageFile } = (await import(
      pathToFileURL(join(plugin, 'dist', electron, 'page-files.js')).href
    )) as typeof import('../overlay/hosts/electron/page-files.js')
    t.true(PRELOAD_FILE.startsWith(plugin) && existsSync(PRELOAD_FILE))
    const urls = await reachable(PAGE_URL, pageFile)
    t.true(urls.filter((url) => url.endsWith('.js')).length > 20)
    for (const end of ['page.css', 'packages/bidi-js.mjs', 'scene/index.js', 'host/page.generated.js'])
      t.true(
        urls.some((url) => url.endsWith(end)),
        end,
      )
    for (const { file } of fontFiles)
      t.truthy(await pageFile(new URL(`/overlay/scene/fonts/${file}`, PAGE_URL).href))
  },
)

function uniqueFiles(name: string): string[] {
  return ['unique.json', 'GUIDE.md', 'icon.svg', 'LICENSES.txt', 'ui/index.html', 'ui/main.js'].map(
    (file) => `uniques/${name}/${file}`,
  )
}
