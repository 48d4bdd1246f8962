/** Puts an address in front of the person: a window of its own where a browser can do that, else a tab. */
import { spawn } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

/** Browsers that show one address in a window without anything around it. */
const WITH_APP_WINDOWS = [
  'google-chrome',
  'google-chrome-stable',
  'chromium',
  'chromium-browser',
  'microsoft-edge',
  'brave-browser',
]

/** How to open `url` here; null where there is no screen, or nothing that opens it. `LETS_BROWSER` goes before all. */
export function browserFor(
  url: string,
  env: NodeJS.ProcessEnv = process.env,
  platform: string = process.platform,
): readonly string[] | null {
  if (env.LETS_BROWSER) return [env.LETS_BROWSER, url]
  if (platform === 'darwin') return ['open', url]
  // The first quoted word would be taken for a title.
  if (platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler', url]
  if (!env.DISPLAY && !env.WAYLAND_DISPLAY) return null
  const folders = (env.PATH ?? '').split(delimiter).filter(Boolean)
  const has = (name: string) => folders.some((folder) => isExecutable(join(folder, name)))
  const app = WITH_APP_WINDOWS.find(has)
  if (app !== undefined) return [app, `--app=${url}`]
  return has('xdg-open') ? ['xdg-open', url] : null
}

/** Opens `url`; resolves with whether something was started that does. */
export function openInBrowser(url: string): Promise<boolean> {
  const [command, ...args] = browserFor(url) ?? []
  if (command === undefined) return Promise.resolve(false)
  return new Promise((resolve) => {
    const child = spawn(command, args, { detached: true, stdio: 'ignore' })
    child.once('error', () => resolve(false))
    child.once('spawn', () => {
      child.unref()
      resolve(true)
    })
  })
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}
