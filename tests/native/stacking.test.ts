import type { ChildProcess } from 'node:child_process'
import { setTimeout as delay } from 'node:timers/promises'
import test, { type ExecutionContext } from 'ava'
import type { PixelRect } from '../../native/index.js'
import { until } from '../support/xserver.js'
import { over, RED, type Rig, rig, show, showsSoon, YELLOW } from './support.js'

const INK: PixelRect[] = [{ x: 200, y: 150, width: 300, height: 150 }]
const AT = [350, 220] as const
const LOCKED = [0x40, 0, 0]
const INKED = [255, 0, 0]
const WHITE = [255, 255, 255]

interface Locker {
  process: ChildProcess
  id: string
  resize(width: number, height: number): Promise<void>
}

/** Like a locker: override-redirect and taking input. */
async function lock({ x }: Rig, width: number, height: number): Promise<Locker> {
  const topLevels = async (): Promise<string[]> =>
    (await x.run('xwininfo', '-root', '-children')).match(/^ +0x\w+/gm) ?? []
  const before = await topLevels()
  const args = ['-geometry', '20x5+0+0', '-xrm', '*overrideRedirect: true', '-b', '0', '-bw', '0']
  const colors = ['-bg', '#400000', '-fg', '#400000', '-cr', '#400000']
  const process = x.spawn('xterm', [...args, ...colors, '-e', 'sleep', '99'])
  // Such a window has no name to be found by.
  const id = await until('the locker is seen', async () => {
    const fresh = (await topLevels()).find((window) => !before.includes(window))?.trim()
    if (fresh === undefined) return undefined
    return (await x.run('xwininfo', '-id', fresh).catch(() => '')).includes('IsViewable') && fresh
  })
  const resize = async (w: number, h: number) => {
    await x.run('xdotool', 'windowsize', id, `${w}`, `${h}`)
  }
  await resize(width, height)
  return { process, id, resize }
}

async function setMode({ x, host }: Rig, width: number, height: number): Promise<void> {
  const mode = `${width}x${height}`
  if (!(await x.run('xrandr')).includes(` ${mode} `)) {
    const [w, h] = [`${width}`, `${height}`]
    await x.run('xrandr', '--newmode', mode, '60', w, w, w, `${width + 1}`, h, h, h, `${height + 1}`)
    await x.run('xrandr', '--addmode', 'screen', mode)
  }
  await x.run('xrandr', '--output', 'screen', '--mode', mode)
  await until('the mode is seen', async () => (await host.monitors()).monitors[0]!.width === width)
}

async function staysLocked(t: ExecutionContext, on: Rig): Promise<void> {
  await showsSoon(t, on.eye, AT, LOCKED)
  await delay(300)
  await showsSoon(t, on.eye, AT, LOCKED)
}

