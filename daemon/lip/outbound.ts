/** What the operator sends: checked before it goes, so that a command that no page would know is not sent in vain. */
import { coreMessage, domainOf, isReserved, TYPE_PATTERN } from '../../protocol/lip/domains.js'
import { LipError } from '../../protocol/lip/errors.js'
import { LIP_LIMITS } from '../../protocol/lip/limits.js'
import { owns } from '../../protocol/lip/manifest.js'
import { checkCoreData } from '../../protocol/lip/messages.js'
import { show } from '../../protocol/overlay/explain.js'
import type { Said } from './stamp.js'
import type { LipWindow } from './window.js'

const TYPE = new RegExp(TYPE_PATTERN)

/** A command as the operator said it, for this window. Throws `LipError`. */
export function checkCommand(window: LipWindow, given: Readonly<Record<string, unknown>>): Said {
  const said = envelopeOf(given)
  if (isReserved(domainOf(said.type))) checkCore(window, said.type, said.data)
  else checkOwn(window, said.type, said.data)
  return said
}

/** What the operator said, whoever it is for. Throws `LipError`. */
export function envelopeOf(given: Readonly<Record<string, unknown>>): Said {
  const { type, data = {}, re, ttl } = given
  if (typeof type !== 'string' || !TYPE.test(type) || type.length > LIP_LIMITS.type)
    throw new LipError('bad_envelope', `type must be domain.name, such as graph.node.add; got ${show(type)}`)
  if (typeof data !== 'object' || data === null || Array.isArray(data))
    throw new LipError('bad_envelope', `data must be an object, got ${show(data)}`)
  if (re !== undefined && (typeof re !== 'string' || !/^[A-Za-z0-9_.:-]{1,64}$/.test(re)))
    throw new LipError('bad_envelope', `re must be an id, got ${show(re)}`)
  if (ttl !== undefined && !(Number.isInteger(ttl) && Number(ttl) >= 1 && Number(ttl) <= LIP_LIMITS.ttlMs))
    throw new LipError(
      'bad_envelope',
      `ttl must be whole milliseconds up to ${LIP_LIMITS.ttlMs}, got ${show(ttl)}`,
    )
  return { type, data: data as Readonly<Record<string, unknown>>, re, ttl: ttl as number | undefined }
}

function checkCore(window: LipWindow, type: string, data: Readonly<Record<string, unknown>>): void {
  const message = coreMessage(type, 'down')
  if (!message) throw new LipError('unknown_type', `no command has the type ${type}`)
  if (message.by !== 'operator') throw new LipError('reserved_type', `${type} is said by the host alone`)
  if (domainOf(type) === 'screen')
    throw new LipError(
      'not_yours',
      `${type} is for a screen, such as screen#d1, and ${window.id} is a window of ${window.unique.name}`,
    )
  const { name, manifest } = window.unique
  if (message.needs && !manifest.capabilities?.includes(message.needs))
    throw new LipError(
      'no_capability',
      `${type} needs the capability ${message.needs}, which ${name} does not have; it has ${manifest.capabilities?.join(', ') || 'none'}`,
    )
  checkCoreData('down', type, data)
}

function checkOwn(window: LipWindow, type: string, data: Readonly<Record<string, unknown>>): void {
  const { name, manifest } = window.unique
  if (!owns(manifest, type))
    throw new LipError(
      'not_yours',
      `${type} is no command of ${name}, whose domains are ${manifest.domains.join(', ')}`,
    )
  if (Object.hasOwn(manifest.events ?? {}, type) && !Object.hasOwn(manifest.commands ?? {}, type))
    throw new LipError('not_yours', `${type} is an event of ${name}: it comes from its window`)
  window.schemas.check('down', type, data)
}
