import test from 'ava'
import type { Unique } from './folder.js'
import { DeclaredSchemas } from './schemas.js'

test('every pattern of a schema counts for its own field, and a refusal names it', (t) => {
  const schema = {
    type: 'object',
    properties: { id: { type: 'string', pattern: '^[a-z]+$' }, url: { type: 'string', pattern: '^/lip/' } },
  }
  const unique = {
    manifest: { events: { 'x.said': { schema: 'said.json' } } },
    schemas: { up: new Map([['x.said', schema]]), down: new Map() },
  } as unknown as Unique
  const schemas = new DeclaredSchemas(unique)
  t.notThrows(() => schemas.check('up', 'x.said', { id: 'abc', url: '/lip/x' }))
  t.throws(() => schemas.check('up', 'x.said', { id: 'abc', url: 'abc' }), {
    message: /url must match \^\/lip\//,
  })
  t.throws(() => schemas.check('up', 'x.said', { id: '/lip/', url: '/lip/x' }), {
    message: /id must match \^\[a-z\]\+\$/,
  })
})
