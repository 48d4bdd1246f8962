// The rules that scripts/walls.mjs holds the project to: docs/ARCHITECTURE.md as data, with the reasons.

// For each area: what of ours it may import (a folder ends in a slash), and whether Node's own modules.
// The first one a file is in is the one that counts. What is `lazy` may only be loaded by import(), when it
// is needed, because loading it up front would cost every caller.
export const areas = [
  {
    area: 'protocol/generate.ts',
    mayImport: ['protocol/'],
    node: true,
    why: 'it is a build tool for protocol',
  },
  {
    area: 'protocol/',
    mayImport: [],
    node: false,
    why: 'anyone can implement a client from protocol alone, in a browser too',
  },
  {
    area: 'overlay/host.ts',
    mayImport: ['protocol/'],
    node: false,
    why: 'the host interface is a seam, not an implementation',
  },
  {
    area: 'overlay/scene/',
    mayImport: ['protocol/'],
    node: false,
    why: 'the scene is pure: every host, a browser page included, draws with it',
  },
  {
    area: 'overlay/content/',
    mayImport: ['protocol/'],
    node: false,
    why: 'what became of a thing is told from two pictures alone, whoever took them',
  },
  {
    area: 'overlay/companion/',
    mayImport: ['protocol/', 'overlay/scene/'],
    node: false,
    why: 'the companion is pure: hosts and the pages of uniques draw it and read gestures alike',
  },
  {
    area: 'overlay/hosts/electron/renderer/',
    mayImport: [
      'overlay/scene/',
      'overlay/companion/',
      'protocol/',
      'overlay/hosts/pixels.ts',
      'overlay/hosts/electron/bridge.ts',
    ],
    node: false,
    page: true,
    why: 'a page has what its preload gives it, and what page-files.ts serves',
  },
  {
    area: 'overlay/hosts/electron/preload.cts',
    mayImport: ['overlay/hosts/electron/bridge.ts'],
    node: false,
    why: 'a sandboxed preload can load nothing but what Electron gives it',
  },
  {
    area: 'overlay/hosts/eyes/',
    mayImport: [
      'overlay/host.ts',
      'overlay/scene/',
      'overlay/companion/',
      'overlay/content/',
      'protocol/',
      'native/index.ts',
      'overlay/hosts/*.ts',
    ],
    node: true,
    why: 'the eyes serve every host on X11 and know none',
  },
  {
    area: 'overlay/hosts/*/',
    mayImport: [
      'overlay/host.ts',
      'overlay/scene/',
      'overlay/companion/',
      'overlay/content/',
      'protocol/',
      'native/index.ts',
      'overlay/hosts/*.ts',
      'overlay/hosts/eyes/',
    ],
    node: true,
    why: 'a host implements the interface and knows no other host and no daemon',
  },
  {
    area: 'overlay/hosts/',
    mayImport: [
      'overlay/host.ts',
      'overlay/scene/',
      'overlay/companion/',
      'overlay/content/',
      'protocol/',
      'native/index.ts',
    ],
    node: true,
    why: 'hosts implement the interface and know no daemon',
  },
  {
    area: 'overlay/',
    mayImport: ['protocol/', 'overlay/host.ts'],
    node: false,
    why: 'beside the hosts there are only the interface, the scene and the content',
  },
  { area: 'native/', mayImport: [], node: true, why: 'the addon is the bottom: everything above may use it' },
  {
    area: 'grounding/',
    mayImport: ['protocol/'],
    node: true,
    why: 'grounding is handed frames; it never captures',
  },
  {
    area: 'daemon/engine/',
    mayImport: ['protocol/', 'overlay/host.ts'],
    node: false,
    why: 'host and clock are passed in to the engine',
  },
  {
    area: 'daemon/companion/',
    mayImport: [
      'protocol/',
      'overlay/host.ts',
      'overlay/companion/',
      'daemon/engine/clock.ts',
      'daemon/engine/companion-seam.ts',
    ],
    node: false,
    why: 'what the companion does is a state machine: host, clock and what is kept are passed in',
  },
  {
    area: 'daemon/sdk/',
    mayImport: ['protocol/', 'overlay/companion/'],
    node: false,
    page: true,
    why: 'a page of any unique loads it: it has a DOM, the protocol and the companion, and nothing else',
  },
  {
    area: 'daemon/uniques/shared/',
    mayImport: ['daemon/sdk/index.ts'],
    node: false,
    page: true,
    why: 'it is a part of the pages that come with Lets',
  },
  {
    area: 'daemon/uniques/*/ui/',
    mayImport: ['daemon/sdk/index.ts', 'daemon/uniques/shared/'],
    node: false,
    page: true,
    bundles: ['cytoscape', 'konva'],
    why: 'a unique that comes with Lets has what any unique has: the SDK',
  },
  {
    area: 'daemon/uniques/',
    mayImport: ['protocol/', 'daemon/whole-file.ts'],
    node: true,
    why: 'a unique is checked alike by whoever installs it and by whoever serves it',
  },
  {
    area: 'daemon/lip/',
    mayImport: ['protocol/', 'daemon/uniques/', 'daemon/*.ts', 'daemon/engine/clock.ts'],
    node: true,
    why: 'the LIP host knows no marks and no screen: what they have to do with it is handed in',
  },
  {
    area: 'daemon/medium/',
    mayImport: ['protocol/', 'daemon/client/', 'daemon/lip/medium.ts', 'daemon/engine/clock.ts'],
    node: true,
    why: 'the screens as a medium are a client of the wire, as any agent is; the LIP host is handed them',
  },
  {
    area: 'daemon/client/',
    mayImport: ['protocol/', 'daemon/paths.ts', 'daemon/version.ts'],
    node: true,
    why: 'clients speak the wire; what it cannot say, it should',
  },
  {
    area: 'daemon/mcp/',
    mayImport: ['protocol/', 'daemon/client/', 'daemon/paths.ts', 'daemon/version.ts'],
    node: true,
    why: 'clients speak the wire; what it cannot say, it should',
  },
  {
    area: 'daemon/shell/',
    mayImport: ['protocol/'],
    node: true,
    why: 'the shell service stands alone: another daemon may run it in-process',
  },
  {
    area: 'daemon/cli/commands/shell-daemon.ts',
    mayImport: ['protocol/', 'daemon/cli/', 'daemon/shell/', 'daemon/log.ts', 'daemon/paths.ts'],
    lazy: true,
    node: true,
    why: 'it becomes the shell daemon',
  },
  {
    area: 'daemon/cli/commands/daemon.ts',
    mayImport: ['protocol/', 'daemon/cli/', 'daemon/*.ts', 'daemon/sockets/bind.ts'],
    lazy: true,
    node: true,
    why: 'it starts the daemon, and leaves the parts to it',
  },
  {
    area: 'daemon/cli/commands/doctor.ts',
    mayImport: [
      'protocol/',
      'daemon/cli/',
      'daemon/client/',
      'daemon/*.ts',
      'daemon/sockets/private-folder.ts',
      'native/index.ts',
    ],
    lazy: true,
    node: true,
    why: 'it looks at what a daemon would find, also where none can start',
  },
  {
    area: 'daemon/cli/commands/unique.ts',
    mayImport: ['protocol/', 'daemon/cli/', 'daemon/uniques/', 'daemon/paths.ts', 'daemon/version.ts'],
    lazy: true,
    node: true,
    why: 'it installs files, and needs no daemon for that',
  },
  {
    area: 'daemon/cli/doctor/',
    mayImport: ['protocol/', 'daemon/cli/', 'daemon/client/', 'daemon/*.ts', 'native/index.ts'],
    node: true,
    why: 'it looks at what a daemon would find, also where none can start',
  },
  {
    area: 'daemon/cli/',
    mayImport: [
      'protocol/',
      'daemon/client/',
      'daemon/mcp/',
      'daemon/paths.ts',
      'daemon/version.ts',
      'daemon/electron.ts',
    ],
    node: true,
    why: 'clients speak the wire; only commands/daemon.ts becomes the daemon',
  },
  {
    area: 'daemon/hosts.ts',
    mayImport: ['protocol/', 'daemon/', 'overlay/host.ts', 'overlay/hosts/', 'native/index.ts'],
    node: true,
    why: 'this is the one place that chooses a host',
  },
  {
    area: 'daemon/',
    mayImport: ['protocol/', 'daemon/', 'overlay/host.ts', 'grounding/', 'native/index.ts'],
    node: true,
    why: 'hosts are chosen in daemon/hosts.ts, and nothing else names one',
  },
  { area: 'tests/', mayImport: [''], node: true, why: '' },
]

