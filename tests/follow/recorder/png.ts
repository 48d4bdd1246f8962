import { crc32, deflateSync } from 'node:zlib'

/** A lossless PNG: with a palette where the colours fit into one, which is what windows mostly look like. */
export function png(width: number, height: number, rgba: Buffer): Buffer {
  const colors = new Map<number, number>()
  for (let at = 0; at < rgba.length && colors.size <= 256; at += 4) {
    const color = rgba.readUIntBE(at, 3)
    if (!colors.has(color)) colors.set(color, colors.size)
  }
  const indexed = colors.size <= 256
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header[8] = 8
  header[9] = indexed ? 3 : 2
  const palette = Buffer.alloc(colors.size * 3)
  if (indexed) for (const [color, index] of colors) palette.writeUIntBE(color, index * 3, 3)
  const bodies = indexed
    ? [plain(width, height, rgba, colors)]
    : [filtered(width, height, rgba, 0), filtered(width, height, rgba, 2)]
  const smallest = bodies
    .map((body) => deflateSync(body, { level: 9 }))
    .reduce((a, b) => (b.length < a.length ? b : a))
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    ...(indexed ? [chunk('PLTE', palette)] : []),
    chunk('IDAT', smallest),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function plain(width: number, height: number, rgba: Buffer, colors: ReadonlyMap<number, number>): Buffer {
  const body = Buffer.alloc((width + 1) * height)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      body[y * (width + 1) + 1 + x] = colors.get(rgba.readUIntBE((y * width + x) * 4, 3))!
    }
  }
  return body
}

/** Filter 0 stores the colours, filter 2 the difference to the pixel above: better where there are no flat parts. */
function filtered(width: number, height: number, rgba: Buffer, filter: 0 | 2): Buffer {
  const stride = width * 3 + 1
  const body = Buffer.alloc(stride * height)
  for (let y = 0; y < height; y++) {
    const above = filter === 2 && y > 0 ? width * 4 : undefined
    body[y * stride] = filter
    for (let x = 0; x < width; x++) {
      const at = (y * width + x) * 4
      for (let c = 0; c < 3; c++) {
        const from = above === undefined ? 0 : rgba[at + c - above]!
        body[y * stride + 1 + x * 3 + c] = rgba[at + c]! - from
      }
    }
  }
  return body
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const out = Buffer.alloc(body.length + 8)
  out.writeUInt32BE(data.length, 0)
  body.copy(out, 4)
  out.writeUInt32BE(crc32(body), body.length + 4)
  return out
}
