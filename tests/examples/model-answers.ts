/** A model answered in 0..1000 with y first: the same place in pixels of its picture, on the screen, and in points. */
import { connect, SpaceError, toPixels, toPoints } from 'lets-overlay'

const lets = await connect({ clientName: 'model-answers', lingerMs: 0 })
const { frame_id, image_size } = await lets.capture()
const image = image_size as [number, number]
const answer = { space: '0..1000', order: 'yx', image } as const

const [x, y] = toPixels([500, 300], answer)
await lets.point({ x, y, frame: frame_id as string, label: 'here' })
console.log(`${x},${y} of ${image.join('x')}`)

// Somebody else's screenshot has no frame; what it shows has to be said.
const [display] = await lets.displays()
if (display) console.log(`${toPoints([x, y], { image, display }).map(Math.round)} on display ${display.id}`)

try {
  toPixels([500, 1300], answer)
} catch (error) {
  if (!(error instanceof SpaceError)) throw error
  console.log(error.message)
}
await lets.close()
