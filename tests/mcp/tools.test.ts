import { readdirSync, readFileSync } from 'node:fs'
import { Ajv } from 'ajv'
import Ajv2020 from 'ajv/dist/2020.js'
import test from 'ava'
import fc from 'fast-check'
import { runCli, tempHome } from '../support/daemon.js'
import { until } from '../support/xserver.js'
import { agent, refused, served } from './support.js'

const TOOLS = {
  point_at: [false, false, false, false],
  highlight: [false, false, false, false],
  annotate: [false, false, false, false],
  guide: [false, false, false, false],
  draw_arrow: [false, false, false, false],
  draw_path: [false, false, false, false],
  show_steps: [false, false, false, false],
  move_mark: [false, false, false, false],
  clear: [false, true, true, false],
  list_displays: [true, false, true, false],
  look: [true, false, true, true],
  locate: [true, false, true, true],
  wait_for_window: [true, false, true, true],
  open: [false, false, false, false],
  companion: [false, false, false, false],
  listen: [true, false, false, false],
  send: [false, false, false, false],
  windows: [true, false, true, false],
  close: [false, true, false, false],
  state: [true, false, true, false],
  sessions: [true, false, true, false],
}

test.serial(
  'the tools: names, hints, and schemas that every draft of JSON Schema and every model provider takes',
  async (t) => {
    const { mcp: client } = await agent(t, { LETS_HOME: tempHome() })
    const { tools } = await client.listTools()
    t.deepEqual(
      Object.fromEntries(
        tools.map(({ name, annotations }) => [
          name,
          [
            annotations?.readOnlyHint,
            annotations?.destructiveHint,
            annotations?.idempotentHint,
            annotations?.openWorldHint,
          ],
        ]),
      ),
      TOOLS,
    )
    for (const tool of tools) {
      t.truthy(tool.title)
      t.true((tool.description?.length ?? 0) < 500, tool.name)
      for (const schema of [tool.inputSchema, tool.outputSchema!]) {
        // Each checks the schema itself against its own draft.
        new Ajv({ strict: true, strictRequired: false, strictTypes: false }).compile(schema)
        new Ajv2020.default({ strict: true, strictRequired: false, strictTypes: false }).compile(schema)
      }
      for (const word of ['oneOf', 'anyOf', 'allOf', '$schema']) t.false(word in tool.inputSchema, tool.name)
      for (const [name, field] of Object.entries(tool.inputSchema.properties ?? {}))
        t.truthy((field as { description?: string }).description, `${tool.name} ${name}`)
    }
    t.regex(client.getInstructions() ?? '', /look/)
  },
)

