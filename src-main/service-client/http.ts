import { type Dispatcher, request } from 'undici'
import type { Clock, ServiceClock } from '../clock'
import { type Timeouts, createDispatcher } from './dispatcher'
import type { Body, Reply } from './reply'
import { retryAfterMs } from './retry-after'
import { transportFault } from './transport'

export interface HttpRequest {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  url: string
  headers?: Record<string, string>
  body?: string
  /** How long the answer may take, in ms, where the usual limit is too short: uploads. */
  patience?: number
}

/** Bytes of an answer that is no reply of the API: pictures. */
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
  /** Whose `Date` header is the service's clock. */
  clockOrigin: string
  clock: Clock
  serviceClock: ServiceClock
  /** In ms; the defaults suit a shop's line. */
  timeouts?: Timeouts
  /** Certificates that are trusted besides the usual ones. */
  caFile?: string | null
  /** Where proxies are looked up; left out, this process's own. */
  environment?: NodeJS.ProcessEnv
}

/** HTTP over undici, to the profile's own origins only, each part with a time limit. Redirects are not followed. */
export function createHttp(parts: HttpParts): Http {
  const { origins, clockOrigin, clock, serviceClock, caFile = null, environment } = parts
  const { timeouts = { connect: 3_000, headers: 10_000, body: 10_000 } } = parts
  let opened: Dispatcher | undefined
  // A file that was missing may be there by now: a share that was not mounted yet.
  const dispatcher = () => (opened ??= createDispatcher({ timeouts, caFile, ...(environment ? { environment } : {}) }))
  const isOurs = (url: string) => URL.canParse(url) && origins.has(new URL(url).origin)

  return {
    async send(what) {
      if (!isOurs(what.url)) return { kind: 'not-asked', error: { code: 'service/foreign-host' } }
      const via = dispatcher()
      if (!via) return { kind: 'not-asked', error: { code: 'profile/no-ca-file', path: caFile ?? '' } }
      const askedAt = clock.now()
      try {
        const response = await request(what.url, {
          dispatcher: via,
          method: what.method,
          headers: { accept: 'application/json', ...what.headers },
          body: what.body ?? null,
          ...(what.patience === undefined ? {} : { headersTimeout: what.patience, bodyTimeout: what.patience }),
        })
        const answeredAt = clock.now()
        const body = bodyOf(await response.body.text(), headerOf(response.headers['content-type']))
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
      } catch (cause) {
        return { kind: 'no-answer', ...transportFault(cause) }
      }
    },
    async download(url, limit) {
      const via = dispatcher()
      if (!isOurs(url) || !via) return undefined
      try {
        const response = await request(url, { dispatcher: via, method: 'GET' })
        const chunks: Buffer[] = []
        let size = 0
        for await (const chunk of response.body) {
          if (!Buffer.isBuffer(chunk) || (size += chunk.length) > limit) return undefined
          chunks.push(chunk)
        }
        if (response.statusCode !== 200) return undefined
        return { contentType: headerOf(response.headers['content-type']) ?? '', bytes: Buffer.concat(chunks) }
      } catch {
        return undefined
      }
    },
    close: async () => opened?.destroy(),
  }
}

const headerOf = (value: string | string[] | undefined) => (Array.isArray(value) ? value[0] : value)

function bodyOf(text: string, contentType = ''): Body {
  if (text.trim() === '') return { kind: 'none' }
  if (/html/i.test(contentType) || /^\s*</.test(text)) return { kind: 'page' }
  try {
    const value: unknown = JSON.parse(text)
    return { kind: 'json', value }
  } catch {
    return { kind: 'text', value: text }
  }
}
