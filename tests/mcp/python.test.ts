import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import test from 'ava'
import { cleanEnv, LETS, startDaemonProcess } from '../support/daemon.js'

const run = promisify(execFile)
const script = fileURLToPath(new URL('../../../tests/mcp/python-client.py', import.meta.url))

/** How long the packages may take to come; without a network they never do. */
const INSTALL_MS = 60_000

interface Seen {
  readonly initialize: { readonly serverInfo: { readonly name: string }; readonly protocolVersion: string }
  readonly tools: readonly string[]
  readonly calls: readonly {
    readonly name: string
    readonly isError?: boolean
    readonly content: readonly { readonly type: string; readonly data?: number }[]
    readonly structuredContent: {
      readonly error?: { readonly code: string }
      readonly gone?: readonly object[]
    }
  }[]
  readonly notes: readonly { readonly data: { readonly reason: string } }[]
}

/** A Python with the `mcp` package, in a folder of its own; or why there is none. */
async function python(folder: string): Promise<{ readonly command: string } | { readonly missing: string }> {
  const command = join(folder, 'venv', 'bin', 'python')
  try {
    await run('python3', ['-m', 'venv', join(folder, 'venv')], { timeout: INSTALL_MS })
    const install = [
      '-m',
      'pip',
      'install',
      '--quiet',
      '--disable-pip-version-check',
      '--retries',
      '0',
      'mcp',
    ]
    await run(command, install, { timeout: INSTALL_MS })
    return { command }
  } catch (error) {
    const { stderr = '', message } = error as { stderr?: string; message: string }
    return { missing: (stderr.trim() || message).split('\n').at(-1) ?? '' }
  }
}

test.serial("Python's MCP client initialises, lists, and has every tool succeed and fail", async (t) => {
  t.timeout(3 * INSTALL_MS)
  const folder = mkdtempSync(join(tmpdir(), 'lets-python-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  const found = await python(folder)
  if ('missing' in found) {
    t.log(`left out, since Python's mcp package cannot be installed here: ${found.missing}`)
    t.pass()
    return
  }
  const daemon = await startDaemonProcess({ args: ['--host', 'headless'] })
  t.teardown(() => daemon.stop())
  const words = [
    script,
    process.execPath,
    JSON.stringify([LETS, 'mcp']),
    JSON.stringify(cleanEnv(daemon.env)),
  ]
  const { stdout } = await run(found.command, words, { timeout: INSTALL_MS })
  const { initialize, tools, calls, notes } = JSON.parse(stdout) as Seen
  t.is(initialize.serverInfo.name, 'lets')
  t.log(`protocol ${initialize.protocolVersion}, ${calls.length} calls`)
  t.is(tools.length, 21)
  t.deepEqual(
    calls.map(({ name, isError, structuredContent: { error } }) => [name, isError ? error?.code : 'ok']),
    [
      ['list_displays', 'ok'],
      ['look', 'ok'],
      ['point_at', 'ok'],
      ['highlight', 'ok'],
      ['annotate', 'ok'],
      ['guide', 'ok'],
      ['draw_arrow', 'ok'],
      ['draw_path', 'ok'],
      ['show_steps', 'ok'],
      ['move_mark', 'ok'],
      ['locate', 'no_resolver'],
      ['wait_for_window', 'unavailable'],
      ['point_at', 'bad_schema'],
      ['point_at', 'stale_frame'],
      ['point_at', 'unknown_display'],
      ['no_such_tool', 'unknown_tool'],
      ['point_at', 'ok'],
      ['clear', 'ok'],
      ['windows', 'ok'],
      ['sessions', 'ok'],
      ['listen', 'ok'],
      ['open', 'unknown_unique'],
      ['send', 'unknown_window'],
      ['state', 'unknown_window'],
      ['close', 'unknown_window'],
    ],
  )
  t.true(calls[1]?.content.some(({ type, data = 0 }) => type === 'image' && data > 1000))
  t.is(notes[0]?.data.reason, 'ttl')
  t.is(calls.find(({ name }) => name === 'clear')?.structuredContent.gone?.length, 1)
})
