/**
 * The slowest first, as they were timed: the run ends with short ones, and never with a long one alone. Others follow in the
 * order of their names.
 */
const SLOWEST = `
  tests/docs tests/mcp/lifetime tests/electron/x11 overlay/scene/stage tests/shell/commands tests/electron/golden tests/x11/consent
  tests/lip/shell tests/x11/displays tests/electron/page tests/x11/marks tests/electron/install tests/x11/mcp-waiting
  tests/lip/graph tests/lip/screen-medium tests/lip/sdk tests/electron/orphan tests/cli/daemon tests/grounding-eval/recorded
  tests/lip/window tests/x11/companion-daily tests/grounding/trees tests/x11/mcp-pictures tests/lip/look tests/mcp/hook
  tests/daemon/ownership tests/lip/guard tests/lip/mcp tests/lip/handoff tests/electron/companion tests/lip/browser
  tests/grounding/apps tests/cli/output tests/cli/draw tests/cli/companion overlay/content/measure.property tests/cli/doctor
`
  .trim()
  .split(/\s+/)

const place = (file) => {
  const at = SLOWEST.indexOf(
    file
      .replace(/^.*[\\/]dist[\\/]/, '')
      .replaceAll('\\', '/')
      .replace('.test.js', ''),
  )
  return at === -1 ? SLOWEST.length : at
}

export default {
  files: ['dist/**/*.test.js'],
  // Without any test that ends meanwhile; on a slow machine with much else to do one takes a minute.
  timeout: '5m',
  // One more than most machines that this runs on have processors: tests wait a third of their time.
  concurrency: 3,
  workerThreads: false,
  sortTestFiles: (a, b) => place(a) - place(b) || (a < b ? -1 : 1),
}
