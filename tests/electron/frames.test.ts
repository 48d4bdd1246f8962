import { connect as connectEye, pixel } from '../native/support.js'
import { startX } from '../support/xserver.js'
import { COUNTED, change, launch, openPage, point, scene } from './page.js'
import { inBrowser } from './support.js'

inBrowser('while something flies, every frame that the browser offers is taken, and painted', async (t) => {
  const x = await startX({ screen: '1280x800x24' })
  t.teardown(() => x.stop())
  const on = await openPage(t, { before: COUNTED }, await launch(t, x))
  await on.send(scene(on, { size: [1280, 800], put: [point('p', [60, 60])], pointer: 'p' }))
  await on.hears('painted')
  const fly = JSON.stringify(change(on, { put: [point('q', [700, 500])], pointer: 'q' }))
  const { offered, taken, painted, took } = await on.page.evaluate<Record<string, number>>(`(async () => {
    const frame = () => new Promise((done) => uncountedFrame(done))
    await frame()
    const before = { ...counts }
    const since = performance.now()
    document.dispatchEvent(new CustomEvent('from-main', { detail: ['lets:to-page', ${fly}] }))
    let offered = 0
    let frames = -1
    // The last frame asks for no other.
    while (counts.frames !== frames) {
      frames = counts.frames
      await frame()
      offered++
    }
    return {
      offered, taken: counts.frames - before.frames, painted: counts.paints - before.paints,
      took: performance.now() - since,
    }
  })()`)
  t.log(`${taken} of ${offered} frames in ${took!.toFixed(0)} ms`)
  t.true(taken! >= offered! - 1 && taken! <= offered!)
  t.true(painted! >= taken!)
  // A flight takes 350 ms; even a machine that is busy offers some.
  t.true(taken! >= 5)
})

inBrowser('what is told to be painted is on the screen', async (t) => {
  const x = await startX({ screen: '1280x800x24' })
  t.teardown(() => x.stop())
  const eye = await connectEye(x.display)
  t.teardown(() => eye.close())
  const on = await openPage(t, {}, await launch(t, x))
  await on.hears('ready')
  // Where the page begins on the screen.
  const [left, top] = await on.page.evaluate<[number, number]>(
    '[screenX + (outerWidth - innerWidth) / 2, screenY + outerHeight - innerHeight]',
  )
  await on.send(scene(on, { size: [1280, 800] }))
  await on.hears('painted')
  const ground = await pixel(eye, left! + 200, top! + 200)
  let early = 0
  let judged = 0
  // On a slow machine a frame may not come in time: the page says so, and then claims nothing of the screen.
  const see = async (holds: (shown: string) => boolean) => {
    const { presented } = await on.hears('painted')
    const shown = await pixel(eye, left! + 200, top! + 200)
    if (!presented) return
    judged++
    if (!holds(shown.join())) early++
  }
  for (let round = 0; round < 20; round++) {
    await on.send(
      change(on, {
        put: [{ kind: 'textbox', id: 'n', rect: [150, 150, 200, 100], text: ' ', style: 'note' }],
      }),
    )
    await see((shown) => shown !== ground.join())
    await on.send(change(on, { remove: ['n'] }))
    await see((shown) => shown === ground.join())
  }
  // The browser tells nobody when a frame is on the screen: now and then one is later than the frames after it say.
  t.log(`${early} of ${judged} too early`)
  t.true(early <= judged / 20)
  t.true(judged > 0, 'frames come')
})
