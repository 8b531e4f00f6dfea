import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { z } from 'zod'
import { type Result, err, ok } from '../../src-shared/result'

interface Options {
  runs: number
  seed: number
  /** Only this run of the seed: a replay. */
  run: number | undefined
  /** Parallel runs: a run spends most of its time waiting. */
  lanes: number
  /** Keeps the folders of good runs too. */
  keep: boolean
}

const usage = 'Flags: --runs N, --seed N, --run N (only this one), --lanes N, --keep'
const Count = z.coerce.number().int().min(0).max(4_294_967_295)

/** The crash suite's command line; the error is a sentence for a person. */
export function parseOptions(args: string[], clock: () => number): Result<Options, string> {
  try {
    const { values } = parseArgs({
      args,
      options: {
        runs: { type: 'string', default: '200' },
        seed: { type: 'string' },
        run: { type: 'string' },
        lanes: { type: 'string', default: String(availableParallelism() * 3) },
        keep: { type: 'boolean', default: false },
      },
    })
    const counts = z
      .object({ runs: Count.min(1), seed: Count.optional(), run: Count.optional(), lanes: Count.min(1) })
      .safeParse({ ...values })
    if (!counts.success) return err(`--${String(counts.error.issues[0]?.path[0])} needs a number. ${usage}`)
    const { runs, run, lanes, seed = clock() % 1_000_000_000 } = counts.data
    return ok({ runs, run, lanes, seed, keep: values.keep })
  } catch (cause) {
    return err(`${cause instanceof Error ? cause.message : String(cause)}. ${usage}`)
  }
}
