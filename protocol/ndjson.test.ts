import test from 'ava'
import fc from 'fast-check'
import { type LineEvent, LineReader, nestsDeeperThan } from './ndjson.js'

const CAP = 1024 * 1024
const utf8 = new TextEncoder()
const bytes = (...parts: readonly (string | readonly number[])[]): Uint8Array =>
  Uint8Array.from(parts.flatMap((part) => (typeof part === 'string' ? [...utf8.encode(part)] : [...part])))

/** Everything a reader says when these chunks arrive one after the other. */
function read(chunks: readonly Uint8Array[], cap = CAP): LineEvent[] {
  const reader = new LineReader(cap)
  return chunks.flatMap((chunk) => reader.push(chunk))
}
const line = (text: string): LineEvent => ({ kind: 'line', text })
const each = (text: Uint8Array): Uint8Array[] => [...text].map((byte) => Uint8Array.of(byte))

for (const end of ['\n', '\r\n']) {
  test(`a line of exactly the cap is read, one byte more is not, ending in ${JSON.stringify(end)}`, (t) => {
    t.deepEqual(read([bytes('x'.repeat(64), end)], 64), [line('x'.repeat(64))])
    t.deepEqual(read([bytes('x'.repeat(65), end)], 64), [{ kind: 'too_large' }])
    t.deepEqual(read(each(bytes('x'.repeat(64), end)), 64), [line('x'.repeat(64))])
    t.deepEqual(read(each(bytes('x'.repeat(65), end)), 64), [{ kind: 'too_large' }])
  })

  test(`the cap counts bytes, not characters, and is the same for the second line, ending in ${JSON.stringify(end)}`, (t) => {
    const full = 'é'.repeat(32)
    t.deepEqual(read([bytes(full, end, full, end)], 64), [line(full), line(full)])
    t.deepEqual(read([bytes(full, end, full, 'x', end)], 64), [line(full), { kind: 'too_large' }])
  })
}

test('the real cap is held to the byte', (t) => {
  const reader = new LineReader(CAP)
  t.deepEqual(reader.push(new Uint8Array(CAP).fill(0x61)), [])
  const [event] = reader.push(bytes('\n'))
  t.is(event?.kind === 'line' && event.text.length, CAP)
  t.deepEqual(reader.push(new Uint8Array(CAP + 1).fill(0x61)), [{ kind: 'too_large' }])
})

test('one byte over the cap is refused when it arrives, before any line end', (t) => {
  t.deepEqual(read([bytes('x'.repeat(64)), bytes('x')], 64), [{ kind: 'too_large' }])
  // A carriage return may be the first half of the line end; anything behind it shows that it was not.
  t.deepEqual(read([bytes('x'.repeat(64), '\r')], 64), [])
  t.deepEqual(read([bytes('x'.repeat(64), '\r'), bytes('\r')], 64), [{ kind: 'too_large' }])
  t.deepEqual(read([bytes('x'.repeat(64), '\r'), bytes('\n')], 64), [line('x'.repeat(64))])
})

test('F2: the tail of an oversized line is never a line, wherever it is cut, and nothing after it is read', (t) => {
  const tail = '{"v":"0.2","type":"clear","all":true}'
  for (const [head, cut] of [
    [CAP + 1, CAP],
    [CAP + 1, CAP + 1],
    [CAP + 1, 5],
    [CAP * 2, CAP],
    [CAP + 1 - tail.length, CAP + 1 - tail.length],
  ] as const) {
    const all = bytes('x'.repeat(head), tail, '\n', tail, '\n')
    const reader = new LineReader(CAP)
    t.deepEqual(
      [all.subarray(0, cut), all.subarray(cut)].flatMap((chunk) => reader.push(chunk)),
      [{ kind: 'too_large' }],
    )
    t.deepEqual(reader.push(bytes('\n', tail, '\n')), [])
  }
})

test('lines before an oversized one are still read', (t) => {
  t.deepEqual(read([bytes('a\nb\n', 'x'.repeat(65), '\nc\n')], 64), [
    line('a'),
    line('b'),
    { kind: 'too_large' },
  ])
})

