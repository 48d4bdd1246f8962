import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test from 'ava'
import { MarkerScanner } from './marker.js'
import { findProgram } from './posix.js'
import { STREAM_DIALECTS, type StreamDialect, StreamShell } from './windows.js'

test('the marker is found however the stream is cut, and what is not one is output', (t) => {
  const stream = Buffer.from('out lets-12 lets-123x lets-1234 7\r\nlate')
  for (let size = 1; size <= stream.length; size++) {
    const out: Buffer[] = []
    const scanner = new MarkerScanner('lets-1234 ', (bytes) => out.push(Buffer.from(bytes)))
    let status: string | null = null
    for (let at = 0; at < stream.length; at += size) status ??= scanner.push(stream.subarray(at, at + size))
    t.is(status, '7', String(size))
    t.is(Buffer.concat(out).toString(), 'out lets-12 lets-123x ')
  }
})

test('a stream that ends within a marker gives back what it kept', (t) => {
  const out: Buffer[] = []
  const scanner = new MarkerScanner('lets-1234 ', (bytes) => out.push(Buffer.from(bytes)))
  t.is(scanner.push(Buffer.from('x lets-12')), null)
  scanner.rest()
  t.is(Buffer.concat(out).toString(), 'x lets-12')
})

test('what PowerShell and cmd are told names the file, the input and the marker', (t) => {
  const { powershell, cmd } = STREAM_DIALECTS
  const told = powershell.call("C:\\it's.ps1", null, 'cmd_1', 'M ')
  t.true(told.includes("$null | . 'C:\\it''s.ps1'"), told)
  t.true(told.includes('[Console]::Out.Write("M $LetsCode`n")'), told)
  t.true(powershell.call('a.ps1', 'in', 'cmd_1', 'M ').includes("Get-Content -Raw 'in' | . 'a.ps1'"))
  const lines = cmd.call('C:\\a b.cmd', null, 'cmd_1', 'M ').split('\r\n')
  t.deepEqual(lines.slice(1, 4), ['call "C:\\a b.cmd" <nul', 'echo M %errorlevel%', 'echo M 0 1>&2'])
})

/** The machinery of the Windows shells, with one that runs here. */
const DIALECT: StreamDialect = {
  programs: ['sh'],
  args: ['-s'],
  suffix: 'sh',
  prologue: ':\n',
  call: (file, input, _id, marker) =>
    `command . '${file}' <'${input ?? '/dev/null'}'; lets=$?; printf '%s\\n' "${marker}$lets"; printf '%s\\n' '${marker}0' >&2\n`,
}

test('commands through a shell’s own streams: output, status, input, its end', async (t) => {
  const program = findProgram('sh') ?? 'sh'
  const folder = mkdtempSync(join(tmpdir(), 'lets-shell-test-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  let exits = 0
  const shell = await StreamShell.start(DIALECT, {
    ...{ program, cwd: folder, env: process.env, folder, fifos: null as never },
    onExit: () => {
      exits++
    },
    onLate: () => {},
  })
  const run = async (text: string, input: string | null = null) => {
    const out = { stdout: '', stderr: '' }
    const end = await shell.run({
      ...{ id: 'cmd_1', text, input },
      output: (name, bytes) => {
        out[name] += bytes.toString()
      },
    })
    return { ...out, ...end }
  }
  t.deepEqual(await run('printf out; echo err >&2; x=1'), {
    stdout: 'out',
    stderr: 'err\n',
    exitCode: 0,
    shell: null,
  })
  t.like(await run('echo $x; cat; (exit 4)', 'in'), { stdout: '1\nin', exitCode: 4 })
  t.like(await run('cat'), { stdout: '', exitCode: 0 })
  t.like(await run('echo last; exit 5'), { stdout: 'last\n', exitCode: 5, shell: { code: 5, signal: null } })
  t.is(exits, 1)
})
