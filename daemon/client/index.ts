/** The Node client of Lets: `import { connect } from 'lets-overlay'`. */
export { type ConnectOptions, connect, type DrawingAck, LetsClient } from './client.js'
export { ConnectionError, LetsError } from './errors.js'
export type { GoneMark } from './gone.js'
