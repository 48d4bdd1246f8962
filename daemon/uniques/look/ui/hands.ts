/** The pointer and the keys on the picture. */
import type { Editor } from './editor.js'
import { clamp, type Place } from './model.js'
import { Pen, POINTS, type Point } from './pen.js'
import type { View } from './view.js'

const ARROWS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
}

export class Hands {
  readonly #pen: Pen
  #dragged: { place: Place; from: Point } | null = null
  #panning = false
  #space = false
  #cross: Point | null = null

  constructor(
    private readonly container: HTMLElement,
    private readonly view: View,
    private readonly editor: Editor,
    private readonly say: (text: string) => void,
  ) {
    this.#pen = new Pen(
      () => editor.look.picture ?? { w: 0, h: 0 },
      () => editor.next(),
    )
    const { stage } = view
    stage.on('pointerdown', ({ evt }) => this.#down(evt))
    // Also outside of it, so that nothing is left in the air.
    addEventListener('pointermove', (event) => this.#move(event))
    addEventListener('pointerup', (event) => this.#up(event))
    addEventListener('pointercancel', () => this.#cancel())
    container.addEventListener('keydown', (event) => this.#key(event))
    container.addEventListener('keyup', ({ key }) => key === ' ' && this.#hold(false))
    container.addEventListener('blur', () => {
      this.#hold(false)
      this.#aim(null)
    })
  }

  #down(event: PointerEvent): void {
    this.container.focus({ preventScroll: true })
    const at = this.view.pointer()
    const window_ = this.view.stage.getPointerPosition()
    if (!at || !window_ || !this.editor.look.picture) return
    this.#aim(null)
    if (event.button === 1 || this.#space) {
      this.#panning = true
      return
    }
    if (event.button !== 0) return
    if (this.editor.kind !== 'select') {
      this.#pen.begin(at)
      return
    }
    const place = this.view.placeAt(window_)
    this.editor.choose(place)
    if (place?.by === 'person') this.#dragged = { place, from: at }
    else this.#panning = place === null
  }

  #move(event: PointerEvent): void {
    if (this.#panning) {
      this.view.pan(event.movementX, event.movementY)
      return
    }
    if (!this.#pen.down && !this.#dragged) return
    const at = this.#at(event)
    if (this.#dragged) {
      const { place, from } = this.#dragged
      this.#dragged = { place: this.editor.drag(place, at.x - from.x, at.y - from.y), from: at }
    } else this.view.draft(this.#pen.move(at))
  }

  #up(event: PointerEvent): void {
    this.#panning = false
    if (this.#dragged) this.editor.dropped()
    this.#dragged = null
    if (this.#pen.down) this.#finish(this.#at(event))
  }

  #at(event: PointerEvent): Point {
    this.view.stage.setPointersPositions(event)
    return this.view.pointer() ?? { x: 0, y: 0 }
  }

  #finish(at: Point): void {
    const place = this.#pen.end(at, this.view.scale)
    this.view.draft(null)
    if (place) this.editor.add(place)
  }

  #cancel(): void {
    this.#pen.cancel()
    this.#dragged = null
    this.#panning = false
    this.view.draft(null)
  }

  #hold(space: boolean): void {
    this.#space = space
    this.container.classList.toggle('panning', space)
  }

  #key(event: KeyboardEvent): void {
    const { key, shiftKey, altKey } = event
    if (altKey || event.ctrlKey || event.metaKey || !this.editor.look.picture) return
    const arrow = ARROWS[key]
    const by = shiftKey ? 50 : 10
    if (key === ' ') this.#hold(true)
    else if (arrow && this.editor.kind === 'select' && this.editor.selected?.by === 'person') {
      this.editor.drag(this.editor.selected, arrow[0] * by, arrow[1] * by)
      this.editor.dropped()
    } else if (arrow) this.#steer(arrow[0] * by, arrow[1] * by)
    else if (key === 'Enter' && this.#cross) this.#set(this.#cross)
    else if (key === 'Escape') this.#leave()
    else if (key === 'Delete' || key === 'Backspace') this.editor.remove()
    else return
    event.preventDefault()
  }

  #steer(dx: number, dy: number): void {
    const { w, h } = this.editor.look.picture ?? { w: 0, h: 0 }
    const from = this.#cross ?? { x: w / 2, y: h / 2 }
    this.#aim({ x: clamp(from.x + dx, w), y: clamp(from.y + dy, h) })
  }

  #set(at: Point): void {
    if (this.#pen.down) {
      this.#finish(at)
      return
    }
    if (this.editor.kind === 'select') return
    this.#pen.begin(at)
    if (POINTS.includes(this.editor.kind)) this.#finish(at)
    else this.say('First corner set. Move to the other and press Enter.')
  }

  #aim(at: Point | null): void {
    this.#cross = at
    this.view.cross(at)
    if (!at) return
    this.say(`${Math.round(at.x)}, ${Math.round(at.y)}`)
    if (this.#pen.down) this.view.draft(this.#pen.move(at))
  }

  #leave(): void {
    this.#cancel()
    this.#aim(null)
    this.editor.choose(null)
  }
}
