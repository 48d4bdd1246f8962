/** The screen that a program was started on, as its environment names it. */
export function screenHere(env: NodeJS.ProcessEnv): string | undefined {
  return env.DISPLAY || env.WAYLAND_DISPLAY || undefined
}

/** Whether a daemon that draws on `screen` draws on the screen that a program with this environment was started on. */
export function drawsHere(screen: string, { DISPLAY, WAYLAND_DISPLAY }: NodeJS.ProcessEnv): boolean {
  return [DISPLAY, WAYLAND_DISPLAY].some((here) => here && nameOf(here) === nameOf(screen))
}

/** An X display without its screen (`:0.0` is `:0`), a Wayland socket without its folder. */
function nameOf(screen: string): string {
  return screen.startsWith('/') ? screen.slice(screen.lastIndexOf('/') + 1) : screen.replace(/\.\d+$/, '')
}
