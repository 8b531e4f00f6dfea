import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { z } from 'zod'
import { HubPolicy } from '../../src-shared/ipc/contract/hub'
import { type Result, err, ok } from '../../src-shared/result'

interface Options {
  runs: number
  seed: number
  /** Only this run of the seed: a replay. */
  run: number | undefined
  /** Undefined: each in turn. */
  policy: HubPolicy | undefined
  /** Parallel runs. */
  lanes: number
  mutations: boolean
}

const usage = 'Flags: --runs N, --seed N, --run N (only this one), --policy warn|refuse, --lanes N, --mutations'
const Count = z.coerce.number().int().min(0).max(4_294_967_295)

/** The store suite's command line; the error is a sentence for a person. */
export function parseOptions(args: string[], clock: () => number): Result<Options, string> {
  try {
    const { values } = parseArgs({
      args,
      options: {
        runs: { type: 'string', default: '100' },
        seed: { type: 'string' },
        run: { type: 'string' },
        policy: { type: 'string' },
        lanes: { type: 'string', default: String(availableParallelism() + 1) },
        mutations: { type: 'boolean', default: false },
      },
    })
    const parsed = z
      .object({
        runs: Count.min(1),
        seed: Count.optional(),
        run: Count.optional(),
        lanes: Count.min(1),
        policy: HubPolicy.optional(),
      })
      .safeParse({ ...values })
    if (!parsed.success) return err(`--${String(parsed.error.issues[0]?.path[0])} is not possible. ${usage}`)
    const { runs, run, lanes, policy, seed = clock() % 1_000_000_000 } = parsed.data
    return ok({ runs, run, lanes, policy, seed, mutations: values.mutations })
  } catch (cause) {
    return err(`${cause instanceof Error ? cause.message : String(cause)}. ${usage}`)
  }
}
