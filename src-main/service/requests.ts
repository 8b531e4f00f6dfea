import { z } from 'zod'
import { isShortUuid } from '../../src-shared/ids'
import { type Result, err } from '../../src-shared/result'
import type { Endpoint, PathValues } from '../../src-shared/service/endpoints'
import { type ListPage, wireUuid } from '../../src-shared/service/wire'
import type { ServiceProduct } from '../../src-shared/service/token'
import { createBackoff } from '../core/backoff'
import type { Clock } from '../core/clock'
import type { AnswerKind } from './answer'
import type { Http, HttpRequest } from './http'
import { fieldsOf, follow, readAs, readWritten } from './read'
import type { Reply, ServiceError } from './reply'
import type { Tokens } from './tokens'

export interface ReadOptions {
  /** How long the answer may take, in ms, if less than the usual limit. */
  patience?: number
  /** How large the answer may be, if less than for other reads. */
  expects?: AnswerKind
}

/** What every request of the service is made with. */
export interface RequestContext {
  http: Http
  tokens: Tokens
  clock: Clock
  /** Called when a request begins; the returned function with its reply. Connectivity is derived from both. */
  onAsk: OnAsk
}

/** An API version. */
interface RequestVersion {
  baseUrl: string
  /** The product whose tokens are used. */
  product: ServiceProduct
  /** The form of ids in this version's paths. */
  ids: 'short' | 'long'
}

/** Notes that a request begins; the returned function takes its reply, or null if that says nothing of the connection. */
export type OnAsk = (isUpload: boolean) => (reply: Reply | null) => void

/** Photos and videos are sent inside JSON, which takes time on a store's internet connection. In ms. */
const uploadPatience = 120_000
const uploadLength = 200_000

/** The reports with short answers: imports, sales, and the reports that undo them. */
const isBrief = /^\/api\/v1\.2\/(?:caseids|transactions)\//

/** Reads obey Retry-After up to this limit, in ms: a person waits for each read, and so do reports whose answer was lost. */
const longestRest = 10_000

type RequestOptions = Pick<HttpRequest, 'patience' | 'expects' | 'conceal'>

/** The kinds of requests of one API version. Each takes an endpoint and the values of its path. */
export function createRequests(
  { http, tokens, clock, onAsk }: RequestContext,
  { baseUrl, product, ids }: RequestVersion,
) {
  const source = tokens.of(product)
  const reads = createBackoff(clock)

  /** A refused token is renewed once per request. Spec: Authentication > 5. */
  const attempt = async (request: HttpRequest, isSecondTry = false): Promise<Reply> => {
    const token = await source.get()
    if (!token.ok) return { kind: 'not-asked', error: token.error }
    const reply = await http.send({
      ...request,
      headers: { authorization: `Bearer ${token.value}`, ...request.headers },
    })
    if (isOfHeaders(reply)) return { kind: 'not-asked', error: source.unusable(token.value) }
    if (reply.kind !== 'answer') return reply
    if (reply.status !== 401) {
      if (reply.status < 500 && reply.body.kind !== 'page') source.worked(token.value)
      return reply
    }
    source.refused(token.value)
    // The service answers 401 before it does anything, so a second try can't do anything twice.
    return isSecondTry ? reply : attempt(request, true)
  }
  const ask = async (method: Endpoint['method'], url: string, body: unknown, options: RequestOptions) => {
    const text = body == null ? undefined : JSON.stringify(body)
    const isUpload = text !== undefined && text.length > uploadLength
    const answered = onAsk(isUpload)
    const reply = await attempt({
      method,
      url,
      ...options,
      ...(text === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: text }),
      ...(isUpload ? { patience: uploadPatience } : {}),
    })
    answered(reply)
    return reply
  }
  const askToRead = async (url: string, options: RequestOptions = {}): Promise<Reply> => {
    if (reads.isResting()) return { kind: 'not-asked', error: { code: 'service/busy' } }
    const reply = await ask('GET', url, undefined, options)
    if (reply.kind === 'answer' && [429, 503].includes(reply.status) && reply.retryAfterMs !== null) {
      reads.rest(Math.min(reply.retryAfterMs, longestRest))
    }
    return reply
  }
  const expects = (path: string) => (isBrief.test(path) ? ('report' as const) : ('read' as const))
  const urlOf = (path: string, values: readonly string[]) => baseUrl + pathWith(path, values, ids)

  return {
    /** A read; returns the parsed answer. */
    read: async <Path extends string, Answer extends z.ZodType>(
      endpoint: Endpoint<Path, z.ZodType, Answer>,
      values: PathValues<Path>,
      options?: ReadOptions,
    ): Promise<Result<z.output<Answer>, ServiceError>> =>
      readAs(endpoint.answer, await askToRead(urlOf(endpoint.path, values), options), subjectOf(values)),
    /** The entries of a paged list; pages are requested as needed. An error is the last element. */
    list: <Path extends string, T>(
      endpoint: Endpoint<Path, z.ZodType, z.ZodType<ListPage<T>>>,
      values: PathValues<Path>,
    ): AsyncGenerator<Result<T, ServiceError>, void> =>
      follow(askToRead, endpoint.answer, urlOf(endpoint.path, values)),
    /**
     * A change; null if the service only confirmed. A body that breaks a rule of the specification is not sent, and fails as if
     * the service had found its fields invalid.
     */
    write: async <Path extends string, Request extends z.ZodType, Answer extends z.ZodType>(
      endpoint: Endpoint<Path, Request, Answer>,
      values: PathValues<Path>,
      body: z.output<Request>,
    ): Promise<Result<z.output<Answer> | null, ServiceError>> => {
      // Conversion to the wire format: ids take their long form, and bodies that break a rule are rejected.
      const wire = z.safeEncode(endpoint.request, body)
      if (!wire.success) return err({ code: 'service/invalid-fields', fields: fieldsOf(wire.error) })
      const reply = await ask(endpoint.method, urlOf(endpoint.path, values), wire.data, {})
      return readWritten(endpoint, reply, subjectOf(values))
    },
    /** A change; the outbox evaluates its raw reply. */
    report: <Path extends string, Request extends z.ZodType>(
      endpoint: Endpoint<Path, Request>,
      values: PathValues<Path>,
      body: z.output<Request>,
      options?: Pick<ReportRequest, 'conceal'>,
    ): Promise<Reply> =>
      ask(endpoint.method, urlOf(endpoint.path, values), body, { expects: expects(endpoint.path), ...options }),
    /** Like `report`, for a request that is already built. */
    send: ({ method, path, body, conceal }: Omit<ReportRequest, 'version'>): Promise<Reply> =>
      ask(method, baseUrl + path, body, { expects: expects(path), ...(conceal === undefined ? {} : { conceal }) }),
    /** A person chose to try now: ends a pause that the service asked for. */
    askNow: () => {
      reads.clear()
    },
  }
}

