/** The tools that change marks of this agent: move one, clear some. */
import type { DrawingAck } from '../client/client.js'
import { request } from './places.js'
import { argumentsOf, resultOf } from './schemas.js'
import type { Tool } from './tool.js'

export const moveMark: Tool = {
  name: 'move_mark',
  title: 'Move a mark',
  description:
    'Glides one of your marks to a new place on its display; it keeps its id. Give exactly one of to and by, in logical points (not in pixels of a picture).',
  inputSchema: argumentsOf('move', {
    annotation_id: 'the mark, as a drawing tool named it',
    to: '[x, y] in logical points on its display: where its place, its top left or its first point goes',
    by: '[dx, dy] in logical points',
  }),
  outputSchema: resultOf(['annotation_id', 'display'], ['painted']),
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  async call(given, { marks, signal }) {
    const body = request('move_mark', 'move', given)
    const ack = (await marks.use((client) => client.request(body), signal)) as DrawingAck
    const { annotation_id, display, painted } = ack
    return {
      text: `move_mark: mark ${annotation_id} has moved on display ${display.id}`,
      fields: { annotation_id, display, ...(painted !== undefined && { painted }) },
    }
  },
}

export const clear: Tool = {
  name: 'clear',
  title: 'Clear marks',
  description:
    'Removes one of your marks, or without annotation_id all of them. Marks of other agents stay, and so does what you put on a screen with send.',
  inputSchema: argumentsOf('clear', { annotation_id: 'the mark to remove; without it, all of yours' }),
  outputSchema: resultOf(['cleared']),
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  async call(given, { marks, signal }) {
    const all = given.annotation_id === undefined
    request('clear', 'clear', all ? { all: true } : given)
    const cleared = await marks.use(
      (client) => client.clear(all ? undefined : String(given.annotation_id)),
      signal,
    )
    return { text: `cleared ${cleared} ${cleared === 1 ? 'mark' : 'marks'}`, fields: { cleared } }
  },
}
