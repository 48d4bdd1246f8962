/** A how-to in numbered steps; each is on the screen before the next one goes on. */
import { connect, LetsError } from 'lets-overlay'

const lets = await connect({ clientName: 'how-to', acks: 'painted', lingerMs: 0 })
const [display] = await lets.displays()
const [width, height] = display?.logical_size ?? [0, 0]

await lets.point({ at: 'top-left', label: 'Open the menu', step: 1 })
await lets.highlight({
  rect: [width * 0.2, height * 0.3, width * 0.3, height * 0.2],
  label: 'Choose a folder',
  step: 2,
})
await lets.textbox({
  rect: [width * 0.6, height * 0.6, 300, 60],
  text: 'Press Save',
  style: 'guide',
  step: 3,
})
await lets.arrow({ from: 'top-left', to: [width * 0.2, height * 0.3] })

try {
  await lets.point({ query: 'the Save button' })
} catch (error) {
  if (!(error instanceof LetsError)) throw error
  console.log(`not drawn: ${error.code}`)
}
console.log(`${await lets.clear()} marks shown and cleared`)
await lets.close()
