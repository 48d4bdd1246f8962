export { type Desktop, type DesktopDisplay, reachable } from './desktop.js'
export { FIGURE, type FigurePose, paintFigure } from './figure.js'
export { Gestures } from './gestures.js'
export { type Avoid, keepOff } from './keep-off.js'
export { poseOf, reactionMs } from './posing.js'
export { Profile, regionOf } from './profile.js'
export {
  type CompanionFrame,
  type CompanionHit,
  CompanionStage,
  type CompanionStageOptions,
} from './stage.js'