test('F5: text of many bytes a character arrives whole, byte by byte, and in one piece', (t) => {
  const lines = Array.from({ length: 50 }, (_, index) => `{"label":"é設😀👩‍👧 ${index}"}`)
  const all = bytes(lines.map((one) => `${one}\n`).join(''))
  t.deepEqual(read(each(all)), lines.map(line))
  t.deepEqual(read([all]), lines.map(line))
})

test('F6: a byte order mark is dropped at the start of the stream, and only there', (t) => {
  const bom = [0xef, 0xbb, 0xbf]
  t.deepEqual(read([bytes(bom, 'a\n', bom, 'b\n')]), [line('a'), line('\ufeffb')])
  t.deepEqual(read(each(bytes(bom, 'a\n'))), [line('a')])
  t.deepEqual(read([bytes(bom, bom, 'a\n')]), [line('\ufeffa')])
  t.deepEqual(read([bytes(bom, '\n', 'a\n')]), [line('a')])
  t.deepEqual(read([bytes('\n', bom, 'a\n')]), [line('\ufeffa')])
})

test('F8: a line that is not UTF-8 is said to be so, and the next one is read', (t) => {
  for (const bad of [
    [0xff],
    [0xc3],
    [0xc0, 0xaf],
    [0xed, 0xa0, 0x80],
    [0xf4, 0x90, 0x80, 0x80],
    [0x61, 0x80],
  ]) {
    const expected = [{ kind: 'invalid_utf8' }, line('{"ok":"é"}')]
    t.deepEqual(read([bytes(bad, '\n{"ok":"é"}\n')]), expected as LineEvent[])
    t.deepEqual(read(each(bytes(bad, '\n{"ok":"é"}\n'))), expected as LineEvent[])
  }
})

test('F1: only a newline ends a line: not U+2028, U+2029, U+0085, a form feed or a lone carriage return', (t) => {
  const text = '{"label":"a\u2028b\u2029c\u0085d\u000ce\rf"}'
  t.deepEqual(read([bytes(text, '\n')]), [line(text)])
  t.deepEqual(read(each(bytes(text, '\r\n'))), [line(text)])
})

test('blank lines are passed over; a line of anything but JSON white space is not blank', (t) => {
  t.deepEqual(read([bytes('\n\r\n \n\t \r\n\r\r\na\n\n')]), [line('a')])
  t.deepEqual(
    read([bytes('a\n\u00a0\n\u2028\n\ufeff\n\u000b\n')]),
    ['a', '\u00a0', '\u2028', '\ufeff', '\u000b'].map(line),
  )
})

test('a line without its newline is no line yet', (t) => {
  const reader = new LineReader(CAP)
  t.deepEqual(reader.push(bytes('{"a":1}\n{"b":2}')), [line('{"a":1}')])
  t.deepEqual(reader.push(new Uint8Array(0)), [])
  t.deepEqual(reader.push(bytes('\n')), [line('{"b":2}')])
})

test('what it holds is its own: the caller may reuse its buffer', (t) => {
  const reader = new LineReader(CAP)
  const buffer = bytes('abc')
  reader.push(buffer)
  buffer.fill(0x7a)
  t.deepEqual(reader.push(bytes('d\n')), [line('abcd')])
})

test('a mebibyte sent byte by byte costs a few mebibytes at most, and little time', (t) => {
  const reader = new LineReader(CAP)
  const one = Uint8Array.of(0x61)
  const before = process.memoryUsage().arrayBuffers
  let peak = 0
  const started = performance.now()
  for (let index = 0; index < CAP; index++) {
    reader.push(one)
    if (index % 4096 !== 0) continue
    peak = Math.max(peak, process.memoryUsage().arrayBuffers - before)
    if (performance.now() - started > 5000) return t.fail(`${index} bytes took 5 s`)
  }
  t.is(reader.push(bytes('\n'))[0]?.kind, 'line')
  // Doubling: 2 MiB held, and the halves before it that are not collected yet.
  t.true(peak <= 4.5 * CAP, `${peak} bytes of buffers`)
})