for (const compositor of [true, false]) {
  const way = compositor ? 'with a compositor' : 'without a compositor'

  for (const before of [true, false]) {
    const when = before ? 'were up before' : 'came after'
    test(`${way}, a display that grows while locked shows no marks that ${when}`, async (t) => {
      const on = await rig(t, { compositor })
      await setMode(on, 800, 600)
      if (before) await show(on.host, INK, RED)
      const locker = await lock(on, 800, 600)
      await staysLocked(t, on)
      await setMode(on, 1280, 800)
      t.like(await show(on.host, INK, RED), { shown: false, covered: true })
      await staysLocked(t, on)
      const beside = { x: 900, y: 650, width: 100, height: 100 }
      t.like(await show(on.host, [beside], RED), { shown: true, covered: false }, 'beside the locker')
      t.like(await show(on.host, [beside, ...INK], RED), { shown: false, covered: true })
      await locker.resize(1280, 800)
      await showsSoon(t, on.eye, [950, 700], LOCKED)
      await staysLocked(t, on)
      locker.process.kill()
      await showsSoon(t, on.eye, AT, INKED)
      t.like(await show(on.host, INK, RED), { shown: true, covered: false })
    })
  }

  test(`${way}, a locker that grows to full size is above the marks from then on`, async (t) => {
    const on = await rig(t, { compositor })
    await show(on.host, INK, RED)
    const locker = await lock(on, 300, 200)
    await showsSoon(t, on.eye, [100, 100], LOCKED)
    await showsSoon(t, on.eye, [250, 170], INKED)
    await locker.resize(1280, 800)
    await staysLocked(t, on)
    t.like(await show(on.host, INK, RED), { shown: false, covered: true })
    // Whatever it is made afterwards, it stays one until it goes.
    await locker.resize(1280, 700)
    await staysLocked(t, on)
    await on.x.run('xdotool', 'windowunmap', locker.id)
    await showsSoon(t, on.eye, AT, INKED)
    await locker.resize(300, 200)
    await on.x.run('xdotool', 'windowmap', locker.id)
    await showsSoon(t, on.eye, [100, 100], LOCKED)
    await showsSoon(t, on.eye, [250, 170], INKED)
  })

  test(`${way}, a locker on one monitor does not hide marks on another`, async (t) => {
    const monitors = [
      { name: 'left', x: 0, y: 0, width: 640, height: 800 },
      { name: 'right', x: 640, y: 0, width: 640, height: 800 },
    ]
    const on = await rig(t, { compositor, monitors })
    await lock(on, 640, 800)
    await showsSoon(t, on.eye, AT, LOCKED)
    t.like(await show(on.host, INK, RED, 'left'), { shown: false, covered: true })
    t.like(await show(on.host, INK, RED, 'right'), { shown: true, covered: false })
    await staysLocked(t, on)
    await showsSoon(t, on.eye, [AT[0] + 640, AT[1]], INKED)
  })
}

const note = (on: Rig) => on.host.info().notes.some((sentence) => sentence.includes('raising itself'))

/** A window over the ink that raises itself until it is let there. */
async function rival(on: Rig): Promise<{ process: ChildProcess; id: string }> {
  const process = on.x.spawn('xev', ['-geometry', '500x400+150+100', '-bw', '0', '-name', 'rival'])
  const id = await on.x.windowNamed('rival')
  const raise = Array.from({ length: 40 }, () => ['windowraise', id, 'sleep', '0.025']).flat()
  await on.x.run('xdotool', ...raise)
  await until('it is let there', () => note(on))
  return { process, id }
}

test('ink behind a window that keeps raising itself is said to be covered', async (t) => {
  const on = await rig(t)
  await show(on.host, INK, RED)
  await rival(on)
  await showsSoon(t, on.eye, AT, WHITE)
  t.like(await show(on.host, INK, YELLOW), { shown: false, covered: true })
  const across = { x: 600, y: 150, width: 200, height: 100 }
  t.like(await show(on.host, [across], RED), { shown: true, covered: false })
  t.like(await show(on.host, [across, ...INK], RED), { shown: false, covered: true })
  await showsSoon(t, on.eye, AT, WHITE)
})

for (const how of ['ends', 'is hidden'] as const) {
  test(`once a window that kept raising itself ${how}, the marks are back on top and the note goes`, async (t) => {
    const on = await rig(t)
    await show(on.host, INK, RED)
    const { process, id } = await rival(on)
    if (how === 'ends') process.kill()
    else await on.x.run('xdotool', 'windowunmap', id)
    await until('the note goes', () => !note(on), 3000)
    await showsSoon(t, on.eye, AT, INKED)
    t.like(await show(on.host, INK, RED), { shown: true, covered: false })
    // Servers hand out the same ids again.
    on.x.spawn('xev', ['-geometry', '500x400+150+100', '-bw', '0', '-name', 'other'])
    const other = await on.x.windowNamed('other')
    await showsSoon(t, on.eye, [170, 120], WHITE)
    await on.x.run('xdotool', 'windowraise', other)
    await showsSoon(t, on.eye, AT, INKED)
    t.false(note(on))
  })
}

test('another window that comes gives a yielded place another try, and the note goes with it', async (t) => {
  const on = await rig(t)
  await show(on.host, INK, YELLOW)
  await rival(on)
  on.x.spawn('xev', ['-geometry', '100x100+900+600', '-name', 'other'])
  await until('the note goes', () => !note(on), 3000)
  await showsSoon(t, on.eye, AT, over(YELLOW, WHITE))
})
