import { parseArgs } from 'node:util'
import { z } from 'zod'
import { type Result, err, ok } from '../../src-shared/result'

interface Options {
  states: number
  seed: number
  /** Only this state. */
  state: number | undefined
  /** The folder of an earlier run, to use its trace again: two runs never have exactly the same timing. */
  from: string | undefined
  /** The syncs that a lying disk ignores; undefined for an honest disk. */
  withoutSync: 'all' | 'log' | 'folders' | undefined
  /** Keeps the folders of good states, and the traces. */
  keep: boolean
}

const usage =
  'Flags: --states N, --seed N, --from FOLDER (of an earlier run), --state N (only this one), --without-sync all|log|folders, --keep'
const Count = z.coerce.number().int().min(0).max(4_294_967_295)
const Flags = z.object({
  states: Count.min(1),
  seed: Count.optional(),
  state: Count.optional(),
  'without-sync': z.enum(['all', 'log', 'folders']).optional(),
})

/** The suite's command line; the error is a sentence for a person. */
export function parseOptions(args: string[], clock: () => number): Result<Options, string> {
  try {
    const { values } = parseArgs({
      args,
      options: {
        states: { type: 'string', default: '2000' },
        seed: { type: 'string' },
        state: { type: 'string' },
        from: { type: 'string' },
        'without-sync': { type: 'string' },
        keep: { type: 'boolean', default: false },
      },
    })
    const flags = Flags.safeParse({ ...values })
    if (!flags.success) return err(`--${String(flags.error.issues[0]?.path[0])} needs another value. ${usage}`)
    const { states, state, seed = clock() % 1_000_000_000, 'without-sync': withoutSync } = flags.data
    return ok({ states, state, from: values.from, seed, withoutSync, keep: values.keep })
  } catch (cause) {
    return err(`${cause instanceof Error ? cause.message : String(cause)}. ${usage}`)
  }
}
