/** The options that narrow what words are about. */
import { type CommonOptions, consentToken } from './connection.js'
import { parseInteger, parseRect } from './parse.js'

export interface QueryOptions {
  readonly within?: string
  readonly nth?: string
  readonly app?: string
  readonly yes?: boolean
}

/** As the wire takes them. */
export function queryFields(options: QueryOptions & CommonOptions) {
  return {
    ...(options.within !== undefined && {
      within: [...parseRect(options.within, '--within')] as [number, number, number, number],
    }),
    ...(options.nth !== undefined && { nth: parseInteger(options.nth, '--nth') }),
    ...(options.app !== undefined && { app: options.app }),
    ...(options.yes && consentToken(options)),
  }
}
