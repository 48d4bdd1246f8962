import test from 'ava'
import { PAGE_URL } from '../../overlay/hosts/electron/bridge.js'
import { CONTENT_SECURITY_POLICY, IMPORT_MAP, pageFile } from '../../overlay/hosts/electron/page-files.js'
import { openPage, type TestedPage } from './page.js'
import { inBrowser } from './support.js'

const FOREIGN = 'https://elsewhere.example'
const base = new URL(PAGE_URL).href.replace(/^(lets:\/\/[^/]+\/).*/, '$1')

test('only the files of the page are served', async (t) => {
  for (const path of [
    'overlay/hosts/electron/renderer/index.html',
    'overlay/hosts/electron/renderer/page.css',
    'overlay/scene/fonts/LetsSans-Regular.woff2',
    'dist/overlay/hosts/electron/renderer/main.js',
    'dist/overlay/scene/index.js',
    'dist/protocol/host/page.generated.js',
    'packages/bidi-js.mjs',
  ]) {
    const file = await pageFile(base + path)
    t.truthy(file, path)
    t.is(file?.headers['content-security-policy'], CONTENT_SECURITY_POLICY)
    t.is(file?.headers['x-content-type-options'], 'nosniff')
  }
  for (const path of [
    '',
    'package.json',
    'overlay/scene/fonts/../../../package.json',
    'overlay/scene/fonts/%2e%2e/%2e%2e/%2e%2e/package.json',
    'overlay/scene/fonts/..%2f..%2f..%2fpackage.json',
    'overlay\\scene\\fonts\\LetsSans-Regular.woff2',
    'dist/overlay/scene/golden.test.js',
    'dist/overlay/hosts/electron/preload.cjs',
    'dist/overlay/hosts/native/host.js',
    'dist/daemon/main.js',
    'packages/bidi-js.js',
    'packages/ajv.mjs',
    'node_modules/bidi-js/dist/bidi.mjs',
    'dist/overlay/scene/absent.js',
    'overlay/hosts/electron/renderer/index.html?x',
    '/etc/passwd',
  ]) {
    t.is(await pageFile(base + path), null, path)
  }
  for (const url of [
    'https://overlay/dist/overlay/scene/index.js',
    'lets://other/dist/overlay/scene/index.js',
    '',
    'lets:x',
  ]) {
    t.is(await pageFile(url), null, url)
  }
})

test('the one thing inline in a page is where its packages are, to the letter of its policy', async (t) => {
  for (const name of ['index', 'companion']) {
    const file = await pageFile(`${base}overlay/hosts/electron/renderer/${name}.html`)
    const inline = [...new TextDecoder().decode(file?.body).matchAll(/<script([^>]*)>([^<]+)</g)]
    t.deepEqual(
      inline.map(([, attributes, text]) => [attributes?.trim(), text]),
      [['type="importmap"', IMPORT_MAP]],
    )
  }
})

inBrowser('the bridge is all there is: two functions, and one listener', async (t) => {
  const on = await openPage(t)
  await on.hears('ready')
  const own = 'Object.getOwnPropertyNames(window)'
  const here = await on.page.evaluate<string[]>(own)
  const blank = await on.page.context().newPage()
  // Of a secure origin as well, so that both have the same of the browser.
  await blank.route('**/*', (route) => route.fulfill({ body: '<!doctype html>', contentType: 'text/html' }))
  await blank.goto(FOREIGN)
  const usual = new Set(await blank.evaluate<string[]>(own))
  t.deepEqual(
    // What drives the browser here adds this to every page that it listens to.
    here.filter((name) => !usual.has(name) && name !== '__playwright__binding__'),
    ['lets'],
  )
  t.deepEqual(await on.page.evaluate('Object.getOwnPropertyNames(lets).sort()'), ['listen', 'tell'])
  t.deepEqual(
    await on.page.evaluate('[typeof require, typeof process, typeof module, typeof Buffer, typeof exports]'),
    ['undefined', 'undefined', 'undefined', 'undefined', 'undefined'],
  )
  t.true(await on.page.evaluate('Object.isFrozen(lets)'))
  await t.throwsAsync(on.page.evaluate('lets.listen(() => {})'), { message: /there is a listener already/ })
})

inBrowser('a listener that is no function is refused, and hears no event', async (t) => {
  const on = await openPage(t, { lacks: /main\.js$/ })
  await t.throwsAsync(on.page.evaluate('lets.listen("x")'), { message: /no function/ })
  await t.throwsAsync(on.page.evaluate('lets.listen({ handleEvent() {} })'), {
    message: /no function|could not be cloned/,
  })
  await on.page.evaluate('globalThis.heard = []; lets.listen((...args) => { heard.push(args) })')
  await on.send({ type: 'ping', id: 1 })
  t.deepEqual(await on.page.evaluate('heard'), [[{ type: 'ping', id: 1 }]])
})

