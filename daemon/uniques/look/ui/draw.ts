/** A place as shapes: what is seen in the window, and in the picture that is sent. */
import Konva from 'konva'
import { boxOf, COLORS, type Place } from './model.js'

export interface DrawOptions {
  /** How large a pixel of the picture is shown: lines and letters keep their size. */
  readonly scale: number
  readonly selected: boolean
}

export function draw(place: Place, { scale, selected }: DrawOptions): Konva.Group {
  const color = COLORS[place.color]
  const unit = 1 / scale
  const group = new Konva.Group({ name: 'place' })
  const line = {
    stroke: color,
    strokeWidth: (selected ? 4.5 : 3) * unit,
    lineCap: 'round' as const,
    lineJoin: 'round' as const,
    hitStrokeWidth: 16 * unit,
    // Claude's are told apart from the person's.
    ...(place.by === 'claude' && { dash: [10 * unit, 6 * unit] }),
  }
  const halo = {
    ...line,
    stroke: '#ffffff',
    strokeWidth: line.strokeWidth + 3 * unit,
    opacity: 0.75,
    listening: false,
  }
  for (const style of [halo, line]) {
    const shape = outline(place, style, unit)
    if (shape) group.add(shape)
  }
  group.add(...badge(place, color, unit))
  return group
}

function outline(place: Place, style: Konva.ShapeConfig, unit: number): Konva.Shape | null {
  const { kind, x, y, w = 0, h = 0, x2 = x, y2 = y, points = [] } = place
  switch (kind) {
    case 'region':
      return new Konva.Rect({ ...style, x, y, width: w, height: h, cornerRadius: 3 * unit })
    case 'ellipse':
      return new Konva.Ellipse({ ...style, x: x + w / 2, y: y + h / 2, radiusX: w / 2, radiusY: h / 2 })
    case 'arrow':
      return new Konva.Arrow({
        ...style,
        points: [x, y, x2, y2],
        fill: String(style.stroke),
        pointerLength: 14 * unit,
        pointerWidth: 13 * unit,
      })
    case 'pen':
      return new Konva.Line({ ...style, points: [...points], tension: 0.3 })
    case 'spot':
      return new Konva.Circle({ ...style, x, y, radius: 14 * unit })
    default:
      return null
  }
}

/** The number of a place, or its text. */
function badge(place: Place, color: string, unit: number): (Konva.Group | Konva.Shape)[] {
  const { kind, n, text, by } = place
  const { x, y } = kind === 'arrow' ? place : boxOf(place)
  const shown = kind === 'text' || by === 'claude' ? text : String(n)
  if (shown === '' && by === 'claude') return []
  const label = new Konva.Label({ x, y: kind === 'text' || kind === 'number' ? y : y - 4 * unit, opacity: 1 })
  const round = shown.length <= 3
  label.add(
    new Konva.Tag({
      fill: color,
      cornerRadius: (round ? 12 : 6) * unit,
      stroke: '#ffffff',
      strokeWidth: 1.5 * unit,
    }),
  )
  label.add(
    new Konva.Text({
      text: kind === 'text' && text === '' ? `${n} …` : shown,
      fill: '#ffffff',
      fontFamily: 'system-ui, sans-serif',
      fontSize: 14 * unit,
      fontStyle: 'bold',
      padding: 5 * unit,
      align: 'center',
      ...(round && { width: 24 * unit }),
      ...(shown.length > 40 && { width: 300 * unit }),
    }),
  )
  // Beside its place, so that what is marked is seen.
  if (kind === 'text') label.offset({ x: 0, y: label.height() / 2 })
  else if (!round) label.offset({ x: 0, y: label.height() })
  else
    label.offset({
      x: kind === 'number' ? label.width() / 2 : label.width() - 4 * unit,
      y: kind === 'number' ? label.height() / 2 : label.height() - 8 * unit,
    })
  if (kind === 'spot') label.offset({ x: -12 * unit, y: label.height() + 8 * unit })
  return [label]
}
