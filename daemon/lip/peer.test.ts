import { connect, createServer } from 'node:net'
import test from 'ava'
import { peerOf, uidIn } from './peer.js'

const here = process.platform === 'linux' ? test : test.skip
here('the peer of a loopback connection is told by the kernel', async (t) => {
  for (const host of ['127.0.0.1', '::1']) {
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(0, host, resolve))
    const { port } = server.address() as { port: number }
    const accepted = new Promise<import('node:net').Socket>((resolve) => server.once('connection', resolve))
    const client = connect(port, host)
    const socket = await accepted
    t.is(await peerOf(socket), process.geteuid?.() ?? -1, host)
    client.destroy()
    socket.destroy()
    server.close()
  }
})

test('a row of another connection is not taken for it', (t) => {
  const table = [
    '  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode',
    '   0: 0100007F:9BD9 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 1 1 0 100 0 0 10 0',
    '   1: 0100007F:9BD9 0100007F:C274 01 00000000:00000000 00:00000000 00000000     0        0 2 1 0 100 0 0 10 0',
    '   2: 0100007F:C274 0100007F:9BD9 01 00000000:00000000 00:00000000 00000000  1000        0 3 1 0 20 4 30 10 -1',
  ].join('\n')
  t.is(uidIn(table, 0xc274, 0x9bd9), 1000)
  t.is(uidIn(table, 0x9bd9, 0xc274), 0)
  t.is(uidIn(table, 1, 2), null)
})
