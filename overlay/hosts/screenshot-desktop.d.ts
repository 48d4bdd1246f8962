/** The part of `screenshot-desktop` that is used; the package has no types. */
declare module 'screenshot-desktop' {
  /** A display as its tool of the system tells it; which fields there are differs from system to system. */
  export interface ListedDisplay {
    readonly id: string | number
    readonly name?: string
    readonly primary?: boolean
    readonly width?: number
    readonly height?: number
    readonly offsetX?: number
    readonly offsetY?: number
    readonly left?: number
    readonly top?: number
    readonly right?: number
    readonly bottom?: number
  }
  interface Screenshot {
    (options: { readonly screen?: string | number; readonly format: 'png' }): Promise<Buffer>
    listDisplays(): Promise<readonly ListedDisplay[]>
  }
  const screenshot: Screenshot
  export default screenshot
}
