/** How long marks are laid out or painted before others have a turn, in ms: half a frame. */
const BREATH_MS = 8

/** Lets others have a turn once some time was spent: many marks at once must not keep everybody waiting. */
export function breather(): () => Promise<void> | undefined {
  let since = performance.now()
  return () => {
    if (performance.now() - since < BREATH_MS) return undefined
    return new Promise((resolve) =>
      setImmediate(() => {
        since = performance.now()
        resolve()
      }),
    )
  }
}
