/** A diagram as it is saved, sent and restored. */

export const KINDS = ['box', 'round', 'diamond', 'text', 'note', 'image'] as const
export const COLORS = ['plain', 'red', 'orange', 'green', 'blue', 'purple'] as const
export type Kind = (typeof KINDS)[number]
export type Color = (typeof COLORS)[number]

export interface Node {
  readonly id: string
  readonly label: string
  readonly kind: Kind
  readonly color: Color
  readonly x: number
  readonly y: number
  /** Of an image: where this page finds it, and where Claude does. */
  readonly url?: string
  readonly path?: string
}

export interface Edge {
  readonly id: string
  readonly from: string
  readonly to: string
  readonly label: string
  readonly color: Color
}

export interface Diagram {
  readonly nodes: readonly Node[]
  readonly edges: readonly Edge[]
}

/** The diagram as lines that read like a text: a node with what leads from it below. */
export function textOf({ nodes, edges }: Diagram): string {
  const name = (id: string) => nodes.find((node) => node.id === id)?.label || id
  return nodes
    .flatMap(({ id, label, kind, color, path }) => {
      const marks = [kind === 'box' ? '' : kind, color === 'plain' ? '' : color].filter(Boolean)
      const about = `${marks.length > 0 ? ` (${marks.join(', ')})` : ''}${path === undefined ? '' : ` ${path}`}`
      const from = edges.filter((edge) => edge.from === id)
      return [
        `${id}: ${label.replaceAll('\n', ' / ')}${about}`,
        ...from.map(
          (edge) => `  -> ${edge.to}: ${name(edge.to)}${edge.label === '' ? '' : ` [${edge.label}]`}`,
        ),
      ]
    })
    .join('\n')
}
