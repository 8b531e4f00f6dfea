import '../../scripts/require-node.mjs'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { z } from 'zod'
import { closingLine, fuzz } from './fuzz'

/** `npm run fuzz:ipc [-- --per-call N --seed N]`: generated inputs to every call of the contract, on a whole station. */

const { values } = parseArgs({ options: { 'per-call': { type: 'string', default: '200' }, seed: { type: 'string' } } })
const perCall = z.coerce.number().int().min(1).max(10_000).parse(values['per-call'])
const seed = z.coerce
  .number()
  .int()
  .parse(values.seed ?? Date.now() % 1_000_000)
console.log(`ipc fuzz: seed ${seed}`)
const result = await fuzz({ perCall, seed })
for (const bug of new Set(result.bugs)) console.log(`an unexpected failure: ${bug}`)
for (const origin of new Set(result.foreign)) console.log(`outside this computer: ${origin}`)
console.log(`${result.taken} of them were taken; the station is ${result.isWell ? 'well' : 'NOT well'} after it`)
console.log(closingLine(result))
const isClean = result.unanswered + result.crashed + result.bugs.length + result.foreign.length === 0 && result.isWell
process.exit(isClean ? 0 : 1)
