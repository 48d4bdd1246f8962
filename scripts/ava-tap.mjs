// Loaded into ava before it starts. Its TAP reporter dies of a test that hangs or exits, taking with it the
// report of every other test (github.com/avajs/ava/issues/3461): for the errors it makes up itself it looks
// for an `originalError` that they do not have. Here they are their own. Delete this when that is mended.

// Only in ava itself, not in the processes it starts for the tests.
if (/[\\/]ava[\\/].*cli\.mjs$/.test(process.argv[1] ?? '')) {
  Object.defineProperty(Error.prototype, 'originalError', {
    configurable: true,
    get() {
      return this
    },
  })
}
