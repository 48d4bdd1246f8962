/**
 * Build tool: writes `protocol/schema/*.json` for other languages, the `*.generated.ts`, validators compiled
 * ahead of time so that start-up loads no schema compiler, and the test vectors as plain lines. `--check` writes nothing
 * and exits 1 when what is committed differs.
 */

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Ajv } from 'ajv'
import standaloneCode from 'ajv/dist/standalone/index.js'
import { HOST_ORDERS, HOST_REPORTS } from './host/orders-schema.js'
import { FROM_COMPANION, FROM_PAGE, TO_COMPANION, TO_PAGE } from './host/schema.js'
import { ManifestSchema } from './lip/manifest-schema.js'
import { DOWN_DATA, Envelope, Sent, UP_DATA } from './lip/schema.js'
import { REPLIES, REQUESTS } from './overlay/schema.js'
import { validatorName } from './shell/names.js'
import { SHELL_MESSAGES, SHELL_METHODS, SHELL_RECORDS } from './shell/schema.js'
import { TourSchema } from './tour/schema.js'

// Compiled, this file is dist/protocol/generate.js.
const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..')

/** A plain copy: the schema objects carry markers of the type builder that JSON does not. */
const plain = (schema: object): Record<string, unknown> => JSON.parse(JSON.stringify(schema))

function outputs(): Map<string, string> {
  const files = new Map<string, string>()
  const groups = { request: REQUESTS, reply: REPLIES }
  for (const [group, schemas] of Object.entries(groups)) {
    const definitions = Object.fromEntries(
      Object.entries(schemas).map(([type, schema]) => [type, plain(schema)]),
    )
    files.set(
      `protocol/schema/overlay-${group}.schema.json`,
      `${JSON.stringify(
        {
          $schema: 'http://json-schema.org/draft-07/schema#',
          title: `Lets overlay wire 0.2: ${group}`,
          description: 'Generated from protocol/overlay/schema.ts.',
          oneOf: Object.keys(definitions).map((type) => ({ $ref: `#/definitions/${type}` })),
          definitions,
        },
        null,
        2,
      )}\n`,
    )
  }
  // Apart, since a client needs only the second and starts quicker without the first.
  files.set('protocol/overlay/requests.generated.ts', validators(REQUESTS))
  files.set('protocol/overlay/replies.generated.ts', validators(REPLIES))
  files.set(
    'protocol/schema/tour.schema.json',
    `${JSON.stringify(
      {
        $schema: 'http://json-schema.org/draft-07/schema#',
        title: 'A tour of Lets',
        description: 'Generated from protocol/tour/schema.ts.',
        ...plain(TourSchema),
      },
      null,
      2,
    )}\n`,
  )
  // A file is written by hand: of all that is wrong with it, what says most is told.
  files.set('protocol/tour/tour.generated.ts', validators({ tour: TourSchema }, 'tour', true))
  files.set('protocol/host/orders.generated.ts', validators({ ...HOST_ORDERS, ...HOST_REPORTS }, 'host'))
  files.set(
    'protocol/host/page.generated.ts',
    validators({ ...TO_PAGE, ...FROM_PAGE, ...TO_COMPANION, ...FROM_COMPANION }, 'host'),
  )
  addLip(files)
  const methods = Object.fromEntries(
    Object.entries(SHELL_METHODS).map(([method, schema]) => [validatorName(method), schema]),
  )
  files.set('protocol/shell/shell.generated.ts', validators(methods, 'shell'))
  files.set('protocol/schema/shell.schema.json', shellSchema())
  for (const [name, lines] of vectorLines())
    files.set(`protocol/vectors/lines/${name}`, `${lines.join('\n')}\n`)
  return files
}

function addLip(files: Map<string, string>): void {
  files.set('protocol/lip/envelope.generated.ts', validators({ envelope: Envelope, sent: Sent }, 'lip'))
  files.set('protocol/lip/up.generated.ts', validators(asNames(UP_DATA), 'lip'))
  files.set('protocol/lip/down.generated.ts', validators(asNames(DOWN_DATA), 'lip'))
  files.set('protocol/lip/manifest.generated.ts', validators({ manifest: ManifestSchema }, 'lip', true))
  const all: Record<string, object> = {
    envelope: Envelope,
    sent: Sent,
    manifest: ManifestSchema,
  }
  const titles: Readonly<Record<string, string>> = {
    envelope: 'LIP v1: an envelope as every receiver gets it',
    sent: 'LIP v1: an envelope as a window may send it',
    manifest: 'LIP v1: unique.json',
  }
  for (const [name, schema] of Object.entries(all)) {
    const from = name === 'manifest' ? 'manifest-schema' : 'schema'
    files.set(
      `protocol/schema/lip-${name}.schema.json`,
      `${JSON.stringify(
        {
          $schema: 'http://json-schema.org/draft-07/schema#',
          title: titles[name],
          description: `Generated from protocol/lip/${from}.ts.`,
          ...plain(schema),
        },
        null,
        2,
      )}\n`,
    )
  }
  for (const [dir, data] of [
    ['up', UP_DATA],
    ['down', DOWN_DATA],
  ] as const) {
    files.set(
      `protocol/schema/lip-${dir}.schema.json`,
      `${JSON.stringify(
        {
          $schema: 'http://json-schema.org/draft-07/schema#',
          title: `LIP v1: data of each core message that goes ${dir}`,
          description: 'Generated from protocol/lip/schema.ts. One definition a type.',
          definitions: plain(data),
        },
        null,
        2,
      )}\n`,
    )
  }
}

/** `lip.hello` as a name that can be exported. */
function asNames(data: Readonly<Record<string, object>>): Record<string, object> {
  return Object.fromEntries(Object.entries(data).map(([type, schema]) => [type.replaceAll('.', '_'), schema]))
}

/** One file: the envelopes, the parameters of each method, and the records in results. */
function shellSchema(): string {
  const described = (schemas: Readonly<Record<string, object>>, suffix = '') =>
    Object.entries(schemas).map(([name, schema]) => [`${name}${suffix}`, plain(schema)])
  const schema = {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'Lets shell protocol 1.0',
    description: 'Generated from protocol/shell/schema.ts.',
    oneOf: Object.keys(SHELL_MESSAGES).map((name) => ({ $ref: `#/definitions/${name}` })),
    definitions: Object.fromEntries([
      ...described(SHELL_MESSAGES),
      ...described(SHELL_METHODS, ' params'),
      ...described(SHELL_RECORDS),
    ]),
  }
  return `${JSON.stringify(schema, null, 2)}\n`
}

