/** Draws two marks and prints what becomes of them. */
import { connect } from 'lets-overlay'

const lets = await connect({ clientName: 'example' })
await lets.point({ at: 'top-right', label: 'Close is here', ttl_ms: 300 })
await lets.highlight({ rect: [100, 200, 340, 90], label: 'the counterargument', ttl_ms: 500 })

let left = 2
for await (const gone of lets.invalidations()) {
  console.log(`${gone.annotation_id} went away: ${gone.reason}`)
  if (--left === 0) break
}
await lets.close()
