/** What Electron starts: hands the real Electron and the real channel to the host. */

import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  app,
  BrowserWindow,
  globalShortcut,
  ipcMain,
  Menu,
  nativeImage,
  protocol,
  screen,
  session,
  systemPreferences,
  Tray,
} from 'electron'
import { PRELOAD_FILE } from '../page-files.js'
import { runHost } from './app.js'
import { parentChannel } from './channel.js'
import type { Platform } from './recipe.js'

// Compiled, this file is dist/overlay/hosts/electron/main/entry.js.
const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..', '..', '..', '..')

const channel = parentChannel()
if (channel === null) {
  // Started by hand: without a daemon there is nothing to draw.
  app.exit(1)
} else {
  runHost(
    {
      app,
      BrowserWindow,
      globalShortcut,
      ipcMain,
      Menu,
      nativeImage,
      protocol,
      screen,
      session,
      systemPreferences,
      Tray,
    },
    channel,
    {
      platform: process.platform as Platform,
      versions: {
        electron: process.versions.electron ?? '',
        lets: JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version,
      },
      pid: process.pid,
      preload: PRELOAD_FILE,
      icon: join(
        ...[root, 'overlay', 'hosts', 'electron', 'assets'],
        // macOS colours its icons itself, and wants their shape alone.
        process.platform === 'darwin' ? 'trayTemplate.png' : 'tray.png',
      ),
    },
  )
}
