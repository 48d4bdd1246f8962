#!/usr/bin/env node
// There before anything is built, so that npm can link it in a fresh clone, and says what is missing then.
try {
  await import('../dist/daemon/cli/main.js')
} catch (error) {
  if (error.code !== 'ERR_MODULE_NOT_FOUND' || !String(error.message).includes('main.js')) throw error
  process.stderr.write('lets: this clone is not built yet; run `npm start` (or `npm run build`) once\n')
  process.exitCode = 1
}
