/** A tour made by a program: two marks at once, then one that points at nothing. */
import { play } from 'lets-overlay'

const { steps, all_shown } = await play({
  steps: [
    { point: { at: 'top-right', label: 'Close' }, wait: { ms: 200 }, keep: true },
    { guide: { text: 'Close the window', at: 'center' }, wait: { ms: 200 } },
    { highlight: { rect: [100_000, 0, 10, 10] } },
  ],
})
for (const { step, kind, outcome, code } of steps) console.log(step, kind, outcome, code ?? '')
console.log(all_shown ? 'all shown' : 'not all shown')
