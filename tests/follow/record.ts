import { execFileSync } from 'node:child_process'
import { chromium } from './recorder/chromium.js'
import { evince } from './recorder/evince.js'
import { feh } from './recorder/feh.js'
import { mousepad } from './recorder/mousepad.js'
import { Stage } from './recorder/stage.js'
import { xterm } from './recorder/xterm.js'

/** Makes the recordings anew, of all applications or of those named: `node dist/tests/follow/record.js [app…]`. */
const apps: Record<string, (stage: Stage) => Promise<void>> = { xterm, chromium, mousepad, evince, feh }

/** The Debian package of each program that is used. */
const packages: Record<string, string> = {
  Xvfb: 'xvfb',
  openbox: 'openbox',
  xdotool: 'xdotool',
  xwininfo: 'x11-utils',
  xterm: 'xterm',
  less: 'less',
  vim: 'vim',
  chromium: 'chromium',
  mousepad: 'mousepad',
  evince: 'evince',
  feh: 'feh',
  'dbus-run-session': 'dbus-daemon',
}

const missing = Object.keys(packages).filter((program) => {
  try {
    execFileSync('which', [program], { stdio: 'ignore' })
    return false
  } catch {
    return true
  }
})
if (missing.length > 0) {
  console.error(
    `not there: ${missing.join(', ')}; apt-get install ${missing.map((one) => packages[one]).join(' ')}`,
  )
  process.exit(1)
}

const asked = process.argv.slice(2)
for (const app of asked.length > 0 ? asked : Object.keys(apps)) {
  const record = apps[app]
  if (record === undefined)
    throw new Error(`no application ${app}; there are ${Object.keys(apps).join(', ')}`)
  const stage = await Stage.set()
  try {
    await record(stage)
  } finally {
    await stage.strike()
  }
}
