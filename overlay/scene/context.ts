/**
 * The part of the Canvas 2D API the scene draws with. A browser's `CanvasRenderingContext2D` and the native canvas'
 * context both satisfy it, so the same code paints in Electron, on X11 and in memory.
 */
export interface Context2D {
  fillStyle: string | object
  strokeStyle: string | object
  globalAlpha: number
  lineWidth: number
  lineCap: 'butt' | 'round' | 'square'
  lineJoin: 'bevel' | 'round' | 'miter'
  font: string
  textAlign: 'left' | 'right' | 'center' | 'start' | 'end'
  textBaseline: 'alphabetic' | 'top' | 'hanging' | 'middle' | 'ideographic' | 'bottom'
  direction: 'ltr' | 'rtl' | 'inherit'

  save(): void
  restore(): void
  translate(x: number, y: number): void
  rotate(angle: number): void
  scale(x: number, y: number): void

  beginPath(): void
  closePath(): void
  moveTo(x: number, y: number): void
  lineTo(x: number, y: number): void
  arcTo(x1: number, y1: number, x2: number, y2: number, radius: number): void
  bezierCurveTo(x1: number, y1: number, x2: number, y2: number, x: number, y: number): void
  rect(x: number, y: number, width: number, height: number): void

  clip(rule?: 'nonzero' | 'evenodd'): void
  fill(rule?: 'nonzero' | 'evenodd'): void
  stroke(): void
  fillRect(x: number, y: number, width: number, height: number): void
  fillText(text: string, x: number, y: number): void
  measureText(text: string): TextExtent
  createRadialGradient(x0: number, y0: number, r0: number, x1: number, y1: number, r1: number): Gradient
}

/** A fill that goes over from colour to colour. */
interface Gradient {
  addColorStop(offset: number, color: string): void
}

/** What the scene reads of a `TextMetrics`, in logical points. */
export interface TextExtent {
  readonly width: number
  readonly actualBoundingBoxLeft: number
  readonly actualBoundingBoxRight: number
  readonly actualBoundingBoxAscent: number
  readonly actualBoundingBoxDescent: number
}