// Packages that one place alone may import: the rest goes through it.
export const homes = {
  libsql: { in: 'daemon/shell/database.ts', why: 'only the store knows that it is SQLite' },
}

// Unit tests sit beside what they test; they may use more, but nothing from across a wall.
export const isTest = (file) => /\.(?:test|bench)\.[mc]?ts$/.test(file)
export const isTool = (file) => isTest(file) || file.startsWith('tests/') || file === 'protocol/generate.ts'

export const banned = [
  {
    pattern: /\bprocess\s*\.\s*exit\s*\(/g,
    what: 'process.exit',
    instead: 'set process.exitCode, or return: an exit loses what is still being written',
  },
  {
    pattern: /(?<![.\w$])console\s*[.[]/g,
    what: 'console',
    instead: "use the daemon's log: stdout and stderr may be a protocol",
  },
]

// Where Node's modules are closed, so are the globals that do the same: time, timers, the process. A page has its own.
export const impure =
  /(?<![.\w$])(?:(?:setTimeout|setInterval|setImmediate)(?=\s*\()|Date\s*\.\s*now(?=\s*\()|performance\s*\.\s*now(?=\s*\()|new\s+Date(?=\s*\(\s*\))|process(?=\s*\.)|Buffer(?=\s*\.))/g
export const mayUseBanned = (file) =>
  file.startsWith('daemon/cli/') || file.startsWith('tests/') || file === 'protocol/generate.ts'
