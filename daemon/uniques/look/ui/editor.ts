/** The picture and what is marked on it, with every act of the person one step back. */
import { type Data, History, type Lip, type Uploaded } from '../../../sdk/index.js'
import type { Legend } from './legend.js'
import { type Color, type Kind, type Look, legendOf, type Picture, type Place } from './model.js'
import { moved } from './pen.js'
import type { View } from './view.js'

const QUIET_MS = 800

export class Editor {
  readonly history: History<readonly Place[]>
  kind: Kind | 'select' = 'region'
  color: Color = 'red'
  selected: Place | null = null
  #look: Look = { picture: null, frame: null, display: null, places: [], marks: [] }
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(
    private readonly lip: Lip,
    private readonly view: View,
    private readonly legend: () => Legend,
    private readonly changed: () => void,
  ) {
    this.history = new History<readonly Place[]>(
      () => this.#look.places,
      (places) => this.#set({ places }),
    )
  }

  get look(): Look {
    return this.#look
  }

  /** A new picture: what was marked was on another. */
  async picture(
    picture: Picture,
    source: 'screen' | 'paste' | 'drop' | 'file',
    frame: string | null,
    display: number | null,
  ): Promise<void> {
    await this.view.show(picture)
    this.#set({ picture, frame, display, places: [], marks: [] })
    this.history.reset()
    this.changed()
    void this.lip.emit('look.taken', { picture: { ...picture }, frame, display, source })
  }

  add(place: Place): void {
    this.#set({ places: [...this.#look.places, place] })
    this.selected = place
    this.#done()
    if (place.kind === 'text' || place.kind === 'number') this.legend().write(place)
  }

  next(): { readonly kind: Kind; readonly color: Color; readonly n: number } {
    const n = Math.max(0, ...this.#look.places.map((place) => place.n ?? 0)) + 1
    return { kind: this.kind === 'select' ? 'region' : this.kind, color: this.color, n }
  }

  say(place: Place, text: string): void {
    this.#replace(place, { ...place, text })
  }

  /** Moves a place without it being a step yet. */
  drag(place: Place, dx: number, dy: number): Place {
    const there = moved(place, dx, dy)
    this.#set({ places: this.#look.places.map((one) => (one === place ? there : one)) })
    this.choose(there)
    return there
  }

  dropped(): void {
    this.#done()
  }

  recolor(color: Color): void {
    this.color = color
    const { selected } = this
    if (selected?.by === 'person') this.#replace(selected, { ...selected, color })
    else this.changed()
  }

  remove(place = this.selected): void {
    if (!place) return
    const without = (all: readonly Place[]) => all.filter((one) => one !== place)
    this.#set({ places: without(this.#look.places), marks: without(this.#look.marks) })
    this.choose(null)
    this.#done()
  }

  undo(): void {
    if (this.history.undo()) this.#tell()
  }

  redo(): void {
    if (this.history.redo()) this.#tell()
  }

  choose(place: Place | null): void {
    this.selected = place
    this.#show()
  }

  /** Claude's marks: one of the same id takes the place of the one before. */
  mark(marks: readonly Place[]): void {
    const ids = new Set(marks.map(({ id }) => id))
    this.#set({ marks: [...this.#look.marks.filter(({ id }) => !ids.has(id)), ...marks] })
  }

  unmark(ids: readonly string[] | undefined): void {
    this.#set({
      marks: ids ? this.#look.marks.filter(({ id }) => id === undefined || !ids.includes(id)) : [],
    })
  }

  async load(data: Data): Promise<void> {
    const { picture, frame = null, display = null, places = [], marks = [] } = data as Partial<Look>
    if (!picture?.url) return
    try {
      await this.view.show(picture)
      this.#set({ picture, frame, display, places, marks })
      this.history.reset()
    } catch {
      this.lip.toast('The picture of before is not there any more', 'error')
    }
    this.changed()
  }

  state(): Data {
    return { legend: legendOf(this.#look), ...this.#look }
  }

  /** What is sent: the picture as it is, as it was drawn on, and every place by its number. */
  async exported(): Promise<Data> {
    const { picture } = this.#look
    if (!picture) throw new Error('there is no picture yet')
    const { url: _, ...annotated }: Uploaded = await this.lip.upload(await this.view.annotated(), {
      tell: false,
    })
    return { legend: legendOf(this.#look), annotated, ...this.#look }
  }

  #replace(place: Place, by: Place): void {
    this.#set({ places: this.#look.places.map((one) => (one === place ? by : one)) })
    if (this.selected === place) this.selected = by
    this.#done()
  }

  #set(part: Partial<Look>): void {
    this.#look = { ...this.#look, ...part }
    const all = [...this.#look.places, ...this.#look.marks]
    if (this.selected && !all.includes(this.selected)) this.selected = null
    this.#show()
  }

  #show(): void {
    const all = [...this.#look.places, ...this.#look.marks]
    this.view.mark(all, this.selected)
    this.changed()
  }

  #done(): void {
    if (this.history.note()) this.#tell()
    this.#show()
  }

  /** Said once the person pauses: nobody is to be told of each line. */
  #tell(): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => {
      void this.lip.emit('look.changed', { legend: legendOf(this.#look), places: [...this.#look.places] })
    }, QUIET_MS)
    this.changed()
  }
}
