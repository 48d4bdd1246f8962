import type { Crop } from './crop.js'
import type { Word } from './reading.js'

/** What makes words of lines of text. */
export interface Engine {
  readonly name: string
  /**
   * The words of each crop, in the crops' order, their boxes in pixels of the crop. Tells `done` of each as soon as it is
   * known. Rejects with the signal's reason when that is aborted, and when it cannot read.
   */
  read(
    crops: readonly Crop[],
    signal: AbortSignal,
    done: (index: number, words: readonly Word[]) => void,
  ): Promise<void>
  /** Lets go of what it holds; the next `read` starts it again. */
  close(): Promise<void>
}
