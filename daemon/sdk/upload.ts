/** Files to the host: their bytes go there, and only where they are goes on to Claude. */
import { LipRefused } from './link.js'

/** A picture that the host has. */
export interface Uploaded {
  /** Where Claude finds it. */
  readonly path: string
  /** Where this page finds it. */
  readonly url: string
  /** Pixels. */
  readonly w: number
  readonly h: number
  readonly mime: string
  readonly bytes: number
}

export type ImageSource = 'paste' | 'drop' | 'file'

/** A request of this window to the host. Rejects with `LipRefused`. */
export async function ask(path: string, token: string, body: BodyInit, type: string): Promise<unknown> {
  let answer: Response
  try {
    const headers = { 'x-lets-token': token, 'content-type': type }
    answer = await fetch(path, { method: 'POST', headers, body })
  } catch {
    throw new LipRefused('unavailable', 'Lets cannot be reached; nothing was sent')
  }
  const value = await answer.json().catch(() => null)
  if (answer.ok) return value
  throw new LipRefused(
    value?.error?.code ?? 'internal',
    value?.error?.message ?? `the host answered ${answer.status}`,
  )
}

function imagesIn(data: DataTransfer | null): File[] {
  return [...(data?.files ?? [])].filter(({ type }) => type.startsWith('image/'))
}

/**
 * Calls `taken` with pictures that are pasted or dropped on `target`; returns what ends that. While one is dragged over
 * it, the target has the attribute `data-lets-drop`.
 */
export function onImages(
  target: HTMLElement | Document | ShadowRoot,
  taken: (files: readonly File[], source: ImageSource, event: ClipboardEvent | DragEvent) => void,
): () => void {
  const ending = new AbortController()
  const { signal } = ending
  const marked = target instanceof HTMLElement ? target : document.documentElement
  const on = (type: string, listener: (event: never) => void) =>
    target.addEventListener(type, listener as EventListener, { signal })
  on('paste', (event: ClipboardEvent) => {
    const files = imagesIn(event.clipboardData)
    if (files.length === 0 || event.defaultPrevented) return
    event.preventDefault()
    taken(files, 'paste', event)
  })
  on('dragover', (event: DragEvent) => {
    if (!event.dataTransfer?.types.includes('Files')) return
    event.preventDefault()
    marked.setAttribute('data-lets-drop', '')
  })
  on('dragleave', () => marked.removeAttribute('data-lets-drop'))
  on('drop', (event: DragEvent) => {
    marked.removeAttribute('data-lets-drop')
    if (event.defaultPrevented || !event.dataTransfer?.types.includes('Files')) return
    // Else the browser leaves the page for the file.
    event.preventDefault()
    const files = imagesIn(event.dataTransfer)
    if (files.length > 0) taken(files, 'drop', event)
  })
  return () => ending.abort()
}
