/** Requests to the service's methods. */

import { SESSION_KINDS } from '../../protocol/shell/kinds.js'
import type { ShellRequest } from '../../protocol/shell/requests.js'
import { SHELL_PROTOCOL_VERSION } from '../../protocol/shell/version.js'
import { missing } from './backends/index.js'
import { hasProc } from './processes.js'
import { eventsJson, type Pieces, resultJson } from './results.js'
import type { ShellService, Waiting } from './service.js'

/** How the service is reached; part of what it says about itself. */
export interface Reached {
  readonly transport: 'stdio' | 'tcp'
  readonly socket_host: string | null
  readonly socket_port: number | null
}

/** What a method answers: a value, or the pieces of its JSON. */
export type Answer = { readonly value: unknown } | { readonly pieces: Pieces }

/** Carries out a request. Rejects with `ShellError`. */
export async function dispatch(
  service: ShellService,
  reached: Reached,
  request: ShellRequest,
  waiting: Waiting,
): Promise<Answer> {
  switch (request.method) {
    case 'capability.discover':
      return { value: capabilities() }
    case 'daemon.status':
      return { value: { ...service.status(), ...reached } }
    case 'daemon.shutdown': {
      const closed = await service.shutdown(request.params.reason)
      return {
        value: {
          ...{ ...service.status(), ...reached, shutdown_requested: true },
          closed_sessions: closed.map(({ id }) => id),
        },
      }
    }
    case 'session.create':
      return { value: await service.createSession(request.params) }
    case 'session.list':
      return { value: service.listSessions() }
    case 'session.snapshot':
      return { value: service.sessionSnapshot(request.params) }
    case 'session.close':
      return { value: await service.closeSession(request.params) }
    case 'session.events':
      return { value: service.sessionEvents(request.params) }
    case 'command.start':
      return { value: service.startCommand(request.params) }
    case 'command.poll':
      return { value: await service.poll(request.params, waiting) }
    case 'command.cancel':
      return { value: await service.cancel(request.params) }
    case 'command.events':
      await service.waitForEvents(request.params, waiting)
      return { pieces: eventsJson(service, request.params) }
    case 'command.result': {
      const command = await service.poll(request.params, waiting)
      if (command.ended_at === null) return { value: null }
      return { pieces: resultJson(service, command.id, command) }
    }
  }
}

function capabilities() {
  const shells = SESSION_KINDS.map((kind) => {
    const why = missing(kind)
    return { name: `session.${kind}`, available: why === null, details: why === null ? {} : { reason: why } }
  })
  const has = (name: string, details: Record<string, unknown> = {}) => ({ name, available: true, details })
  return {
    protocol_version: SHELL_PROTOCOL_VERSION,
    capabilities: [
      ...shells,
      has('transport.stdio'),
      has('transport.tcp', {
        hosts: 'loopback IPv4',
        admission: hasProc ? 'same user' : 'token',
      }),
      has('command.input', { parameter: 'command.start input' }),
      has('command.wait', { parameter: 'wait_seconds of command.poll, command.events and command.result' }),
      has('command.events.epoch', { parameter: 'with_epoch' }),
      has('session.events'),
      {
        name: 'command.cancel.detached',
        available: hasProc,
        details: hasProc ? {} : { reason: 'only the process group can be ended here' },
      },
    ],
  }
}
