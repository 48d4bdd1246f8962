/** `node dist/tests/shell/soak.js [KILLS]`: the long version of the test, 100 kills unless it says otherwise. */
import { rmSync } from 'node:fs'
import { soak } from './soaking.js'
import { tempState } from './support.js'

const kills = Number(process.argv[2] ?? 100)
const folder = tempState()
const { lost, orphans, acknowledged, slowestStart, starts } = await soak(kills, folder)
const median = starts.sort((a, b) => a - b)[Math.floor(starts.length / 2)] ?? Number.NaN
process.stdout.write(
  `${kills} kills, ${acknowledged} acknowledged records, ${lost.length} lost, ${orphans} orphans; ` +
    `process start to serving: median ${median.toFixed(0)} ms, slowest ${slowestStart.toFixed(0)} ms\n`,
)
for (const line of lost.slice(0, 50)) process.stdout.write(`  ${line}\n`)
rmSync(folder, { recursive: true, force: true })
process.exitCode = lost.length + orphans > 0 ? 1 : 0
