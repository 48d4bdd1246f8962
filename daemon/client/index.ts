/** The Node client of Lets: `import { connect } from 'lets-overlay'`. */

export {
  type Declared,
  type DeclaredRect,
  fromPixels,
  type Order,
  type RectForm,
  type Shown,
  type Space,
  SpaceError,
  toPixels,
  toPoints,
} from '../../protocol/overlay/spaces.js'
export type {
  CommandSnapshot,
  SessionKind,
  SessionSnapshot,
  ShellEvent,
} from '../../protocol/shell/schema.js'
export { TourError } from '../../protocol/tour/forms.js'
export type { Tour, TourStep } from '../../protocol/tour/schema.js'
export {
  type CallOptions,
  type ConnectOptions,
  connect,
  type DrawingAck,
  type DrawsOn,
  LetsClient,
} from './client.js'
export { ConnectionError, LetsError } from './errors.js'
export type { GoneMark } from './gone.js'
export { type Command, type Heard, LipOperator, type OpenedWindow } from './operator.js'
export { type PlayOptions, play, type StepOutcome, type TourOutcome } from './play.js'
export {
  type ConnectShellOptions,
  type SessionOptions,
  ShellClient,
  ShellSession,
  type StdioShellOptions,
  shell,
} from './shell/client.js'
export { type EventOptions, ShellCommand, type ShellOutcome, type StartOptions } from './shell/command.js'