/** What the browser said it refused, of a try that must not work. */
async function refusals(on: TestedPage, script: string): Promise<{ result: unknown; refused: string[] }> {
  return on.page.evaluate(`(async () => {
    const refused = []
    // What DevTools runs may eval; what comes after it may not.
    await new Promise((done) => setTimeout(done))
    const note = ({ effectiveDirective }) => refused.push(effectiveDirective)
    document.addEventListener('securitypolicyviolation', note)
    let result
    try { result = await (async () => { ${script} })() } catch (error) { result = error.name }
    await new Promise((done) => setTimeout(done, 50))
    document.removeEventListener('securitypolicyviolation', note)
    return { result, refused: [...new Set(refused)] }
  })()`)
}

const adds = (tag: string, property: string, value: string) =>
  `return await new Promise((done) => {
    const element = document.createElement('${tag}')
    element.onload = () => done('loaded')
    element.onerror = () => done('error')
    element.${property} = '${value}'
    document.body.append(element)
    setTimeout(() => done('nothing'), 300)
  })`

inBrowser('the page runs and loads nothing but its own', async (t) => {
  const on = await openPage(t)
  await on.hears('ready')
  const asked: string[] = []
  let dialogs = 0
  on.page.on('dialog', (dialog) => {
    dialogs++
    void dialog.dismiss()
  })
  // What the policy refuses is no request: it does not come this far.
  await on.page.route(`${FOREIGN}/**`, (route) => {
    asked.push(route.request().url())
    return route.abort()
  })
  const tries: [what: string, script: string, directive: RegExp][] = [
    ['eval', 'return (0, eval)("1")', /script-src|trusted-types/],
    ['new Function', 'return new Function("return 1")()', /script-src|trusted-types/],
    [
      'a timer of text',
      'globalThis.done = 0; setTimeout("done = 1"); await new Promise((r) => setTimeout(r, 50)); return done',
      /script-src|trusted-types/,
    ],
    [
      'a remote script',
      `const s = document.createElement('script'); s.src = '${FOREIGN}/x.js'; document.body.append(s)`,
      /script-src|trusted-types/,
    ],
    ['a remote module', `return await import('${FOREIGN}/x.js')`, /script-src/],
    [
      'an inline script',
      `document.body.innerHTML = '<script>globalThis.inline = 1</script>'; return globalThis.inline`,
      /trusted-types/,
    ],
    [
      'an inline handler',
      `const i = document.createElement('b'); i.setAttribute('onclick', 'globalThis.inline = 1'); i.click(); return globalThis.inline`,
      /script-src|trusted-types/,
    ],
    [
      'an inline style',
      `const s = document.createElement('style'); s.textContent = 'canvas { opacity: 0 }'; document.head.append(s); return getComputedStyle(document.querySelector('canvas')).opacity`,
      /style-src/,
    ],
    ['a remote picture', adds('img', 'src', `${FOREIGN}/x.png`), /img-src/],
    ['a picture in a URL', adds('img', 'src', 'data:image/gif;base64,R0lGODlhAQABAAAAACw='), /img-src/],
    [
      'a remote style',
      `const l = document.createElement('link'); l.rel = 'stylesheet'; l.href = '${FOREIGN}/x.css'; document.head.append(l)`,
      /style-src/,
    ],
    [
      'a frame',
      `const f = document.createElement('iframe'); f.src = '${FOREIGN}/'; document.body.append(f)`,
      /frame-src/,
    ],
    [
      'a remote font',
      `return await new FontFace('x', 'url(${FOREIGN}/x.woff2)').load().then(() => 'loaded')`,
      /font-src/,
    ],
    [
      'fetch, also of its own',
      `return (await fetch('/overlay/hosts/electron/renderer/page.css')).status`,
      /connect-src/,
    ],
    ['a socket', `return new WebSocket('wss://elsewhere.example/').url`, /connect-src/],
    ['a beacon', `return navigator.sendBeacon('${FOREIGN}/')`, /connect-src/],
    [
      'a worker',
      `return typeof new Worker('/dist/overlay/hosts/electron/renderer/main.js')`,
      /worker-src|trusted-types/,
    ],
    [
      'a form',
      `const f = document.createElement('form'); f.action = '${FOREIGN}/'; document.body.append(f); f.submit()`,
      /^$|form-action/,
    ],
  ]
  for (const [what, script, directive] of tries) {
    const { result, refused } = await refusals(on, script)
    t.regex(refused.join(), directive, what)
    t.false(['loaded', 1, 200].includes(result as string), `${what}: ${result}`)
  }
  t.is(await on.page.evaluate('getComputedStyle(document.querySelector("canvas")).opacity'), '1')
  t.is(await on.page.evaluate('open("/overlay/hosts/electron/renderer/index.html")'), null, 'no window')
  t.is(on.page.context().pages().length, 1)
  await on.page.evaluate('alert(1), confirm(2), prompt(3), 0')
  t.is(dialogs, 0, 'no dialog')
  t.deepEqual(asked, [], 'nothing was even asked for')
})
