import { beforeAll, describe, expect, inject, it } from 'vitest'
import { misbehaviours } from '../hostile/misbehaviours'
import { runRows } from '../hostile/run'
import type { Verdict } from '../hostile/trial'

/** A few quick rows of each family; `npm run test:hostile` tries them all. */
const tried = [
  '200 with a firewall says "Blocked by", complete, not taken',
  '200 with {"valid_transaction": false}, return, not taken',
  'a refusal that repeats the token, complete, not taken',
  '429 with Retry-After: 3, complete, taken',
  'a Date of the year 20000',
  'an answer with a Content-Length too large, complete, not taken',
  'resets in the middle of the body, complete, taken',
  'the token endpoint gives a token with a line break',
  'answers are lost, and sold items show its own time, seconds later, complete, taken',
]

describe('a service that misbehaves', () => {
  let verdicts = new Map<string, Verdict>()
  beforeAll(async () => {
    const rows = misbehaviours.filter(({ name }) => tried.includes(name))
    const result = await runRows({ rows, bundle: inject('programs')['hostile-station'], jobs: 3 })
    verdicts = new Map(result.verdicts.map((verdict) => [verdict.row.name, verdict]))
  }, 180_000)

  it.each(tried)('costs no sale, no memory and no secret, and nothing untrue is said: %s', (name) => {
    expect(verdicts.get(name)?.complaints).toEqual([])
  })
})
