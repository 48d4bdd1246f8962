import test from 'ava'
import { tempHome } from '../support/daemon.js'
import { agent, refused, served } from './support.js'

test.serial(
  'the same place in pixels, 0..1000, fractions and percent, in either order, is the same place',
  async (t) => {
    const on = await served(t)
    const { frame_id: frame, image_size } = (await on.call('look')).fields
    const [w, h] = image_size as [number, number]
    const path = [
      [w / 4, h / 2],
      [w / 2, h / 4],
    ]
    const groups: [tool: string, more: object, places: object[]][] = [
      [
        'point_at',
        {},
        [
          { x: w / 4, y: h / 2 },
          { x: w / 4, y: h / 2, space: 'pixels', order: 'xy' },
          { x: 250, y: 500, space: '0..1000', order: 'xy' },
          { x: 0.25, y: 0.5, space: 'fractions', order: 'xy' },
          { x: 25, y: 50, space: 'percent', order: 'xy' },
        ],
      ],
      [
        'highlight',
        {},
        [
          { rect: [w / 4, h / 2, w / 10, h / 5] },
          { rect: [h / 2, w / 4, h / 5, w / 10], space: 'pixels', order: 'yx' },
          { rect: [500, 250, 200, 100], space: '0..1000', order: 'yx' },
          { rect: [25, 50, 10, 20], space: 'percent', order: 'xy' },
        ],
      ],
      [
        'annotate',
        { text: 'a note' },
        [
          { rect: [w / 4, h / 2, w / 10, h / 5] },
          { rect: [0.5, 0.25, 0.2, 0.1], space: 'fractions', order: 'yx' },
        ],
      ],
      [
        'draw_arrow',
        { to: 'center' },
        [{ from: [w / 4, h / 2] }, { from: [500, 250], space: '0..1000', order: 'yx' }],
      ],
      [
        'draw_path',
        {},
        [
          { path },
          {
            path: [
              [50, 25],
              [25, 50],
            ],
            space: 'percent',
            order: 'yx',
          },
        ],
      ],
    ]
    const bare = (await on.call('look', { marks: true })).image?.data
    for (const [tool, more, places] of groups) {
      const pictures = new Set<string | undefined>()
      for (const place of places) {
        const { isError, text } = await on.call(tool, { frame, ...more, ...place })
        t.false(isError, text)
        pictures.add((await on.call('look', { marks: true })).image?.data)
        await on.call('clear')
      }
      t.is(pictures.size, 1, tool)
      t.false(pictures.has(bare))
    }
  },
)

test.serial(
  'half a declaration, one without a picture or numbers, and one that contradicts are refused',
  async (t) => {
    const on = await agent(t, { LETS_HOME: tempHome() })
    const place = { frame: 'f_1', x: 1, y: 2 }
    const cases: [tool: string, args: Record<string, unknown>, says: RegExp][] = [
      [
        'point_at',
        { ...place, space: 'percent' },
        /order must be one of xy, yx; it is missing, and never guessed/,
      ],
      [
        'point_at',
        { ...place, order: 'xy' },
        /space must be one of pixels, 0\.\.1000, fractions, percent; it is/,
      ],
      ['point_at', { ...place, space: 'points', order: 'xy' }, /got "points"/],
      ['point_at', { ...place, space: 'percent', order: 'yx' }, /x and y say which is which/],
      [
        'point_at',
        { x: 1, y: 2, display_id: 1, space: 'percent', order: 'xy' },
        /about a picture: add frame/,
      ],
      ['point_at', { x: 1, y: 2, space: 'percent', order: 'xy' }, /about a picture: add frame/],
      ['point_at', { frame: 'f_1', at: 'top', space: 'percent', order: 'xy' }, /without numbers/],
      [
        'draw_arrow',
        { frame: 'f_1', from: 'top', to: 'left', space: 'percent', order: 'xy' },
        /without numbers/,
      ],
      ['move_mark', { annotation_id: 'a', to: [1, 1], space: 'percent', order: 'xy' }, /no argument "space"/],
    ]
    for (const [tool, args, says] of cases) {
      const answer = await on.call(tool, args)
      refused(t, answer, 'bad_schema', says)
      t.true(answer.text.includes(tool))
    }
    t.is(on.stderr(), '', 'no daemon was started')
  },
)

test.serial(
  'a number beyond its space is refused with its place, and a picture that is none is stale',
  async (t) => {
    const on = await served(t)
    const { frame_id: frame } = (await on.call('look')).fields
    const cases: [tool: string, args: Record<string, unknown>, says: RegExp][] = [
      ['point_at', { x: 1001, y: 1, space: '0..1000', order: 'xy' }, /x, y: x must be 0 to 1000/],
      ['point_at', { x: 500, y: 300, space: 'fractions', order: 'xy' }, /x must be 0 to 1 /],
      [
        'highlight',
        { rect: [90, 10, 20, 10], space: 'percent', order: 'yx' },
        /rect: height must be at most 10/,
      ],
      [
        'draw_path',
        {
          path: [
            [1, 1],
            [1, 101],
          ],
          space: 'percent',
          order: 'xy',
        },
        /path\[1\]: y must be 0 to 100/,
      ],
    ]
    for (const [tool, args, says] of cases)
      refused(t, await on.call(tool, { frame, ...args }), 'bad_schema', says)
    const stale = await on.call('point_at', {
      frame: 'f_01M8PCD75YK7M3Q4B64AKEMZTY',
      x: 1,
      y: 1,
      space: 'percent',
      order: 'xy',
    })
    refused(t, stale, 'stale_frame', /Call look again/)
  },
)
