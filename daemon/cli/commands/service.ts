/** `lets service`: the daemon with the person's session, through their own service manager. */
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname } from 'node:path'
import { type CommonOptions, reachRunning } from '../connection.js'
import { CliError, cannotWrite, UsageError } from '../errors.js'
import { bold, dim, say, sayJson } from '../output.js'
import {
  SERVICE_HOSTS,
  SESSION,
  type ServiceDefinition,
  type ServiceHost,
  UNIT,
  untriedCommands,
} from '../service/definition.js'
import {
  definitionHere,
  resolversInstalled,
  type ServiceState,
  serviceState,
  systemctl,
} from '../service/state.js'

interface ServiceOptions extends CommonOptions {
  readonly host?: string
  /** Names of resolvers; empty: none. Default: those of the service that is installed. */
  readonly resolver?: string
}

/** What was done, what was not and why, and what to run: a line each. */
interface Report {
  readonly done: string[]
  readonly not_done: string[]
  readonly run: string[]
}

export async function service(action: string, options: ServiceOptions): Promise<void> {
  if (action === 'status') return status(options)
  if (action !== 'install' && action !== 'uninstall')
    throw new UsageError(
      `a service is installed, uninstalled or asked for its status; got ${JSON.stringify(action)}`,
    )
  refuseForOthers()
  const report: Report = { done: [], not_done: [], run: [] }
  if (action === 'install') {
    const { resolver } = options
    // Bringing a file up to date keeps what it was told before.
    const named =
      resolver === undefined
        ? resolversInstalled(definitionHere(options))
        : (await import('./daemon.js')).resolverOrder(resolver, '--resolver')
    await install(definitionHere(options, hostOf(options), named), options, report)
  } else await uninstall(definitionHere(options), options, report)
  if (report.not_done.length > 0) process.exitCode = 1
  if (options.json) return sayJson(report)
  for (const line of report.done) say(line)
  for (const line of report.not_done) say(`not done: ${line}`)
  for (const command of report.run) say(`run: ${bold(command)}`)
}

function hostOf({ host }: ServiceOptions): ServiceHost | undefined {
  if (host === undefined) return host
  const found = SERVICE_HOSTS.find((one) => one === host)
  if (found) return found
  throw new UsageError(`--host must be one of ${SERVICE_HOSTS.join(', ')}; got ${JSON.stringify(host)}`)
}

/** A screen belongs to a person: root would write into their folders, or serve its own. */
function refuseForOthers(): void {
  if (process.geteuid?.() !== 0) return
  const { SUDO_USER, PKEXEC_UID, DOAS_USER } = process.env
  const other = SUDO_USER ?? DOAS_USER ?? (PKEXEC_UID && `user ${PKEXEC_UID}`)
  if (other !== undefined && other !== 'root')
    throw new CliError(`a service is the person's own: run this as ${other}, without sudo`)
  const home = homedir()
  if (existsSync(home) && statSync(home).uid !== 0)
    throw new CliError(`${home} is not root's: run this as the one it belongs to`)
}

async function install(wanted: ServiceDefinition, options: CommonOptions, report: Report): Promise<void> {
  const { file, manager } = wanted
  const changed = write(wanted, await serviceState(options))
  report.done.push(changed ? `wrote ${file}` : `${file} is as it should be`)
  if (manager !== 'systemd') {
    report.not_done.push(`the service is not registered: on ${process.platform} this is untried`)
    report.run.push(untriedCommands(wanted, 'install'))
    return
  }
  const reached = await systemctl('show-environment')
  if (!reached.ok) {
    report.not_done.push(
      `the service is not enabled and not started: no user service manager answers (${reached.said})`,
    )
    report.run.push('systemctl --user daemon-reload', `systemctl --user enable --now ${UNIT}`)
    return
  }
  if (changed) await must(report, 'daemon-reload')
  // Some desktops tell their service manager nothing of the screen.
  const [screen, ...others] = wanted.text.includes('"x11"')
    ? ['DISPLAY', 'XAUTHORITY']
    : ['WAYLAND_DISPLAY', 'DISPLAY', 'XAUTHORITY', 'XDG_CURRENT_DESKTOP']
  if (
    screen !== undefined &&
    process.env[screen] &&
    /"(?:x11|wayland|auto)"/.test(wanted.text) &&
    !new RegExp(`^${screen}=`, 'm').test(reached.said)
  ) {
    const names = [screen, ...others].filter((name) => process.env[name])
    if (await must(report, 'import-environment', ...names))
      report.done.push(`told the service manager of ${names.join(' and ')}, until you log out`)
  }
  if (await must(report, 'enable', UNIT)) await tellWhen(report, options)
  await start(changed, options, report)
}

