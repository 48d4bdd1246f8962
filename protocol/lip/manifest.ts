/** `unique.json` to a manifest, or to everything that is wrong with it: the file, the key and the rule. */
import { explain, fieldName, show } from '../overlay/explain.js'
import type { ValidationFault } from '../overlay/requests.js'
import { CAPABILITIES, domainOf, isReserved, TYPE_PATTERN } from './domains.js'
import { duplicateKey } from './json.js'
import { LIP_LIMITS } from './limits.js'
import * as validators from './manifest.generated.js'
import type { Manifest } from './manifest-schema.js'
import { isPin, LIP_MAJOR, satisfies } from './version.js'

export const MANIFEST_FILE = 'unique.json'

/**
 * The rules a host enforces, as LIP numbers them; 0 is what comes before them: that the file is JSON of the right shape,
 * and that this host is new enough.
 */
export const MANIFEST_RULES = {
  0: 'the manifest is one JSON object of the shape that is documented',
  1: 'name is a lower-case word of 2 to 32 letters, digits and hyphens, and the name of its folder',
  2: 'entry, and every other file, lies inside the folder',
  3: 'domains may not include reserved ones',
  4: 'every event and command starts with one of the unique’s domains',
  5: 'unknown keys are kept and ignored',
  6: 'lip is the major version of the host',
  7: 'session names types that start with one of the unique’s domains',
  8: 'permissions.exec lists the languages the unique may ask to run',
} as const
export type ManifestRule = keyof typeof MANIFEST_RULES

export interface ManifestFault {
  /** The file, relative to the unique’s folder. */
  readonly file: string
  /** Where in it, such as `events["graph.node.select"].schema`; empty for the whole. */
  readonly key: string
  readonly rule: ManifestRule
  readonly message: string
}

export { type SessionTypes, sessionTypes } from './session-types.js'

/** One line: `unique.json: domains[0]: … (rule 3)`. */
function faultLine({ file, key, rule, message }: ManifestFault): string {
  return `${file}: ${key === '' ? '' : `${key}: `}${message} (rule ${rule})`
}

/** A unique that is none; `faults` are all that were found. */
export class ManifestError extends Error {
  override readonly name = 'ManifestError'
  constructor(readonly faults: readonly ManifestFault[]) {
    super(faults.map(faultLine).join('\n'))
  }
}

export interface Checked {
  readonly manifest: Manifest
  /** What is no fault, and not what its author may think. */
  readonly warnings: readonly string[]
}

type Validator = ((value: unknown) => boolean) & { errors?: readonly ValidationFault[] | null }
const validate = (validators as unknown as Record<string, Validator>).manifest as Validator

/** Reads the text of a manifest for a host of version `host`. Throws `ManifestError` with every fault. */
export function parseManifest(text: string, host: string): Checked {
  const value = readObject(text)
  if (value.lip !== LIP_MAJOR)
    throw broken('lip', 6, `must be ${LIP_MAJOR}, the major that this host speaks; got ${show(value.lip)}`)
  if (!validate(value)) throw new ManifestError(shapeFaults(validate.errors ?? [], value))
  const manifest = value as unknown as Manifest
  const faults = [
    ...domainFaults(manifest),
    ...typeFaults(manifest),
    ...sessionFaults(manifest),
    ...fileFaults(manifest),
    ...engineFaults(manifest, host),
  ]
  if (faults.length > 0) throw new ManifestError(faults)
  return { manifest, warnings: warningsOf(manifest) }
}

/** Every path a manifest names, with its key. */
export function filesOf(manifest: Manifest): readonly (readonly [key: string, path: string])[] {
  const schemas = (['events', 'commands'] as const).flatMap((kind) =>
    Object.entries(manifest[kind] ?? {}).flatMap(([type, { schema }]): [string, string][] =>
      schema === undefined ? [] : [[`${kind}[${JSON.stringify(type)}].schema`, schema]],
    ),
  )
  const named = (['entry', 'guide', 'icon'] as const).flatMap((key): [string, string][] =>
    manifest[key] === undefined ? [] : [[key, manifest[key]]],
  )
  return [...named, ...schemas]
}

