import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import test from 'ava'

const script = fileURLToPath(new URL('../../scripts/walls.mjs', import.meta.url))
const manifest = JSON.stringify({
  name: 'lets-overlay',
  dependencies: { ulid: '1' },
  devDependencies: { ajv: '1', ava: '1' },
})

/** Writes one file into a tree of its own, and gives what the walls say about it. */
function judge(file: string, text: string): string[] {
  const root = mkdtempSync(join(tmpdir(), 'lets-walls-'))
  try {
    for (const [path, content] of [
      ['package.json', manifest],
      [file, text],
    ] as const) {
      mkdirSync(dirname(join(root, path)), { recursive: true })
      writeFileSync(join(root, path), content)
    }
    const { status, stderr } = spawnSync(process.execPath, [script, '--root', root], { encoding: 'utf8' })
    const found = stderr.split('\n').filter((line) => line.startsWith(`${file}:`))
    if ((status === 0) !== (found.length === 0)) throw new Error(stderr)
    return found
  } finally {
    rmSync(root, { recursive: true })
  }
}

const breaches: [file: string, text: string, says: RegExp][] = [
  ['protocol/a.ts', "import { b } from '../daemon/engine/b.js'", /:1 {2}imports daemon\/engine\/b\.ts/],
  ['protocol/a.ts', "// one\nimport fs from 'node:fs'", /:2 .*a Node module/],
  ['protocol/a.ts', "import fs from 'fs'", /write node:fs/],
  ['protocol/a.ts', "import type { Host } from '../overlay/host.js'", /overlay\/host\.ts/],
  ['protocol/a.ts', 'export const soon = () => setTimeout(() => {}, 1)', /setTimeout/],
  ['protocol/a.ts', "import Ajv from 'ajv'", /only there in development/],
  ['overlay/scene/a.ts', "export * from '../host.js'", /overlay\/host\.ts/],
  ['overlay/content/a.ts', "import { draw } from '../scene/draw.js'", /overlay\/scene/],
  ['overlay/scene/a.ts', "const a = await import(\n  '../hosts/x11/host.js'\n)", /:2 .*overlay\/hosts/],
  [
    'overlay/hosts/headless/a.ts',
    "import { e } from '../../../daemon/engine/engine.js'",
    /daemon\/engine\/engine\.ts/,
  ],
  ['overlay/hosts/headless/a.ts', "import { e } from '../electron/host.js'", /no other host/],
  [
    'overlay/hosts/electron/renderer/a.ts',
    "import { pageFile } from '../page-files.js'",
    /what page-files\.ts serves/,
  ],
  ['overlay/hosts/electron/renderer/a.ts', "import { join } from 'node:path'", /a Node module/],
  ['daemon/sdk/a.ts', "import { b } from '../lip/b.js'", /it has a DOM, the protocol and the companion/],
  ['daemon/sdk/a.ts', "import Ajv from 'ajv'", /only there in development/],
  ['daemon/uniques/graph/ui/a.ts', "import { b } from '../../folder.js'", /has what any unique has/],
  ['overlay/hosts/electron/preload.cts', "const { readFile } = require('node:fs')", /a Node module/],
  ['overlay/hosts/native/a.ts', "import { e } from '../../../native/binding.cjs'", /native\/binding/],
  ['overlay/hosts/eyes/a.ts', "import { e } from '../native/host.js'", /and know none/],
  ['daemon/engine/a.ts', "import { readFile } from 'node:fs/promises'", /a Node module/],
  ['daemon/engine/a.ts', 'export const now = () => Date.now()', /Date\.now/],
  ['daemon/engine/a.ts', "export { listen } from '../sockets/unix.js'", /daemon\/sockets\/unix\.ts/],
  ['daemon/main.ts', "import { Host } from '../overlay/hosts/headless/host.js'", /daemon\/hosts\.ts/],
  ['daemon/main.ts', "import { Host } from '../tests/helper.js'", /nothing imports tests/],
  ['daemon/main.ts', 'export function stop() {\n  process.exit(1)\n}', /:2 {2}uses process\.exit/],
  ['daemon/main.ts', "console.log('x')", /uses console/],
  [
    'daemon/cli/a.ts',
    "const { run } = await import('../main.js')",
    /only commands\/daemon\.ts becomes the daemon/,
  ],
  ['daemon/cli/a.ts', "import { daemon } from './commands/daemon.js'", /up front; use import\(\)/],
  [
    'daemon/cli/commands/daemon.ts',
    "import { Engine } from '../../engine/engine.js'",
    /leaves the parts to it/,
  ],
  ['daemon/cli/a.ts', "const { run } = await import('../engine/engine.js')", /daemon\/engine\/engine\.ts/],
  ['daemon/mcp/a.ts', "import { hosts } from '../hosts.js'", /daemon\/hosts\.ts/],
  ['daemon/shell/a.ts', "import { paths } from '../paths.js'", /stands alone/],
  ['daemon/shell/a.ts', "import Database from 'libsql'", /only the store knows/],
  ['daemon/cli/a.ts', "await import('../shell/service.js')", /daemon\/shell\/service\.ts/],
  ['daemon/client/a.ts', "import { s } from '../sockets/unix.js'", /daemon\/sockets\/unix\.ts/],
  ['grounding/a.ts', "import { capture } from '../native/index.js'", /native\/index\.ts/],
  ['native/index.ts', "import { Mark } from '../protocol/index.js'", /protocol\/index\.ts/],
  [
    'daemon/engine/a.test.ts',
    "import { Host } from '../../overlay/hosts/headless/host.js'",
    /overlay\/hosts/,
  ],
  ['daemon/a.ts', "import { x } from '../../elsewhere/x.js'", /outside the project/],
  ['daemon/a.ts', "import { x } from 'lets-overlay/protocol'", /relative path/],
]

