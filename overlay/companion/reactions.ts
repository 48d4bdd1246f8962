import type { Reaction } from '../../protocol/lip/domains.js'
import { FELT } from './felt.js'
import type { Play } from './play.js'
import { SHOWN } from './shown.js'

export const PLAYS: Readonly<Record<Reaction, Play>> = { ...FELT, ...SHOWN }
