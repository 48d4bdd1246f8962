export type Color = readonly [red: number, green: number, blue: number]

/** A colour as a person would call it, in one word. */
export function colorName([red, green, blue]: Color): string {
  const most = Math.max(red, green, blue)
  const spread = most - Math.min(red, green, blue)
  // Little colour in it, or too dark to see any.
  if (spread < 28 || spread / most < 0.16 || most < 45)
    return most < 60 ? 'black' : most > 225 ? 'white' : 'gray'
  const hue = hueOf(red, green, blue, most, spread)
  if (hue < 14 || hue >= 345) return spread / most < 0.45 && most > 200 ? 'pink' : 'red'
  if (hue < 42) return most < 150 ? 'brown' : 'orange'
  if (hue < 68) return 'yellow'
  if (hue < 180) return 'green'
  if (hue < 248) return 'blue'
  if (hue < 290) return 'purple'
  return 'pink'
}

function hueOf(red: number, green: number, blue: number, most: number, spread: number): number {
  const sixth =
    most === red
      ? (green - blue) / spread
      : most === green
        ? 2 + (blue - red) / spread
        : 4 + (red - green) / spread
  return (sixth * 60 + 360) % 360
}

/** Whether a person sees two colours as two, side by side in a line of text. */
export function areApart(a: Color, b: Color): boolean {
  return a.some((channel, n) => Math.abs(channel - (b[n] as number)) > 70)
}
