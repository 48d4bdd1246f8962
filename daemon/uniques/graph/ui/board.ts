/** The diagram on the screen: cytoscape, with our model in and out. */
import cytoscape, {
  type Core,
  type ElementDefinition,
  type NodeSingular,
  type StylesheetJson,
} from 'cytoscape'
import type { Color, Diagram, Edge, Kind, Node } from './model.js'
import { restWhenStill } from './still.js'

const FILL: Readonly<
  Record<'light' | 'dark', Readonly<Record<Color, readonly [fill: string, line: string]>>>
> = {
  light: {
    plain: ['#ffffff', '#8b857c'],
    red: ['#f7c9c4', '#b3382c'],
    orange: ['#fbdcae', '#a8691a'],
    green: ['#c4e7cf', '#2c7a49'],
    blue: ['#c6ddf8', '#2b66ab'],
    purple: ['#ddd0f3', '#6b49a8'],
  },
  dark: {
    plain: ['#2d2b28', '#8f8980'],
    red: ['#5a2a26', '#e58078'],
    orange: ['#56401c', '#e0ae5c'],
    green: ['#23472f', '#79c795'],
    blue: ['#233f5f', '#7fb2ee'],
    purple: ['#40325c', '#b79ce8'],
  },
}

export function isDark(): boolean {
  const { letsTheme } = document.documentElement.dataset
  return letsTheme === undefined ? matchMedia('(prefers-color-scheme: dark)').matches : letsTheme === 'dark'
}

function styleOf(dark: boolean): StylesheetJson {
  const fill = FILL[dark ? 'dark' : 'light']
  const text = dark ? '#f1eee9' : '#1f1d1a'
  const accent = dark ? '#e9966b' : '#a8481f'
  const colors = Object.entries(fill).flatMap(([color, [background, line]]) => [
    { selector: `node[color = "${color}"]`, style: { 'background-color': background, 'border-color': line } },
    { selector: `edge[color = "${color}"]`, style: { 'line-color': line, 'target-arrow-color': line } },
  ])
  return [
    {
      selector: 'node',
      style: {
        shape: 'round-rectangle',
        width: 'data(w)',
        height: 'data(h)',
        'border-width': 1.5,
        label: 'data(label)',
        color: text,
        'font-family': 'system-ui, sans-serif',
        'font-size': 15,
        'text-wrap': 'wrap',
        'text-max-width': '180px',
        'text-valign': 'center',
        'text-halign': 'center',
        'line-height': 1.25,
        'overlay-opacity': 0,
      },
    },
    {
      selector: 'edge',
      style: {
        width: 2,
        'curve-style': 'bezier',
        'target-arrow-shape': 'triangle',
        'arrow-scale': 1.1,
        label: 'data(label)',
        color: text,
        'font-size': 13,
        'font-family': 'system-ui, sans-serif',
        'text-wrap': 'wrap',
        'text-max-width': '140px',
        'text-background-color': dark ? '#1b1a18' : '#fbfaf8',
        'text-background-opacity': 1,
        'text-background-padding': '3px',
        'text-background-shape': 'roundrectangle',
        'overlay-opacity': 0,
      },
    },
    ...colors,
    { selector: 'node[kind = "round"]', style: { shape: 'ellipse' } },
    { selector: 'node[kind = "diamond"]', style: { shape: 'diamond' } },
    {
      selector: 'node[kind = "text"]',
      style: { 'border-width': 0, 'background-opacity': 0, 'font-size': 17, 'font-weight': 600 },
    },
    { selector: 'node[kind = "note"]', style: { shape: 'cut-rectangle', 'text-justification': 'left' } },
    {
      selector: 'node[kind = "image"]',
      style: {
        shape: 'rectangle',
        'background-image': 'data(url)',
        'background-fit': 'contain',
        'background-image-crossorigin': 'null',
        'text-valign': 'bottom',
        'text-margin-y': 6,
        'border-width': 1,
      },
    },
    {
      selector: 'node:selected',
      style: {
        'border-width': 3,
        'border-color': accent,
        'outline-width': 3,
        'outline-color': accent,
        'outline-opacity': 0.25,
        'outline-offset': 2,
      },
    },
    { selector: 'node[kind = "text"]:selected', style: { 'border-width': 1, 'border-style': 'dashed' } },
    { selector: 'edge:selected', style: { width: 3.5, 'line-color': accent, 'target-arrow-color': accent } },
    {
      selector: '.pointed-out',
      style: { 'outline-width': 6, 'outline-color': accent, 'outline-opacity': 0.5, 'outline-offset': 3 },
    },
    { selector: '.ghost', style: { width: 1, height: 1, opacity: 0, events: 'no' } },
    {
      selector: '.rubber',
      style: { 'line-style': 'dashed', 'line-color': accent, 'target-arrow-color': accent, events: 'no' },
    },
  ] as unknown as StylesheetJson
}

