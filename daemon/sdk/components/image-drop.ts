import { h, sheet, textOf, uniqueId } from '../dom.js'
import { type ImageSource, onImages } from '../upload.js'
import { Component, type Props } from './component.js'

const own = sheet(`
  .drop { display: flex; flex-direction: column; align-items: center; gap: 8px; padding: 18px 14px; text-align: center;
    border: 2px dashed var(--lets-control); border-radius: 10px; }
  .drop[data-lets-drop] { border-color: var(--lets-accent); background: var(--lets-raised); }
  ul { display: flex; flex-wrap: wrap; gap: 6px; margin: 0; padding: 0; list-style: none; }
  img { display: block; width: 56px; height: 56px; object-fit: cover; border-radius: 6px; }
`)

/** What takes a picture to the host; the address it has there. */
export type Take = (file: File, source: ImageSource) => Promise<string>

/** `{label?, hint?, multiple?}`: pictures that are dropped, pasted or chosen; each is told as `media.image`. */
export class ImageDrop extends Component {
  take: Take | null = null
  readonly #list = h('ul', { 'aria-label': 'Pictures' })
  readonly #status = h('p', { class: 'muted', role: 'status' })

  constructor() {
    super(own)
    onImages(this.root, (files, source) => void this.#takeAll(files, source))
  }

  protected render({ label, title = 'Drop a picture here', hint, multiple }: Props): void {
    const id = uniqueId()
    const file = h('input', {
      type: 'file',
      accept: 'image/*',
      multiple: multiple === true,
      hidden: true,
      onchange: () => {
        void this.#takeAll([...(file.files ?? [])], 'file')
        file.value = ''
      },
    })
    const choose = h(
      'button',
      { type: 'button', 'data-key': 'choose', 'aria-describedby': id, onclick: () => file.click() },
      'Choose a picture',
    )
    const name = h('span', { id }, textOf(label ?? title))
    const about = h('span', { class: 'muted' }, textOf(hint ?? 'Or paste it here.'))
    const drop = h('div', { class: 'drop' }, name, choose, about, file)
    drop.addEventListener('dragover', () => drop.setAttribute('data-lets-drop', ''))
    for (const type of ['dragleave', 'drop'])
      drop.addEventListener(type, () => drop.removeAttribute('data-lets-drop'))
    this.show(drop, this.#status, this.#list)
  }

  async #takeAll(files: readonly File[], source: ImageSource): Promise<void> {
    const wanted = this.props.multiple === true ? files : files.slice(0, 1)
    for (const file of wanted) {
      this.#status.textContent = `${file.name}: on its way`
      try {
        const url = await this.take?.(file, source)
        if (url !== undefined) this.#list.append(h('li', {}, h('img', { src: url, alt: file.name })))
        this.#status.textContent = `${file.name}: sent`
      } catch (error) {
        this.#status.textContent = `${file.name}: ${(error as Error).message}`
      }
    }
  }
}
