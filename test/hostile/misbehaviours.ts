import { chanceOf } from '../crash/chance'
import { bodies } from './families/bodies'
import { durations } from './families/durations'
import { framing } from './families/framing'
import { headers } from './families/headers'
import { pace } from './families/pace'
import { paging } from './families/paging'
import { reads } from './families/reads'
import { sizes } from './families/sizes'
import { statuses } from './families/statuses'
import { times } from './families/times'
import { tls } from './families/tls'
import { tokens } from './families/tokens'
import { type Misbehaviour, families } from './misbehaviour'

/** The whole table. */
export const misbehaviours: readonly Misbehaviour[] = [
  ...bodies,
  ...statuses,
  ...headers,
  ...durations,
  ...sizes,
  ...framing,
  ...tokens,
  ...times,
  ...tls,
  ...reads,
  ...paging,
  ...pace,
]

export interface Choice {
  only?: string | undefined
  family?: string | undefined
  /** A sample of this size, from each family in turn. */
  sample?: number | undefined
  seed: number
}

/** The requested rows, in an order determined by the seed, so that long and short rows are mixed. */
export function chosen({ only, family, sample, seed }: Choice): Misbehaviour[] {
  const chance = chanceOf('hostile', seed)
  const mixed = misbehaviours
    .filter((row) => (only === undefined || row.name.includes(only)) && (family === undefined || row.family === family))
    .map((row) => ({ row, place: chance.next() }))
    .sort((one, other) => one.place - other.place)
    .map(({ row }) => row)
  if (sample === undefined || sample >= mixed.length) return mixed
  const byFamily = families.map((one) => mixed.filter((row) => row.family === one))
  const picked: Misbehaviour[] = []
  while (picked.length < sample) {
    for (const rows of byFamily) {
      const row = rows.shift()
      if (row && picked.length < sample) picked.push(row)
    }
  }
  return picked
}
