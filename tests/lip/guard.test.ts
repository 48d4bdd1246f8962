/** Who may ask, and who is turned away: the host's doors, knocked on from outside. */
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import test from 'ava'
import { WebSocket } from 'ws'
import { ask, hostFile, Page, type Served, served } from './support.js'

/** How an upgrade is answered: its HTTP status, or 101. */
function upgrade(port: number, headers: Record<string, string>, path = '/lip/ws'): Promise<number> {
  return new Promise((resolve) => {
    const socket = new WebSocket(`ws://127.0.0.1:${port}${path}`, { headers })
    socket.on('open', () => {
      socket.terminate()
      resolve(101)
    })
    socket.on('unexpected-response', (_request, answer) => {
      resolve(answer.statusCode ?? 0)
      answer.resume()
      socket.terminate()
    })
    socket.on('error', () => {})
  })
}

/** A request exactly as written. */
async function raw(port: number, path: string, headers: readonly string[]): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  socket.end(`GET ${path} HTTP/1.1\r\n${headers.join('\r\n')}\r\nConnection: close\r\n\r\n`)
  return text(socket)
}

async function cookieOf(lets: Served, url: string): Promise<string> {
  const { pathname, search, host } = new URL(url)
  const answer = await ask(pathname + search, { port: lets.port, headers: { host } })
  return String(answer.headers['set-cookie']?.[0]?.split(';')[0])
}

test.serial(
  'G1: a foreign Host is refused on a page, an asset, a stream, a WebSocket and a POST',
  async (t) => {
    const lets = await served(t)
    const { token, url } = await lets.open()
    const cookie = await cookieOf(lets, url)
    for (const host of [
      'evil.example',
      `evil.example:${lets.port}`,
      '127.0.0.1',
      `127.0.0.1:${lets.port}.evil.com`,
      `graph.evil.localhost:${lets.port}`,
      'localhost:1',
    ]) {
      for (const path of [
        '/u/probe/ui/index.html',
        '/u/probe/ui/probe.js',
        '/lip/sdk.js',
        `/lip/stream?t=${token}`,
        '/lip/windows',
        '/nothing',
      ]) {
        const { status, text: said } = await ask(path, { port: lets.port, headers: { host, cookie } })
        t.is(status, 403, `${host} ${path}`)
        t.notRegex(said, /<title>|probe\.js/)
      }
      const post = await ask(`/lip/events?t=${token}`, {
        port: lets.port,
        method: 'POST',
        headers: { host, 'content-type': 'application/json' },
        body: '{"lip":1,"type":"probe.picked","data":{"id":"a"}}',
      })
      t.is(post.status, 403, host)
      t.is(await upgrade(lets.port, { host }, `/lip/ws?t=${token}`), 403, host)
    }
    for (const host of [
      `localhost:${lets.port}`,
      `127.0.0.1:${lets.port}`,
      `[::1]:${lets.port}`,
      `probe.localhost:${lets.port}`,
      `PROBE.localhost:${lets.port}`,
    ])
      t.is(
        (await ask('/u/probe/ui/index.html', { port: lets.port, headers: { host, cookie } })).status,
        200,
        host,
      )
    t.deepEqual((await lets.listen({ wait_ms: 0 })).events, [])
  },
)

test.serial(
  'G2: a cross-site text/plain POST with a JSON body is refused, and nothing is delivered',
  async (t) => {
    const lets = await served(t)
    const { token } = await lets.open()
    const body = '{"lip":1,"type":"probe.picked","data":{"id":"a"}}'
    const post = (path: string, headers: Record<string, string>) =>
      ask(path, { port: lets.port, method: 'POST', headers, body })
    const foreign = {
      origin: 'http://evil.example',
      'content-type': 'text/plain',
      'sec-fetch-site': 'cross-site',
    }
    t.is((await post('/lip/events', foreign)).status, 403)
    t.is((await post(`/lip/events?t=${token}`, foreign)).status, 403)
    t.is(
      (
        await post(`/lip/events?t=${token}`, {
          'content-type': 'text/plain',
          'sec-fetch-site': 'cross-site',
          'sec-fetch-mode': 'no-cors',
        })
      ).status,
      403,
    )
    t.is((await post(`/lip/events?t=${token}`, { 'content-type': 'text/plain' })).status, 415)
    t.is((await post('/lip/send', { ...foreign, authorization: `Bearer ${lets.file.token}` })).status, 403)
    t.deepEqual((await lets.listen({ wait_ms: 0 })).events, [])
  },
)

