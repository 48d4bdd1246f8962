/** The picture on the screen: fitted, zoomed, moved, with everything that is marked on it. */
import Konva from 'konva'
import { draw } from './draw.js'
import type { Picture, Place } from './model.js'

export class View {
  readonly stage: Konva.Stage
  readonly #image = new Konva.Layer({ listening: false })
  readonly #places = new Konva.Layer()
  readonly #above = new Konva.Layer({ listening: false })
  #picture: Picture | null = null
  #shown: readonly Place[] = []
  #selected: Place | null = null
  #draft: Place | null = null
  #cross: { readonly x: number; readonly y: number } | null = null

  constructor(private readonly container: HTMLDivElement) {
    this.stage = new Konva.Stage({ container, width: 1, height: 1 })
    this.stage.add(this.#image, this.#places, this.#above)
    new ResizeObserver(() => this.fit()).observe(container)
    this.stage.on('wheel', ({ evt }) => {
      evt.preventDefault()
      const pointer = this.stage.getPointerPosition()
      if (evt.ctrlKey || !evt.shiftKey) this.zoom(evt.deltaY > 0 ? 1 / 1.15 : 1.15, pointer ?? undefined)
      else this.pan(-evt.deltaY, 0)
    })
  }

  /** Shows a picture; rejects when it cannot be had. */
  async show(picture: Picture): Promise<void> {
    const image = new Image()
    image.src = picture.url
    await image.decode()
    this.#picture = picture
    this.#image.destroyChildren()
    this.#image.add(new Konva.Image({ image, width: picture.w, height: picture.h }))
    this.fit()
  }

  get scale(): number {
    return this.stage.scaleX()
  }

  /** All of the picture, not larger than it is. */
  fit(): void {
    const { clientWidth: width, clientHeight: height } = this.container
    if (width === 0 || height === 0) return
    this.stage.size({ width, height })
    const { w, h } = this.#picture ?? { w: width, h: height }
    const scale = Math.min(1, (width - 24) / w, (height - 24) / h)
    this.stage.scale({ x: scale, y: scale })
    this.stage.position({ x: (width - w * scale) / 2, y: (height - h * scale) / 2 })
    this.#redraw()
  }

  zoom(by: number, at = { x: this.stage.width() / 2, y: this.stage.height() / 2 }): void {
    const before = this.scale
    const scale = Math.max(0.05, Math.min(8, before * by))
    const { x, y } = this.stage.position()
    this.stage.scale({ x: scale, y: scale })
    this.stage.position({ x: at.x - ((at.x - x) / before) * scale, y: at.y - ((at.y - y) / before) * scale })
    this.#redraw()
  }

  pan(dx: number, dy: number): void {
    const { x, y } = this.stage.position()
    this.stage.position({ x: x + dx, y: y + dy })
  }

  /** Where the pointer is on the picture; null when it is nowhere. */
  pointer(): { readonly x: number; readonly y: number } | null {
    return this.stage.getRelativePointerPosition()
  }

  mark(places: readonly Place[], selected: Place | null): void {
    this.#shown = places
    this.#selected = selected
    this.#redraw()
  }

  /** What is being drawn. */
  draft(place: Place | null): void {
    this.#draft = place
    this.#redrawAbove()
  }

  /** The cross that keys move. */
  cross(at: { readonly x: number; readonly y: number } | null): void {
    this.#cross = at
    this.#redrawAbove()
  }

  /** The place at a point of the window. */
  placeAt(point: { readonly x: number; readonly y: number }): Place | null {
    let shape: Konva.Node | null = this.#places.getIntersection(point)
    while (shape && shape.name() !== 'place') shape = shape.getParent()
    return shape ? (this.#shown[this.#places.getChildren().indexOf(shape as Konva.Group)] ?? null) : null
  }

  /** The picture with everything on it, at its own size. */
  async annotated(): Promise<Blob> {
    const { w, h } = this.#picture ?? { w: 1, h: 1 }
    const stage = new Konva.Stage({ container: document.createElement('div'), width: w, height: h })
    const layer = new Konva.Layer()
    stage.add(layer)
    const [image] = this.#image.getChildren()
    if (image) layer.add(image.clone())
    // As large as on a screen of usual size.
    const scale = Math.min(1, 1600 / Math.max(w, h))
    for (const place of this.#shown) layer.add(draw(place, { scale, selected: false }))
    const blob = (await stage.toBlob({ pixelRatio: 1, mimeType: 'image/png' })) as Blob
    stage.destroy()
    return blob
  }

  #redraw(): void {
    this.#places.destroyChildren()
    for (const place of this.#shown)
      this.#places.add(draw(place, { scale: this.scale, selected: place === this.#selected }))
    this.#redrawAbove()
  }

  #redrawAbove(): void {
    this.#above.destroyChildren()
    if (this.#draft) this.#above.add(draw(this.#draft, { scale: this.scale, selected: false }))
    if (!this.#cross) return
    const { x, y } = this.#cross
    const arm = 14 / this.scale
    for (const [stroke, width] of [
      ['#ffffff', 4],
      ['#1a66c9', 2],
    ] as const) {
      const style = { stroke, strokeWidth: width / this.scale }
      this.#above.add(new Konva.Line({ ...style, points: [x - arm, y, x + arm, y] }))
      this.#above.add(new Konva.Line({ ...style, points: [x, y - arm, x, y + arm] }))
    }
  }
}
