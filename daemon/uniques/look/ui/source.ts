/** Where pictures come from: the screen, when the person lets it, or a file of theirs. */
import type { ImageSource, Lip } from '../../../sdk/index.js'
import type { Editor } from './editor.js'

/** No larger than this, in pixels: what is sent is to be read, not printed. */
const EDGE = 2400

const one = <E extends HTMLElement>(id: string) => document.getElementById(id) as E

export class Source {
  #busy = false

  constructor(
    private readonly lip: Lip,
    private readonly editor: Editor,
  ) {
    one('take').addEventListener('click', () => void this.#take(0))
    one('take-later').addEventListener('click', () => void this.#take(3))
    const file = document.createElement('input')
    Object.assign(file, { type: 'file', accept: 'image/*', hidden: true, id: 'file' })
    file.setAttribute('aria-label', 'Picture')
    file.addEventListener('change', () => {
      const [picture] = file.files ?? []
      if (picture) void this.#file(picture, 'file')
      file.value = ''
    })
    document.body.append(file)
    one('choose').addEventListener('click', () => file.click())
    lip.images(document, ([picture], source) => picture && void this.#file(picture, source))
  }

  /** Claude asks: the person decides. */
  asked(display: number, text: string): void {
    one<HTMLInputElement>('display').value = String(display)
    one('why').textContent = text === '' ? 'Claude asks for a picture of the screen.' : `Claude asks: ${text}`
    this.open(true)
  }

  /** Shows the way to take a picture, or puts it away. */
  open(open: boolean): void {
    one('start').hidden = !open
  }

  async #take(seconds: number): Promise<void> {
    if (this.#busy) return
    this.#busy = true
    const wait = one('wait')
    const display = Math.max(1, Math.round(one<HTMLInputElement>('display').valueAsNumber) || 1)
    try {
      for (let left = seconds; left > 0; left--) {
        wait.textContent = `In ${left} …`
        await new Promise((resolve) => setTimeout(resolve, 1000))
      }
      wait.textContent = 'If Lets asks on the screen whether it may: answer there.'
      const { frame, display: of, ...picture } = await this.lip.capture({ display, maxEdge: EDGE })
      await this.editor.picture(picture, 'screen', frame, of)
      this.open(false)
      wait.textContent = ''
    } catch (error) {
      const { message } = error as Error
      wait.textContent = `No picture was taken: ${message}`
      void this.lip.emit('look.declined', { reason: message.slice(0, 2000) }).catch(() => {})
    }
    this.#busy = false
  }

  async #file(file: File, source: ImageSource): Promise<void> {
    try {
      const picture = await this.lip.upload(file, { source, tell: false })
      await this.editor.picture(picture, source, null, null)
      this.open(false)
    } catch (error) {
      this.lip.toast(`The picture cannot be used: ${(error as Error).message}`, 'error')
    }
  }
}
