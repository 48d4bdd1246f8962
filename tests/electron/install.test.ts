/** Fetching Electron's binary with its own installer: from a mirror of this test, and from nowhere. */
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { crc32 } from 'node:zlib'
import test, { type ExecutionContext } from 'ava'
import { connect } from '../../daemon/client/index.js'
import { cleanEnv, spawnDaemon, tempHome } from '../support/daemon.js'
import { startX, until } from '../support/xserver.js'
import { execute } from './execute.js'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
const ON_LINUX = process.platform === 'linux' ? test.serial : test.serial.skip

interface Copy {
  /** Its `lets`, as it is installed somewhere, with an Electron that was not fetched. */
  readonly lets: string
  readonly home: string
  readonly env: NodeJS.ProcessEnv
}

/** The package with everything it needs, where an installer may write. */
function copyOfPackage(t: ExecutionContext, env: NodeJS.ProcessEnv = {}): Copy {
  const folder = mkdtempSync(join(tmpdir(), 'lets-copy-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))
  for (const part of ['daemon', 'grounding', 'protocol', 'overlay', 'native', 'sdk', 'uniques'])
    cpSync(join(ROOT, 'dist', part), join(folder, 'dist', part), { recursive: true })
  for (const part of ['package.json', 'native', 'overlay']) symlinkSync(join(ROOT, part), join(folder, part))
  const modules = join(folder, 'node_modules')
  mkdirSync(modules)
  for (const name of readdirSync(join(ROOT, 'node_modules'))) {
    if (name !== 'electron') symlinkSync(join(ROOT, 'node_modules', name), join(modules, name))
  }
  cpSync(join(ROOT, 'node_modules', 'electron'), join(modules, 'electron'), {
    recursive: true,
    filter: (path) => !/electron[/\\](?:dist|path\.txt)/.test(path),
  })
  const home = tempHome()
  t.teardown(() => rmSync(home, { recursive: true, force: true, maxRetries: 5 }))
  return {
    lets: join(folder, 'dist', 'daemon', 'cli', 'main.js'),
    home,
    env: cleanEnv({ LETS_HOME: home, electron_config_cache: join(folder, 'cache'), ...env }),
  }
}

const lets = ({ lets: file, env }: Copy, ...args: string[]) => execute(process.execPath, [file, ...args], env)

interface Mirror {
  readonly url: string
  readonly asked: string[]
}

/** A mirror with an Electron that is a few bytes. */
async function mirror(t: ExecutionContext, sum?: string): Promise<Mirror> {
  const zip = zipOf({ electron: '#!/bin/sh\nexit 3\n', version: '42.11.18' })
  const name = 'electron-v42.11.18-linux-x64.zip'
  const digest = sum ?? createHash('sha256').update(zip).digest('hex')
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(request.url ?? '')
    if (request.url?.endsWith('.zip')) response.end(zip)
    else if (request.url?.endsWith('SHASUMS256.txt')) response.end(`${digest} *${name}\n`)
    else response.writeHead(404).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => void server.close())
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, asked }
}

ON_LINUX('it is fetched once, from where a person says, and status knows it', async (t) => {
  const { url, asked } = await mirror(t)
  const copy = copyOfPackage(t, {
    ELECTRON_MIRROR: url,
    electron_use_remote_checksums: '1',
    npm_config_arch: 'x64',
  })
  const before = await lets(copy, 'electron', 'status')
  t.is(before.code, 1)
  t.regex(
    before.stdout,
    /not installed: the binary of Electron 42\.11\.18 has not been fetched; run: lets electron install/,
  )
  const installed = await lets(copy, 'electron', 'install')
  t.is(installed.code, 0, installed.stderr)
  t.regex(installed.stdout, /installed Electron 42\.11\.18: \S+electron$/m)
  t.regex(installed.stderr, /fetching Electron 42\.11\.18/)
  t.true(asked.some((path) => path.includes('v42.11.18')))
  const after = await lets(copy, 'electron', 'status', '--json')
  t.like(JSON.parse(after.stdout), { installed: true, state: 'ready', version: '42.11.18' })
  const count = asked.length
  t.regex((await lets(copy, 'electron', 'install')).stdout, /was installed already/)
  t.is(asked.length, count)
})

ON_LINUX(
  'nothing there: what was tried and what went wrong are said, and what draws meanwhile',
  async (t) => {
    const copy = copyOfPackage(t, { ELECTRON_MIRROR: 'http://127.0.0.1:9/' })
    const { code, stdout, stderr } = await lets(copy, 'electron', 'install')
    t.is(code, 1)
    t.is(stdout, '')
    t.regex(
      stderr,
      /Electron was not installed\. Tried: http:\/\/127\.0\.0\.1:9\/v42\.11\.18\/electron-v42\.11\.18-linux-/,
    )
    t.regex(stderr, /fetch failed|ECONNREFUSED|bad port/)
    t.regex(stderr, /ELECTRON_MIRROR/)
    t.regex(stderr, /Lets draws with its own X11 host/)
    t.is((await lets(copy, 'electron', 'status')).code, 1)
  },
)

