/** docs/lip.md is what the protocol is. */
import test from 'ava'
import { DOWN_MESSAGES, RESERVED_DOMAINS, UP_MESSAGES } from '../../protocol/lip/domains.js'
import { LIP_ERRORS } from '../../protocol/lip/errors.js'
import { MANIFEST_RULES } from '../../protocol/lip/manifest.js'
import { readPage, rows, section, spans } from '../support/pages.js'

const page = readPage('docs/lip.md')

test('docs/lip.md: every error with its status, and no other', (t) => {
  const listed = rows(section(page, '## Errors')).map(([code = '', status = '', when = '']) => [
    code.replaceAll('`', ''),
    [Number(status), when],
  ])
  t.deepEqual(
    Object.fromEntries(listed),
    Object.fromEntries(Object.entries(LIP_ERRORS).map(([code, { status, when }]) => [code, [status, when]])),
  )
})

test('docs/lip.md: every core message, every reserved domain, every rule', (t) => {
  const named = rows(section(page, '## Messages')).flatMap(([types = '']) =>
    [...types.matchAll(/`([\w.]+)`/g)].map(([, type]) => type),
  )
  const inText = spans(section(page, '## Messages')).map((span) => span.split(' ')[0])
  for (const type of [...Object.keys(UP_MESSAGES), ...Object.keys(DOWN_MESSAGES)])
    t.true(named.includes(type) || inText.includes(type), type)
  for (const type of named) t.true(type !== undefined && (type in UP_MESSAGES || type in DOWN_MESSAGES), type)
  for (const domain of RESERVED_DOMAINS) t.true(spans(section(page, '## Domains')).includes(domain), domain)
  const rules = [...section(page, '## The manifest').matchAll(/^(\d)\. /gm)].map(([, rule]) => Number(rule))
  t.deepEqual([0, ...rules], Object.keys(MANIFEST_RULES).map(Number))
})
