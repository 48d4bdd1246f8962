/** Bytes copied at a time: between, others have their turn. */
const BAND = 512 * 1024

/** Pixels that threads share: a copy, unless they are shared already; they stay of use to others. Copied in bands, as a large screen takes several ms. */
export async function sharedPixels(data: Uint8Array, signal: AbortSignal): Promise<SharedArrayBuffer> {
  const { buffer } = data
  if (buffer instanceof SharedArrayBuffer && buffer.byteLength === data.length) return buffer
  const copy = new SharedArrayBuffer(data.length)
  const target = new Uint8Array(copy)
  for (let at = 0; at < data.length; at += BAND) {
    signal.throwIfAborted()
    target.set(data.subarray(at, at + BAND), at)
    await new Promise(setImmediate)
  }
  return copy
}
