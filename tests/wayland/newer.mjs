// `node tests/wayland/newer.mjs ROOT [ava's arguments]`, as root: the tests of this folder among the programs of another
// Debian, a newer one than this machine's. Where ROOT is not there, it is made (about 2 GB). It is no part of
// `npm test`: what it fetches changes from day to day. What was run, docs/wayland.md says.
//
// The tests run within ROOT, in a namespace of mounts of their own: nothing is left mounted, and nothing outside changes.

import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const SUITE = 'sid'
const PACKAGES = [
  ...['sway', 'swaybg', 'grim', 'wtype', 'labwc', 'kwin-wayland', 'mutter', 'xwayland', 'dbus', 'dbus-bin'],
  ...[
    'python3',
    'x11-utils',
    'x11-xserver-utils',
    'libgl1-mesa-dri',
    'fonts-dejavu-core',
    'adwaita-icon-theme',
  ],
]

const repository = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '')
const [root, ...rest] = process.argv.slice(2)
if (!root || process.getuid?.() !== 0) {
  console.error('as root: node tests/wayland/newer.mjs ROOT [test files, options of ava]')
  process.exit(2)
}

function run(command, ...args) {
  const { status } = spawnSync(command, args, {
    stdio: 'inherit',
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  })
  if (status !== 0) process.exit(status ?? 1)
}

if (!existsSync(join(root, 'usr/bin/env'))) run('debootstrap', '--variant=minbase', SUITE, root)
if (PACKAGES.some((name) => !existsSync(join(root, 'var/lib/dpkg/info', `${name}.list`)) && !isMulti(name))) {
  // No service is started by being installed.
  writeFileSync(join(root, 'usr/sbin/policy-rc.d'), '#!/bin/sh\nexit 101\n', { mode: 0o755 })
  run('chroot', root, 'apt-get', 'install', '-y', '--no-install-recommends', ...PACKAGES)
}

/** Packages of one architecture among several have its name in their list's. */
function isMulti(name) {
  return readdirSync(join(root, 'var/lib/dpkg/info')).some(
    (file) => file.startsWith(`${name}:`) && file.endsWith('.list'),
  )
}

const files = rest.some((arg) => arg.endsWith('.js')) ? rest : [...rest, 'dist/tests/wayland/*.test.js']
const node = join(root, 'usr/local/bin/node')
writeFileSync(node, '', { flag: 'a' })
mkdirSync(join(root, repository), { recursive: true })
const steps = [
  'mount --make-rprivate /',
  'for part in tmp run dev/shm; do mkdir -p "$ROOT/$part"; done',
  'mount --rbind /dev "$ROOT/dev"',
  'mount --bind /proc "$ROOT/proc"',
  'mount --bind /sys "$ROOT/sys"',
  'mount -t tmpfs -o mode=1777 tmpfs "$ROOT/tmp"',
  'mount -t tmpfs -o mode=755 tmpfs "$ROOT/run"',
  'mount --bind "$REPOSITORY" "$ROOT$REPOSITORY"',
  'mount --bind "$NODE" "$ROOT/usr/local/bin/node"',
  'exec chroot "$ROOT" env -C "$REPOSITORY" node node_modules/ava/entrypoints/cli.mjs "$@"',
]
const { status } = spawnSync('unshare', ['--mount', 'sh', '-ec', steps.join('\n'), 'newer', ...files], {
  stdio: 'inherit',
  env: {
    PATH: '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin',
    HOME: '/tmp',
    LANG: 'C.UTF-8',
    ROOT: root,
    REPOSITORY: repository,
    NODE: process.execPath,
    ...(process.env.TERM && { TERM: process.env.TERM }),
  },
})
process.exit(status ?? 1)
