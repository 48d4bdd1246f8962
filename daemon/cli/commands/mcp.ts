/** `lets mcp`: what an agent starts. It speaks MCP on stdin and stdout, and remarks on stderr. */
import { findElectron } from '../../electron.js'
import { serve } from '../../mcp/server.js'
import { type CommonOptions, pathsOf, startedLines } from '../connection.js'
import { CliError } from '../errors.js'
import { remark } from '../output.js'
import { startInBackground } from '../start-daemon.js'

export async function mcp(options: CommonOptions & { readonly headless?: boolean }): Promise<void> {
  const where = pathsOf(options)
  if (process.stdin.isTTY)
    remark('this speaks MCP, for an agent to start (docs/mcp.md says how it is told to); Ctrl-D ends it')
  await serve({
    socket: where.socket,
    lipHost: where.lipHost,
    outbox: where.agents,
    agent: Number(process.env.LETS_AGENT_PID) || process.ppid,
    start: async () => {
      for (const line of startedLines(await startInBackground(where, hostFor(options.headless)))) remark(line)
    },
    log: remark,
  })
}

/**
 * What a daemon is to draw on. Never on nothing: an agent that believes its marks are seen would tell the person so. The
 * daemon has the better words where there is Wayland alone.
 */
function hostFor(headless = false): readonly string[] {
  if (headless) return ['--host', 'headless']
  if (process.platform === 'darwin' || process.platform === 'win32') {
    const found = findElectron()
    if (found.state === 'ready') return ['--host', 'electron']
    throw new CliError(`Electron draws on this screen, and ${found.reason}: run \`${found.fix}\``)
  }
  const { DISPLAY, WAYLAND_DISPLAY } = process.env
  if (DISPLAY || WAYLAND_DISPLAY) return ['--host', WAYLAND_DISPLAY ? 'auto' : 'x11']
  throw new CliError(
    'there is no screen here: DISPLAY is not set. MCP clients often pass on no environment: the entry of this server in the client’s configuration needs "env": {"DISPLAY": ":0"} (what `echo $DISPLAY` says in a terminal on that screen, and XAUTHORITY likewise where it is set; on a Wayland desktop also WAYLAND_DISPLAY and XDG_RUNTIME_DIR)',
  )
}
