import { type Dispatcher, request } from 'undici'
import { withDeadline } from '../async'
import type { Clock, ServiceClock } from '../clock'
import type { Secrets } from '../secrets'
import { type AnswerKind, bodyOf, bytesOf, headerOf, largestAnswer } from './answer'
import { type Routes, type Timeouts, createRoutes } from './routes'
import type { Reply } from './reply'
import { retryAfterMs } from './http-date'
import type { SystemProxy } from './system-proxy'
import { transportFault } from './transport'

export interface HttpRequest {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  url: string
  headers?: Record<string, string>
  body?: string
  /** How long the whole request may take, in ms, if not as long as usual: uploads, the probe. */
  patience?: number
  /** What the answer may hold, and so how large it may be; `read` if left out. */
  expects?: AnswerKind
  /** Words of this request that are taken out of its answer, where they stand by themselves: a customer's id. */
  conceal?: readonly string[]
}

/** The bytes of an answer that doesn't come from the API: pictures. */
export interface Download {
  contentType: string
  bytes: Buffer
}

export interface Http {
  /** Never rejects: every failure is a reply. */
  send(what: HttpRequest): Promise<Reply>
  /** A file of at most `limit` bytes; undefined when it can't be had. */
  download(url: string, limit: number): Promise<Download | undefined>
  close(): Promise<void>
}

export interface HttpParts {
  /** The only origins that may be asked. */
  origins: Set<string>
  /** The origin whose `Date` header is the service's clock. */
  clockOrigin: string
  clock: Clock
  serviceClock: Pick<ServiceClock, 'seen' | 'offset'>
  /** What no answer may carry further, but for that of the token endpoint; left out, nothing is known. */
  secrets?: Pick<Secrets, 'scrub'>
  /** In ms; the defaults suit a shop's line. */
  timeouts?: Timeouts
  /** Certificates that are trusted besides the usual ones. */
  caFile?: string | null
  /** Where proxies are looked up first; left out, this process's own. */
  environment?: NodeJS.ProcessEnv
  /** Where they are looked up then; left out, nowhere. */
  systemProxy?: SystemProxy | undefined
}

/**
 * HTTP over undici, to the profile's own origins only; each request has a deadline, each answer a limit. Redirects are
 * not followed.
 */
export function createHttp(parts: HttpParts): Http {
  const { origins, clockOrigin, clock, serviceClock, secrets, caFile = null, environment, systemProxy } = parts
  const { timeouts = { connect: 3_000, headers: 10_000, body: 10_000 } } = parts
  const { total = usualDeadline } = timeouts
  let opened: Routes | undefined
  // A file that was missing may be there by now: a share that was not mounted yet.
  const routes = () => (opened ??= createRoutes({ timeouts, caFile, environment, systemProxy }))
  const isOurs = (url: string) => URL.canParse(url) && origins.has(new URL(url).origin)

  const exchange = async (what: HttpRequest, via: Dispatcher, signal: AbortSignal, askedAt: number): Promise<Reply> => {
    const { patience, expects = 'read' } = what
    const response = await request(what.url, {
      dispatcher: via,
      method: what.method,
      headers: { accept: 'application/json', ...plain, ...what.headers },
      body: what.body ?? null,
      signal,
      ...(patience === undefined ? {} : { headersTimeout: patience, bodyTimeout: patience }),
    })
    const answeredAt = clock.now()
    // No compression was asked for. A compressed read may be used, a compressed answer to a report may not.
    const mayBePacked = what.method === 'GET' || expects === 'token'
    const body = bodyOf(await bytesOf(response, largestAnswer[expects], mayBePacked), {
      contentType: headerOf(response.headers['content-type']),
      // The answer of the token endpoint is the secret.
      secrets: expects === 'token' ? undefined : secrets,
      conceal: what.conceal,
    })
    // Only the service itself tells its time: not a proxy's page, not the host of the tokens.
    if (body.kind === 'json' && new URL(what.url).origin === clockOrigin) {
      serviceClock.seen(headerOf(response.headers['date']), askedAt, answeredAt)
    }
    return {
      kind: 'answer',
      status: response.statusCode,
      body,
      // A date is by the service's clock, however wrong the till's is.
      retryAfterMs: retryAfterMs(headerOf(response.headers['retry-after']), clock.now() + serviceClock.offset()),
    }
  }

  return {
    async send(what) {
      if (!isOurs(what.url)) return { kind: 'not-asked', error: { code: 'service/foreign-host' } }
      const open = routes()
      if (!open) return { kind: 'not-asked', error: { code: 'profile/no-ca-file', path: caFile ?? '' } }
      const askedAt = clock.now()
      try {
        return await withDeadline(what.patience ?? total, (signal) =>
          open.take(what.url, signal, (via) => exchange(what, via, signal, askedAt)),
        )
      } catch (cause) {
        return { kind: 'no-answer', ...transportFault(cause) }
      }
    },
    async download(url, limit) {
      const open = routes()
      if (!isOurs(url) || !open) return undefined
      try {
        return await withDeadline(total, async (signal) => {
          const response = await open.take(url, signal, (via) =>
            request(url, { dispatcher: via, method: 'GET', headers: plain, signal }),
          )
          const bytes = await bytesOf(response, limit)
          if (response.statusCode !== 200 || typeof bytes === 'string') return undefined
          return { contentType: headerOf(response.headers['content-type']) ?? '', bytes: Buffer.from(bytes) }
        })
      } catch {
        return undefined
      }
    },
    close: async () => opened?.destroy(),
  }
}

/** Connecting, headers and body together may take this long, in ms. */
const usualDeadline = 10_000

/** Bodies of a few kB gain little by compression, and what is not packed can't be a bomb. */
const plain = { 'accept-encoding': 'identity' }
