/** `lets doctor`: what was found, what is missing, and the exact command that fixes it. */
import { homedir } from 'node:os'
import { loadNative } from '../../../native/index.js'
import { version } from '../../version.js'
import { type CommonOptions, pathsOf } from '../connection.js'
import { agents } from '../doctor/agents.js'
import { daemon, runningStatus, service } from '../doctor/daemon.js'
import type { Finding } from '../doctor/finding.js'
import { places } from '../doctor/places.js'
import { electronBinary, screen } from '../doctor/screen.js'
import { words } from '../doctor/words.js'
import { bold, dim, green, red, say, sayJson, yellow } from '../output.js'

/** Exits 1 when something keeps Lets from doing its job. */
export async function doctor(options: CommonOptions): Promise<void> {
  const status = await runningStatus(options)
  const { platform, env } = process
  const findings = [
    node(),
    addon(),
    ...(await screen(env, status instanceof Error ? null : status)),
    electronBinary(env),
    await canvas(),
    ...places(pathsOf(options)),
    ...daemon(status),
    await words(status, options),
    await service(options),
    ...agents({ platform, env, home: homedir(), cwd: process.cwd() }),
  ]
  const problems = findings.filter(({ state }) => state === 'problem').length
  if (problems > 0) process.exitCode = 1
  if (options.json) return sayJson({ version: version(), ok: problems === 0, findings })
  for (const { name, state, found, fix } of findings) {
    say(`${SIGNS[state]} ${bold(name.padEnd(10))} ${found}`)
    if (fix !== undefined) say(`             fix: ${fix}`)
  }
}

/** `?`: it cannot be told from here. */
const SIGNS = { ok: green('✓'), warning: yellow('!'), problem: red('✗'), unknown: dim('?') } as const

function node(): Finding {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  const old = major < 20 || (major === 20 && minor < 19)
  return {
    name: 'node',
    state: old ? 'problem' : 'ok',
    found: `Node ${process.versions.node} on ${process.platform}-${process.arch}`,
    ...(old && { fix: 'install Node 20.19 or newer' }),
  }
}

function addon(): Finding {
  const loaded = loadNative()
  if (loaded.ok)
    return { name: 'addon', state: 'ok', found: 'loaded: screens, captures and peer credentials' }
  return {
    name: 'addon',
    state: 'problem',
    found: `${loaded.reason}: Lets runs headless, and the socket leans on its folder's mode (0700)`,
    fix: loaded.fix,
  }
}

async function canvas(): Promise<Finding> {
  try {
    const { GlobalFonts } = await import('@napi-rs/canvas')
    const families = GlobalFonts.families.length
    return families > 0
      ? { name: 'fonts', state: 'ok', found: `${families} font families for scripts beyond Latin` }
      : {
          name: 'fonts',
          state: 'warning',
          found: 'no system fonts: only Latin text can be shown',
          fix: FONT_FIX,
        }
  } catch (error) {
    return {
      name: 'canvas',
      state: 'problem',
      found: `does not load: ${(error as Error).message}`,
      fix: 'npm install',
    }
  }
}

const FONT_FIX = 'apt install fonts-noto-core fonts-noto-cjk fonts-noto-color-emoji'
