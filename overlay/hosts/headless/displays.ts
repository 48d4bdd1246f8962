import type { Display } from '../../../protocol/overlay/geometry.js'

/** `WIDTHxHEIGHT[+X+Y][@SCALE]`, the size and place in logical points: `1440x900@2`, `1920x1080+-1920+-164`. */
const SPEC = /^(\d{1,5})x(\d{1,5})(?:\+(-?\d{1,6})\+(-?\d{1,6}))?(?:@(\d{1,2}(?:\.\d{1,3})?))?$/

/** The displays that `--display` describes, the first being the primary. Throws on a spec that is none. */
export function parseDisplays(specs: readonly string[]): readonly Display[] {
  let nextX = 0
  return (specs.length > 0 ? specs : ['1440x900@2']).map((spec, index) => {
    const match = SPEC.exec(spec)
    const width = Number(match?.[1])
    const height = Number(match?.[2])
    const scale = Number(match?.[5] ?? 1)
    if (!match || width < 1 || height < 1 || scale < 0.5 || scale > 8) {
      throw new Error(
        `--display must be WIDTHxHEIGHT[+X+Y][@SCALE] in logical points, such as 1440x900@2; got ${JSON.stringify(spec)}`,
      )
    }
    const origin =
      match[3] === undefined ? ([nextX, 0] as const) : ([Number(match[3]), Number(match[4])] as const)
    nextX = origin[0] + width
    return {
      id: index + 1,
      scale,
      logical_size: [width, height],
      origin,
      primary: index === 0,
      name: `headless-${index + 1}`,
    }
  })
}
