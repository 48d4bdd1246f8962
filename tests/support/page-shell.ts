/** Runs the commands of a page in one shell: each `sh` command must succeed, each `console` one say what stands below it. */
import { spawn } from 'node:child_process'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { cleanEnv, LETS } from './daemon.js'
import { fences } from './pages.js'

export interface Step {
  readonly command: string
  /** What it must print; undefined: it must exit 0. */
  readonly says?: string
}

export interface StepResult extends Step {
  readonly output: string
  readonly code: number
}

export function stepsOf(page: string): Step[] {
  return fences(page).flatMap(({ language, body }) => {
    if (language === 'sh') return commandsOf(body)
    return language === 'console' ? dialogueOf(body) : []
  })
}

function commandsOf(body: string): Step[] {
  const commands = body.match(/^.*<<'(\w+)'\n[\s\S]*?^\1$|^(?:.*\\\n)*.+$/gm) ?? []
  return commands.filter((command) => !command.startsWith('#')).map((command) => ({ command }))
}

function dialogueOf(body: string): Step[] {
  return body
    .split(/^\$ /m)
    .slice(1)
    .map((step) => {
      const [command = '', ...says] = step.split('\n')
      return { command, says: says.join('\n') }
    })
}

/** `…` stands for what differs from run to run. */
export function pattern(says: string): RegExp {
  const parts = says.split('…').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`^${parts.join('\\S+')}$`)
}

const END = '@@ end of step '

export async function runSteps(
  steps: readonly Step[],
  home: string,
  env: NodeJS.ProcessEnv,
): Promise<StepResult[]> {
  const bin = join(home, 'bin')
  mkdirSync(bin)
  for (const [name, script] of Object.entries(standIns())) {
    writeFileSync(join(bin, name), script)
    chmodSync(join(bin, name), 0o755)
  }
  const script = steps.map(({ command }) => `${command}\necho '${END}'$?\n`).join('')
  const shell = spawn('sh', ['-c', `exec 2>&1\n${script}`], {
    cwd: home,
    env: cleanEnv({ ...env, HOME: home, PATH: `${bin}:${process.env.PATH}` }),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const said = (await text(shell.stdout)).replaceAll(`${home}/`, '')
  const ends = [...said.matchAll(new RegExp(`([\\s\\S]*?)${END}(\\d+)\\n`, 'g'))]
  return steps.map((step, at) => ({
    ...step,
    output: ends[at]?.[1] ?? said,
    code: Number(ends[at]?.[2] ?? -1),
  }))
}

/** `lets` of this build, and what other programs have to do with it: `claude` starts the server it is told of. */
function standIns(): Record<string, string> {
  const lets = `#!/bin/sh\nexec '${process.execPath}' '${LETS}' "$@"\n`
  return {
    lets,
    npx: '#!/bin/sh\n[ "$1" = lets ] || exit 99\nexec "$@"\n',
    claude:
      '#!/bin/sh\nwhile [ $# -gt 0 ] && [ "$1" != -- ]; do shift; done\n[ $# -gt 1 ] || exit 0\nshift\nexec "$@" </dev/null\n',
    nc: `#!${process.execPath}
if (process.argv[2] !== '-NU') process.exit(99)
const socket = require('node:net').connect(process.argv[3])
socket.on('error', () => process.exit(98))
process.stdin.pipe(socket).pipe(process.stdout)
`,
  }
}
