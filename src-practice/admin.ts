import { setTimeout as wait } from 'node:timers/promises'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { Hono } from 'hono'
import { z } from 'zod'
import { assertNever } from '../src-shared/result'
import type { Ctx, Guard, TokenBook } from './http/context'
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

type FaultBook = ReturnType<typeof createFaultBook>

interface Layer {
  faults: FaultBook
  log: RequestLog
  now: () => Date
  /** Ends the waits when the service closes. */
  signal: AbortSignal
}

/** The outermost layer: applies faults to requests, sets the `Date` header, and logs requests and statuses. */
export function faultLayer({ faults, log, now, signal }: Layer): Guard {
  return async (c, next) => {
    const at = now().toISOString()
    const { method, path } = c.req
    const { waitMs, fault } = faults.meet(method, path)
    const note = (status: number | null) => {
      log.add({ at, method, path, status, fault: fault?.kind ?? null })
    }
    if (waitMs > 0 && !(await waited(waitMs, signal))) return cut(c)
    switch (fault?.kind) {
      case undefined:
        await next()
        break
      case 'status':
        c.res = new Response(null, { status: fault.code, headers: retryAfter(fault.retryAfter) })
        break
      case 'garbage':
        c.res = fault.answer === 'empty' ? new Response(null) : c.html('<!doctype html><title>Sign in</title>')
        break
      case 'stall':
        await next()
        c.res = await stalled(c.res)
        break
      case 'drop':
        if (fault.when === 'after-commit') await next()
        note(null)
        return cut(c)
      default:
        return assertNever(fault)
    }
    note(c.res.status)
    c.res.headers.set('Date', new Date(now().getTime() + faults.dateSkewMs()).toUTCString())
    return undefined
  }
}

const retryAfter = (seconds: number | undefined): Record<string, string> =>
  seconds === undefined ? {} : { 'Retry-After': String(seconds) }

async function waited(ms: number, signal: AbortSignal): Promise<boolean> {
  try {
    await wait(ms, undefined, { signal })
    return true
  } catch {
    return false
  }
}

/** Closes the connection without an answer. */
function cut(c: Ctx): Response {
  c.env.incoming.socket.destroy()
  c.res = RESPONSE_ALREADY_SENT
  return c.res
}

/** The same answer with half of its body: its length is announced and never reached. */
async function stalled(answer: Response): Promise<Response> {
  const bytes = new Uint8Array(await answer.arrayBuffer())
  const headers = new Headers(answer.headers)
  headers.set('Content-Length', String(Math.max(bytes.length, 2)))
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      controller.enqueue(bytes.length === 0 ? new Uint8Array([32]) : bytes.slice(0, Math.ceil(bytes.length / 2)))
    },
  })
  return new Response(body, { status: answer.status, headers })
}

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
type RequestLog = ReturnType<typeof createRequestLog>

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

interface Held {
  store: Store
  faults: FaultBook
  tokens: TokenBook
  log: RequestLog
  listener: Listener
}

export function createAdmin({ store, faults, tokens, log, listener }: Held): PracticeAdmin {
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

const description = {
  'GET /faults': 'the faults in force',
  'PUT /faults': 'replace them: {offline, dateSkewMs, rules: [{kind: latency|status|drop|stall|garbage, …}]}',
  'DELETE /faults': 'end them',
  'POST /tokens/expire': 'expire all tokens',
  'GET /transactions': 'accepted transactions',
  'GET /imports': 'imports in force',
  'GET /requests': 'the newest requests seen',
}

/** The admin API over HTTP. It has a separate port, because the service's port may be offline. */
export function createAdminApp(admin: PracticeAdmin): Hono {
  const app = new Hono()
  app.use(async (c, next) => {
    // This port needs no token, so web pages are kept out: they send an Origin, or use a rebound host name.
    const host = new URL(c.req.url).hostname
    const isLocal = host === '127.0.0.1' || host === 'localhost'
    if (!isLocal || c.req.header('Origin') !== undefined) return c.json({ detail: 'Not for web pages.' }, 403)
    return next()
  })
  app.get('/', (c) => c.json(description))
  app.get('/faults', (c) => c.json(admin.faults()))
  app.put('/faults', async (c) => {
    const text = await c.req.text()
    const parsed = Faults.safeParse(readJson(text))
    if (parsed.success) return c.json(await admin.setFaults(parsed.data))
    const issues = parsed.error.issues.map(({ path, message }) => ({ path: path.join('.'), message }))
    return c.json({ issues }, 400)
  })
  app.delete('/faults', async (c) => c.json(await admin.setFaults({})))
  app.post('/tokens/expire', (c) => {
    admin.expireTokens()
    return c.body(null, 204)
  })
  app.get('/transactions', (c) => c.json(admin.transactions()))
  app.get('/imports', (c) => c.json(admin.imports()))
  app.get('/requests', (c) => c.json(admin.requests()))
  app.notFound((c) => c.json({ detail: 'Not found.' }, 404))
  app.onError((cause, c) => c.json({ detail: cause.message }, 500))
  return app
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // The schema then reports that an object is missing.
    return undefined
  }
}
