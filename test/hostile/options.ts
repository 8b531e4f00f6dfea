import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { z } from 'zod'
import { type Result, err, ok } from '../../src-shared/result'
import { families } from './misbehaviour'
import type { Choice } from './misbehaviours'

interface Options extends Choice {
  /** Parallel stations. */
  jobs: number
  /** Lists the rows without trying any. */
  list: boolean
}

const usage = `Flags: --only PART-OF-A-NAME, --family ${families.join('|')}, --sample N, --seed N, --jobs N, --list`
const Count = z.coerce.number().int().min(1).max(4_294_967_295)

/** The hostile suite's command line; the error is a sentence for a person. */
export function parseOptions(args: string[], clock: () => number): Result<Options, string> {
  try {
    const { values } = parseArgs({
      args,
      options: {
        only: { type: 'string' },
        family: { type: 'string' },
        sample: { type: 'string' },
        seed: { type: 'string' },
        jobs: { type: 'string', default: String(availableParallelism() * 3) },
        list: { type: 'boolean', default: false },
      },
    })
    const asked = z
      .object({
        only: z.string().optional(),
        family: z.enum(families).optional(),
        sample: Count.optional(),
        seed: Count.optional(),
        jobs: Count,
        list: z.boolean(),
      })
      .safeParse({ ...values })
    if (!asked.success) return err(`--${String(asked.error.issues[0]?.path[0])} can't be that. ${usage}`)
    const { only, family, sample, seed = clock() % 1_000_000_000, jobs, list } = asked.data
    return ok({ only, family, sample, seed, jobs, list })
  } catch (cause) {
    return err(`${cause instanceof Error ? cause.message : String(cause)}. ${usage}`)
  }
}
