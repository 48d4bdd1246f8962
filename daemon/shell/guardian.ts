/**
 * A process that outlives the daemon by a moment: when the daemon is gone, however it went, it ends what the daemon had
 * started. A small `sh`, since one that dies with the daemon is of no use.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import type { Writable } from 'node:stream'
import { MARKS } from '../../protocol/shell/marks.js'

// Its standard input ends when the daemon does; it was told the shells' process groups until then. What left its group
// is found by its mark, again and again, since it may be starting others just now.
const SCRIPT = `
trap '' HUP INT TERM
mark= groups=' '
while read -r word value; do
  case $word in
    mark) mark=$value ;;
    add) groups="$groups$value " ;;
    drop) groups="\${groups%% $value *} \${groups#* $value }" ;;
    done) exit 0 ;;
  esac
done
for group in $groups; do kill -KILL -- "-$group" 2>/dev/null; done
[ -n "$mark" ] && [ -r /proc/self/environ ] || exit 0
tries=0
while [ $tries -lt 50 ]; do
  found=$(grep -ls -e "$mark" /proc/[0-9]*/environ 2>/dev/null)
  [ -n "$found" ] || exit 0
  for file in $found; do pid=\${file#/proc/}; kill -KILL "\${pid%/environ}" 2>/dev/null; done
  tries=$((tries + 1))
done
`

export class Guardian {
  readonly #child: ChildProcess | null
  readonly #input: Writable | null

  constructor(daemonId: string) {
    this.#child = process.platform === 'win32' ? null : start()
    this.#input = this.#child?.stdin ?? null
    // Its own end is no fault of the daemon's: the next start looks for what was left.
    this.#child?.on('error', () => {})
    this.#input?.on('error', () => {})
    this.#tell(`mark ${MARKS.daemon}=${daemonId}`)
  }

  add(group: number): void {
    this.#tell(`add ${group}`)
  }

  drop(group: number): void {
    this.#tell(`drop ${group}`)
  }

  /** Everything has been ended: it may go. */
  dismiss(): void {
    this.#tell('done')
    this.#input?.end()
  }

  #tell(line: string): void {
    if (this.#input?.writable) this.#input.write(`${line}\n`)
  }
}

function start(): ChildProcess {
  const { PATH = '/usr/bin:/bin' } = process.env
  const child = spawn('sh', ['-c', SCRIPT], {
    cwd: '/',
    detached: true,
    // None of the marks it looks for, also where this daemon runs in another one's shell.
    env: { PATH },
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  child.unref()
  ;(child.stdin as unknown as { unref(): void }).unref()
  return child
}
