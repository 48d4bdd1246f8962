import { execFileSync } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import anyTest from 'ava'
import { findProgram } from '../../daemon/shell/backends/posix.js'
import { shellEnvironment } from '../../daemon/shell/quiet.js'
import { bench, living, sequential, zombiesOf } from './support.js'

// One at a time: they are held to times.
const test = anyTest.serial
/** Tells this run's processes from any other's. */
const OWN = `.${process.pid}`
const SHELLS = (['bash', 'sh', 'zsh'] as const).filter((kind) => findProgram(kind) !== null)

test('the shells that tests need are here', (t) => {
  t.true(SHELLS.includes('bash') && SHELLS.includes('sh'))
  if (!SHELLS.includes('zsh')) t.log('zsh is not here: its tests do not run')
})

for (const kind of SHELLS) {
  test(`H1: ${kind}: a heredoc, then echo: both right, each under 1 s`, async (t) => {
    const { run } = await bench(t, kind)
    const started = performance.now()
    const first = await run("cat <<'END'\none $HOME\n'two'\nEND")
    t.is(first.stdout, "one $HOME\n'two'\n")
    t.like(first.command, { status: 'completed', exit_code: 0 })
    t.is((await run('echo ok')).stdout, 'ok\n')
    t.true(performance.now() - started < 1000)
  })

  test(`H2: ${kind}: whatever is left open is a result or a syntax error, and the next command works`, async (t) => {
    const { run } = await bench(t, kind)
    for (const [text, exit] of [
      ['echo a # and a comment', 0],
      ['sleep 30 &', 0],
      ['echo "open', 'error'],
      ["echo 'open", 'error'],
      ['echo $(open', 'error'],
      ['cat <<END\nno end', 0],
      ['echo a \\', 0],
      ['for i in 1 2', 'error'],
      ['if true; then', 'error'],
      ['echo )', 'error'],
      ['}', 'error'],
      ['break', 'any'],
      ['continue', 'any'],
    ] as const) {
      const started = performance.now()
      const { command, stderr } = await run(text)
      t.true(performance.now() - started < 15_000, text)
      if (exit === 0) t.is(command.exit_code, 0, text)
      if (exit === 'error') {
        t.is(command.status, 'failed', text)
        t.not(stderr, '', text)
      }
      const next = await run('echo next')
      t.is(next.stdout, 'next\n', text)
      t.is(next.stderr, '', text)
    }
  })

  test(`H3: ${kind}: reading without input finds the end at once, and nothing of the wrapper`, async (t) => {
    const { run } = await bench(t, kind)
    for (const text of [
      'cat',
      'head -1',
      'read x; printf %s "$x"',
      'while read line; do echo "$line"; done',
    ]) {
      const { stdout, stderr, command } = await run(text)
      t.deepEqual([stdout, stderr], ['', ''], text)
      t.not(command.exit_code, null)
      t.is((await run('echo next')).stdout, 'next\n')
    }
    t.is((await run('cat; cat', { input: 'given\n' })).stdout, 'given\n')
    t.is((await run('cat')).stdout, '')
  })

  test(`H4: ${kind}: what ends the shell has its exit code, the reset is told, and later commands go on`, async (t) => {
    const { run, service, session } = await bench(t, kind)
    await run('lost=1; cd /')
    for (const [text, code] of [
      ['exit 3', 3],
      ['exec true', 0],
      ['set -e; false; echo not here', 1],
      ['kill -9 $$', 137],
    ] as const) {
      const { command, stdout } = await run(text)
      t.is(command.exit_code, code, text)
      t.is(command.status, code === 0 ? 'completed' : 'failed')
      t.is(stdout, '')
      t.like(command.metadata.session_reset, { reason: 'ended_by_command', command_id: command.id })
      const next = await run('echo "next$lost"; pwd')
      t.regex(next.stdout, /^next\n\/.*lets-shell-test-/)
      t.like(next.command.metadata.session_reset_before, { command_id: command.id })
      t.is((await run('true')).command.metadata.session_reset_before, undefined)
    }
    const told = service.sessionEvents({ session_id: session }).map(({ event_type }) => event_type)
    t.deepEqual(told, ['session_started', ...Array(4).fill('session_reset')])
    t.is(service.sessionSnapshot({ session_id: session }).metadata.resets, 4)
  })

  test(`${kind}: a session is a shell: directory, variables and functions stay`, async (t) => {
    const { run } = await bench(t, kind)
    await run('cd /usr; kept="a b"; export LETS_T=1; f() { echo "f $1"; }')
    t.is((await run('pwd; echo "$kept"; f x; sh -c \'echo $LETS_T\'')).stdout, '/usr\na b\nf x\n1\n')
  })

  test(`${kind}: a command may redefine what the wrapper is made of`, async (t) => {
    const { run } = await bench(t, kind)
    await run('eval() { echo mine; }; printf() { echo mine; }; alias printf=false')
    await run('exec 1>/dev/null; exec 0</dev/zero; set -u')
    const { stdout, command } = await run('echo it works; false')
    t.is(stdout, 'it works\n')
    t.is(command.exit_code, 1)
  })
}

