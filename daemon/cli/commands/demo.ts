/** `lets demo`: the main job in one command, on the real screen if there is one. */
import { setTimeout as delay } from 'node:timers/promises'
import { connect, type LetsClient } from '../../client/client.js'
import { type CommonOptions, pathsOf, reachRunning, startedLines } from '../connection.js'
import { endDaemon } from '../end-daemon.js'
import { bold, dim, say, sayJson } from '../output.js'
import { keepPicture, picturePath } from '../picture.js'
import { startInBackground } from '../start-daemon.js'

/** How long the marks of the demo stay on a real screen, in ms. */
const ON_SCREEN_MS = 4000

interface DemoOptions extends CommonOptions {
  readonly keep?: boolean
  readonly file: string
}

export async function demo(options: DemoOptions): Promise<void> {
  const where = pathsOf(options)
  const target = picturePath(options.file)
  const tell = options.json ? () => {} : say
  const session = { clientName: 'lets-demo', socket: where.socket, lingerMs: 0, acks: 'painted' as const }
  // From here on Ctrl-C means: clear up.
  const interrupted = new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => resolve())
  })
  let started = 0
  let client = await reachRunning(options, session)
  try {
    if (!client) {
      const serving = await startInBackground(where)
      started = serving.pid
      const [first = '', ...notes] = startedLines(serving)
      tell(options.keep ? first : first.replace(/;.*/, ''))
      for (const note of notes) tell(note)
      client = await connect(session)
    }
    const { host } = await client.status()
    const shown = await draw(client, tell)
    // The marks alone: nobody who types `demo` has asked for a picture of their screen.
    const { path } = await client.capture({ marks: true, backdrop: 'none', max_edge: 16_384 })
    keepPicture(path, target)
    tell(`wrote ${bold(target)}${host === 'headless' ? '' : ' (the marks alone, nothing of your screen)'}`)
    if (host !== 'headless') await Promise.race([delay(ON_SCREEN_MS, undefined, { ref: false }), interrupted])
    if (options.json)
      sayJson({ host, annotation_ids: shown, path: target, kept: started === 0 || options.keep === true })
  } finally {
    await client?.clear().catch(() => {})
    await client?.close()
    if (started !== 0 && !options.keep) {
      await endDaemon(started)
      tell('stopped the daemon; nothing is left running')
    }
  }
  tell(NEXT)
}

async function draw(client: LetsClient, tell: (text: string) => void): Promise<string[]> {
  const [first] = await client.displays()
  const [width, height] = first?.logical_size ?? [1, 1]
  const point = await client.point({ at: 'top-right', label: 'An agent can point at anything' })
  tell(
    `pointed at top-right of display ${point.display.id} ${dim(`(${width}x${height} points, scale ${point.display.scale})`)}`,
  )
  const rect: [number, number, number, number] = [
    Math.round(width * 0.12),
    Math.round(height * 0.34),
    Math.round(width * 0.34),
    Math.round(height * 0.22),
  ]
  const highlight = await client.highlight({ rect, label: 'A region' })
  tell(`highlighted a region at ${rect.join(',')}`)
  const note = await client.textbox({
    rect: [Math.round(width * 0.55), Math.round(height * 0.56), Math.min(340, width), 40],
    text: 'Nothing here takes a click: whatever is below stays yours to use.',
  })
  tell('annotated the screen with a note')
  return [point, highlight, note].map(({ annotation_id }) => annotation_id)
}

const NEXT = `
Try next:
  lets point --at center --label "Hello"     a mark for five seconds
  lets highlight 100 200 340 90 --spotlight  a region, the rest dimmed
  lets guide "Open the settings" --at top    an instruction
  lets status                                what the daemon does
  lets doctor                                what works here, and what would help
In a clone, \`lets\` is \`npx lets\`.`
