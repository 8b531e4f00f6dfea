import { parseArgs } from 'node:util'
import { z } from 'zod'
import { type Result, err, ok } from '../../src-shared/result'

interface Options {
  minutes: number
  seed: number
  /** This many days, however long they take; undefined: as many as fit into the minutes. */
  days: number | undefined
  /** Scripted hours of a day. */
  hours: number
  /** The plot's file. */
  out: string
  /** The stations share a store hub. */
  hub: boolean
}

const usage = 'Flags: --minutes N, --days N (instead), --hours N (of a day), --seed N, --out FILE.svg, --hub'
/** The maximum that fits between two order numbers, and before the practice store's certificates expire. */
const mostHours = 20
const mostDays = 365

/** The soak's command line; the error is a sentence for a person. */
export function parseOptions(args: string[], clock: () => number): Result<Options, string> {
  try {
    const { values } = parseArgs({
      args,
      options: {
        minutes: { type: 'string', default: '30' },
        days: { type: 'string' },
        hours: { type: 'string', default: '3' },
        seed: { type: 'string' },
        out: { type: 'string', default: 'docs/soak.svg' },
        hub: { type: 'boolean', default: false },
      },
    })
    const parsed = z
      .object({
        minutes: z.coerce.number().positive().max(1_440),
        days: z.coerce.number().int().min(1).max(mostDays).optional(),
        hours: z.coerce.number().int().min(1).max(mostHours),
        seed: z.coerce.number().int().min(0).max(4_294_967_295).optional(),
        out: z.string().endsWith('.svg'),
        hub: z.boolean(),
      })
      .safeParse({ ...values })
    if (!parsed.success) return err(`--${String(parsed.error.issues[0]?.path[0])} is not possible. ${usage}`)
    const { minutes, days, hours, out, hub, seed = clock() % 1_000_000_000 } = parsed.data
    return ok({ minutes, days, hours, out, hub, seed })
  } catch (cause) {
    return err(`${cause instanceof Error ? cause.message : String(cause)}. ${usage}`)
  }
}
