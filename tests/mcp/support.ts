/** `lets mcp` as an agent has it: started by a real MCP client over stdio. */
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import {
  CallToolResultSchema,
  type LoggingMessageNotification,
  LoggingMessageNotificationSchema,
  type Progress,
} from '@modelcontextprotocol/sdk/types.js'
import type { ExecutionContext } from 'ava'
import { cleanEnv, type DaemonProcess, LETS, startDaemonProcess } from '../support/daemon.js'

/** What a tool answered. */
export interface Answer {
  readonly isError: boolean
  /** What a client shows a model. */
  readonly text: string
  readonly fields: Fields
  readonly image: { readonly data: string; readonly mimeType: string } | undefined
}

export interface Fields {
  readonly annotation_id?: string
  readonly frame_id?: string
  readonly image_size?: [number, number]
  readonly gone?: { readonly annotation_id: string; readonly reason: string }[]
  readonly error?: { readonly code: string; readonly message: string; readonly candidates?: unknown[] }
  readonly notes?: string[]
  readonly [name: string]: unknown
}

export interface CallOptions {
  readonly signal?: AbortSignal
  readonly onprogress?: (progress: Progress) => void
}

export interface Agent {
  readonly mcp: Client
  /** The server's process. */
  readonly pid: number
  call(name: string, args?: Record<string, unknown>, options?: CallOptions): Promise<Answer>
  /** Log messages that came so far. */
  readonly logs: LoggingMessageNotification['params'][]
  /** What was on stdout and is no message of the protocol. */
  readonly noise: Error[]
  stderr(): string
}

/** Starts `lets mcp` with this environment alone, and a client; both end with the test. */
export async function agent(
  t: ExecutionContext,
  env: NodeJS.ProcessEnv,
  args: readonly string[] = [],
  lets = LETS,
): Promise<Agent> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [lets, 'mcp', ...args],
    env: defined(cleanEnv(env)),
    stderr: 'pipe',
  })
  let stderr = ''
  transport.stderr?.on('data', (chunk) => {
    stderr += chunk
  })
  const client = new Client({ name: 'test-agent', version: '1.0.0' })
  const logs: LoggingMessageNotification['params'][] = []
  const noise: Error[] = []
  client.onerror = (error) => noise.push(error)
  client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => void logs.push(params))
  await client.connect(transport)
  t.teardown(() => client.close())
  // Results are held to the schemas that the tools say they have.
  await client.listTools()
  return {
    mcp: client,
    pid: transport.pid as number,
    logs,
    noise,
    stderr: () => stderr,
    async call(name, args = {}, options = {}) {
      const result = CallToolResultSchema.parse(
        await client.callTool({ name, arguments: args }, CallToolResultSchema, {
          timeout: 60_000,
          ...options,
        }),
      )
      const text = result.content.find((content) => content.type === 'text')
      const image = result.content.find((content) => content.type === 'image')
      return {
        isError: result.isError === true,
        text: text?.text ?? '',
        fields: result.structuredContent as Fields,
        image,
      }
    },
  }
}

/** A headless daemon, and an agent at it. */
export async function served(
  t: ExecutionContext,
  displays: readonly string[] = ['1440x900@2'],
): Promise<Agent & { readonly daemon: DaemonProcess }> {
  const daemon = await startDaemonProcess({
    args: ['--host', 'headless', ...displays.flatMap((spec) => ['--display', spec])],
  })
  t.teardown(() => daemon.stop())
  return { ...(await agent(t, daemon.env)), daemon }
}

/** Refused, with this code, in words that say this. */
export function refused(t: ExecutionContext, answer: Answer, code: string, says: RegExp): void {
  t.true(answer.isError, answer.text)
  t.is(answer.fields.error?.code, code, answer.text)
  t.regex(answer.text, says)
}

function defined(env: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined),
  )
}
