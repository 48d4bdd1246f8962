/** Pictures that pages hand over: told by their bytes, counted while they come, named by the host. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { createCanvas } from '@napi-rs/canvas'
import test from 'ava'
import { ask, Page, type Served, served } from './support.js'

const PNG = createCanvas(30, 20).toBuffer('image/png')

function upload(
  lets: Served,
  token: string,
  body: Buffer,
  headers: Record<string, string> = {},
  path = '/lip/upload',
) {
  return ask(path, {
    port: lets.port,
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, ...headers },
    body,
  })
}

const left = (lets: Served) => {
  const folder = join(lets.home, 'uploads', 'probe')
  return existsSync(folder) ? readdirSync(folder) : []
}

test.serial(
  'a picture is stored, its size told, and its event may name it; its own pages can show it',
  async (t) => {
    const lets = await served(t)
    const { token, url } = await lets.open()
    const { status, json } = await upload(lets, token, PNG, { 'content-type': 'text/html' })
    t.is(status, 200)
    t.like(json, { w: 30, h: 20, mime: 'image/png', bytes: PNG.length })
    t.deepEqual(readFileSync(json.path), PNG)
    t.true(json.path.startsWith(join(lets.home, 'uploads', 'probe', 'u_')))
    const page = await Page.connect(lets.port, token)
    const { url: _, ...named } = json
    page.emit('media.image', { ...named, source: 'paste' })
    t.like((await lets.listen()).events[0], { type: 'media.image', data: { path: json.path } })

    const { pathname, search, host } = new URL(url)
    const first = await ask(pathname + search, { port: lets.port, headers: { host } })
    const cookie = String(first.headers['set-cookie']?.[0]?.split(';')[0])
    const shown = await ask(json.url, { port: lets.port, headers: { host, cookie } })
    t.is(shown.status, 200)
    t.is(shown.headers['content-type'], 'image/png')
    t.is(
      (await ask(json.url, { port: lets.port, headers: { host: `other.localhost:${lets.port}`, cookie } }))
        .status,
      401,
    )
    for (const jpeg of [createCanvas(9, 7).toBuffer('image/jpeg'), createCanvas(9, 7).toBuffer('image/webp')])
      t.like((await upload(lets, token, jpeg)).json, { w: 9, h: 7 })
  },
)

test.serial(
  'what is empty, no picture, too large or over the quota is refused, and nothing is left on disk',
  async (t) => {
    const lets = await served(t)
    writeFileSync(join(lets.home, 'config.json'), '{"upload_mb": 1, "upload_quota_mb": 2}')
    const { token } = await lets.open()
    const cases: readonly (readonly [string, Buffer, Record<string, string>, number, string])[] = [
      ['without type, of zero bytes', Buffer.alloc(0), {}, 400, 'bad_data'],
      [
        'of zero bytes',
        Buffer.alloc(0),
        { 'content-type': 'image/png', 'content-length': '0' },
        400,
        'bad_data',
      ],
      [
        'text that says it is a picture',
        Buffer.from('<script>alert(1)</script>'),
        { 'content-type': 'image/png' },
        415,
        'unsupported_media',
      ],
      [
        'svg',
        Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'),
        { 'content-type': 'image/svg+xml' },
        415,
        'unsupported_media',
      ],
      [
        'a head without a body',
        PNG.subarray(0, 10),
        { 'content-type': 'image/png' },
        415,
        'unsupported_media',
      ],
      [
        'over the cap',
        Buffer.concat([PNG, Buffer.alloc(1024 * 1024)]),
        { 'content-type': 'image/png' },
        413,
        'payload_too_large',
      ],
      [
        'over the cap, of no said length',
        Buffer.concat([PNG, Buffer.alloc(3 * 1024 * 1024)]),
        { 'transfer-encoding': 'chunked' },
        413,
        'payload_too_large',
      ],
    ]
    for (const [name, body, headers, status, code] of cases) {
      const answer = await upload(lets, token, body, headers)
      t.is(answer.status, status, name)
      t.is(answer.json.error.code, code, name)
      t.deepEqual(left(lets), [], name)
    }
    for (const path of ['/lip/upload?name=../../x', '/lip/upload?name=..%2f..%2fx']) {
      const { json } = await upload(
        lets,
        token,
        PNG,
        { 'content-disposition': 'attachment; filename="../../x"', 'x-file-name': '../../x' },
        path,
      )
      t.regex(json.path, /\/uploads\/probe\/u_[0-9A-Z]{26}\.png$/)
    }
    t.is(
      (
        await ask('/lip/upload/../../x', {
          port: lets.port,
          method: 'POST',
          headers: { authorization: `Bearer ${token}` },
          body: PNG,
        })
      ).status,
      401,
    )
    const large = Buffer.concat([PNG, Buffer.alloc(900 * 1024)])
    t.is((await upload(lets, token, large)).status, 200)
    t.is((await upload(lets, token, large)).status, 200)
    const full = await upload(lets, token, large)
    t.is(full.json.error.code, 'quota')
    t.is(left(lets).length, 4)

    await new Promise<void>((resolve) => {
      const half = request({
        host: '127.0.0.1',
        port: lets.port,
        path: '/lip/upload',
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-length': '5000' },
      })
      half.on('error', () => resolve())
      half.write(PNG.subarray(0, 40), () => half.destroy())
    })
    const end = Date.now() + 5000
    while (left(lets).length !== 4 && Date.now() < end)
      await new Promise((resolve) => setTimeout(resolve, 20))
    t.is(left(lets).length, 4, 'one that broke off leaves nothing')
  },
)
