import { fingerprint, measure } from '../../overlay/content/measure.js'
import type { Follow } from './judge.js'

export const follow: Follow = (before, after, rect) => measure(before, after, fingerprint(before, rect))
