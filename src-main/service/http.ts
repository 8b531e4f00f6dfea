import type { Dispatcher } from 'undici'
import { withDeadline } from '../core/async'
import type { Clock, ServiceClock } from '../core/clock'
import { hasNoFilesLeft } from '../core/open-files'
import type { Secrets } from '../credentials/secrets'
import { type AnswerKind, bodyOf, bytesOf, headerOf, largestAnswer } from './answer'
import { type Routes, type Timeouts, createRoutes } from './routes'
import type { Reply } from './reply'
import { retryAfterMs } from './http-date'
import type { SystemProxy } from './system-proxy'
import { isForWantOfFiles, transportFault } from './transport'
import { request } from './undici'

export interface HttpRequest {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  url: string
  headers?: Record<string, string>
  body?: string
  /** How long the whole request may take, in ms; the usual limit if omitted. Set for uploads and the probe. */
  patience?: number
  /** What the answer may contain, which sets its size limit; `read` if omitted. */
  expects?: AnswerKind
  /** Words of this request to remove from its answer, where they occur as whole words: a customer's id. */
  conceal?: readonly string[]
}

/** The bytes of an answer that doesn't come from the API: images. */
export interface Download {
  contentType: string
  bytes: Buffer
}

export interface Http {
  /** Never rejects: every failure is a reply. */
  send(what: HttpRequest): Promise<Reply>
  /** A file of at most `limit` bytes; undefined if it can't be fetched. */
  download(url: string, limit: number): Promise<Download | undefined>
  close(): Promise<void>
}

/**
 * HTTP over undici, to the profile's own origins only. Each request has a deadline and each answer a size limit.
 * Redirects are not followed.
 */
export function createHttp(parts: {
  /** The only origins that requests may go to. */
  origins: Set<string>
  /** The origin whose `Date` header is the service's clock. */
  clockOrigin: string
  clock: Clock
  serviceClock: Pick<ServiceClock, 'seen' | 'offset'>
  /** Secrets removed from every answer except the token endpoint's. If omitted, none. */
  secrets?: Pick<Secrets, 'scrub'>
  /** In ms; the defaults suit a store's internet connection. */
  timeouts?: Timeouts
  /** File of certificates trusted in addition to the usual ones. */
  caFile?: string | null
  /** Environment in which proxies are looked up first. If omitted, this process's environment. */
  environment?: NodeJS.ProcessEnv
  /** Where proxies are looked up next. If omitted, nowhere. */
  systemProxy?: SystemProxy | undefined
}): Http {
  const { origins, clockOrigin, clock, serviceClock, secrets, caFile = null, environment, systemProxy } = parts
  const { timeouts = { connect: 3_000, headers: 10_000, body: 10_000 } } = parts
  const { total = usualDeadline } = timeouts
  let opened: Routes | undefined
  // Tries again on each request: a certificate file that was missing may exist by now, e.g. on a share that is mounted
  // late.
  const routes = () => (opened ??= createRoutes({ timeouts, caFile, environment, systemProxy }))
  const isOurs = (url: string) => URL.canParse(url) && origins.has(new URL(url).origin)

  const exchange = async (what: HttpRequest, via: Dispatcher, signal: AbortSignal, askedAt: number): Promise<Reply> => {
    const { patience, expects = 'read' } = what
    const response = await request(via, what.url, {
      method: what.method,
      headers: { accept: 'application/json', ...plain, ...what.headers },
      body: what.body ?? null,
      signal,
      ...(patience === undefined ? {} : { headersTimeout: patience, bodyTimeout: patience }),
    })
    const answeredAt = clock.now()
    // Requests don't ask for compression. A compressed answer to a read may be used, but not to a report.
    const mayBePacked = what.method === 'GET' || expects === 'token'
    const body = bodyOf(await bytesOf(response, largestAnswer[expects], mayBePacked), {
      contentType: headerOf(response.headers['content-type']),
      // The token endpoint's answer is the secret itself.
      secrets: expects === 'token' ? undefined : secrets,
      conceal: what.conceal,
    })
    // Only the service's own answers count for its clock, not a proxy's page or the token host's answers.
    if (body.kind === 'json' && new URL(what.url).origin === clockOrigin) {
      serviceClock.seen(headerOf(response.headers['date']), askedAt, answeredAt)
    }
    return {
      kind: 'answer',
      status: response.statusCode,
      body,
      // A date in Retry-After is by the service's clock, regardless of the till's.
      retryAfterMs: retryAfterMs(headerOf(response.headers['retry-after']), clock.now() + serviceClock.offset()),
    }
  }

  return {
    async send(what) {
      if (!isOurs(what.url)) return { kind: 'not-asked', error: { code: 'service/foreign-host' } }
      const open = routes()
      if (!open) {
        const isOut = hasNoFilesLeft()
        return { kind: 'not-asked', error: isOut ? outOfFiles : { code: 'profile/no-ca-file', path: caFile ?? '' } }
      }
      const askedAt = clock.now()
      try {
        return await withDeadline(what.patience ?? total, (signal) =>
          open.take(what.url, signal, (via) => exchange(what, via, signal, askedAt)),
        )
      } catch (cause) {
        const fault = transportFault(cause)
        // The request never left this computer, and nothing is wrong with the line.
        if (isForWantOfFiles(fault, hasNoFilesLeft)) return { kind: 'not-asked', error: outOfFiles }
        return { kind: 'no-answer', ...fault }
      }
    },
    async download(url, limit) {
      const open = routes()
      if (!isOurs(url) || !open) return undefined
      try {
        return await withDeadline(total, async (signal) => {
          const response = await open.take(url, signal, (via) =>
            request(via, url, { method: 'GET', headers: plain, signal }),
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

const outOfFiles = { code: 'service/out-of-files' } as const

/** Connecting, headers and body together may take this long, in ms. */
const usualDeadline = 10_000

/** Bodies of a few kB gain little from compression, and an uncompressed body can't be a decompression bomb. */
const plain = { 'accept-encoding': 'identity' }