function readObject(text: string): Readonly<Record<string, unknown>> {
  if (text.length > LIP_LIMITS.manifestBytes)
    throw broken('', 0, `is larger than ${LIP_LIMITS.manifestBytes} bytes`)
  let value: unknown
  try {
    value = JSON.parse(text.replace(/^\ufeff/, ''))
  } catch (error) {
    throw broken('', 0, `is not JSON: ${(error as Error).message}`)
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw broken('', 0, `must be a JSON object, got ${show(value)}`)
  const twice = duplicateKey(text)
  if (twice !== null) throw broken(twice, 0, 'is there twice, and readers would differ about which counts')
  return value as Record<string, unknown>
}

/** The rule that a key of the wrong shape breaks. */
const RULE_OF: Readonly<Record<string, ManifestRule>> = { name: 1, entry: 2, lip: 6, session: 7 }

function shapeFaults(
  faults: readonly ValidationFault[],
  value: Readonly<Record<string, unknown>>,
): ManifestFault[] {
  const seen = new Set<string>()
  return faults.flatMap((fault) => {
    const missing = fault.keyword === 'required' ? `/${fault.params.missingProperty}` : ''
    const key = fieldName(`${fault.instancePath}${missing}`)
    if (seen.has(key)) return []
    seen.add(key)
    const [top = ''] = key.split(/[.[]/)
    const rule = key.startsWith('permissions.exec') ? 8 : (RULE_OF[top] ?? 0)
    const sentence = explainShape(fault, value, key)
    return [{ file: MANIFEST_FILE, key, rule, message: sentence }]
  })
}

function explainShape(fault: ValidationFault, value: Readonly<Record<string, unknown>>, key: string): string {
  if (fault.keyword === 'required') return 'is missing'
  const { pattern } = fault.params
  const sentence = explain([fault], value)
  const said = sentence.startsWith(key) ? sentence.slice(key.length).trim() : sentence
  const must = typeof pattern === 'string' ? (PATTERNS[pattern] ?? `must match ${pattern}`) : null
  return must === null ? said : said.replace(/^must [^,]*,/, `${must},`)
}

const PATTERNS: Readonly<Record<string, string>> = {
  [TYPE_PATTERN]: 'must be a type such as graph.node.add',
}

function domainFaults({ domains }: Manifest): ManifestFault[] {
  return domains.flatMap((domain, at) =>
    isReserved(domain) ? [fault(`domains[${at}]`, 3, `${show(domain)} is reserved`)] : [],
  )
}

const TYPE = new RegExp(TYPE_PATTERN)

function typeFaults(manifest: Manifest): ManifestFault[] {
  return (['events', 'commands'] as const).flatMap((kind) =>
    Object.keys(manifest[kind] ?? {}).flatMap((type) => {
      const key = `${kind}[${JSON.stringify(type)}]`
      if (!TYPE.test(type) || type.length > LIP_LIMITS.type)
        return [fault(key, 4, 'must be a type such as graph.node.add')]
      return owns(manifest, type) ? [] : [fault(key, 4, foreign(manifest))]
    }),
  )
}

function sessionFaults(manifest: Manifest): ManifestFault[] {
  return Object.entries(manifest.session ?? {}).flatMap(([key, type]) =>
    typeof type !== 'string' || owns(manifest, type) || !['export', 'snapshot', 'restore'].includes(key)
      ? []
      : [fault(`session.${key}`, 7, `${show(type)} ${foreign(manifest)}`)],
  )
}

function fileFaults(manifest: Manifest): ManifestFault[] {
  return filesOf(manifest).flatMap(([key, path]) => {
    const wrong = pathFault(path)
    return wrong === null ? [] : [fault(key, 2, `${show(path)} ${wrong}`)]
  })
}

/** What is wrong with a path that must lead to a file inside a unique’s folder; null when nothing is. */
export function pathFault(path: string): string | null {
  if (/[\\\0:]/.test(path)) return 'may not contain a backslash, a colon or a null character'
  if (path.startsWith('/')) return 'leads out of the folder: it must be relative'
  const parts = path.split('/')
  if (parts.includes('..')) return 'leads out of the folder'
  if (parts.some((part) => part === '' || part === '.')) return 'has an empty part'
  if (parts.some((part) => part.startsWith('.'))) return 'is hidden: what starts with a dot is never served'
  return null
}

function engineFaults({ engine }: Manifest, host: string): ManifestFault[] {
  if (engine === undefined || satisfies(engine, host)) return []
  if (!isPin(engine)) return [fault('engine', 0, `must be written as >=0.1.0, got ${show(engine)}`)]
  return [fault('engine', 0, `asks for ${engine}, and this is ${host}: update Lets`)]
}

function warningsOf({ capabilities = [], permissions, guide }: Manifest): string[] {
  const unknown = capabilities.filter((name) => !(CAPABILITIES as readonly string[]).includes(name))
  return [
    ...unknown.map((name) => `capabilities: this host knows no ${show(name)}; it is kept and ignored`),
    ...((permissions?.net?.length ?? 0) > 0
      ? ['permissions.net: pages load from their own origin only; nothing else is granted']
      : []),
    ...(guide === undefined ? ['guide: without a GUIDE.md a model is told no more than the types'] : []),
  ]
}

/** Whether a type is of one of the unique’s domains. */
export function owns({ domains }: Pick<Manifest, 'domains'>, type: string): boolean {
  return domains.includes(domainOf(type))
}

function foreign({ domains }: Manifest): string {
  return `must start with one of its domains: ${domains.map((domain) => `${domain}.`).join(', ')}`
}

function fault(key: string, rule: ManifestRule, message: string): ManifestFault {
  return { file: MANIFEST_FILE, key, rule, message }
}

function broken(key: string, rule: ManifestRule, message: string): ManifestError {
  return new ManifestError([fault(key, rule, message)])
}
