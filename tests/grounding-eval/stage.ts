import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import type { Frame, ScreenWindow } from '../../grounding/index.js'
import type { Rect } from '../../protocol/overlay/geometry.js'
import { DevTools, type Page } from '../follow/recorder/devtools.js'
import { until } from '../support/xserver.js'
import { type EvalDesk, ended, firstLine } from './desk.js'
import type { Truth } from './queries.js'
import type { ScreenSpec } from './screens.js'

/** A screen as it stands, with the truth about it. */
export interface Staged {
  readonly frame: Frame
  readonly windows: readonly ScreenWindow[]
  readonly truth: Truth
}

const source = new URL('../../../tests/grounding-eval/', import.meta.url)
const programs = fileURLToPath(new URL('programs/', source))

/** Shows a screen for as long as `work` goes on. */
export function stage<T>(desk: EvalDesk, spec: ScreenSpec, work: (staged: Staged) => Promise<T>): Promise<T> {
  const show = { page, gtk3: toolkit, gtk4: toolkit, terminal }[spec.kind]
  return show(desk, spec, async (truth) => {
    // The pointer would light up what it is over.
    await desk.x.run('xdotool', 'mousemove', String(1279 * desk.scale), String(799 * desk.scale))
    return work({ frame: await desk.frame(), windows: await desk.windows(), truth })
  })
}

type Show = <T>(desk: EvalDesk, spec: ScreenSpec, work: (truth: Truth) => Promise<T>) => Promise<T>

/** The rectangles of what is asked for, and of the labels a click on which goes to it. */
const IN_PAGE = `Object.fromEntries([...document.querySelectorAll('[data-t]')].map((one) => [
  one.dataset.t,
  [one, ...(one.labels ?? [])].map((part) => { const r = part.getBoundingClientRect(); return [r.x, r.y, r.width, r.height] })
]))`

const page: Show = async (desk, { name, scale, dark }, work) => {
  const folder = mkdtempSync(join(tmpdir(), 'grounding-page-'))
  const server = await serve()
  // The address bar is in the picture; it is the same on every machine.
  const address = `http://pages.example/${name}.html`
  const args = [
    ...[
      '--no-sandbox',
      '--test-type',
      '--remote-debugging-pipe',
      `--user-data-dir=${folder}`,
      '--no-first-run',
    ],
    ...[
      '--disable-gpu',
      '--disable-background-networking',
      '--disable-sync',
      '--lang=en',
      '--password-store=basic',
    ],
    ...['--disable-component-update', '--disable-features=Translate', '--force-renderer-accessibility'],
    ...[`--force-device-scale-factor=${scale}`, `--window-size=${1200},${740}`, '--window-position=20,10'],
    ...(dark ? ['--force-dark-mode'] : []),
    `--host-resolver-rules=MAP pages.example 127.0.0.1:${(server.address() as AddressInfo).port}`,
    address,
  ]
  const child = desk.x.spawn('chromium', args, {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
    detached: true,
  })
  try {
    const devtools = new DevTools(child)
    const view = await until('the page is there', async () => devtools.page().catch(() => undefined))
    await view.loaded(address)
    await view.value(
      'document.fonts.ready.then(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))',
    )
    const origin = await calibrate(desk, view)
    const found = await view.value<Record<string, Rect[]>>(IN_PAGE)
    const truth = Object.fromEntries(
      Object.entries(found).map(([id, rects]) => [
        id,
        rects.map(([x, y, w, h]): Rect => [x + origin[0], y + origin[1], w, h]),
      ]),
    )
    const result = await work(truth)
    await devtools.send('Browser.close').catch(() => {})
    return result
  } finally {
    await until('Chromium has ended', () => child.exitCode !== null || child.signalCode !== null).catch(() =>
      process.kill(-child.pid!, 'SIGKILL'),
    )
    server.close()
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
  }
}

