/**
 * Cytoscape asks for a frame after every frame, also when there is nothing to draw. Here its loop rests then, and goes on
 * with the next thing that is to be drawn: a board that nobody touches costs nothing.
 */
import type { Core } from 'cytoscape'

/** What of the renderer is used; it is not in the library's types. */
interface Renderer {
  requestedFrame?: boolean
  redraw(options?: unknown): void
}

/** For how long it goes on after the last thing that was drawn, in ms: its caches are filled in these frames. */
const AFTER = 600

const schedule = window.requestAnimationFrame.bind(window)
let running: FrameRequestCallback | null = null
let resting: FrameRequestCallback | null = null
let isBusy = () => true

window.requestAnimationFrame = (callback) => {
  // The one that asks for itself is the loop.
  if (callback === running && !isBusy()) {
    resting = callback
    return 0
  }
  return schedule((time) => {
    running = callback
    callback(time)
    running = null
  })
}

/** Lets the loop of this board rest while nothing changes. */
export function restWhenStill(cy: Core): void {
  const renderer = (cy as unknown as { renderer(): Renderer }).renderer()
  const redraw = renderer.redraw.bind(renderer)
  let last = performance.now()
  isBusy = () => renderer.requestedFrame === true || cy.animated() || performance.now() - last < AFTER
  renderer.redraw = (options) => {
    last = performance.now()
    redraw(options)
    const callback = resting
    resting = null
    if (callback) window.requestAnimationFrame(callback)
  }
}
