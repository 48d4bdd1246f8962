import test from 'ava'

test('a Rust that is not there is said to be so, and is no fault of the sources', async (t) => {
  const { excuse } = await import(new URL('../../../scripts/native.mjs', import.meta.url).href)
  for (const said of [
    "error: rustup could not choose a version of cargo to run, because one wasn't specified explicitly, and no default is configured.",
    "error: toolchain 'stable-x86_64-unknown-linux-gnu' is not installed",
  ]) {
    const [, what] = excuse(said)
    t.is(what, 'Run: rustup default stable')
  }
  t.deepEqual(excuse('error[E0308]: mismatched types'), [])
})
