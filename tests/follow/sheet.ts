import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createCanvas, loadImage } from '@napi-rs/canvas'
import { folder, type Movement, picture, type Rect, recordings } from './movements.js'

/**
 * For checking truths by eye: `node dist/tests/follow/sheet.js FOLDER [part of an id]` writes there each pair of
 * pictures side by side, with every place in the left one, and where it is said to be now in the right one. What looks
 * otherwise than its truth would have it is listed: some of it must (a button under the pointer), the rest is a mistake.
 */
const [to, part = ''] = process.argv.slice(2)
if (to === undefined) throw new Error('name a folder for the sheets')
mkdirSync(to, { recursive: true })
for (const { app, movements } of recordings()) {
  const pairs = new Map<string, Movement[]>()
  for (const movement of movements.filter(({ id }) => id.includes(part))) {
    const { id, before, after } = movement
    const pair = `${id.split('/')[1]}-${before}-${after}`.replaceAll('.png', '')
    pairs.set(pair, [...(pairs.get(pair) ?? []), movement])
  }
  for (const movement of [...pairs.values()].flat()) {
    const doubt = await doubtful(app, movement)
    if (doubt !== undefined) console.log(`${movement.id}: ${doubt}`)
  }
  for (const [name, of] of pairs) {
    const [before, after] = await Promise.all(
      [of[0]!.before, of[0]!.after].map((file) => loadImage(readFileSync(new URL(`${app}/${file}`, folder)))),
    )
    const width = before!.width
    const canvas = createCanvas(width * 2 + 10, before!.height)
    const context = canvas.getContext('2d')
    context.drawImage(before!, 0, 0)
    context.drawImage(after!, width + 10, 0)
    context.font = 'bold 13px sans-serif'
    for (const [n, { rect, truth, id }] of of.entries()) {
      const [x, y, w, h] = rect
      context.strokeStyle = context.fillStyle = `hsl(${n * 67} 100% 40%)`
      const draw = (dx: number, dy: number, label: string) => {
        if (w === 0) context.strokeRect(x + dx - 4, y + dy - 4, 8, 8)
        else context.strokeRect(x + dx, y + dy, w, h)
        context.fillText(label, x + dx + w + 6, y + dy + 4)
      }
      context.lineWidth = 2
      const number = id.split('/')[2]!
      draw(0, 0, truth.outcome === 'gone' ? `${number} gone` : number)
      const [dx, dy] = truth.outcome === 'moved' ? truth.by : [0, 0]
      if (truth.outcome !== 'gone') draw(width + 10 + dx, dy, number)
    }
    writeFileSync(`${to}/${app}-${name}.png`, canvas.toBuffer('image/png'))
  }
}

async function doubtful(app: string, { before, after, rect, truth }: Movement): Promise<string | undefined> {
  const [from, now] = await Promise.all([picture(app, before), picture(app, after)])
  const [dx, dy] = truth.outcome === 'moved' ? truth.by : [0, 0]
  const [x, y, w, h]: Rect = [rect[0] - 6, rect[1] - 6, rect[2] + 12, rect[3] + 12]
  let [equal, all] = [0, 0]
  for (let row = Math.max(0, y, -dy); row < Math.min(y + h, from.height, from.height - dy); row++) {
    for (let column = Math.max(0, x, -dx); column < Math.min(x + w, from.width, from.width - dx); column++) {
      all += 1
      if (from.data[row * from.width + column] === now.data[(row + dy) * now.width + column + dx]) equal += 1
    }
  }
  const share = Math.round((100 * equal) / all)
  if (truth.outcome === 'gone') return share === 100 ? 'gone, but it looks the same there' : undefined
  return share < 80 ? `${truth.outcome}, but ${share}% of it look as they did` : undefined
}