test.serial('G3: WebSocket upgrades from any origin but ours are refused', async (t) => {
  const lets = await served(t)
  const { token } = await lets.open()
  const { port } = lets
  for (const origin of [
    'http://evil.example',
    'null',
    `http://localhost:${port + 1}`,
    `http://127.0.0.1:${port + 1}`,
    `http://127.0.0.1:${port}.evil.com`,
    `https://127.0.0.1:${port}`,
    `http://graph.localhost:${port}`,
    '',
  ])
    t.is(await upgrade(port, { origin }, `/lip/ws?t=${token}`), 403, origin)
  t.is(await upgrade(port, { origin: `http://127.0.0.1:${port}` }, `/lip/ws?t=${token}`), 101)
  t.is(
    await upgrade(port, { host: `probe.localhost:${port}`, origin: `http://probe.localhost:${port}` }),
    101,
  )
})

test.serial('G4: without Origin and without token, loopback alone lets nobody in', async (t) => {
  const lets = await served(t)
  await lets.open()
  const { port } = lets
  for (const path of [
    '/u/probe/ui/index.html',
    '/u/probe/',
    '/lip/sdk.js',
    '/lip/stream',
    '/lip/windows',
    '/lip/listen',
    '/lip/uploads/u_0.png',
    '/lip/state?window=w1',
  ])
    t.is((await ask(path, { port })).status, 401, path)
  for (const path of [
    '/lip/events',
    '/lip/open',
    '/lip/send',
    '/lip/close',
    '/lip/allow',
    '/lip/upload',
    '/lip/run',
  ])
    t.is(
      (await ask(path, { port, method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' }))
        .status,
      401,
      path,
    )
  t.is(await upgrade(port, {}), 401)
  t.is(await upgrade(port, {}, '/lip/ws?t=wrong'), 401)
  for (const token of ['', 'wrong', `${lets.file.token}x`, lets.file.token.slice(1)])
    t.is((await ask('/lip/windows', { port, headers: { authorization: `Bearer ${token}` } })).status, 401)
})

test.serial('G6: no path leads out of a unique, whatever it is written like', async (t) => {
  const lets = await served(t)
  const uniques = join(lets.home, 'uniques')
  mkdirSync(join(uniques, 'probe-evil'))
  writeFileSync(join(uniques, 'probe-evil', 'secret.txt'), 'SECRET')
  writeFileSync(join(lets.home, 'secret.txt'), 'SECRET')
  writeFileSync(join(uniques, 'probe', '.hidden'), 'SECRET')
  mkdirSync(join(uniques, 'probe', '.git'))
  writeFileSync(join(uniques, 'probe', '.git', 'config'), 'SECRET')
  symlinkSync(join(lets.home, 'secret.txt'), join(uniques, 'probe', 'link.txt'))
  symlinkSync(join(uniques, 'probe-evil'), join(uniques, 'probe', 'folder'))
  const { url } = await lets.open()
  const cookie = await cookieOf(lets, url)
  const paths = [
    '../probe-evil/secret.txt',
    '../../secret.txt',
    '../probe/../probe-evil/secret.txt',
    'ui/../../probe-evil/secret.txt',
    '%2e%2e%2fprobe-evil%2fsecret.txt',
    '%2e%2e/%2e%2e/secret.txt',
    '..%2fprobe-evil/secret.txt',
    '..%2f..%2fsecret.txt',
    '%252e%252e%252fprobe-evil%252fsecret.txt',
    '%252e%252e/probe-evil/secret.txt',
    '..%5cprobe-evil%5csecret.txt',
    '..\\probe-evil\\secret.txt',
    'ui/index.html%00.png',
    '%00',
    '/etc/passwd',
    '//etc/passwd',
    '%2fetc%2fpasswd',
    'link.txt',
    'folder/secret.txt',
    '.hidden',
    '.git/config',
    'ui/./../.hidden',
    '%2ehidden',
    '%ff',
    '%',
    'ui',
    'ui/',
  ]
  for (const prefix of ['/u/probe/', '/u/probe/ui/', '/u/probe-evil/', '/u/', '/lip/uploads/']) {
    for (const path of paths) {
      const answer = await raw(lets.port, prefix + path, [
        `Host: 127.0.0.1:${lets.port}`,
        `Cookie: ${cookie}`,
      ])
      t.regex(answer, /^HTTP\/1\.1 4\d\d /, prefix + path)
      t.notRegex(answer, /SECRET|root:/, prefix + path)
    }
  }
  for (const path of [
    '/../../../etc/passwd',
    '/u/../../../etc/passwd',
    '/u/probe',
    '*',
    'http://evil.example/u/probe/ui/index.html',
  ])
    t.notRegex(
      await raw(lets.port, path, [`Host: 127.0.0.1:${lets.port}`, `Cookie: ${cookie}`]),
      /SECRET|root:/,
      path,
    )
  t.is((await ask('/u/probe/ui/probe.js', { port: lets.port, headers: { cookie } })).status, 200)
})

test.serial('the link of a window opens its pages once; a unique’s cookie opens no other’s', async (t) => {
  const lets = await served(t)
  const { url } = await lets.open()
  const { pathname, search, host } = new URL(url)
  const first = await ask(`${pathname}${search}&more=1`, { port: lets.port, headers: { host } })
  t.is(first.status, 303)
  t.is(first.headers.location, `${pathname}?more=1`, 'nothing secret stays in the address')
  const again = await ask(pathname + search, { port: lets.port, headers: { host, accept: 'text/html' } })
  t.is(again.status, 401)
  t.regex(again.text, /This window is not open/)
  const cookie = String(first.headers['set-cookie']?.[0]?.split(';')[0])
  t.is(
    (await ask(pathname + search, { port: lets.port, headers: { host, cookie } })).status,
    303,
    'back in the history',
  )
  t.is((await ask('/u/other/ui/index.html', { port: lets.port, headers: { cookie } })).status, 401)
  const elsewhere = { host: `other.localhost:${lets.port}`, cookie }
  t.is((await ask(pathname, { port: lets.port, headers: elsewhere })).status, 403)
  await lets.operator('/lip/close', { window: 'w1' })
  t.is(
    (await ask(pathname, { port: lets.port, headers: { host, cookie } })).status,
    401,
    'its windows are closed',
  )
})

test.serial('a token is good for its window alone, and as long as that is open', async (t) => {
  const lets = await served(t)
  const [one, two] = [await lets.open(), await lets.open()]
  const { port } = lets
  const forged = `w2.${one.token.slice(3)}`
  t.is(await upgrade(port, {}, `/lip/ws?t=${forged}`), 401)
  const both = await Page.raw(port, { origin: `http://127.0.0.1:${port}` }, `/lip/ws?t=${one.token}`)
  both.emit('lip.hello', { token: two.token })
  t.like(await both.next('lip.error'), { data: { code: 'forbidden' } })
  t.is((await both.closed).code, 4401)
  t.is((await ask('/lip/windows', { port, headers: { authorization: `Bearer ${one.token}` } })).status, 401)
  const page = await Page.connect(port, one.token)
  await lets.operator('/lip/close', { window: 'w1' })
  t.like(await page.next('session.close'), { data: { reason: 'closed' } })
  t.is((await page.closed).code, 4410)
  t.is((await ask(`/lip/stream?t=${one.token}`, { port })).status, 410)
  const late = await Page.raw(port, { origin: `http://127.0.0.1:${port}` })
  late.emit('lip.hello', { token: one.token })
  t.like(await late.next('lip.error'), { data: { code: 'window_closed' } })
  t.is((await late.closed).code, 4410)
})

test.serial('every answer has the headers that keep a page to itself, also a refusal', async (t) => {
  const lets = await served(t)
  for (const { headers } of [
    await lets.operator('/lip/windows'),
    await ask('/lip/windows', { port: lets.port }),
    await ask('/x', { port: lets.port }),
  ]) {
    t.is(headers['x-content-type-options'], 'nosniff')
    t.is(headers['referrer-policy'], 'no-referrer')
    t.is(headers['cross-origin-opener-policy'], 'same-origin')
    t.is(headers['cross-origin-resource-policy'], 'same-origin')
    t.regex(String(headers['content-security-policy']), /frame-ancestors 'none'/)
    t.is(headers['access-control-allow-origin'], undefined)
  }
})

test.serial('the port is on loopback alone, and host.json is for its owner’s eyes', async (t) => {
  const lets = await served(t)
  const { statSync, readFileSync } = await import('node:fs')
  t.is(statSync(join(lets.home, 'host.json')).mode & 0o777, 0o600)
  t.deepEqual(Object.keys(hostFile(lets.home)), ['port', 'token', 'pid'])
  t.is(lets.file.pid, lets.daemon.pid)
  const hex = lets.port.toString(16).toUpperCase().padStart(4, '0')
  const listening = ['/proc/net/tcp', '/proc/net/tcp6'].flatMap((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => new RegExp(`: [0-9A-F]+:${hex} [0-9A-F]+:0000 0A`).test(line))
      .map((line) => line.trim().split(/\s+/)[1]?.split(':')[0]),
  )
  t.deepEqual(listening.sort(), ['0100007F', '00000000000000000000000001000000'].sort())
  await lets.daemon.stop()
  t.throws(() => hostFile(lets.home), { code: 'ENOENT' })
})