const measuring = document.createElement('canvas').getContext('2d')

/** A node is as large as its text. */
function sizeOf(label: string, kind: Kind): { readonly w: number; readonly h: number } {
  if (measuring) measuring.font = `${kind === 'text' ? '600 17px' : '15px'} system-ui, sans-serif`
  const lines = label.split('\n').flatMap((line) => {
    const width = measuring?.measureText(line).width ?? line.length * 8
    return Array.from({ length: Math.max(1, Math.ceil(width / 180)) }, () => Math.min(width, 180))
  })
  const w = Math.max(...lines)
  const h = lines.length * 20
  if (kind === 'diamond') return { w: Math.max(110, w * 1.55 + 30), h: Math.max(80, h * 1.9 + 36) }
  if (kind === 'round') return { w: Math.max(90, w * 1.3 + 24), h: Math.max(54, h * 1.35 + 24) }
  if (kind === 'text') return { w: Math.max(30, w + 14), h: h + 10 }
  return { w: Math.max(80, w + 32), h: Math.max(46, h + 24) }
}

export class Board {
  readonly cy: Core
  readonly #next = { n: 1, e: 1 }

  constructor(container: HTMLElement) {
    this.cy = cytoscape({
      container,
      style: styleOf(isDark()),
      minZoom: 0.1,
      maxZoom: 4,
      boxSelectionEnabled: true,
      selectionType: 'single',
    })
    restWhenStill(this.cy)
    const restyle = () => this.cy.style(styleOf(isDark()))
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', restyle)
    new MutationObserver(restyle).observe(document.documentElement, { attributeFilter: ['data-lets-theme'] })
    let size = { w: container.clientWidth, h: container.clientHeight }
    // What is in the middle stays there when the window changes.
    this.cy.on('resize', () => {
      const now = { w: this.cy.width(), h: this.cy.height() }
      this.cy.panBy({ x: (now.w - size.w) / 2, y: (now.h - size.h) / 2 })
      size = now
    })
    // The board has its middle at 0, 0, whatever the size of the window.
    this.cy.pan({ x: container.clientWidth / 2, y: container.clientHeight / 2 })
  }

