/** The bundled fonts, loaded before anything is measured or painted: text laid out in another font would be elsewhere. */
import { fontFiles } from '../../../scene/index.js'

/** Rejects, naming the file, when one does not load. */
export async function loadFonts(): Promise<void> {
  await Promise.all(
    fontFiles.map(async ({ file, family, weight }) => {
      const source = `url("/overlay/scene/fonts/${file}") format("woff2")`
      const face = new FontFace(family, source, { weight: String(weight) })
      try {
        document.fonts.add(await face.load())
      } catch (error) {
        throw new Error(`the bundled font ${file} does not load (${(error as Error).message})`)
      }
    }),
  )
}
