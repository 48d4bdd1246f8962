import test from 'ava'
import { buildMark, type DrawingRequest, displayIdOf } from '../../daemon/engine/build.js'
import { WireError } from '../../protocol/overlay/errors.js'
import type { Display } from '../../protocol/overlay/geometry.js'
import { parseRequest } from '../../protocol/overlay/requests.js'
import { requestVectors } from './vectors.js'

const DRAWING = ['point', 'highlight', 'textbox', 'draw', 'arrow']
const display: Display = {
  id: 1,
  scale: 2,
  logical_size: [1440, 900],
  origin: [0, 0],
  primary: true,
  name: 'test',
}
const vectors = requestVectors().filter(({ kind }) => DRAWING.includes(kind))

function build(line: string) {
  const parsed = parseRequest(line)
  if (!parsed.ok) throw parsed.error
  const request = parsed.request as DrawingRequest
  displayIdOf(request)
  return buildMark(request, display, 'a_1')
}

const unmeasured = vectors.filter(({ needsDisplay }) => needsDisplay)

test('there are vectors that only a display can refuse', (t) => {
  t.true(unmeasured.length >= 10)
})

for (const { kind, name, line, code, msgIncludes } of unmeasured) {
  test(`${kind}: refused once the display is known: ${name}`, (t) => {
    const error = t.throws(() => build(line), { instanceOf: WireError })
    t.is(error?.code as string, code ?? '')
    t.true(error?.message.startsWith(`${kind}: `) && error.message.includes(msgIncludes), error?.message)
  })
}

for (const { kind, name, line } of vectors.filter((vector) => vector.code === undefined)) {
  const { query, frame } = JSON.parse(line)
  // What these mean is found out before a mark is built.
  if (query || frame) continue
  test(`${kind}: becomes a mark of plain numbers: ${name}`, (t) => {
    const mark = build(line)
    t.is(mark.kind as string, kind)
    const numbers = JSON.stringify(mark, (_key, value) => {
      if (typeof value === 'number' && !Number.isFinite(value)) t.fail(`${value} in ${line}`)
      return value
    })
    t.notRegex(numbers, /null/)
  })
}