export type Requests = ReturnType<typeof createRequests>

/** undici rejects an invalid header, and the token is the only header value that the app doesn't make itself. */
const isOfHeaders = (reply: Reply) => reply.kind === 'no-answer' && reply.code === 'UND_ERR_INVALID_ARG'

/** The entity that a request is about: the last parameter of its path. */
const subjectOf = (values: readonly string[]) => values.at(-1) ?? ''

/** A report of the outbox as sent; the outbox evaluates its reply. */
export interface ReportRequest {
  version: 'v1.2' | 'v1.5'
  method: Endpoint['method']
  /** The path after the base URL, with ids in the version's form. */
  path: string
  /** JSON; null for none. */
  body: unknown
  /** Words to remove from the answer: the customer's id. */
  conceal?: readonly string[]
}

/** The request to an endpoint, in the format of its version: ids in a path or body of v1.5 take their long form. */
export function requestTo<Path extends string, Request extends z.ZodType>(
  endpoint: Endpoint<Path, Request>,
  values: PathValues<Path>,
  body: z.output<Request>,
): ReportRequest {
  const version = endpoint.path.startsWith('/api/v1.5/') ? 'v1.5' : 'v1.2'
  return {
    version,
    method: endpoint.method,
    path: pathWith(endpoint.path, values, version === 'v1.5' ? 'long' : 'short'),
    body: version === 'v1.5' ? z.encode(endpoint.request, body) : body,
  }
}

/** A path with its parameters replaced by values, in order. `ids`: the form of ids in the version's paths. */
function pathWith(path: string, values: readonly string[], ids: 'short' | 'long'): string {
  const rest = values.values()
  return path.replaceAll(/<([\w-]+)>/g, (_, name: string) => segment(name, rest.next().value ?? '', ids))
}

// An identifier is typed by a person: it may contain slashes, spaces and lone surrogates, which a URL can't represent.
const segment = (name: string, value: string, ids: 'short' | 'long') =>
  encodeURIComponent(
    (ids === 'long' && namesAThing(name) && isShortUuid(value) ? wireUuid(value) : value).toWellFormed(),
  )

const namesAThing = (parameter: string) => /uuid$|^identifier$/.test(parameter)
