// The tests work on real parts: an X server, a window manager, a compositor. This is the one list of the
// Debian packages they come in, each with a file that shows it is there, so that looking takes no time.

import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { environment, StepFailed, tick, which } from './setup.mjs'

const fonts = '/usr/share/fonts'
const typelibs = `/usr/lib/${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}-linux-gnu/girepository-1.0`
const needed = [
  { name: 'xvfb', shownBy: 'Xvfb' },
  { name: 'xserver-xorg-video-dummy', shownBy: '/usr/lib/xorg/modules/drivers/dummy_drv.so' },
  { name: 'xserver-xephyr', shownBy: 'Xephyr' },
  { name: 'xwayland', shownBy: 'Xwayland' },
  { name: 'sway', shownBy: 'sway' },
  { name: 'kwin-wayland', shownBy: '/usr/bin/kwin_wayland' },
  { name: 'swaybg', shownBy: 'swaybg' },
  { name: 'grim', shownBy: 'grim' },
  { name: 'wtype', shownBy: 'wtype' },
  { name: 'weston', shownBy: 'weston' },
  { name: 'openbox', shownBy: 'openbox' },
  { name: 'picom', shownBy: 'picom' },
  { name: 'xdotool', shownBy: 'xdotool' },
  { name: 'wmctrl', shownBy: 'wmctrl' },
  { name: 'x11-utils', shownBy: 'xprop' },
  { name: 'x11-xserver-utils', shownBy: 'xrandr' },
  { name: 'x11-apps', shownBy: 'xwd' },
  { name: 'xterm', shownBy: 'xterm' },
  { name: 'less', shownBy: 'less' },
  { name: 'zsh', shownBy: 'zsh' },
  { name: 'git', shownBy: 'git' },
  { name: 'python3', shownBy: 'python3' },
  { name: 'sudo', shownBy: 'sudo' },
  { name: 'chromium', shownBy: 'chromium' },
  { name: 'dbus', shownBy: 'dbus-daemon' },
  { name: 'libglib2.0-bin', shownBy: 'gdbus' },
  { name: 'pipewire', shownBy: 'pipewire' },
  { name: 'wireplumber', shownBy: 'wireplumber' },
  { name: 'xdg-desktop-portal', shownBy: '/usr/libexec/xdg-desktop-portal' },
  { name: 'xdg-desktop-portal-wlr', shownBy: '/usr/libexec/xdg-desktop-portal-wlr' },
  { name: 'at-spi2-core', shownBy: '/usr/libexec/at-spi2-registryd' },
  { name: 'python3-gi', shownBy: '/usr/lib/python3/dist-packages/gi/__init__.py' },
  { name: 'gir1.2-gtk-3.0', shownBy: `${typelibs}/Gtk-3.0.typelib` },
  { name: 'gir1.2-gtk-4.0', shownBy: `${typelibs}/Gtk-4.0.typelib` },
  { name: 'tesseract-ocr', shownBy: 'tesseract' },
  { name: 'fonts-dejavu-core', shownBy: `${fonts}/truetype/dejavu/DejaVuSans.ttf` },
  { name: 'fonts-noto-core', shownBy: `${fonts}/truetype/noto/NotoSansArabic-Regular.ttf` },
  { name: 'fonts-noto-cjk', shownBy: `${fonts}/opentype/noto/NotoSansCJK-Regular.ttc` },
  { name: 'fonts-noto-color-emoji', shownBy: `${fonts}/truetype/noto/NotoColorEmoji.ttf` },
]

const isHere = ({ shownBy }) => (shownBy.startsWith('/') ? existsSync(shownBy) : which(shownBy) !== undefined)
const missing = () => needed.filter((pack) => !isHere(pack)).map((pack) => pack.name)

/** Makes the packages be there: installs them as root, otherwise says how. Exit code 2 without an X server. */
export function ensurePackages() {
  const names = missing()
  if (names.length === 0) return
  const install = ['install', '-y', '--no-install-recommends']
  if (mayInstall()) {
    const started = performance.now()
    console.log(`… install ${names.join(' ')}`)
    apt('update', '-qq')
    // One at a time when they do not go together: a distribution that lacks one still has the others.
    if (!apt('-qq', ...install, ...names)) for (const name of names) apt('-qq', ...install, name)
    if (missing().length === 0) return tick('test packages', started)
  }
  const left = missing()
  const command = `sudo apt-get update && sudo apt-get ${install.join(' ')} ${left.join(' ')}`
  if (!which('Xvfb')) {
    throw new StepFailed('the tests need an X server that is not here', {
      hint: `Run: ${command}\n  or, to run only what needs no X server: LETS_TEST_NO_X=1 npm test`,
      code: 2,
    })
  }
  console.warn(`! Some tests may be skipped or fail without: ${left.join(' ')}\n  Run: ${command}`)
}

const isRoot = () => process.getuid?.() === 0
// A person's machine is theirs: sudo is used only by CI, where nobody is there to be asked.
const maySudo = () =>
  Boolean(process.env.CI) && which('sudo') !== undefined && spawnSync('sudo', ['-n', 'true']).status === 0
const mayInstall = () => which('apt-get') !== undefined && (isRoot() || maySudo())

function apt(...args) {
  const command = [
    ...(isRoot() ? [] : ['sudo', '-n']),
    'env',
    'DEBIAN_FRONTEND=noninteractive',
    'apt-get',
    ...args,
  ]
  const { status, stdout, stderr } = spawnSync(command[0], command.slice(1), {
    env: environment(),
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  if (status !== 0) console.warn(`${stdout}${stderr}`.trim().split('\n').slice(-8).join('\n'))
  return status === 0
}
