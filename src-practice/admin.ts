import { z } from 'zod'
import type { TokenBook } from './http/context'
import { type CurrentImport, listImports } from './imports'
import type { Listener } from './listener'
import type { Store } from './store/query'
import { type AcceptedTransaction, listTransactions } from './transactions'

/** Limits a rule to requests with this method, to paths that begin with this text, and to the next `times` requests. */
const limits = {
  method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']).optional(),
  path: z.string().startsWith('/').optional(),
  times: z.number().int().positive().optional(),
}

const longestWait = 600_000

/** A fault to simulate. `README.md` describes each. */
export const FaultRule = z.discriminatedUnion('kind', [
  /** Waits before anything else. The only kind that combines with another. */
  z.strictObject({ kind: z.literal('latency'), ms: z.number().int().min(0).max(longestWait), ...limits }),
  /** Answers this status without a body; the request is not processed. `retryAfter` in seconds. */
  z.strictObject({
    kind: z.literal('status'),
    code: z.literal([429, 500, 502, 503, 504]),
    retryAfter: z.number().int().min(0).optional(),
    ...limits,
  }),
  /** Cuts the connection: before the request is processed, or after its changes are committed. */
  z.strictObject({ kind: z.literal('drop'), when: z.enum(['before-commit', 'after-commit']), ...limits }),
  /** Processes the request, sends the headers and half of the body, and never the rest. */
  z.strictObject({ kind: z.literal('stall'), ...limits }),
  /**
   * Answers 200 with an HTML page or an empty body, like a captive portal or a broken proxy; the request is not
   * processed.
   */
  z.strictObject({ kind: z.literal('garbage'), answer: z.enum(['html', 'empty']), ...limits }),
])
export type FaultRule = z.infer<typeof FaultRule>

export const Faults = z.strictObject({
  /** The service doesn't listen at its address: connections are refused. */
  offline: z.boolean().default(false),
  /** Shifts the `Date` header, in ms; negative is behind the clock. */
  dateSkewMs: z.number().int().min(-31_536_000_000).max(31_536_000_000).default(0),
  /** For each request the first matching rule applies, plus the first matching `latency`. */
  rules: z.array(FaultRule).max(100).default([]),
})
export type Faults = z.infer<typeof Faults>
export type FaultsInput = z.input<typeof Faults>

/** The current rules, with the remaining uses of limited ones. */
export function createFaultBook() {
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
    dateSkewMs: () => faults.dateSkewMs,
    replace: (next: Faults) => {
      faults = structuredClone(next)
    },
    /** The rules that match a request; counts them as used. `waitMs`: in ms. */
    meet(method: string, path: string) {
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

export type FaultBook = ReturnType<typeof createFaultBook>

/** A request that the service received. Query, headers and bodies are not stored, because they may contain secrets. */
interface SeenRequest {
  at: string
  method: string
  path: string
  /** Null if no answer was sent. */
  status: number | null
  /** The fault that was applied. */
  fault: string | null
}

const kept = 1000

/** The latest thousand requests, oldest first. */
export function createRequestLog() {
  const seen: SeenRequest[] = []
  return {
    add(request: SeenRequest): void {
      seen.push(request)
      if (seen.length > kept) seen.shift()
    },
    list: (): SeenRequest[] => [...seen],
  }
}
export type RequestLog = ReturnType<typeof createRequestLog>

/** Controls a practice service in the same process; `adminUrl` offers the same over HTTP. */
export interface PracticeAdmin {
  /** Replaces all faults; fields left out are off. Resolves once they are in force. */
  setFaults(faults: FaultsInput): Promise<Faults>
  /** The current faults, with the remaining `times`. */
  faults(): Faults
  /** All tokens issued so far are answered 401 from now on. */
  expireTokens(): void
  transactions(): AcceptedTransaction[]
  imports(): CurrentImport[]
  /** The logged requests, oldest first. */
  requests(): SeenRequest[]
}

interface AdminParts {
  store: Store
  faults: FaultBook
  tokens: TokenBook
  log: RequestLog
  listener: Listener
}

export function createAdmin({ store, faults, tokens, log, listener }: AdminParts): PracticeAdmin {
  return {
    async setFaults(input) {
      const next = Faults.parse(input)
      // Rules first: no request may slip through between going online and the new rules.
      faults.replace(next)
      await (next.offline ? listener.pause() : listener.resume())
      return faults.current()
    },
    faults: () => faults.current(),
    expireTokens: () => {
      tokens.expireAll()
    },
    transactions: () => listTransactions(store),
    imports: () => listImports(store),
    requests: () => log.list(),
  }
}