for (const kind of SHELLS)
  test(`${kind}: whatever a session redefines or sets, the next command runs, or the reset is told; exit codes are right`, async (t) => {
    const { run } = await bench(t, kind)
    const functions = ['exec', 'eval', 'builtin', 'command', 'printf', 'exit', 'cd', 'test', 'true']
    const texts = [
      ...functions.map((name) => `${name}() { echo mine; return 9; }`),
      `${functions.map((name) => `${name}() { :; }`).join('; ')}; readonly -f ${functions.join(' ')}`,
      ...functions.map((name) => `alias ${name}='echo '`),
      `${kind === 'bash' ? 'shopt -s expand_aliases; ' : ''}alias if=false exec=false builtin=: command=: eval=: true=:`,
      ...[
        'set -u',
        'set -e',
        'set -n',
        'set -f',
        'set -C',
        'set -x',
        'set -v',
        'set -a',
        'set -r',
        'set -k',
        'set -m',
      ],
      ...['IFS=0123456789abcdefn', 'PATH=', 'unset PATH', 'LC_ALL=xx_YY.none', 'PS4="$(echo x)"; set -x'],
      ...['enable -n builtin', 'enable -n printf', 'enable -n exec eval command', 'POSIXLY_CORRECT=1'],
      ...['readonly LETS_SHELL_COMMAND=1', 'export LETS_SHELL_COMMAND=other', 'trap "echo d" DEBUG'],
      ...['trap "exit 5" EXIT; exit 3', 'trap "" TERM INT HUP', 'ulimit -n 4', 'ulimit -f 0', 'umask 777'],
      ...['exec >&- 2>&- <&-', 'exit 3 4', 'return 3', 'break 5', 'kill -HUP $$', 'cd /; PWD=/none'],
    ]
    for (const text of texts) {
      const { command } = await run(text, { timeout_seconds: 10 })
      t.not(command.status, 'timed_out', text)
      const next = await run('echo next', { timeout_seconds: 10 })
      t.regex(next.stdout, /(^|\n)next\n/, text)
      t.is(next.command.status, 'completed', text)
      t.is('session_reset' in command.metadata, 'session_reset_before' in next.command.metadata, text)
      // So that the next text finds a shell as it was.
      await run('kill -9 $$')
    }
    for (const [text, code] of [
      ['trap "exit 5" EXIT; exit 3', 5],
      [kind === 'sh' ? 'alias exec=true; (exit 7)' : 'exec() { :; }; alias exec=true; (exit 7)', 7],
      ['set -u; (exit 9)', 9],
      ['exit 3 4', kind === 'sh' ? 3 : 1],
    ] as const)
      t.is((await run(text)).command.exit_code, code, text)
  })

test('what a trace or an echo of lines tells is the command, not what is around it', async (t) => {
  const { run } = await bench(t)
  await run('set -x')
  t.is((await run('echo hi')).stderr, '++ echo hi\n+ command exec\n')
  await run('set +x; set -v')
  t.is((await run('echo hi')).stderr, 'echo hi\n')
})

test('bash survives texts that end inside of a substitution, which damage its memory', async (t) => {
  const { run } = await bench(t)
  await run('kept=1; shopt -s extglob')
  for (const text of [
    'echo $(open',
    'x=$(cat <<E\nfoo',
    'cat <(open',
    'echo $(case x in a) echo',
    '$(',
    'f() { echo $(open',
  ]) {
    const { command, stderr } = await run(text)
    t.is(command.status, 'failed', text)
    t.not(stderr, '', text)
    for (const next of [
      'ls / >/dev/null',
      'x=$(echo 1); echo "$x"',
      'cat <<E\n$(echo a)\nE',
      'echo @($(echo "a)")|b)',
    ])
      t.is((await run(next)).command.metadata.session_reset, undefined, `${text}, then ${next}`)
  }
  t.is((await run('echo "$kept$(echo ")")"')).stdout, '1)\n')
})