test.serial('every tool does what it says, in each unit', async (t) => {
  const on = await served(t)
  const shown = await on.call('list_displays')
  t.like(shown.fields, { host: 'headless', displays: [{ id: 1, scale: 2, logical_size: [1440, 900] }] })
  const looked = await on.call('look')
  t.is(looked.image?.mimeType, 'image/png')
  const frame = looked.fields.frame_id as string
  const [width, height] = looked.fields.image_size as [number, number]
  t.true(Math.max(width, height) <= 1568)
  t.true(looked.text.includes(`${width}x${height} pixels`) && looked.text.includes(frame))
  t.regex(looked.text, /not the person's screen/)

  const drawn = [
    await on.call('point_at', { frame, x: width / 2, y: height / 2, label: 'the middle' }),
    await on.call('point_at', { display_id: 1, x: 720, y: 450, step: 1 }),
    await on.call('point_at', { at: 'center' }),
    await on.call('highlight', { frame, rect: [10, 10, 100, 50], spotlight: true }),
    await on.call('highlight', { display_id: 1, rect: [10, 10, 100, 50], shape: 'ellipse' }),
    await on.call('annotate', { text: 'a note', at: 'top' }),
    await on.call('annotate', { text: 'a note', frame, rect: [10, 10, 100, 50] }),
    await on.call('guide', { text: 'do it', at: '50%,90%' }),
    await on.call('guide', { text: 'do it', display_id: 1, rect: [10, 10, 100, 50] }),
    await on.call('draw_arrow', { from: 'left', to: 'right', bow: 0 }),
    await on.call('draw_arrow', { frame, from: [1, 1], to: 'center', style: { color: '#ff0000', width: 8 } }),
    await on.call('draw_path', {
      frame,
      path: [
        [1, 1],
        [100, 100],
        [50, 3],
      ],
    }),
  ]
  for (const { isError, text, fields } of drawn) {
    t.false(isError, text)
    t.like(fields, { painted: true, display: { id: 1, scale: 2 } })
    t.true(text.includes(fields.annotation_id as string))
    t.false(text.includes('\n'), 'one line')
    t.regex(text, /headless/, 'nobody sees it, and that is said')
  }
  const ids = drawn.map(({ fields }) => fields.annotation_id)
  t.is(new Set(ids).size, ids.length)

  const moved = await on.call('move_mark', { annotation_id: ids[0], to: [10, 10] })
  t.is(moved.fields.annotation_id, ids[0])
  t.false((await on.call('move_mark', { annotation_id: ids[0], by: [5, 0] })).isError)
  t.is((await on.call('clear', { annotation_id: ids[0] })).fields.cleared, 1)
  t.is((await on.call('clear')).fields.cleared, ids.length - 1)
  t.is((await on.call('clear')).fields.cleared, 0)
  t.deepEqual(on.noise, [])
})

test.serial('the same place in pixels, points and by name is the same place', async (t) => {
  const on = await served(t, ['1440x900@2', '1000x1000@1.25'])
  const { fields } = await on.call('look', { display_id: 2, rect: [100, 200, 500, 500] })
  t.deepEqual(fields.origin, [100, 200])
  const [width] = fields.image_size as [number, number]
  const places = [
    { frame: fields.frame_id, x: width / 2, y: width / 2 },
    { frame: fields.frame_id, at: 'center' },
    { display_id: 2, x: 350, y: 450 },
    { display_id: 2, at: '35%,45%' },
  ]
  const pictures = new Set<string | undefined>()
  for (const place of places) {
    t.false((await on.call('point_at', place)).isError)
    pictures.add((await on.call('look', { display_id: 2, marks: true })).image?.data)
    await on.call('clear')
  }
  t.is(pictures.size, 1)
  t.false(pictures.has((await on.call('look', { display_id: 2, marks: true })).image?.data))
})

test.serial(
  'a place without its unit, with two, with half a pair, or in two forms is refused, naming the fields',
  async (t) => {
    // No daemon runs, and none is started to say so.
    const on = await agent(t, { LETS_HOME: tempHome() })
    const cases: [tool: string, args: Record<string, unknown>, says: RegExp][] = [
      ['point_at', { x: 1, y: 2 }, /x, y came without a unit.*frame.*display_id/],
      ['highlight', { rect: [1, 2, 3, 4] }, /rect came without a unit/],
      ['draw_arrow', { from: 'left', to: [3, 4] }, /: to came without a unit/],
      [
        'draw_path',
        {
          path: [
            [1, 2],
            [3, 4],
          ],
        },
        /path came without a unit/,
      ],
      ['annotate', { text: 'a', rect: [1, 2, 3, 4] }, /rect came without a unit/],
      ['point_at', { x: 1, y: 2, frame: 'f', display_id: 1 }, /only one of.*got frame and display_id/],
      ['point_at', { x: 1, y: 2, frame: 'f', window: 'w' }, /got frame and window/],
      ['point_at', { x: 1, display_id: 1 }, /x and y, at or query; got x/],
      ['point_at', { y: 1, frame: 'f' }, /got y/],
      ['point_at', { x: 1, y: 2, at: 'top', display_id: 1 }, /got x, y, at/],
      ['point_at', { at: 'top', query: 'a button' }, /got at, query/],
      ['point_at', {}, /exactly one of x and y, at or query; got none/],
      ['highlight', { rect: [1, 2, 3, 4], query: 'a', display_id: 1 }, /got rect, query/],
      ['guide', { text: 'a', rect: [1, 2, 3, 4], at: 'top', display_id: 1 }, /exactly one of rect or at/],
      ['guide', { text: 'a', at: 'top', frame: 'f' }, /with frame or window send rect/],
      ['guide', { text: 'a' }, /exactly one of.*rect/],
      ['guide', { text: 'a', at: 'nowhere' }, /at must be one of .*top-left/],
      ['move_mark', { annotation_id: 'a', to: [1, 1], by: [1, 1] }, /exactly one of to or by; got to, by/],
      ['move_mark', { to: [1, 1] }, /annotation_id is missing/],
      ['draw_arrow', { from: 'left' }, /to is missing/],
      ['draw_path', { path: [[1, 2]], display_id: 1 }, /path needs 2 or more/],
      ['draw_path', { path: [[1, 2], [1]], display_id: 1 }, /path\[1\]/],
      ['highlight', { rect: [1, 2, 3], display_id: 1 }, /rect must have exactly 4/],
      ['point_at', { x: '1', y: 2, display_id: 1 }, /x must be a finite number, got "1"/],
      ['point_at', { at: 'top', displayId: 2 }, /no argument "displayId"; it takes x, y, at/],
      ['list_displays', { all: true }, /no argument "all"; it takes none/],
      ['look', { rect: [0, 0, 0, 0] }, /rect/],
      ['annotate', { text: ' ', at: 'top' }, /blank/],
      ['wait_for_window', {}, /app is missing/],
      ['wait_for_window', { app: 'a', timeout_ms: 0 }, /timeout_ms must be/],
      ['locate', {}, /query is missing/],
      [
        'point_at',
        { at: 'top', label: 'x'.repeat(2 * 1024 * 1024) },
        /label may have at most 200 characters/,
      ],
      ['annotate', { at: 'top', text: 'x'.repeat(2 * 1024 * 1024) }, /text may have at most 4000 characters/],
    ]
    for (const [tool, args, says] of cases) {
      const answer = await on.call(tool, args)
      refused(t, answer, 'bad_schema', says)
      t.true(answer.text.length < 500, 'a large argument is not sent back')
      t.true(answer.text.includes(tool), answer.text)
    }
    refused(t, await on.call('click', { x: 1 }), 'unknown_tool', /no tool "click".*point_at.*look/)
    t.is(on.stderr(), '', 'no daemon was started')
  },
)

test.serial('what the daemon refuses comes with its code, and with what to do next', async (t) => {
  const on = await served(t)
  const { frame_id: frame } = (await on.call('look')).fields
  const cases: [tool: string, args: Record<string, unknown>, code: string, says: RegExp][] = [
    ['point_at', { frame: 'f_01M8PCD75YK7M3Q4B64AKEMZTY', x: 1, y: 1 }, 'stale_frame', /Call look again/],
    [
      'point_at',
      { frame, x: 5000, y: 1 },
      'bad_schema',
      /outside of the picture, which is \d+x\d+ pixels.*Correct/,
    ],
    ['highlight', { frame, rect: [1, 1, 5000, 1] }, 'bad_schema', /outside of the picture/],
    ['point_at', { display_id: 7, x: 1, y: 1 }, 'unknown_display', /the displays are 1.*list_displays/],
    ['look', { display_id: 7 }, 'unknown_display', /list_displays/],
    ['guide', { text: 'a', at: 'top', display_id: 7 }, 'unknown_display', /list_displays/],
    ['point_at', { display_id: 1, x: 99_999, y: 1 }, 'bad_schema', /display/],
    ['move_mark', { annotation_id: 'a_nobody', to: [1, 1] }, 'not_owner', /draw a new one/],
    ['clear', { annotation_id: 'a_nobody' }, 'not_owner', /gone/],
    ['point_at', { query: 'the Save button' }, 'no_resolver', /Call look, find it in the picture/],
    ['locate', { query: 'the Save button' }, 'no_resolver', /Call look, find it in the picture/],
    ['wait_for_window', { app: 'xterm' }, 'unavailable', /does not know the windows/],
  ]
  for (const [tool, args, code, says] of cases) refused(t, await on.call(tool, args), code, says)
  for (let mark = 0; mark < 256; mark++) await on.call('point_at', { at: 'top' })
  refused(t, await on.call('point_at', { at: 'top' }), 'limit', /256.*Clear marks/)
  t.deepEqual(on.noise, [])
})

test.serial(
  'whatever the arguments are, there is a result that its schema allows, and the server goes on',
  async (t) => {
    const on = await served(t)
    const { tools } = await on.mcp.listTools()
    const value = fc.oneof(
      fc.jsonValue(),
      fc.constantFrom(
        'top',
        'f_1',
        1,
        -1,
        1e9,
        [1, 2],
        [1, 2, 3, 4],
        [
          [1, 1],
          [2, 2],
        ],
        '',
        null,
        1,
      ),
    )
    const call = fc
      .constantFrom(...tools.filter(({ name }) => name !== 'look' && name !== 'listen'))
      .chain(({ name, inputSchema }) =>
        fc.tuple(
          fc.constant(name),
          fc.dictionary(
            fc.oneof(
              { weight: 9, arbitrary: fc.constantFrom('x', ...Object.keys(inputSchema.properties ?? {})) },
              fc.string(),
            ),
            value,
          ),
        ),
      )
    await fc.assert(
      fc.asyncProperty(call, async ([name, args]) => {
        const { isError, text, fields } = await on.call(name, args)
        return (
          text.length > 0 && isError === (fields.error !== undefined) && fields.error?.code !== 'internal'
        )
      }),
      { numRuns: 400 },
    )
    for (const args of [[], 'text', 7]) {
      const call = on.mcp.callTool({ name: 'clear', arguments: args as never })
      await t.throwsAsync(call, { message: /-32602|Invalid/ })
    }
    t.false((await on.call('clear')).isError)
    t.deepEqual(on.noise, [])
    t.is(on.stderr(), '')
  },
)

test.serial('while drawing is paused an agent is told that, and not to ask for pictures', async (t) => {
  const on = await served(t)
  t.is((await runCli(['pause'], on.daemon.env)).code, 0)
  for (const [tool, args] of [
    ['point_at', { at: 'top-right' }],
    ['send', { window: 'd1', type: 'screen.point', data: { at: 'top-right' } }],
  ] as const) {
    const paused = await on.call(tool, args)
    t.is(paused.fields.error?.code, 'not_permitted', paused.text)
    t.regex(paused.text, /paused drawing.*Nothing can be shown until then/)
    t.notRegex(paused.text, /see the screen|consent/)
  }
})

test.serial('a picture that was read is not left behind', async (t) => {
  const on = await served(t)
  const { data } = (await on.call('look')).image!
  t.is(Buffer.from(data, 'base64').toString('latin1', 1, 4), 'PNG')
  await until('the file is gone', () => readdirSync(`${on.daemon.home}/captures`).length === 0)
  t.pass()
})

test.serial('the documents name every tool, and no other', (t) => {
  const text = readFileSync(new URL('../../../docs/mcp.md', import.meta.url), 'utf8')
  const named = [...text.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name)
  t.deepEqual(named.sort(), Object.keys(TOOLS).sort())
})
