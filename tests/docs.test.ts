/** The commands that pages of docs/ show are run, in one shell a page, and must say what the page says; its JSON is tour.json. */
import { spawn } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import test from 'ava'
import { cleanEnv, LETS, startDaemonProcess } from './support/daemon.js'

/** Each page, and the daemon that it says it is run on. */
const PAGES: Readonly<Record<string, readonly string[]>> = {
  'coordinates.md': ['--display', '1440x900@2', '--display', '1920x1080+-1920+-164'],
  'tours.md': [],
}

interface Step {
  readonly command: string
  readonly says: string
}

/** The `$` lines of a page's `console` blocks, each with what stands below it. */
function stepsOf(page: string): Step[] {
  const blocks = [...page.matchAll(/^```console\n([\s\S]*?)^```$/gm)].map((match) => match[1] as string)
  return blocks.flatMap((block) =>
    block
      .split(/^\$ /m)
      .slice(1)
      .map((step) => {
        const [command = '', ...says] = step.split('\n')
        return { command, says: says.join('\n') }
      }),
  )
}

/** `…` stands for what differs from run to run. */
function pattern(says: string): RegExp {
  const parts = says.split('…').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`^${parts.join('\\S+')}$`)
}

const END = '@@ end of step'

for (const [name, displays] of Object.entries(PAGES)) {
  test(`the commands of docs/${name} do what it says`, async (t) => {
    const page = readFileSync(new URL(`../../docs/${name}`, import.meta.url), 'utf8')
    const steps = stepsOf(page)
    t.true(steps.length >= 3)
    const daemon = await startDaemonProcess({ args: ['--host', 'headless', ...displays] })
    t.teardown(() => daemon.stop())
    const bin = join(daemon.home, 'bin')
    mkdirSync(bin)
    writeFileSync(join(bin, 'lets'), `#!/bin/sh\nexec '${process.execPath}' '${LETS}' "$@"\n`)
    chmodSync(join(bin, 'lets'), 0o755)
    const tour = /^```json\n([\s\S]*?)^```$/m.exec(page)?.[1]
    if (tour !== undefined) writeFileSync(join(daemon.home, 'tour.json'), tour)
    const script = steps.map(({ command }) => `${command}\necho '${END}'\n`).join('')
    const shell = spawn('sh', ['-c', `exec 2>&1\n${script}`], {
      cwd: daemon.home,
      env: cleanEnv({ ...daemon.env, PATH: `${bin}:${process.env.PATH}` }),
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const outputs = (await text(shell.stdout)).split(`${END}\n`)
    for (const [index, { command, says }] of steps.entries()) {
      const output = (outputs[index] ?? '').replaceAll(`${daemon.home}/`, '')
      t.regex(output, pattern(says), `$ ${command}`)
    }
  })
}
