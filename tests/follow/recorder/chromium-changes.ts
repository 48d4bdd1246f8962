import type { Spot } from './browser.js'
import type { Scene } from './chromium.js'

const items = [0, 1, 2, 3, 4, 5].flatMap((n): Spot[] => [
  [`#t${n}`, n % 2 ? 'text' : 'rect'],
  [`#e${n}`, n % 2 ? 'rect' : 'text'],
  [`#i${n}`, [400, 14]],
])
const details = [0, 1, 2, 3, 4].flatMap((n): Spot[] => [
  [`#u${n}`, 'text'],
  [`#d${n}`, n % 2 ? 'rect' : [420, 12]],
])
const form: Spot[] = [
  ['#save', 'rect'],
  ['#label', 'text'],
]

/** What happens in a page other than scrolling. */
export async function changes(scene: Scene): Promise<void> {
  const { browser } = scene
  const run = (script: string) => () => browser.page.value(`${script}; 0`)
  await scene.open('changes.html')
  await browser.focus(605, 380)
  await scene.look()
  await scene.step(
    'insert',
    'row put in above',
    [...form, ...items, ...details],
    run('list.prepend(item())'),
    9,
  )
  await scene.step(
    'insert',
    'row put in above',
    [...form, ...items, ...details],
    run('list.children[3].before(item())'),
    9,
  )
  await scene.step(
    'remove',
    'row taken out',
    [...form, ...items, ...details],
    run('list.children[1].remove()'),
    9,
  )

  await scene.open('changes.html')
  await scene.step(
    'accordion',
    'accordion',
    [...form, ...items, ...details],
    run('document.querySelector("#d1").open = true'),
    9,
  )
  await scene.step(
    'accordion',
    'accordion',
    [...details, ['#x1', 'rect']],
    run('document.querySelector("#d0").open = true'),
    7,
  )
  await scene.step(
    'accordion',
    'accordion',
    [...details, ['#x0', 'rect'], ['#x1', 'text']],
    run('document.querySelector("#d0").open = false'),
    7,
  )

  await scene.open('changes.html')
  await scene.step(
    'dialog',
    'dialog',
    [...form, ...items, ...details],
    run('document.querySelector("dialog").show()'),
    9,
  )
  await scene.step(
    'dialog-closed',
    'dialog',
    [...form, ['#why', 'rect'], ['#why', 'text'], ...details],
    run('document.querySelector("dialog").close()'),
    5,
  )

  const cover = run('document.querySelector("dialog").show()')
  await scene.gone('dialog', 'dialog', [...items, ...details], cover, 'dialog')
  await run('document.querySelector("dialog").close()')()
  await scene.look()
  // Dimmed is neither gone nor the same; what the dialog itself is over is gone.
  await scene.gone(
    'modal',
    'dialog',
    [...items, ...details],
    run('document.querySelector("dialog").showModal()'),
    'dialog',
  )

  await scene.open('changes.html')
  for (const n of [1, 2, 4]) {
    const [[x, y, width, height]] = (await browser.page.value<[number, number, number, number][]>(
      `lets.hold([['#e${n}', 'rect']])`,
    )) as [[number, number, number, number]]
    const near: Spot[] = [
      [`#e${n}`, 'rect'],
      [`#e${n}`, 'text'],
      [`#t${n}`, 'text'],
      [`#e${n - 1}`, 'rect'],
    ]
    await scene.step('hover', 'hover', near, () => browser.point(x + width / 2, y + height / 2), 4)
  }
  await run('document.body.className = "rows"')()
  await browser.point(610, 300)
  await scene.look()
  for (const n of [0, 3]) {
    const near: Spot[] = [
      [`#t${n}`, 'text'],
      [`#t${n}`, 'rect'],
      [`#t${n + 1}`, 'text'],
    ]
    await scene.step('row-hover', 'hover', near, () => browser.point(400, 58 + n * 29), 3)
  }

  await scene.open('changes.html')
  await run('document.querySelector("#name").focus()')()
  await scene.look()
  const [input] = await browser.hold([['#name', 'rect']])
  if (!input) throw new Error('the field cannot be seen')
  const nearField: Spot[] = [...form, ['#name', 'rect'], ['#t0', 'text']]
  await scene.step('typing', 'typing', nearField, () => browser.window.type('harbor'), 4)
  await scene.step('typing', 'typing', nearField, () => browser.window.type(' lantern and quill'), 4)

  await replaced(scene)
}

/** The page itself gives way to another. */
async function replaced(scene: Scene): Promise<void> {
  const { browser } = scene
  const spots: Spot[] = [
    ['#h0', 'text'],
    ['#p0', 'rect'],
    ['#q0', 'text'],
    ['#h1', 'text'],
    ['#p1', 'text'],
  ]
  await scene.open('article.html#7')
  await browser.focus(560, 200)
  const go = (hash: number) => async () => {
    const url = await browser.page.value<string>('location.href')
    await browser.page.value(`location.hash = ${hash}; window.old = true; location.reload(); 0`)
    while (await browser.page.value<boolean>('window.old').catch(() => true));
    await browser.ready(url.replace(/#.*/, `#${hash}`))
  }
  await scene.gone('reload', 'replaced', spots, go(8))
  await scene.gone('reload', 'replaced', spots, go(9))
  for (const key of ['ctrl+plus', 'ctrl+minus']) {
    await scene.gone('zoom', 'zoom', spots, () => browser.window.keys(key))
    await browser.window.keys('ctrl+0')
    await scene.look()
  }
  const url = await browser.page.value<string>('location.href')
  await scene.gone('tab-switch', 'replaced', spots, () => browser.devtools.page(url.replace(/#.*/, '#12')))
  await browser.page.front()
  await scene.look()
  await scene.gone('tab-switch', 'replaced', spots, () => browser.window.keys('ctrl+Tab'))
  await browser.page.front()
}
