/** The daemon that runs, the consent it was given, and the service that may start it. */
import type { AckMessage } from '../../../protocol/overlay/schema.js'
import { ConnectionError } from '../../client/errors.js'
import { version } from '../../version.js'
import { asking, type CommonOptions } from '../connection.js'
import { SESSION } from '../service/definition.js'
import { serviceState } from '../service/state.js'
import type { Finding } from './finding.js'

/** The status of the daemon that runs, null when none does, or what is wrong with it. */
export async function runningStatus(options: CommonOptions): Promise<AckMessage | Error | null> {
  const client = asking(options)
  try {
    return await client.status()
  } catch (error) {
    if (error instanceof ConnectionError && error.code === 'not_running') return null
    return error as Error
  } finally {
    await client.close()
  }
}

export function daemon(status: AckMessage | Error | null): Finding[] {
  if (status === null) {
    return [
      { name: 'daemon', state: 'ok', found: 'not running; the first command that draws starts it' },
      { name: 'consent', state: 'ok', found: 'ask, unless the daemon is started otherwise' },
    ]
  }
  if (status instanceof Error) {
    return [{ name: 'daemon', state: 'problem', found: status.message, fix: 'pkill -CONT -f "lets daemon"' }]
  }
  return [
    describe(status),
    consent(status.capture_consent),
    ...permission(status),
    ...companion(status),
    ...summonKey(status),
  ]
}

function describe(status: AckMessage): Finding {
  const mine = version()
  const found = `version ${status.version}, pid ${status.pid}, host ${status.host}, peers checked by ${status.peer_check}`
  const notes = status.host_facts?.notes ?? []
  const broken = notes.find((note) => note.startsWith('cannot draw'))
  if (broken !== undefined)
    return { name: 'daemon', state: 'problem', found: `${found}; ${broken}`, fix: 'lets stop' }
  if (status.version !== mine) {
    return {
      name: 'daemon',
      state: 'warning',
      found: `${found}; this command is version ${mine}`,
      fix: 'lets stop',
    }
  }
  if (notes.length > 0) return { name: 'daemon', state: 'warning', found: `${found}; ${notes.join('; ')}` }
  return { name: 'daemon', state: 'ok', found }
}

/** What the desktop allowed, beside what Lets itself asks. */
function permission({ host_facts: facts }: AckMessage): Finding[] {
  if (facts?.capture_permission !== 'kept') return []
  const found =
    'your desktop lets Lets take pictures without asking: its token is kept, and `lets consent never` gives it up'
  return [{ name: 'consent', state: 'ok', found }]
}

/** Only where somebody wants it: it is off to begin with, and that is well. */
function companion({ companion: state }: AckMessage): Finding[] {
  if (!state?.on) return []
  const name = 'companion'
  if (state.shown) return [{ name, state: 'ok', found: 'on, and shown' }]
  if (state.hidden_because === 'no_surface') {
    const found = 'on, but this host has no place for it on the screen'
    return [{ name, state: 'warning', found, fix: 'lets companion off' }]
  }
  return [{ name, state: 'ok', found: `on, and not shown now (${state.hidden_because})` }]
}

/** What became of its key, which no other program can have at the same time. */
function summonKey({ companion: state, capabilities = [] }: AckMessage): Finding[] {
  const name = 'key'
  if (!capabilities.includes('hotkey')) return []
  const what = 'Ctrl+Shift+., which calls the companion'
  if (!state?.on) return [{ name, state: 'ok', found: `${what}: not asked for while it is off` }]
  if (state.summon_key)
    return [{ name, state: 'ok', found: `${state.summon_key.join('+')} calls the companion` }]
  if (state.hidden_because === 'paused' || state.hidden_because === 'no_surface')
    return [
      { name, state: 'ok', found: `${what}: not asked for while it is ${WHY_NO_KEY[state.hidden_because]}` },
    ]
  return [
    {
      name,
      state: 'warning',
      found: `${what}: another program has it, or this keyboard lacks it; a right-click on it does the same`,
      fix: 'end the program that has it, then `lets companion off` and `lets companion on`',
    },
  ]
}

const WHY_NO_KEY = { paused: 'paused', no_surface: 'nowhere to be shown' } as const

function consent(policy: string | undefined): Finding {
  const name = 'consent'
  switch (policy) {
    case 'ask':
      return {
        name,
        state: 'ok',
        found: 'ask: each client that wants a picture is asked about on the screen',
      }
    case 'never':
      return { name, state: 'ok', found: 'never: no client may picture the screen' }
    case 'always': {
      const found = 'always: every program of yours may picture the screen'
      return { name, state: 'warning', found, fix: 'lets consent ask' }
    }
    default:
      return { name, state: 'unknown', found: `the daemon says ${policy ?? 'nothing'} of pictures` }
  }
}

export async function service(options: CommonOptions): Promise<Finding> {
  const name = 'service'
  const { installed, file, manager, manager_says, enabled, active, session } = await serviceState(options)
  const fix = 'lets service install'
  if (installed === 'no') {
    return {
      name,
      state: 'ok',
      found: 'none: commands start the daemon themselves; `lets service install` starts it with your session',
    }
  }
  if (installed === 'foreign') return { name, state: 'warning', found: `${file} was not written by Lets` }
  if (installed === 'other')
    return { name, state: 'warning', found: `${file} is of another version, place or setting`, fix }
  if (manager === 'untried')
    return {
      name,
      state: 'unknown',
      found: `${file} is there; whether it is registered cannot be told: untried on ${process.platform}`,
    }
  if (manager === 'none')
    return {
      name,
      state: 'unknown',
      found: `${file} is there; whether it is enabled cannot be told: ${manager_says}`,
    }
  const found = `${enabled}, ${active}`
  if (active === 'failed')
    return { name, state: 'problem', found, fix: 'journalctl --user --unit lets.service --lines 20' }
  if (enabled === 'enabled' && session !== undefined && session !== 'active') {
    const late = `${found}, but ${SESSION} is ${session} here: it does not start when you log in`
    return { name, state: 'warning', found: late, fix: 'systemctl --user start lets.service' }
  }
  return enabled === 'enabled' ? { name, state: 'ok', found } : { name, state: 'warning', found, fix }
}
