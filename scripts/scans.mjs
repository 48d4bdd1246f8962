// What can be said by reading the files as text: Lets shows, it never clicks or types for the person; no
// file outgrows what one sitting can read; nothing names a place that exists on one machine only.

import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './setup.mjs'

// Every way to move the pointer or press a key that a library, a protocol or an operating system offers.
const synthesis = new RegExp(
  [
    String.raw`(?:\b|_)xtest(?:\b|_)|\bxtestfake`,
    'fake_?(?:input|key|button|motion)',
    String.raw`\bx?warp_?pointer\b`,
    'xdotool|ydotool|dotoolc?\\b|\\bwtype\\b',
    'robotjs|nut-js|nut-tree|\\benigo\\b|[\'"]rdev\\b|\\buiohook|\\bautopilot-rs|pyautogui',
    'CGEvent(?:Post|Create|TapPost)|CGWarpMouse|CGDisplayMoveCursor|AXUIElementPerformAction',
    String.raw`keybd_event|\bmouse_event\b|SetCursorPos|InjectTouchInput|InjectSyntheticPointer`,
    String.raw`\buinput\b|\bevdev\b`,
    'virtual_?(?:pointer|keyboard)|\\blibei\\b|\\breis\\b|portal\\.RemoteDesktop',
    String.raw`doAction\b.*\bclick|\batspi\b.*generate_(?:mouse|keyboard)`,
  ].join('|'),
  'i',
)
// Windows, Electron, the browsers' debugging protocol; a shell session's `sendInput` is another thing.
const synthesisExact = /\bSendInput\b|\bsendInputEvent\b|['"`]Input\.(?:dispatch|insert|synthesize|imeSet)/

const shipped = ['protocol/', 'overlay/', 'native/', 'grounding/', 'daemon/', 'bin/', 'hooks/']
const isCode = (file) => /\.(?:[mc]?[tj]sx?|rs|toml|html|json)$/.test(file)
const isComment = (file, line) => (file.endsWith('.toml') ? /^\s*#/ : /^\s*(?:\/\/|\/?\*)/).test(line)

export function inputSynthesis() {
  const files = tracked().filter(
    (file) => file === 'package.json' || (isCode(file) && shipped.some((folder) => file.startsWith(folder))),
  )
  return files.flatMap((file) =>
    linesOf(file).flatMap((line, i) => {
      if (isComment(file, line)) return []
      const found = synthesis.exec(line) ?? synthesisExact.exec(line)
      return found ? [`${file}:${i + 1}  ${found[0]}: Lets shows; it never moves the pointer or types`] : []
    }),
  )
}

const [longish, tooLong] = [250, 400]

/** Gives the files that are too long, and prints the ones that soon will be. */
export function tooLongFiles() {
  const lengths = tracked()
    .filter(
      (file) =>
        /\.(?:ts|rs)$/.test(file) &&
        !/\.(?:test|generated|bench|d)\.ts$/.test(file) &&
        !file.startsWith('tests/') &&
        !file.includes('/tests/'),
    )
    .map((file) => ({ file, lines: linesOf(file).length }))
  for (const { file, lines } of lengths) {
    if (lines > longish && lines <= tooLong)
      console.log(`  ! ${file} has ${lines} lines; above ${tooLong} it must be split`)
  }
  return lengths
    .filter(({ lines }) => lines > tooLong)
    .map(({ file, lines }) => `${file}  has ${lines} lines, more than ${tooLong}: split it along an idea`)
}

// Put together from parts, or this file would find itself.
const privatePlace = new RegExp([`(?<![\\w.~-])/${'work'}/`, `\\b${'shared'}/(?:cases|design)\\b`].join('|'))

export function privatePlaces() {
  const texts = tracked().filter((file) => !/\.(?:png|woff2|node|ttf|ico|gif|webp|jpg)$/.test(file))
  return texts.flatMap((file) =>
    linesOf(file).flatMap((line, i) => {
      const found = privatePlace.exec(line)
      return found ? [`${file}:${i + 1}  names ${found[0]}, which is on one machine only`] : []
    }),
  )
}

function linesOf(file) {
  const text = readFileSync(join(root, file), 'utf8')
  return (text.endsWith('\n') ? text.slice(0, -1) : text).split('\n')
}

let list
/** What git has or would take; without git (an unpacked archive), everything but what is installed or built. */
function tracked() {
  list ??= fromGit() ?? walk('')
  return list
}

function fromGit() {
  try {
    const options = {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      maxBuffer: 64 * 1024 * 1024,
    }
    const top = execFileSync('git', ['rev-parse', '--show-prefix'], options).trim()
    if (top !== '') return undefined // inside somebody else's repository
    const names = execFileSync(
      'git',
      ['ls-files', '-z', '--cached', '--others', '--exclude-standard'],
      options,
    )
    return names.split('\0').filter((file) => file && existsSync(join(root, file)))
  } catch {
    return undefined
  }
}

function walk(folder) {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = folder ? `${folder}/${entry.name}` : entry.name
    if (entry.isDirectory())
      return ['node_modules', 'dist', 'target', '.git'].includes(entry.name) ? [] : walk(path)
    return entry.isFile() && !entry.name.endsWith('.node') ? [path] : []
  })
}