test('a command may use any descriptor, also those the shell keeps for itself, and write into what it finds', async (t) => {
  const { run } = await bench(t)
  for (const fd of [3, 9, 10, 11, 12, 13, 14, 63, 199, 254]) {
    const own = await run(`exec ${fd}>own; echo hi >&${fd}; cat own`)
    t.is(own.stdout, 'hi\n', String(fd))
    t.is((await run('echo next')).stdout, 'next\n', String(fd))
    await run(`printf 'abc 0' >&${fd}; read -t 0.05 x <&${fd}`)
    const next = await run('echo next')
    t.deepEqual([next.stdout, next.command.metadata], ['next\n', {}], String(fd))
  }
  // 255 is where bash reads its script: it does not give it away, here as in any script.
  for (const fd of [10, 11, 12, 13, 14, 15, 255]) {
    const { run: fresh } = await bench(t)
    const { command } = await fresh(`printf 'abc 0' >&${fd}; true`, { timeout_seconds: 10 })
    t.is(command.status, 'completed', String(fd))
    t.is((await fresh('echo next')).stdout, 'next\n')
  }
})

test('the text of a marker in the output, or of a whole report, is output', async (t) => {
  const { run, start, ended } = await bench(t)
  const first = start(
    'sleep 0.2; cat /proc/$$/cmdline | tr "\\0" " "; printf "%s 0" 0123456789abcdef01234567',
  )
  t.regex((await ended(first)).stdout, /^bash --noprofile --norc bash 0123456789abcdef01234567 0$/)
  t.is((await run('printf "\\n"; printf x')).stdout, '\nx')
})

test('H5: cancel ends a group, what left it, and what ignores SIGTERM: none alive after 3 s, no zombie', async (t) => {
  const { start, service, run } = await bench(t)
  await run(`sleep 986${OWN} &`)
  const id = start(
    `sleep 987${OWN} & setsid sleep 988${OWN} & (trap '' TERM; sleep 989${OWN}); env -i sleep 990${OWN}`,
  )
  const names = [`sleep 987${OWN}`, `sleep 988${OWN}`, `sleep 989${OWN}`]
  while (names.some((name) => living(name).length === 0)) await new Promise((done) => setTimeout(done, 5))
  const started = performance.now()
  const snapshot = await service.cancel({ command_id: id, reason: 'enough' })
  t.true(performance.now() - started < 3000)
  t.deepEqual([snapshot.status, snapshot.exit_code, snapshot.metadata.reason], ['canceled', null, 'enough'])
  for (const name of [...names, `sleep 990${OWN}`]) t.deepEqual(living(name), [], name)
  t.deepEqual(zombiesOf(process.pid), [])
  // What an earlier command left in the background is not its business.
  t.is(living(`sleep 986${OWN}`).length, 1)
  t.like(snapshot.metadata.session_reset, { reason: 'canceled' })
  t.is((await run('echo next')).stdout, 'next\n')
  await service.closeSession({ session_id: snapshot.session_id })
  t.deepEqual(living(`sleep 986${OWN}`), [])
})

test('a builtin that never ends is canceled too', async (t) => {
  const { start, service, run } = await bench(t)
  const id = start('while :; do :; done')
  t.is((await service.cancel({ command_id: id })).status, 'canceled')
  t.is((await run('echo next')).stdout, 'next\n')
})

test('H6: of three queued commands the first times out: the others run, in order, and know of the lost state', async (t) => {
  const { start, ended } = await bench(t)
  const ids = [
    start('sleep 60', { timeout_seconds: 0.2 }),
    start('echo two; date +%s%N > two'),
    start('echo three; date +%s%N > three; [ two -ot three ] || [ "$(cat two)" -le "$(cat three)" ]'),
  ]
  const [first, second, third] = [await ended(ids[0]!), await ended(ids[1]!), await ended(ids[2]!)]
  t.is(first.command.status, 'timed_out')
  t.regex(String(first.command.metadata.reason), /longer than 0.2 s/)
  t.like(first.command.metadata.session_reset, { reason: 'timed_out' })
  t.like(second.command.metadata.session_reset_before, { command_id: ids[0] })
  t.deepEqual([second.stdout, third.stdout], ['two\n', 'three\n'])
  t.is(third.command.exit_code, 0)
  t.true(Date.parse(second.command.ended_at!) <= Date.parse(third.command.started_at!))
})

