import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import test from 'ava'
import { loadNative } from '../native/index.js'
import { cleanEnv } from './support/daemon.js'

const run = promisify(execFile)
const root = fileURLToPath(new URL('../..', import.meta.url))

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
      'commander',
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
    t.is(JSON.parse((await agent).stdout).result.tools.length, 13)
    for (const part of ['.mcp.json', '.claude-plugin/plugin.json', 'hooks/prompt.mjs', 'skills', 'commands'])
      t.true(existsSync(join(plugin, part)), part)
  },
)
