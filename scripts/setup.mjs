// Shared by every script here: where the project is, whether it is installed, and how a step is run.
// Only Node built-ins, because these run on a clean checkout, before anything is installed.

import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

export const root = fileURLToPath(new URL('..', import.meta.url))
export const onWindows = process.platform === 'win32'

/** A step that went wrong: what to print is already decided, so no stack trace is wanted. */
export class StepFailed extends Error {
  constructor(message, { output = '', hint = '', code = 1 } = {}) {
    super(message)
    this.output = output
    this.hint = hint
    this.code = code
  }
}

/** Runs a script's body; a failure ends with the last lines of output and one line saying what to do. */
export async function main(body) {
  try {
    await body()
  } catch (error) {
    process.exitCode = error.code > 0 ? error.code : 1
    if (!(error instanceof StepFailed)) return console.error(error)
    if (error.output) console.error(lastLines(error.output))
    console.error(`✗ ${error.message}`)
    if (error.hint) console.error(`  ${error.hint}`)
  }
}

/** True for the file that was given to `node`, false for one that is imported. */
export function isMain(moduleUrl) {
  return Boolean(process.argv[1]) && pathToFileURL(resolve(process.argv[1])).href === moduleUrl
}

/** The way to start a package's own program with this very Node, on every system, without a shell. */
export function tool(name, program = name) {
  const folder = join(root, 'node_modules', name)
  const { bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  return [process.execPath, join(folder, typeof bin === 'string' ? bin : bin[program])]
}

/** The environment for children; rustup's folder counts even where the shell's PATH does not name it. */
export function environment(extra = {}) {
  const rustup = join(process.env.CARGO_HOME || join(homedir(), '.cargo'), 'bin')
  const pathKey = Object.keys(process.env).find((key) => key.toUpperCase() === 'PATH') ?? 'PATH'
  const path = process.env[pathKey] ?? ''
  return { ...process.env, [pathKey]: existsSync(rustup) ? `${path}${delimiter}${rustup}` : path, ...extra }
}

/** Looks a program up as a shell would. */
export function which(program) {
  const env = environment()
  const path = Object.entries(env).find(([key]) => key.toUpperCase() === 'PATH')?.[1] ?? ''
  const endings = onWindows ? ['.exe', '.cmd', '.bat'] : ['']
  for (const folder of path.split(delimiter)) {
    for (const ending of endings) {
      const file = join(folder, program + ending)
      if (folder && existsSync(file)) return file
    }
  }
  return undefined
}

/** Runs one command to its end and gives `{ code, output }`. Never throws for an exit code. */
export function capture(command, args, { cwd = root, env = {}, onText } = {}) {
  return new Promise((done, fail) => {
    const child = spawn(command, args, { cwd, env: environment(env), stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    for (const name of ['stdout', 'stderr']) {
      child[name].setEncoding('utf8').on('data', (text) => {
        output += text
        onText?.(text, name)
      })
    }
    child.on('error', fail)
    child.on('close', (code, signal) => done({ code: code ?? 1, signal, output }))
  })
}

/** Runs one step, prints one line for it, and throws StepFailed with its output when it fails. */
export async function run(label, command, args, { hint, quiet = false, slowAfter = 5000, ...options } = {}) {
  const started = performance.now()
  const slow = setTimeout(() => console.log(`… ${label}`), slowAfter)
  try {
    const { code, output } = await capture(command, args, options)
    if (code !== 0) throw new StepFailed(`${label} failed (exit code ${code})`, { output, hint })
    if (!quiet || performance.now() - started > slowAfter) tick(label, started)
    return output
  } finally {
    clearTimeout(slow)
  }
}

export function tick(label, started) {
  console.log(`✓ ${label}${started === undefined ? '' : `  ${seconds(started)}`}`)
}

export function seconds(started) {
  return `${((performance.now() - started) / 1000).toFixed(1)} s`
}

export function lastLines(text, count = 40) {
  const lines = text.trimEnd().split('\n')
  return lines.length > count ? ['…', ...lines.slice(-count)].join('\n') : lines.join('\n')
}

/** Installs what package-lock.json names, unless node_modules already holds exactly that. */
export async function ensureInstalled() {
  if (installed()) return
  const npm = process.env.npm_execpath?.includes('npm-cli')
    ? [process.execPath, process.env.npm_execpath]
    : [onWindows ? 'cmd.exe' : 'npm', ...(onWindows ? ['/d', '/s', '/c', 'npm'] : [])]
  // --include=dev, because building needs it even where NODE_ENV says production.
  await run(
    'install dependencies',
    npm[0],
    [...npm.slice(1), 'ci', '--include=dev', '--no-audit', '--no-fund'],
    {
      hint: 'Check that the npm registry can be reached, then run `npm ci` to see the whole message.',
    },
  )
}

// npm leaves a copy of what it installed in node_modules; comparing the two needs no stamp of our own,
// so an `npm ci` or `npm install` done by hand counts as well.
function installed() {
  const record = join(root, 'node_modules', '.package-lock.json')
  if (!existsSync(record)) return false
  const wanted = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages
  const present = JSON.parse(readFileSync(record, 'utf8')).packages
  if (Object.keys(present).some((path) => !(path in wanted))) return false
  return Object.entries(wanted).every(([path, { version, optional }]) => {
    if (path === '') return true
    // Optional ones are for other systems too, and npm leaves those out.
    return path in present ? present[path].version === version : Boolean(optional)
  })
}
