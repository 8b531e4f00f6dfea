import { z } from 'zod'

/** What can be made to go wrong. `README.md` describes it for people. */

/** Limits a rule to requests of a method and to paths that begin with a text, and to the next `times` of them. */
const limits = {
  method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']).optional(),
  path: z.string().startsWith('/').optional(),
  times: z.number().int().positive().optional(),
}

const longestWait = 600_000

export const FaultRule = z.discriminatedUnion('kind', [
  /** Wait before anything else happens. The only kind that adds to another. */
  z.strictObject({ kind: z.literal('latency'), ms: z.number().int().min(0).max(longestWait), ...limits }),
  /** Answer this status without a body, and do nothing. `retryAfter` in seconds. */
  z.strictObject({
    kind: z.literal('status'),
    code: z.literal([429, 500, 502, 503, 504]),
    retryAfter: z.number().int().min(0).optional(),
    ...limits,
  }),
  /** Cut the connection: before the request is looked at, or after what it asked for is committed. */
  z.strictObject({ kind: z.literal('drop'), when: z.enum(['before-commit', 'after-commit']), ...limits }),
  /** Do what was asked, send the headers and half of the body, and never the rest. */
  z.strictObject({ kind: z.literal('stall'), ...limits }),
  /** Answer 200 with an HTML page or with nothing, and do nothing: a captive portal, a broken proxy. */
  z.strictObject({ kind: z.literal('garbage'), answer: z.enum(['html', 'empty']), ...limits }),
])
export type FaultRule = z.infer<typeof FaultRule>

export const Faults = z.strictObject({
  /** Nobody listens at the service's address: connections are refused. */
  offline: z.boolean().default(false),
  /** How far the `Date` header is ahead of the clock, in ms; negative is behind. */
  dateSkewMs: z.number().int().min(-31_536_000_000).max(31_536_000_000).default(0),
  /** For each request the first rule that fits applies, and besides it the first `latency` that fits. */
  rules: z.array(FaultRule).max(100).default([]),
})
export type Faults = z.infer<typeof Faults>
export type FaultsInput = z.input<typeof Faults>

/** The rules in force, counting down those that are limited. */
export interface FaultBook {
  current(): Faults
  replace(faults: Faults): void
  /** The rules that a request meets; counts them as used. */
  meet(method: string, path: string): { waitMs: number; fault: Exclude<FaultRule, { kind: 'latency' }> | undefined }
}

export function createFaultBook(): FaultBook {
  let faults = Faults.parse({})

  function use(rule: FaultRule): void {
    const left = rule.times === undefined ? undefined : rule.times - 1
    const rules = faults.rules.flatMap((one) => {
      if (one !== rule || left === undefined) return [one]
      return left === 0 ? [] : [{ ...one, times: left }]
    })
    faults = { ...faults, rules }
  }

  return {
    current: () => structuredClone(faults),
    replace: (next) => {
      faults = structuredClone(next)
    },
    meet(method, path) {
      const fitting = faults.rules.filter(
        (rule) => (rule.method ?? method) === method && path.startsWith(rule.path ?? '/'),
      )
      const latency = fitting.find((rule) => rule.kind === 'latency')
      const fault = fitting.find((rule) => rule.kind !== 'latency')
      if (latency) use(latency)
      if (fault) use(fault)
      return { waitMs: latency?.ms ?? 0, fault }
    },
  }
}