interface Vector {
  readonly line?: string
  readonly message?: unknown
}

function vectorLines(): Map<string, string[]> {
  const folder = join(root, 'protocol', 'vectors')
  const lines = new Map<string, string[]>([
    ['requests.ndjson', []],
    ['replies.ndjson', []],
    ['refused.txt', []],
  ])
  const add = (name: string, vectors: readonly Vector[]) =>
    lines.get(name)?.push(...vectors.map(({ line, message }) => line ?? JSON.stringify(message)))
  for (const file of readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .sort()) {
    const { kind, good, bad } = JSON.parse(readFileSync(join(folder, file), 'utf8'))
    const isReply = kind in REPLIES
    add(isReply ? 'replies.ndjson' : 'requests.ndjson', good)
    if (!isReply) add('refused.txt', bad)
  }
  return lines
}

function validators(all: Readonly<Record<string, object>>, source = 'overlay', allErrors = false): string {
  const ajv = new Ajv({
    allErrors,
    schemas: Object.entries(all).map(([type, schema]) => ({ ...plain(schema), $id: type })),
    code: { source: true, esm: true, lines: true },
    strict: true,
    strictRequired: false,
    strictTypes: false,
    allowUnionTypes: true,
  })
  const code = (standaloneCode as unknown as (ajv: Ajv, refs: Record<string, string>) => string)(
    ajv,
    Object.fromEntries(Object.keys(all).map((type) => [type, type])),
  )
  // The generated module stands alone: ajv's one run-time helper is ours.
  const standalone = code.replaceAll('require("ajv/dist/runtime/ucs2length").default', 'codePoints')
  if (standalone.includes('require('))
    throw new Error('the generated validators need a helper that is not inlined')
  return [
    `// @ts-nocheck: generated by protocol/generate.ts from protocol/${source}/schema.ts; do not edit.`,
    ...(standalone.includes('codePoints')
      ? [`import { codePoints } from '${source === 'overlay' ? '.' : '../overlay'}/codepoints.js'`]
      : []),
    standalone,
    '',
  ].join('\n')
}

let drifted = false
for (const [file, content] of outputs()) {
  const path = join(root, file)
  if (!process.argv.includes('--check')) {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, content)
    continue
  }
  let committed: string | null = null
  try {
    committed = readFileSync(path, 'utf8')
  } catch {
    // Missing counts as drifted.
  }
  if (committed !== content) {
    drifted = true
    process.stderr.write(`${file} is not what its source says: run \`node dist/protocol/generate.js\`\n`)
  }
}
process.exitCode = drifted ? 1 : 0