test('H7: no editor, pager or terminal can hang it', async (t) => {
  const { run } = await bench(t)
  const repo = mkdtempSync(join(tmpdir(), 'lets-shell-test-git-'))
  const git = (...args: string[]) => execFileSync('git', ['-C', repo, ...args], { stdio: 'ignore' })
  git('init', '-q')
  git('config', 'user.name', 'x')
  git('config', 'user.email', 'x@example.org')
  writeFileSync(join(repo, 'a'), 'a\n'.repeat(2000))
  git('add', '.')
  git('commit', '-qm', 'first')
  writeFileSync(join(repo, 'b'), 'b')
  git('add', '.')
  for (const [text, says] of [
    [`cd ${repo}; git commit`, /editor/],
    ['git log -p', /first/],
    ['git rebase -i HEAD', /./],
    ['sudo -k true; echo "ended $?"', /ended/],
    ['read x </dev/tty', /dev\/tty/],
    ['stty -a', /./],
    ['crontab -e || visudo || ed x', /./],
    ['less a', /./],
    ['vim a || true', /not (to|from) a terminal/],
    ['SUDO_EDITOR=vim ssh -o BatchMode=no -p 1 localhost', /./],
    ['top', /./],
    ['python3 || true', /^$/],
    ['man man | head -1', /./],
    [`rm -rf ${repo}; echo gone`, /gone/],
  ] as const) {
    const started = performance.now()
    const { stdout, stderr, command } = await run(text, { timeout_seconds: 60 })
    t.true(performance.now() - started < 30_000, text)
    t.not(command.status, 'timed_out', text)
    t.regex(stdout + stderr, says, text)
  }
})

test('H7: an editor that reads its keys from stderr is told that there is no terminal, wherever it was started', async (t) => {
  const { run } = await bench(t)
  // As vim has it when its input is at its end: that is stderr then, and never ready.
  const editor = `perl -e 'syswrite STDERR, "here"; open STDIN, "<&=", 0; my $r = ""; vec($r, 0, 1) = 1; select $r, undef, undef, undef' 0>&2`
  for (const text of [editor, `setsid -w ${editor}`]) {
    const started = performance.now()
    const { command, stderr } = await run(text, { timeout_seconds: 60 })
    t.true(performance.now() - started < 30_000)
    t.is(command.exit_code, 129)
    t.like((command.metadata.no_terminal_for as unknown[])[0], { name: 'perl' })
    t.regex(stderr, /^here/)
  }
  // What only waits is left alone, also with that on its stdin while it has children.
  t.like((await run('sleep 1.6; sh -c "sleep 1.6; exit 4" 0>&2')).command, { status: 'failed', exit_code: 4 })
})

test('editors, pagers and askpass windows of the person’s are not for a shell that nobody sits at', (t) => {
  const given = {
    SUDO_EDITOR: 'vim',
    KUBE_EDITOR: 'code -w',
    FCEDIT: 'vi',
    AWS_PAGER: 'less',
    GIT_ASKPASS: '/x',
    EDITORS: 'kept',
  }
  t.like(shellEnvironment('shd_1', 'sess_1', given), {
    ...{ SUDO_EDITOR: 'false', KUBE_EDITOR: 'false', FCEDIT: 'false', AWS_PAGER: 'cat' },
    ...{ GIT_ASKPASS: 'false', SSH_ASKPASS_REQUIRE: 'never', EDITORS: 'kept' },
  })
})

test('H13: a character split across two writes is whole, on both streams', async (t) => {
  const { run } = await bench(t)
  const split = "printf '\\342\\202'; sleep 0.1; printf '\\254-\\360\\237'; sleep 0.05; printf '\\230\\200'"
  const { stdout, stderr, events, command } = await run(`${split}; { ${split}; } >&2`)
  t.deepEqual([stdout, stderr], ['€-😀', '€-😀'])
  for (const { text, metadata } of events) {
    t.false(text.includes('\ufffd'))
    t.is(metadata.base64, undefined)
  }
  t.deepEqual([command.stdout_tail, command.stderr_tail], ['€-😀', '€-😀'])
  sequential(t, events)
})

