import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { z } from 'zod'
import { type Result, err, ok } from '../../src-shared/result'

interface Options {
  /** How many of all errors are tried; undefined: all. */
  runs: number | undefined
  /** Chooses them, and the order. */
  seed: number
  /** Only this error, by its number: a replay. */
  run: number | undefined
  /** Every error in every write: three times as many runs. */
  isFull: boolean
  lanes: number
  /** Keeps the folders of good runs as well. */
  keep: boolean
}

const usage = 'Flags: --runs N (all without it), --seed N, --run N (only this one), --full, --lanes N, --keep'
const Count = z.coerce.number().int().min(0).max(4_294_967_295)

/** The suite's command line; the error is a sentence for a person. */
export function parseOptions(args: string[], clock: () => number): Result<Options, string> {
  try {
    const { values } = parseArgs({
      args,
      options: {
        runs: { type: 'string' },
        seed: { type: 'string' },
        run: { type: 'string' },
        lanes: { type: 'string', default: String(availableParallelism() + 1) },
        full: { type: 'boolean', default: false },
        keep: { type: 'boolean', default: false },
      },
    })
    const counts = z
      .object({ runs: Count.min(1).optional(), seed: Count.optional(), run: Count.optional(), lanes: Count.min(1) })
      .safeParse({ ...values })
    if (!counts.success) return err(`--${String(counts.error.issues[0]?.path[0])} needs a number. ${usage}`)
    const { runs, run, lanes, seed = clock() % 1_000_000_000 } = counts.data
    return ok({ runs, run, lanes, seed, isFull: values.full, keep: values.keep })
  } catch (cause) {
    return err(`${cause instanceof Error ? cause.message : String(cause)}. ${usage}`)
  }
}
