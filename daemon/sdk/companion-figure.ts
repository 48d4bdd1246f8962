/** How the companion looks: a drop with two eyes. Its moods are its eyes and mouth; its reactions are movements. */
import type { MOODS } from '../../protocol/lip/domains.js'
import { svg } from './dom.js'

type Mood = (typeof MOODS)[number]

/** Eyes: how open they are (0..1) and where they look; the mouth, as a path. */
const FACES: Readonly<
  Record<Mood, { readonly open: number; readonly look: readonly [number, number]; readonly mouth: string }>
> = {
  idle: { open: 1, look: [0, 0], mouth: 'M27 43 Q32 46 37 43' },
  happy: { open: 0.45, look: [0, -1], mouth: 'M25 41 Q32 50 39 41' },
  curious: { open: 1.15, look: [2, -2], mouth: 'M29 44 Q32 46 35 44' },
  thinking: { open: 0.8, look: [3, -4], mouth: 'M28 45 L36 43' },
  busy: { open: 0.7, look: [0, 3], mouth: 'M28 44 L36 44' },
  proud: { open: 0.35, look: [0, 0], mouth: 'M26 42 Q32 48 38 42' },
  sleepy: { open: 0.12, look: [0, 1], mouth: 'M30 45 Q32 47 34 45' },
  alert: { open: 1.3, look: [0, 0], mouth: 'M30 43 a2 3 0 1 0 4 0 a2 3 0 1 0 -4 0' },
}

export function figure(): SVGElement {
  const eye = (cx: number) => svg('ellipse', { class: 'eye', cx, cy: 32, rx: 3.2, ry: 4.6, fill: '#2a1206' })
  const drawing = svg(
    'svg',
    { viewBox: '0 0 64 64', 'aria-hidden': 'true', focusable: 'false' },
    svg('path', {
      d: 'M32 5 C40 14 55 22 55 38 A23 21 0 0 1 9 38 C9 22 24 14 32 5 Z',
      fill: '#e9966b',
      stroke: '#8f3c18',
      'stroke-width': 1.5,
    }),
    svg('path', {
      d: 'M18 32 C19 26 23 22 27 19',
      fill: 'none',
      stroke: '#fff4ec',
      'stroke-width': 3,
      'stroke-linecap': 'round',
      opacity: 0.7,
    }),
    eye(24),
    eye(40),
    svg('path', {
      class: 'mouth',
      d: FACES.idle.mouth,
      fill: 'none',
      stroke: '#2a1206',
      'stroke-width': 2,
      'stroke-linecap': 'round',
    }),
  )
  return drawing
}

export function moodOf(drawing: SVGElement, mood: Mood): void {
  const { open, look, mouth } = FACES[mood]
  drawing.setAttribute('data-mood', mood)
  for (const eye of drawing.querySelectorAll('.eye')) {
    eye.setAttribute('ry', String(4.6 * open))
    eye.setAttribute('transform', `translate(${look[0]} ${look[1]})`)
  }
  drawing.querySelector('.mouth')?.setAttribute('d', mouth)
}

const shake: Keyframe[] = [-4, 4, -3, 3, 0].map((x) => ({ transform: `translateX(${x}px)` }))
const hop: Keyframe[] = [0, -10, 0, -5, 0].map((y) => ({ transform: `translateY(${y}px)` }))
const nod: Keyframe[] = [0, 5, 0, 5, 0].map((y) => ({ transform: `translateY(${y}px)` }))
const sway: Keyframe[] = [0, -14, 12, -8, 0].map((angle) => ({ transform: `rotate(${angle}deg)` }))
const spin: Keyframe[] = [{ transform: 'rotate(0)' }, { transform: 'rotate(360deg)' }]
const swell: Keyframe[] = [1, 1.16, 0.94, 1].map((scale) => ({ transform: `scale(${scale})` }))

const REACTIONS: Readonly<Record<string, Keyframe[]>> = {
  dizzy: sway,
  whoa: swell,
  startled: hop,
  gasp: swell,
  oops: shake,
  wink: nod,
  cheer: hop,
  blush: swell,
  boop: swell,
  yawn: swell,
  peek: sway,
  nod,
  'shake-no': shake,
  wave: sway,
  spin,
  dance: sway,
  disco: sway,
  sparkle: swell,
}

/** Plays a short movement; one that is not known is left out, and so are all where the person wants no movement. */
export function reactionOf(drawing: SVGElement, name: string, ms = 700): void {
  const frames = Object.hasOwn(REACTIONS, name) ? REACTIONS[name] : undefined
  if (!frames || matchMedia('(prefers-reduced-motion: reduce)').matches) return
  drawing.animate(frames, { duration: Math.min(ms, 10_000), easing: 'ease-in-out' })
}
