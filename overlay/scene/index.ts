export type { Backdrop } from './backdrop.js'
export { luminancesUnder } from './backdrop.js'
export {
  chooseTint,
  contrast,
  contrastOfLuminances,
  ENOUGH,
  luminance,
  palette,
  type Rgb,
  type Tint,
} from './color.js'
export type { Context2D, TextExtent } from './context.js'
export { FONT_FAMILY, fontFiles, missingGlyphs } from './font.js'
export { FLIGHT_MS, GLIDE_MS } from './motion.js'
export { Stage, type StageFrame, type StageOptions } from './stage.js'