/** Enabled with a target that this desktop does not have would be a promise that nobody keeps. */
async function tellWhen(report: Report, options: CommonOptions): Promise<void> {
  const { session } = await serviceState(options)
  if (session === undefined || session === 'active') {
    report.done.push('enabled: it starts with your session')
    return
  }
  report.done.push('enabled')
  report.not_done.push(
    `it does not start when you log in: ${SESSION} is ${session} here, as on desktops that do not have it; let your desktop run the line below when it starts`,
  )
  report.run.push(`systemctl --user start ${UNIT}`)
}

/** A daemon that runs by itself keeps the socket; the service would end at once. */
async function start(changed: boolean, options: CommonOptions, report: Report): Promise<void> {
  const before = await systemctl('is-active', UNIT)
  if (before.said === 'active') {
    if (!changed) return void report.done.push('it runs')
    report.not_done.push('it runs as it was before: starting it anew would take everyone’s marks away')
    return void report.run.push(`systemctl --user restart ${UNIT}`)
  }
  const client = await reachRunning(options, { lingerMs: 0 }).catch(() => null)
  const pid = (await client?.status())?.pid
  await client?.close()
  if (client) {
    report.not_done.push(
      `it is not started: a daemon runs already (pid ${pid}), which the service did not start`,
    )
    report.run.push('lets stop', `systemctl --user start ${UNIT}`)
    return
  }
  if (!(await must(report, 'start', UNIT))) return
  const { said } = await systemctl('is-active', UNIT)
  if (said === 'active') report.done.push('started')
  else {
    report.not_done.push(`it was started and is ${said} now`)
    report.run.push(`journalctl --user --unit ${UNIT} --lines 20`)
  }
}

async function uninstall(wanted: ServiceDefinition, options: CommonOptions, report: Report): Promise<void> {
  const { file, manager } = wanted
  const { installed, manager: reached, manager_says } = await serviceState(options)
  if (installed === 'foreign') throw foreign(file)
  if (manager !== 'systemd' && installed !== 'no') {
    report.not_done.push(`if it was registered it still is: on ${process.platform} this is untried`)
    report.run.push(untriedCommands(wanted, 'uninstall'))
  }
  if (reached === 'systemd' && installed !== 'no' && (await must(report, 'disable', '--now', UNIT)))
    report.done.push('stopped and disabled')
  if (reached === 'none' && installed !== 'no')
    report.not_done.push(`nothing is stopped: no user service manager answers (${manager_says})`)
  if (installed === 'no') {
    report.done.push(`there is no ${file}`)
    return
  }
  try {
    rmSync(file)
  } catch (error) {
    throw cannotWrite(file, error)
  }
  report.done.push(`removed ${file}`)
  if (reached === 'systemd') await must(report, 'daemon-reload')
}

/** Whether it went well; what did not is told. */
async function must(report: Report, ...args: readonly string[]): Promise<boolean> {
  const { ok, said } = await systemctl(...args)
  if (!ok) {
    const command = `systemctl --user ${args.join(' ')}`
    report.not_done.push(`\`${command}\` failed: ${said.replace(/\s*\n\s*/g, '; ')}`)
    report.run.push(command)
  }
  return ok
}

/** Writes the file as one step; false when it is there already, as it should be. */
function write({ file, text, encoding }: ServiceDefinition, { installed }: ServiceState): boolean {
  if (installed === 'foreign') throw foreign(file)
  if (existsSync(file) && readFileSync(file, encoding) === text) return false
  const draft = `${file}.${process.pid}.new`
  try {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(draft, text, { encoding, flag: 'wx', mode: 0o644 })
    renameSync(draft, file)
  } catch (error) {
    rmSync(draft, { force: true })
    throw cannotWrite(file, error)
  }
  return true
}

function foreign(file: string): CliError {
  return new CliError(`${file} was not written by Lets, and is left alone; move it away first`)
}

/** Exits 1 when no service is installed. */
async function status(options: CommonOptions): Promise<void> {
  const state = await serviceState(options)
  if (state.installed === 'no' || state.installed === 'foreign') process.exitCode = 1
  if (options.json) return sayJson(state)
  say(`file     ${state.file}  ${dim(INSTALLED[state.installed])}`)
  say(`manager  ${managerText(state)}`)
  if (state.enabled !== undefined) say(`enabled  ${state.enabled}`)
  if (state.active !== undefined) say(`active   ${state.active}`)
  if (state.session !== undefined) say(`session  ${SESSION} is ${state.session}`)
}

const INSTALLED: Readonly<Record<ServiceState['installed'], string>> = {
  no: 'not installed: `lets service install`',
  yes: 'installed',
  other: 'of another version, place or setting: `lets service install` brings it up to date',
  foreign: 'not written by Lets',
}

function managerText({ manager, manager_says }: ServiceState): string {
  if (manager === 'systemd') return 'systemd, of this user'
  if (manager === 'none')
    return `no user service manager answers (${manager_says}): whether it is enabled cannot be told`
  return `on ${process.platform} this is untried: whether it is registered cannot be told`
}
