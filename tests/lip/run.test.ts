/** Code of a unique, run by the shell service once the person has allowed it. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'ava'
import { ask, Page, served, until } from './support.js'

test.serial(
  'refused until the person allows it; then its output streams to the window that asked',
  async (t) => {
    const lets = await served(t)
    const { token } = await lets.open()
    const page = await Page.connect(lets.port, token)
    const run = (body: object, with_token = token) =>
      ask('/lip/run', {
        port: lets.port,
        method: 'POST',
        headers: { authorization: `Bearer ${with_token}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
    const code = 'import sys\nprint("one")\nprint("two", file=sys.stderr)\nsys.exit(3)'
    const refused = await run({ language: 'python', code })
    t.is(refused.status, 403)
    t.is(refused.json.error.code, 'not_permitted')
    t.regex(refused.json.error.message, /`lets allow probe python`/)
    t.is((await run({ language: 'bash', code: 'id' })).json.error.code, 'not_permitted', 'rule 8')
    t.is((await run({ language: 'python', code }, lets.file.token)).status, 401, 'the operator is no window')
    t.false(existsSync(join(lets.home, 'lip', 'shell')), 'nothing was started')

    t.is(
      (await lets.operator('/lip/allow', { unique: 'probe', language: 'bash', answer: 'allow' })).status,
      400,
    )
    t.is(
      (await lets.operator('/lip/allow', { unique: 'probe', language: 'python', answer: 'allow' })).status,
      200,
    )
    t.deepEqual(JSON.parse(readFileSync(join(lets.home, 'allow.json'), 'utf8')), {
      probe: { python: 'allow' },
    })
    const started = await run({ language: 'python', code })
    t.is(started.status, 202)
    const end = await page.next('host.run.end')
    t.deepEqual(end.data, { run: started.json.run, exit_code: 3 })
    // In how many pieces it comes is the pipe's business.
    const said = (stream: string) =>
      page.all
        .filter(({ type, data }) => type === 'host.run.output' && data.stream === stream)
        .map(({ data }) => data.text)
        .join('')
    t.deepEqual([said('stdout'), said('stderr')], ['one\n', 'two\n'])

    const before = page.all.length
    await run({ language: 'python', code: 'import time\nwhile True: time.sleep(1)', timeout_ms: 500 })
    t.like((await page.next('host.run.end', before)).data, { timed_out: true })

    const mark = join(lets.home, 'mark')
    await run({
      language: 'python',
      code: `import os,time\nopen(${JSON.stringify(mark)},'w').write(str(os.getpid()))\ntime.sleep(600)`,
    })
    await until(() => existsSync(mark) && readFileSync(mark, 'utf8') !== '')
    const pid = Number(readFileSync(mark, 'utf8'))
    await lets.operator('/lip/close', { window: 'w1' })
    await until(
      () => !existsSync(`/proc/${pid}`) || readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z '),
    )
    await until(() => readdirSync(join(lets.home, 'lip', 'shell', 'runs')).length === 0)
    t.pass('a window that goes ends what it has running, and nothing of it is left')
  },
)