  read(): Diagram {
    const nodes = this.#nodes().map((node): Node => {
      const { id, label, kind, color, url, path } = node.data()
      const { x, y } = node.position()
      return {
        id,
        label,
        kind,
        color,
        x: Math.round(x),
        y: Math.round(y),
        ...(url && { url }),
        ...(path && { path }),
      }
    })
    const edges = this.cy
      .edges()
      .not('.rubber')
      .map((edge): Edge => {
        const { id, source, target, label, color } = edge.data()
        return { id, from: source, to: target, label, color }
      })
    return { nodes, edges }
  }

  /** Shows this diagram in place of what was there. */
  write({ nodes, edges }: Diagram): void {
    const known = new Set(nodes.map(({ id }) => id))
    const selected = this.cy.$(':selected').map((element) => element.id())
    this.cy.batch(() => {
      this.cy.elements().remove()
      this.cy.add(nodes.map((node) => elementOf(node)))
      this.cy.add(
        edges.filter(({ from, to }) => known.has(from) && known.has(to)).map((edge) => lineOf(edge)),
      )
    })
    for (const id of selected) this.cy.getElementById(id).select()
  }

  addNode(given: Partial<Node>): Node {
    const at = { x: given.x ?? this.middle().x, y: given.y ?? this.middle().y }
    const node: Node = {
      label: '',
      kind: 'box',
      color: 'plain',
      ...given,
      id: this.#idFor('n', given.id),
      ...this.#free(at),
    }
    this.cy.add(elementOf(node))
    return node
  }

  /** Connects two nodes; null when one of them is not there, or they are connected so already. */
  addEdge({
    from,
    to,
    label = '',
    color = 'plain',
    id,
  }: Partial<Edge> & { from: string; to: string }): Edge | null {
    const ends = [from, to].every((end) => this.cy.getElementById(end).isNode())
    const before = this.cy.edges(`[source = "${from}"][target = "${to}"]`)
    if (!ends || (before.length > 0 && label === '')) return null
    const edge: Edge = { id: this.#idFor('e', id), from, to, label, color }
    this.cy.add(lineOf(edge))
    return edge
  }

  /** Changes what is said of an element; false when it is not there. */
  change(id: string, { label, kind, color, x, y }: Partial<Node>): boolean {
    const element = this.cy.getElementById(id)
    if (element.empty()) return false
    if (label !== undefined) element.data('label', label)
    if (color !== undefined) element.data('color', color)
    if (!element.isNode()) return true
    if (kind !== undefined && (kind === 'image') === (element.data('kind') === 'image'))
      element.data('kind', kind)
    if (element.data('kind') !== 'image') element.data(sizeOf(element.data('label'), element.data('kind')))
    const at = element.position()
    if (x !== undefined || y !== undefined) element.position({ x: x ?? at.x, y: y ?? at.y })
    return true
  }

  remove(ids: readonly string[]): string[] {
    const gone = this.cy.collection()
    for (const id of ids) gone.merge(this.cy.getElementById(id))
    return gone.remove().map((element) => element.id())
  }

  /** The middle of what is seen. */
  middle(): { readonly x: number; readonly y: number } {
    const { x1, y1, w, h } = this.cy.extent()
    return { x: x1 + w / 2, y: y1 + h / 2 }
  }

  arrange(direction: 'down' | 'right'): void {
    const turn = (at: { x: number; y: number }) =>
      direction === 'right' ? { x: at.y * 1.5, y: at.x * 0.75 } : at
    this.cy
      .layout({
        name: 'breadthfirst',
        directed: true,
        spacingFactor: 1.15,
        padding: 40,
        avoidOverlap: true,
        animate: false,
        transform: (_, at) => turn(at),
      })
      .run()
    this.fit()
  }

  fit(): void {
    if (this.cy.elements().nonempty()) this.cy.fit(this.cy.elements(), 60)
    if (this.cy.zoom() > 1.2) {
      this.cy.zoom(1.2)
      this.cy.center()
    }
  }

  /** A free place near this one: no node hides another. */
  #free({ x, y }: { readonly x: number; readonly y: number }): { readonly x: number; readonly y: number } {
    const taken = (cx: number, cy: number) =>
      this.#nodes().some(
        (node) => Math.abs(node.position('x') - cx) < 20 && Math.abs(node.position('y') - cy) < 20,
      )
    let step = 0
    while (taken(x + step * 28, y + step * 28) && step < 100) step++
    return { x: Math.round(x + step * 28), y: Math.round(y + step * 28) }
  }

  /** Those of the diagram: what follows the pointer is none. */
  #nodes(): NodeSingular[] {
    return (this.cy.nodes().toArray() as NodeSingular[]).filter((node) => !node.hasClass('ghost'))
  }

  #idFor(prefix: 'n' | 'e', wanted?: string): string {
    if (wanted !== undefined && this.cy.getElementById(wanted).empty()) return wanted
    while (this.cy.getElementById(`${prefix}${this.#next[prefix]}`).nonempty()) this.#next[prefix]++
    return `${prefix}${this.#next[prefix]}`
  }
}

function elementOf(node: Partial<Node> & { readonly id: string }): ElementDefinition {
  const { id, label = '', kind = 'box', color = 'plain', x = 0, y = 0, url, path } = node
  const size = kind === 'image' ? { w: 180, h: 130 } : sizeOf(label, kind)
  const picture = url === undefined ? {} : { url, ...(path !== undefined && { path }) }
  const shown = kind === 'image' && url === undefined ? 'box' : kind
  return {
    group: 'nodes',
    data: { id, label, kind: shown, color, ...picture, ...size },
    position: { x, y },
  }
}

function lineOf({ id, from, to, label = '', color = 'plain' }: Edge): ElementDefinition {
  return { group: 'edges', data: { id, source: from, target: to, label, color } }
}