test('any cutting of any lines gives the same lines', (t) => {
  const text = fc.string({ unit: 'binary', maxLength: 30 }).map((one) => one.replaceAll('\n', '\u2028'))
  fc.assert(
    fc.property(
      fc.array(text, { maxLength: 12 }),
      fc.array(fc.nat(400), { maxLength: 20 }),
      (lines, cuts) => {
        const all = bytes(lines.map((one) => `${one}\n`).join(''))
        const places = [0, ...cuts.filter((cut) => cut < all.length).sort((a, b) => a - b), all.length]
        const chunks = places.slice(1).map((end, index) => all.subarray(places[index], end))
        const whole = read([all])
        t.deepEqual(read(chunks), whole)
        t.deepEqual(read(each(all)), whole)
        const expected = lines.map((one, index) =>
          (index === 0 ? one.replace(/^\ufeff/, '') : one).replace(/\r$/, ''),
        )
        t.deepEqual(whole, expected.filter((one) => /[^ \t\r]/.test(one)).map(line))
      },
    ),
    { seed: 20240, numRuns: 300 },
  )
})

test('arbitrary bytes never throw, and never give a line with a newline in it or over the cap', (t) => {
  const hostile = fc.oneof(
    fc.uint8Array({ maxLength: 200 }),
    fc
      .array(fc.constantFrom(0x0a, 0x0d, 0x20, 0x22, 0x7b, 0xef, 0xbb, 0xbf, 0xf0, 0x9f, 0x80), {
        maxLength: 200,
      })
      .map((all) => Uint8Array.from(all)),
  )
  fc.assert(
    fc.property(fc.array(hostile, { maxLength: 8 }), fc.integer({ min: 1, max: 90 }), (chunks, cap) => {
      let dead = false
      const reader = new LineReader(cap)
      for (const chunk of chunks) {
        for (const event of reader.push(chunk)) {
          t.false(dead, 'it spoke after too_large')
          if (event.kind === 'too_large') dead = true
          if (event.kind !== 'line') continue
          t.false(event.text.includes('\n'))
          t.true(utf8.encode(event.text).length <= cap)
        }
      }
    }),
    { seed: 20241, numRuns: 1000 },
  )
})

/** How deep a parsed value nests, measured without recursion. */
function depthOf(value: unknown): number {
  let deepest = 0
  const left: [unknown, number][] = [[value, 0]]
  for (let next = left.pop(); next; next = left.pop()) {
    const [one, depth] = next
    deepest = Math.max(deepest, depth)
    if (typeof one !== 'object' || one === null) continue
    deepest = Math.max(deepest, depth + 1)
    for (const inner of Object.values(one)) left.push([inner, depth + 1])
  }
  return deepest
}

test('nesting is judged as a parser would measure it, brackets and escapes in strings or not', (t) => {
  const hostile = fc.string({ unit: fc.constantFrom('[', ']', '{', '}', '"', '\\', 'u', 'a', '\u2028') })
  const { value } = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 6, depthSize: 'large' },
      hostile,
      fc.constantFrom(null, 1, true),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(hostile, tie('value'), { maxKeys: 3 }),
    ),
  }))
  fc.assert(
    fc.property(value, fc.integer({ min: 0, max: 8 }), fc.constantFrom(0, 2), (json, max, indent) => {
      const text = JSON.stringify(json, null, indent)
      t.is(nestsDeeperThan(text, max), depthOf(JSON.parse(text)) > max, text)
    }),
    { seed: 20242, numRuns: 1500 },
  )
})

test('nesting at the limit is let through, one level more is not', (t) => {
  const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)
  t.false(nestsDeeperThan(nested(64), 64))
  t.true(nestsDeeperThan(nested(65), 64))
  t.false(nestsDeeperThan(`"${'['.repeat(500)}"`, 64))
  t.false(nestsDeeperThan(`"\\"${'['.repeat(500)}"`, 64))
  t.true(nestsDeeperThan(`["\\\\",${'['.repeat(64)}`, 64))
  t.false(nestsDeeperThan('[],'.repeat(500), 64))
})

test('F4: nesting of 100,000 levels is found without running out of stack', (t) => {
  t.true(nestsDeeperThan(`{"x":${'['.repeat(100_000)}${']'.repeat(100_000)}}`, 64))
  t.true(nestsDeeperThan('{"a":'.repeat(100_000), 64))
})

test('text that is no JSON is judged without throwing', (t) => {
  for (const text of ['', ']]]]', '"', '"\\', '[[["', '}'.repeat(1000)]) t.false(nestsDeeperThan(text, 64))
})
