/** Colours and measures as CSS variables; dark where the person's system is, unless the page was told otherwise. */
import type { DownData } from '../../protocol/lip/schema.js'
import { sheet } from './dom.js'

const LIGHT = `
  --lets-bg: #fbfaf8; --lets-surface: #ffffff; --lets-raised: #f2f0ec; --lets-text: #1f1d1a; --lets-muted: #615c55;
  --lets-line: #dcd8d1; --lets-control: #8b857c; --lets-accent: #a8481f; --lets-on-accent: #ffffff; --lets-focus: #1a66c9;
  --lets-ok: #1c6b3c; --lets-warn: #7c5200; --lets-error: #b3231c; --lets-shadow: 0 2px 4px #0000000f, 0 8px 24px #0000001a;
  color-scheme: light;`
const DARK = `
  --lets-bg: #1b1a18; --lets-surface: #262422; --lets-raised: #32302d; --lets-text: #f1eee9; --lets-muted: #b5afa6;
  --lets-line: #45423d; --lets-control: #8f8980; --lets-accent: #e9966b; --lets-on-accent: #2a1206; --lets-focus: #7fb6ff;
  --lets-ok: #7fd19b; --lets-warn: #eec06a; --lets-error: #ff958d; --lets-shadow: 0 2px 4px #00000040, 0 8px 24px #00000066;
  color-scheme: dark;`

const variables = `
:root {${LIGHT}
  --lets-font: system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', 'DejaVu Sans', sans-serif;
  --lets-mono: ui-monospace, 'SF Mono', Menlo, Consolas, 'DejaVu Sans Mono', monospace;
  --lets-radius: 10px; --lets-gap: 12px;
}
@media (prefers-color-scheme: dark) { :root {${DARK}} }
:root[data-lets-theme='light'] {${LIGHT}}
:root[data-lets-theme='dark'] {${DARK}}

/* The panel stands beside the page, not on it. */
:root[data-lets-panel] { padding-left: min(360px, 90vw); }
.lets-send { min-height: 36px; padding: 6px 16px; border: 1px solid var(--lets-accent); border-radius: 8px; background: var(--lets-accent);
  color: var(--lets-on-accent); font: 600 14px/1.4 var(--lets-font); cursor: pointer; }
.lets-send:hover { filter: brightness(1.08); }
.lets-send:disabled { opacity: 0.55; cursor: default; }
.lets-send:focus-visible { outline: 2px solid var(--lets-focus); outline-offset: 2px; }
`

/** What every surface of the SDK begins with. */
const base = `
:host, * { box-sizing: border-box; }
:host { font: 14px/1.45 var(--lets-font); color: var(--lets-text); }
[hidden] { display: none !important; }
button, input, select, textarea { font: inherit; color: inherit; }
button, select, input:not([type='checkbox'], [type='radio'], [type='range'], [type='color'], [type='file']), textarea {
  min-height: 32px; padding: 5px 10px; border: 1px solid var(--lets-control); border-radius: 8px; background: var(--lets-surface); }
button { cursor: pointer; }
button:hover { background: var(--lets-raised); }
button.primary { border-color: var(--lets-accent); background: var(--lets-accent); color: var(--lets-on-accent); font-weight: 600; }
button.primary:hover { filter: brightness(1.08); }
button.plain { min-height: 28px; min-width: 28px; padding: 2px; border-color: transparent; background: none; color: var(--lets-muted); }
button.plain:hover { background: var(--lets-raised); color: var(--lets-text); }
button:disabled { opacity: 0.55; cursor: default; }
:focus-visible { outline: 2px solid var(--lets-focus); outline-offset: 2px; }
input, progress { accent-color: var(--lets-accent); }
p { margin: 0; }
.muted { color: var(--lets-muted); font-size: 13px; }
.text { white-space: pre-wrap; overflow-wrap: anywhere; }
.row { display: flex; flex-wrap: wrap; gap: 8px; align-items: center; }
.quiet { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
@media (prefers-reduced-motion: reduce) { *, *::before, *::after { animation: none !important; transition: none !important; } }
`

export const baseSheet = sheet(base)

export function applyTheme(): void {
  document.adoptedStyleSheets = [sheet(variables), ...document.adoptedStyleSheets]
}

/** `light` and `dark` hold; any other name follows the system. Variables stay until they are set anew. */
export function setTheme({ name, vars = {} }: DownData['ui.theme']): void {
  const { dataset, style } = document.documentElement
  if (name === 'light' || name === 'dark') dataset.letsTheme = name
  else if (name !== undefined) delete dataset.letsTheme
  for (const [variable, value] of Object.entries(vars)) style.setProperty(variable, value)
}
