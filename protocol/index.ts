/** The wire contracts: everything needed to write a client, in any runtime. */
export {
  CAPABILITIES,
  COMPONENTS,
  DOWN_MESSAGES,
  MOODS,
  RESERVED_DOMAINS,
  UP_MESSAGES,
} from './lip/domains.js'
export { LIP_ERROR_CODES, LIP_ERRORS, LipError, type LipErrorCode } from './lip/errors.js'
export { LIP_LIMITS } from './lip/limits.js'
export { MANIFEST_RULES, ManifestError, parseManifest } from './lip/manifest.js'
export type { Manifest } from './lip/manifest-schema.js'
export { asEnvelope, checkCoreData } from './lip/messages.js'
export type { DownData, Envelope, Sent, UpData } from './lip/schema.js'
export { LIP_MAJOR } from './lip/version.js'
export { type LineEvent, LineReader } from './ndjson.js'
export { arrowPath, DEFAULT_BOW } from './overlay/arrow.js'
export { HOST_CAPABILITIES, type HostCapability, lacking } from './overlay/capabilities.js'
export { ERROR_CODES, ERRORS, type ErrorCode, WireError } from './overlay/errors.js'
export type { Display, Point, Rect, Size } from './overlay/geometry.js'
export { LIMITS } from './overlay/limits.js'
export { NAMED_POSITIONS, resolvePosition } from './overlay/positions.js'
export { type InvalidationReason, parseDaemonMessage, type RequestId } from './overlay/replies.js'
export { parseRequest } from './overlay/requests.js'
export type * from './overlay/schema.js'
export { type Declared, type DeclaredRect, SpaceError, toPixels, toPoints } from './overlay/spaces.js'
export { isCompatible, PROTOCOL_VERSION } from './overlay/version.js'
export { SHELL_ERROR_CODES, SHELL_ERRORS, ShellError, type ShellErrorCode } from './shell/errors.js'
export { SHELL_LIMITS } from './shell/limits.js'
export { parseShellRequest } from './shell/requests.js'
export type * from './shell/schema.js'
export { SHELL_PROTOCOL_VERSION } from './shell/version.js'