for (const [file, text, says] of breaches) {
  test(`a wall holds: ${file}: ${text.replace(/\s+/g, ' ')}`, (t) => {
    const found = judge(file, text)
    t.is(found.length, 1, found.join('\n'))
    t.regex(found[0] ?? '', says)
  })
}

const allowed: [file: string, text: string][] = [
  ['daemon/shell/database.ts', "import Database from 'libsql'\nimport type { A } from '../../protocol/a.js'"],
  ['protocol/a.ts', "import { b } from './overlay/b.js'\nimport { Type } from 'typebox'"],
  ['protocol/generate.ts', "import fs from 'node:fs'\nimport Ajv from 'ajv'\nconsole.log(fs, Ajv)"],
  ['protocol/a.test.ts', "import test from 'ava'\nimport fs from 'node:fs'\nimport { a } from './a.js'"],
  ['overlay/scene/a.ts', "import type { Mark } from '../../protocol/index.js'\nimport './b.js'"],
  [
    'overlay/hosts/native/a.ts',
    "import { x } from '../../../native/index.js'\nimport { draw } from '../../scene/draw.js'",
  ],
  ['overlay/hosts/native/a.ts', "import { measure } from '../../content/measure.js'"],
  ['overlay/hosts/electron/a.ts', "import { X11Eyes } from '../eyes/eyes.js'"],
  [
    'daemon/engine/a.ts',
    "import type { OverlayHost } from '../../overlay/host.js'\nimport { ulid } from 'ulid'",
  ],
  ['daemon/hosts.ts', "const host = await import('../overlay/hosts/native/host.js')"],
  [
    'daemon/cli/a.ts',
    "import { connect } from '../client/index.js'\nawait import('./commands/daemon.js')\nconsole.log(connect)\nprocess.exit(0)",
  ],
  [
    'daemon/cli/commands/daemon.ts',
    "import { startDaemon } from '../../main.js'\nimport { x } from '../draw.js'",
  ],
  ['tests/a.test.ts', "import { engine } from '../daemon/engine/engine.js'\nimport './helper.js'"],
  // Not imports, and not uses, whatever they look like.
  [
    'protocol/a.ts',
    "// import x from 'node:fs'\n/* console.log(1) */\nexport const a = \"import x from 'node:fs'\"",
  ],
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the source text of a template
  ['protocol/a.ts', 'export const a = `console.log(${1}) import "node:fs"`'],
  ['protocol/a.ts', "export const quote = /['\"]/\nexport const b = 'console.log()'"],
  ['daemon/a.ts', "export const from = 'node'\nexport const log = logger.console.log"],
]

for (const [file, text] of allowed) {
  test(`a wall lets through: ${file}: ${text.replace(/\s+/g, ' ')}`, (t) => {
    t.deepEqual(judge(file, text), [])
  })
}
