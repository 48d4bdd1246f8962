/** The MCP server: tools in, results out, over one client's stdin and stdout. */
import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import {
  CallToolRequestSchema,
  type CallToolResult,
  ListToolsRequestSchema,
} from '@modelcontextprotocol/sdk/types.js'
import type { GoneMark } from '../client/gone.js'
import { version } from '../version.js'
import { clear, moveMark } from './changing.js'
import { companion } from './companion.js'
import { DaemonLink } from './daemon-link.js'
import { drawingTools } from './drawing.js'
import { asToolError, Cancelled, ToolError } from './errors.js'
import { LipLink } from './lip-link.js'
import { Looking } from './looking.js'
import { Marks } from './marks.js'
import { Outbox } from './outbox.js'
import { known } from './places.js'
import { type Notify, Waits } from './progress.js'
import { listDisplays, locate, look, waitForWindow } from './seeing.js'
import { showSteps } from './steps.js'
import type { Done, Tool } from './tool.js'
import { windowTools } from './windows.js'

export interface ServeOptions {
  readonly socket: string
  /** `host.json` of the daemon. */
  readonly lipHost: string
  /** The folder for what the agent's hook tells it. */
  readonly outbox: string
  /** The process that is the agent. */
  readonly agent: number
  /** Starts a daemon and resolves once it serves. */
  readonly start: () => Promise<void>
  /** One line for whoever runs the server; never on stdout. */
  readonly log: (line: string) => void
}

const tools: ReadonlyMap<string, Tool> = new Map(
  [
    ...drawingTools,
    showSteps,
    moveMark,
    clear,
    listDisplays,
    look,
    locate,
    waitForWindow,
    companion,
    ...windowTools,
  ].map((tool) => [tool.name, tool]),
)

const INSTRUCTIONS = `Lets shows things on the person's real screen; it never clicks or types. To mark something you have to see: call look, find it in the picture, then call a drawing tool with that picture's frame_id as frame and its pixels. To mark a place you know: logical points with display_id, or a named position such as "top-right". For several steps: show_steps. Marks stay until their ttl_ms is over, you clear them, or you disconnect; a mark whose content scrolls away or changes goes by itself, and the next result lists it in gone. Not every desktop can do everything: list_displays says in capabilities and notes what cannot be done on this one; without following, marks stay where they were put. Windows to talk in are another way: open one of a unique, obey the guide that comes back, listen for what the person does there, and send to answer. companion is a character on their screen, if they turned it on: for a short word now and then.`

/** Serves until the client goes away; its marks go with it. */
export async function serve({ socket, lipHost, outbox, agent, start, log }: ServeOptions): Promise<void> {
  const server = new Server(
    { name: 'lets', title: 'Lets', version: version() },
    { capabilities: { tools: {}, logging: {} }, instructions: INSTRUCTIONS },
  )
  const clientName = () => server.getClientVersion()?.name.trim().slice(0, 100) || 'mcp'
  const link = new DaemonLink({ socket, start, clientName })
  const lip = new LipLink(lipHost, link, clientName)
  const untold = new Outbox(outbox, agent)
  const marks = new Marks(link, (gone) => {
    untold.add(gone)
    const data = { message: `mark ${gone.annotation_id} is gone: ${gone.reason}`, ...gone }
    server.sendLoggingMessage({ level: 'info', logger: 'lets', data }).catch(() => {})
  })
  const takeGone = () => {
    untold.told()
    return marks.takeGone()
  }
  const looking = new Looking(link)
  const call = async (
    name: string,
    given: Record<string, unknown>,
    signal: AbortSignal,
    notify: Notify | null,
  ): Promise<CallToolResult> => {
    const waits = new Waits(notify)
    try {
      const tool = toolNamed(name)
      const done = await tool.call(known(name, tool.inputSchema, given), {
        link,
        lip,
        marks,
        looking,
        signal,
        waits: (...wait) => waits.begin(...wait),
        reaches: (...step) => waits.reach(...step),
      })
      return succeeded(done, takeGone())
    } catch (error) {
      // Nobody reads it, and what went away is for the next to tell.
      if (error instanceof Cancelled || signal.aborted) return failed(error, [])
      if (!isExpected(error)) log(`${name} failed: ${(error as Error)?.stack ?? error}`)
      return failed(error, takeGone())
    } finally {
      waits.end()
    }
  }

  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: [...tools.values()].map(({ call: _, ...tool }) => tool) as never,
  }))
  server.setRequestHandler(CallToolRequestSchema, ({ params }, { signal, _meta, sendNotification }) => {
    const token = _meta?.progressToken
    const notify: Notify | null =
      token === undefined
        ? null
        : (progress) =>
            void sendNotification({
              method: 'notifications/progress',
              params: { progressToken: token, ...progress },
            }).catch(() => {})
    return call(params.name, params.arguments ?? {}, signal, notify)
  })
  server.onerror = (error) => log(error.message)

  const closed = new Promise<void>((resolve) => {
    server.onclose = resolve
  })
  for (const event of ['end', 'close', 'error'] as const) {
    process.stdin.once(event, () => void server.close().catch(() => {}))
  }
  // Nobody reads any more.
  process.stdout.on('error', () => void server.close().catch(() => {}))
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => {
      untold.told()
      process.kill(process.pid, signal)
    })
  }
  await server.connect(new StdioServerTransport())
  await closed
  lip.close()
  await Promise.all([marks.close(), looking.close()])
  untold.told()
  process.stdin.destroy()
}

function toolNamed(name: string): Tool {
  const tool = tools.get(name)
  if (tool) return tool
  throw new ToolError(
    'unknown_tool',
    `There is no tool ${JSON.stringify(name.slice(0, 60))}; there are ${[...tools.keys()].join(', ')}.`,
  )
}

function succeeded({ text, fields, notes = [], image }: Done, gone: readonly GoneMark[]): CallToolResult {
  const words = [text, ...notes.map((note) => `Note: ${note}`), ...goneText(gone)].join('. ')
  return {
    content: [
      ...(image ? [{ type: 'image' as const, ...image }] : []),
      { type: 'text', text: words.replace(/\.\. /g, '. ') },
    ],
    structuredContent: {
      ...fields,
      ...(notes.length > 0 && { notes: [...notes] }),
      ...(gone.length > 0 && { gone: [...gone] }),
    },
  }
}

function failed(error: unknown, gone: readonly GoneMark[]): CallToolResult {
  const { code, message, candidates } = asToolError(error)
  return {
    isError: true,
    content: [{ type: 'text', text: [`${code}: ${message}`, ...goneText(gone)].join(' ') }],
    structuredContent: {
      error: { code, message, ...(candidates && { candidates: [...candidates] }) },
      ...(gone.length > 0 && { gone: [...gone] }),
    },
  }
}

/** Many marks of one long pause are counted rather than listed; the structured content has them all. */
const LISTED = 10

function goneText(gone: readonly GoneMark[]): string[] {
  if (gone.length === 0) return []
  const listed = gone.slice(0, LISTED).map(({ annotation_id, reason }) => `${annotation_id} (${reason})`)
  const more = gone.length > LISTED ? ` and ${gone.length - LISTED} more` : ''
  return [`Gone since your last call: ${listed.join(', ')}${more}.`]
}

function isExpected(error: unknown): boolean {
  return asToolError(error).code !== 'internal'
}