test('bytes that are no text are exact beside their text', async (t) => {
  const { run } = await bench(t)
  const { events, stdout } = await run("printf 'a\\377\\0b\\r\\n\\342\\202'")
  const [out] = events.filter(({ event_type }) => event_type === 'stdout')
  t.true(stdout.startsWith('a\ufffd\0b\r\n'))
  const bytes = events
    .filter(({ event_type }) => event_type === 'stdout')
    .map(({ text, metadata }) =>
      Buffer.from((metadata.base64 as string) ?? text, metadata.base64 ? 'base64' : 'utf8'),
    )
  t.deepEqual(Buffer.concat(bytes), Buffer.from('a\xff\0b\r\n\xe2\x82', 'latin1'))
  t.truthy(out?.metadata.base64)
})

test('stdout and stderr come in the order they were written, where there is time between', async (t) => {
  const { run } = await bench(t)
  const { events } = await run('for i in 1 2 3; do echo o$i; sleep 0.03; echo e$i >&2; sleep 0.03; done')
  const said = events.filter(({ text }) => text !== '').map(({ text }) => text.trim())
  t.deepEqual(said, ['o1', 'e1', 'o2', 'e2', 'o3', 'e3'])
})

test('a background child that holds stdout keeps nobody waiting, and is not heard in the next command', async (t) => {
  const { run, service, session } = await bench(t)
  const started = performance.now()
  t.is((await run('(sleep 0.3; echo late; sleep 20) & echo now')).stdout, 'now\n')
  t.true(performance.now() - started < 15_000)
  t.is((await run('sleep 0.5; echo own')).stdout, 'own\n')
  t.is(service.sessionSnapshot({ session_id: session }).metadata.late_output_bytes, 5)
})

test('H8: `yes` ends with its time limit; what is over the cap is a gap that says how many bytes', async (t) => {
  const cap = 4 * 1024 * 1024
  const { run } = await bench(t, 'bash', { limits: { outputBytes: cap } })
  const before = process.memoryUsage().rss
  const { command, events } = await run('yes', { timeout_seconds: 1 })
  t.is(command.status, 'timed_out')
  const more = await run("head -c 200M /dev/zero | tr '\\0' a")
  t.true(process.memoryUsage().rss - before < 150 * 1024 * 1024)
  const kept = (ran: typeof more) =>
    ran.events
      .filter(({ event_type }) => event_type === 'stdout')
      .reduce((sum, { text }) => sum + text.length, 0)
  const gaps = more.events.filter(({ event_type }) => event_type === 'gap')
  const dropped = gaps.reduce((sum, { metadata }) => sum + Number(metadata.dropped_bytes ?? 0), 0)
  t.is(kept(more) + dropped, 200 * 1024 * 1024)
  t.true(kept(more) >= cap && kept(more) < cap + 1024 * 1024)
  t.true(
    events.some(({ event_type, metadata }) => event_type === 'gap' && Number(metadata.dropped_bytes) > 0),
  )
  sequential(t, more.events)
  t.is(more.command.stdout_tail, 'a'.repeat(64 * 1024))
})

test('20 MB are exact: text, hash, tail and count', async (t) => {
  const { run } = await bench(t)
  const { command, stdout, events } = await run('seq 1 2700000')
  const expected = `${Array.from({ length: 2_700_000 }, (_, index) => index + 1).join('\n')}\n`
  t.true(stdout === expected)
  const { createHash } = await import('node:crypto')
  t.is(command.output_hash, createHash('sha256').update(expected).digest('hex'))
  t.is(command.stdout_tail, expected.slice(-64 * 1024))
  t.is(command.event_count, events.length)
  t.is(command.stdout_event_count, events.length - 2)
})

test('silence is told by heartbeats', async (t) => {
  const { run } = await bench(t, 'bash', { limits: { heartbeatMs: 50 } })
  const { events, command } = await run('sleep 0.28; echo x')
  const beats = events.filter(({ event_type }) => event_type === 'heartbeat').length
  const took = Date.parse(command.ended_at!) - Date.parse(command.started_at!)
  t.true(beats >= 3 && beats <= took / 50 + 1, `${beats} in ${took} ms`)
  sequential(t, events)
})

test('a long command goes by a file and is the same; 10 MB run', async (t) => {
  const { run } = await bench(t)
  t.is((await run(`x=${'a'.repeat(5000)}; echo \${#x}; echo 'it'"'"'s'`)).stdout, "5000\nit's\n")
  const big = `: '${'b'.repeat(10 * 1024 * 1024)}'; echo done`
  t.is((await run(big)).stdout, 'done\n')
})