/** The pages, and nothing else. */
async function serve(): Promise<Server> {
  const server = createServer((request, response) => {
    const name = /^\/(\w+)\.html$/.exec(request.url ?? '')?.[1]
    if (!name) return response.writeHead(404).end()
    return response
      .setHeader('content-type', 'text/html; charset=utf-8')
      .end(readFileSync(new URL(`pages/${name}.html`, source)))
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return server
}

/** A colour that is nowhere else is laid over the page and looked for: where it begins, the page does. */
async function calibrate(desk: EvalDesk, view: Page): Promise<[number, number]> {
  const cover = 'position:fixed;inset:0;background:#fe01fd;z-index:2147483647'
  await view.value(
    `window.cover = document.body.appendChild(document.createElement('div')); cover.style.cssText = '${cover}'; 0`,
  )
  const [width, height] = [1280 * desk.scale, 800 * desk.scale]
  const at = await until('the page shows', async () => {
    const { data } = await desk.eye.capture({ x: 0, y: 0, width, height, overlay: false })
    const found = data.indexOf(Buffer.from([0xfe, 0x01, 0xfd, 0xff]))
    return found >= 0 && found / 4
  })
  await view.value('cover.remove(); 0')
  return [(at % width) / desk.scale, Math.floor(at / width) / desk.scale]
}

/** The program tells where its controls are in its window. */
const toolkit: Show = async (desk, { name, kind, scale, dark }, work) => {
  const env = {
    GDK_BACKEND: 'x11',
    GDK_SCALE: String(scale),
    GSK_RENDERER: 'cairo',
    GTK_THEME: dark ? 'Adwaita:dark' : 'Adwaita',
    PYTHONDONTWRITEBYTECODE: '1',
  }
  const pairs = Object.entries(env).map(([key, value]) => `${key}=${value}`)
  // Debian's own Python has the toolkit, another first in PATH need not.
  const child = desk.x.spawn('env', [...pairs, '/usr/bin/python3', join(programs, `${kind}.py`), name], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  try {
    const told = JSON.parse(await firstLine(child.stdout as Readable)) as Record<string, Rect>
    const window = await desk.window(`${name[0]!.toUpperCase()}${name.slice(1)}`)
    const [left, top] = await desk.content(window)
    const at = ([x, y, w, h]: Rect): Rect => [x + left, y + top, w, h]
    const truth = Object.fromEntries(
      Object.entries(told).map(([id, rect]) => {
        const label = told[`${id}-label`]
        return [id, [at(rect), ...(label ? [at(label)] : [])]]
      }),
    )
    return await work(truth)
  } finally {
    await ended(child)
  }
}

const BORDER = 4

/** A terminal is a grid: where a text is follows from its line and column. */
const terminal: Show = async (desk, { name, scale, dark, texts = {} }, work) => {
  const colours = dark ? ['-bg', '#101418', '-fg', '#d8dee4'] : ['-bg', '#ffffff', '-fg', '#101418']
  const font = ['-fa', 'DejaVu Sans Mono', '-fs', String(11 * scale), '-xrm', 'XTerm*faceSize.dpi: 96']
  const size = ['-geometry', '84x30+60+40', '-b', String(BORDER), '+sb', '-T', `terminal ${name}`]
  const program = ['/usr/bin/python3', '-B', join(programs, 'terminal.py'), name]
  const child = desk.x.spawn('xterm', [...font, ...size, ...colours, '-e', ...program])
  try {
    const window = await desk.window(`terminal ${name}`)
    const [left, top, width, height] = await desk.content(window)
    const border = BORDER / scale
    const cell = [(width - 2 * border) / 84, (height - 2 * border) / 30] as const
    const lines = (
      await desk.x.run('/usr/bin/python3', '-c', PRINTED, join(programs, 'terminal.py'), name)
    ).split('\n')
    const truth = Object.fromEntries(
      Object.entries(texts).map(([id, text]): [string, Rect[]] => {
        const row = lines.findIndex((line) => line.includes(text))
        if (row < 0) throw new Error(`${name}: the terminal does not show ${text}`)
        const column = lines[row]!.indexOf(text)
        return [
          id,
          [[left + border + column * cell[0], top + border + row * cell[1], text.length * cell[0], cell[1]]],
        ]
      }),
    )
    return await work(truth)
  } finally {
    await ended(child)
  }
}

/** Runs the program without waiting at its end, and prints its lines without colours. */
const PRINTED = `
import re, signal, sys, io, contextlib
signal.pause = lambda: None
sys.argv = sys.argv[1:]
path = sys.argv[0]
sys.path.insert(0, path.rpartition('/')[0])
sys.dont_write_bytecode = True
out = io.StringIO()
with contextlib.redirect_stdout(out):
    exec(open(path).read())
print(re.sub(r'\\x1b\\[[0-9;]*m', '', out.getvalue()).replace('\\r', ''))
`
