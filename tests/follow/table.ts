import { judgeAll, table } from './judge.js'
import { follow } from './measured.js'

console.log(table(await judgeAll(follow)))