ON_LINUX('a binary that is not what it should be is not installed', async (t) => {
  const { url } = await mirror(t, '0'.repeat(64))
  const copy = copyOfPackage(t, {
    ELECTRON_MIRROR: url,
    electron_use_remote_checksums: '1',
    npm_config_arch: 'x64',
  })
  const { code, stderr } = await lets(copy, 'electron', 'install')
  t.is(code, 1)
  t.regex(stderr, /checksum/i)
  t.is((await lets(copy, 'electron', 'status')).code, 1)
})

ON_LINUX(
  'nothing is verified without the binary: that is said at once, before anything is built',
  async (t) => {
    const script = join(ROOT, 'scripts', 'verify-electron.mjs')
    const env = cleanEnv({ ELECTRON_OVERRIDE_DIST_PATH: '/nowhere' })
    const { code, stdout, stderr } = await execute(process.execPath, [script], env)
    t.is(code, 1)
    t.is(stdout, '')
    t.regex(stderr, /✗ Electron cannot be verified here: .*Electron 42\.11\.18 .*\. Nothing was run\./)
    t.regex(stderr, /Fetch it first: `lets electron install`, or add `-- --fetch`/)
  },
)

ON_LINUX('a wrong word is a wrong use', async (t) => {
  const copy = copyOfPackage(t)
  const { code, stderr } = await lets(copy, 'electron', 'remove')
  t.is(code, 2)
  t.regex(stderr, /installed, or asked for its status; got "remove"/)
})

if (process.env.LETS_TEST_NO_X !== '1') {
  ON_LINUX(
    'a daemon that is to use it, and cannot get it, draws with the native host and says what was tried',
    async (t) => {
      const x = await startX({ compositor: true })
      t.teardown(() => x.stop())
      const copy = copyOfPackage(t, { ELECTRON_MIRROR: 'http://127.0.0.1:9/', DISPLAY: x.display })
      const child = spawnDaemon(copy.env, ['--host', 'electron'], copy.lets)
      t.teardown(async () => {
        child.kill('SIGTERM')
        await until('the daemon has ended', () => child.exitCode !== null || child.signalCode !== null)
      })
      const socket = join(copy.home, 'run', 'lets.sock')
      const client = await until(
        'it serves',
        () => connect({ clientName: 'test', socket, acks: 'painted' }).catch(() => undefined),
        30_000,
      )
      t.teardown(() => client.close())
      const { host, host_facts: facts } = await client.status()
      t.is(host, 'x11')
      t.regex(
        facts?.notes?.join(' ') ?? '',
        /Electron is not used: it could not be fetched from http:\/\/127\.0\.0\.1:9\/\S+: .+; try `lets electron install`/,
      )
      await client.highlight({ rect: [100, 100, 50, 50], display_id: 1 })
    },
  )
}

ON_LINUX(
  'a daemon is killed while it fetches: the installer goes with it, also one that hangs',
  async (t) => {
    // It takes the request, and never answers.
    const server = createServer(() => {})
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    t.teardown(() => {
      server.closeAllConnections()
      server.close()
    })
    const asked = once(server, 'request')
    const { port } = server.address() as AddressInfo
    const copy = copyOfPackage(t, {
      ELECTRON_MIRROR: `http://127.0.0.1:${port}/`,
      electron_use_remote_checksums: '1',
      // Nothing is ever drawn: it fetches before it looks at a screen.
      DISPLAY: ':9999',
    })
    const daemon = spawnDaemon(copy.env, ['--host', 'electron'], copy.lets)
    t.teardown(() => daemon.kill('SIGKILL'))
    const [request] = (await asked) as [IncomingMessage]
    const gone = once(request.socket, 'close')
    daemon.kill('SIGKILL')
    await gone
    t.pass()
  },
)

/** A zip of these files, not compressed, each executable. */
function zipOf(files: Readonly<Record<string, string>>): Buffer {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const [name, text] of Object.entries(files)) {
    const [path, data] = [Buffer.from(name), Buffer.from(text)]
    const common = Buffer.alloc(26)
    common.writeUInt16LE(20, 0)
    common.writeUInt32LE(crc32(data), 10)
    common.writeUInt32LE(data.length, 14)
    common.writeUInt32LE(data.length, 18)
    common.writeUInt16LE(path.length, 22)
    parts.push(Buffer.from([0x50, 0x4b, 3, 4]), common, path, data)
    const more = Buffer.alloc(14)
    more.writeUInt32LE(0o100755 * 0x10000, 6)
    more.writeUInt32LE(offset, 10)
    // Made on Unix, so that its modes count.
    directory.push(Buffer.from([0x50, 0x4b, 1, 2, 20, 3]), common, more, path)
    offset += 4 + common.length + path.length + data.length
  }
  const central = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 0, 'latin1')
  const count = Object.keys(files).length
  end.writeUInt16LE(count, 8)
  end.writeUInt16LE(count, 10)
  end.writeUInt32LE(central.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...parts, central, end])
}
