/** `unique.json` as JSON Schema (draft 7), the single source. What a schema cannot say is in manifest.ts. */
import Type, { type Static } from 'typebox'
import { DOMAIN_PATTERN, NAME_PATTERN, TYPE_PATTERN } from './domains.js'
import { LIP_LIMITS } from './limits.js'

const opt = Type.Optional
const File = Type.String({ minLength: 1, maxLength: 500, description: 'a path inside the folder, with /' })
const Line = Type.String({ minLength: 1, maxLength: LIP_LIMITS.word })
const MessageType = Type.String({ maxLength: LIP_LIMITS.type, pattern: TYPE_PATTERN })

const Declared = Type.Record(
  Type.String(),
  Type.Object({
    summary: opt(Type.String({ maxLength: 500 })),
    schema: opt(File),
  }),
)

export const ManifestSchema = Type.Object({
  $schema: opt(Type.String()),
  lip: Type.Integer({ description: 'the major version of LIP: 1' }),
  name: Type.String({ pattern: NAME_PATTERN }),
  version: Type.String({ maxLength: 64, pattern: '^\\d+\\.\\d+\\.\\d+([-+][0-9A-Za-z.+-]+)?$' }),
  title: Line,
  description: opt(Type.String({ maxLength: 500 })),
  entry: File,
  guide: opt(File),
  icon: opt(File),
  domains: Type.Array(Type.String({ pattern: DOMAIN_PATTERN }), { minItems: 1, maxItems: 16 }),
  capabilities: opt(Type.Array(Line, { maxItems: 64 })),
  events: opt(Declared),
  commands: opt(Declared),
  permissions: opt(
    Type.Object({
      'fs.write': opt(Type.Array(Line, { maxItems: 16 })),
      net: opt(Type.Array(Line, { maxItems: 64 })),
      exec: opt(Type.Array(Type.String({ pattern: '^[a-z][a-z0-9+#._-]{0,31}$' }), { maxItems: 32 })),
    }),
  ),
  session: opt(
    Type.Object({
      export: opt(MessageType),
      snapshot: opt(MessageType),
      restore: opt(MessageType),
    }),
  ),
  author: opt(Type.Union([Line, Type.Object({ name: Line, url: opt(Line), email: opt(Line) })])),
  license: opt(Line),
  repository: opt(Type.Union([Line, Type.Object({ url: Line })])),
  engine: opt(Type.String({ maxLength: 64, description: 'the least version of the host: >=0.1.0' })),
})

/** What a unique says of itself. Keys that nobody knows are kept, and ignored. */
export type Manifest = Static<typeof ManifestSchema>
