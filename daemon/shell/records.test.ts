import test from 'ava'
import { Stream } from './output.js'
import { exactText, shellEvent, unfinished } from './records.js'

test('a character that is cut off is known by how many of its bytes are there', (t) => {
  for (const text of ['é', '€', '😀']) {
    const bytes = Buffer.from(`a${text}`)
    for (let end = 1; end <= bytes.length; end++) {
      const expected = end === bytes.length ? 0 : end - 1
      t.is(unfinished(bytes.subarray(0, end)), expected, `${text} ${end}`)
    }
  }
  for (const broken of ['\x80', '\xff', '\xc0', '\xc1', '\xf8', 'a\x80\x80\x80\x80'])
    t.is(unfinished(Buffer.from(broken, 'latin1')), 0)
  t.is(unfinished(Buffer.alloc(0)), 0)
})

test('however a text is cut, what a stream hands on is whole characters, and all of it', (t) => {
  const bytes = Buffer.from('aé€😀\0\r\n'.repeat(50))
  for (let size = 1; size < 12; size++) {
    const stream = new Stream(true)
    const out: Buffer[] = []
    for (let at = 0; at < bytes.length; at += size) out.push(stream.take(bytes.subarray(at, at + size)))
    for (const piece of out) t.not(exactText(piece), null)
    t.deepEqual(Buffer.concat(out), bytes)
    t.is(stream.rest().length, 0)
    t.deepEqual(stream.tail(), bytes)
  }
})

test('the tail is the last 64 KiB, however it came', (t) => {
  const all = Buffer.from(Array.from({ length: 300_000 }, (_, index) => index % 251))
  for (const size of [1000, 70_000, 300_000]) {
    const stream = new Stream(false)
    for (let at = 0; at < all.length; at += size) stream.take(all.subarray(at, at + size))
    t.deepEqual(stream.tail(), all.subarray(all.length - 64 * 1024))
    t.is(stream.hash(), null)
  }
})

test('bytes that are no text are beside it in base64; others are not', (t) => {
  const event = (bytes: Buffer) =>
    shellEvent({ owner: 'cmd_1', seq: 1, event_type: 'stdout', bytes, created_at: 0, metadata: null })
  t.deepEqual(event(Buffer.from('a\0b€')).metadata, {})
  t.like(event(Buffer.from([0x61, 0xff])), { text: 'a\ufffd', metadata: { base64: 'Yf8=' } })
  t.is(event(Buffer.from('\ufeffx')).text, '\ufeffx')
})
