/** A pose is one number for each thing about the figure that can move, so that any two can be mixed and compared. */

export const REST = {
  // All of it: offset in points, lean about the ground in radians, how much higher than wide, size, and opacity.
  x: 0,
  y: 0,
  lean: 0,
  stretch: 0,
  size: 1,
  alpha: 1,
  /** Radians about its upright axis: at π its back is seen. */
  turn: 0,
  // The wisp on its head: length, where it starts to, how far it bends on its way (and at its end), rolled up to a bun.
  wisp: 1,
  wispLean: -0.1,
  wispBend: 1.1,
  wispCurl: 0.8,
  bun: 0,
  // Arms: radians from hanging down, outwards; how long.
  armLeft: 0.42,
  armRight: 0.42,
  reachLeft: 0.85,
  reachRight: 0.85,
  // Eyes: where the upper and the lower lid are, 1 is wide; both below 0 would be shut.
  topLeft: 1,
  bottomLeft: 1,
  topRight: 1,
  bottomRight: 1,
  eyeTilt: 0,
  eyeSize: 1,
  gazeX: 0,
  gazeY: 0,
  // How much of them is seen, how high, and how far the inner ends are down.
  brow: 0,
  browLift: 0,
  browTilt: 0,
  mouthWidth: 1,
  mouthCurve: 0.6,
  mouthOpen: 0,
  mouthWave: 0,
  mouthX: 0,
  blush: 0,
  /** Eyes as spirals. */
  swirl: 0,
  // What is beside it, by how much of it is seen, and how far what moves of that is on its way.
  dots: 0,
  zs: 0,
  dashes: 0,
  stars: 0,
  drop: 0,
  sparks: 0,
  notes: 0,
  burst: 0,
  heart: 0,
  lights: 0,
  pencil: 0,
  phase: 0,
  beckon: 0,
}

export type Channel = keyof typeof REST
export type Channels = Readonly<Record<Channel, number>>
export const CHANNELS = Object.keys(REST) as Channel[]

/** The channels that show without anything moving from its place: what is left of an expression without movement. */
export const FACE: readonly Channel[] = [
  'topLeft',
  'bottomLeft',
  'topRight',
  'bottomRight',
  'eyeTilt',
  'eyeSize',
  'gazeX',
  'gazeY',
  'brow',
  'browLift',
  'browTilt',
  'mouthWidth',
  'mouthCurve',
  'mouthOpen',
  'mouthWave',
  'mouthX',
  'blush',
  'swirl',
]

export function samePose(a: Channels, b: Channels): boolean {
  return a === b || CHANNELS.every((channel) => a[channel] === b[channel])
}
