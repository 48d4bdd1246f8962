import { writeFileSync } from 'node:fs'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { createCanvas, loadImage } from '@napi-rs/canvas'
import test from 'ava'
import { until } from '../tests/support/xserver.js'
import { Bench } from './engine/testing.js'
import { PngMaker } from './png.js'

/** A picture whose left half is red and whose right half is blue. */
function halves(width: number, height: number): Uint8Array {
  const pixels = new Uint8Array(width * height * 4)
  for (let at = 0; at < pixels.length; at += 4) {
    const isLeft = (at / 4) % width < width / 2
    pixels.set(isLeft ? [255, 0, 0, 255] : [0, 0, 255, 255], at)
  }
  return pixels
}

async function colours(png: Uint8Array): Promise<{ size: number[]; left: number[]; right: number[] }> {
  const image = await loadImage(Buffer.from(png))
  const context = createCanvas(image.width, image.height).getContext('2d')
  context.drawImage(image, 0, 0)
  const at = (x: number) => [...context.getImageData(x, 1, 1, 1).data]
  return { size: [image.width, image.height], left: at(1), right: at(image.width - 2) }
}

/** A maker whose thread runs `script`, or ours. */
async function maker(t: { teardown(task: () => void): void }, script?: string) {
  const { clock } = new Bench()
  const log: string[] = []
  const folder = await mkdtemp(join(tmpdir(), 'lets-png-'))
  const file = join(folder, 'worker.mjs')
  if (script !== undefined) writeFileSync(file, script)
  const made = new PngMaker(
    clock,
    (_level, event) => log.push(event),
    ...(script === undefined ? [] : [pathToFileURL(file)]),
  )
  t.teardown(async () => {
    made.close()
    await rm(folder, { recursive: true })
  })
  return { made, clock, log, file }
}

const small = () => ({ pixels: halves(40, 20), width: 40, height: 20, size: [40, 20] as const })

/** How many threads this process has. */
async function threads(): Promise<number> {
  return (await readdir('/proc/self/task')).length
}

test('a picture is written as it is, or shrunk to the size that is asked for; its pixels are handed over', async (t) => {
  const { made } = await maker(t)
  const pixels = halves(400, 200)
  const png = await made.make({ pixels, width: 400, height: 200, size: [100, 50] })
  t.deepEqual(await colours(png), { size: [100, 50], left: [255, 0, 0, 255], right: [0, 0, 255, 255] })
  t.is(pixels.length, 0, 'not copied')
  const [one, two] = await Promise.all([made.make(small()), made.make(small())])
  t.deepEqual((await colours(one)).size, [40, 20])
  t.deepEqual(one, two)
})

test('pixels that are a part of other memory are copied, and the rest is left alone', async (t) => {
  const { made } = await maker(t)
  const memory = new Uint8Array(2 * 40 * 20 * 4).fill(7)
  memory.set(halves(40, 20), 40 * 20 * 4)
  const png = await made.make({ ...small(), pixels: memory.subarray(40 * 20 * 4) })
  t.deepEqual((await colours(png)).left, [255, 0, 0, 255])
  t.is(memory[0], 7)
})

test('a picture that cannot be made is said so, and the thread goes on', async (t) => {
  const { made } = await maker(t)
  const error = await t.throwsAsync(made.make({ ...small(), width: 39 }))
  t.like(error, { code: 'internal' })
  t.regex(error?.message ?? '', /could not be written as a PNG/)
  t.true((await made.make(small())).length > 0)
})

test.serial('the thread ends once no picture was wanted for five seconds', async (t) => {
  const { made, clock } = await maker(t)
  const before = await threads()
  await made.make(small())
  t.true((await threads()) > before)
  clock.advance(4999)
  await made.make(small())
  clock.advance(4999)
  t.true((await threads()) > before)
  clock.advance(1)
  await until('it has ended', async () => (await threads()) <= before)
  t.true((await made.make(small())).length > 0, 'the next picture starts another')
})

for (const [how, script, why] of [
  [
    'ends',
    "import { parentPort } from 'node:worker_threads'; parentPort.on('message', () => parentPort.close())",
    /its thread ended/,
  ],
  [
    'throws',
    "import { parentPort } from 'node:worker_threads'; parentPort.on('message', () => { throw new Error('no memory') })",
    /no memory/,
  ],
  ['does not start', 'this is no script', /Unexpected|missing/],
] as const) {
  test(`a thread that ${how} fails its pictures with a clear error, and the next one gets a new thread`, async (t) => {
    const { made, log, file } = await maker(t, script)
    const settled = await Promise.allSettled([made.make(small()), made.make(small())])
    for (const one of settled) {
      t.is(one.status, 'rejected')
      t.like((one as PromiseRejectedResult).reason, { code: 'internal' })
      t.regex((one as PromiseRejectedResult).reason.message, why)
    }
    t.deepEqual(log, ['png_failed'])
    writeFileSync(
      file,
      "import { parentPort } from 'node:worker_threads'; parentPort.on('message', ({ id }) => parentPort.postMessage({ id, png: new Uint8Array([1]) }))",
    )
    t.deepEqual(await made.make(small()), new Uint8Array([1]))
  })
}

test('a thread that never answers is given up after twenty seconds', async (t) => {
  const { made, clock } = await maker(
    t,
    "import { parentPort } from 'node:worker_threads'; parentPort.on('message', () => {})",
  )
  const picture = made.make(small())
  clock.advance(20_000)
  t.regex((await t.throwsAsync(picture))?.message ?? '', /longer than 20 s/)
})
