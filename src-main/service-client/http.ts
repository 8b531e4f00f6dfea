import { Agent, request } from 'undici'
import type { Clock, ServiceClock } from '../clock'
import type { Body, Reply } from './reply'

export interface HttpRequest {
  method: 'GET' | 'POST'
  url: string
  headers?: Record<string, string>
  body?: string
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
  clock: Clock
  serviceClock: ServiceClock
  /** In ms; the defaults suit a shop's line. */
  timeouts?: { connect: number; headers: number; body: number }
}

/** Raised before anything was written to a connection: the service can't have seen the request. */
const neverLeft = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ENETUNREACH',
  'EHOSTUNREACH',
  'ENETDOWN',
  'EADDRNOTAVAIL',
  'UND_ERR_CONNECT_TIMEOUT',
  'CERT_HAS_EXPIRED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'ERR_TLS_CERT_ALTNAME_INVALID',
])

/** Whether an error code proves that the request never left. Anything not listed may have been acted on. */
export const provesNotSent = (code: string): boolean => neverLeft.has(code)

/** HTTP over undici, to the profile's own origins only, each part with a time limit. Redirects are not followed. */
export function createHttp({ origins, clock, serviceClock, timeouts }: HttpParts): Http {
  const limits = timeouts ?? { connect: 3_000, headers: 10_000, body: 10_000 }
  const agent = new Agent({
    connect: { timeout: limits.connect },
    headersTimeout: limits.headers,
    bodyTimeout: limits.body,
    // One request a connection at a time: an answer that never comes must not hold up another's.
    pipelining: 1,
    connections: 16,
  })
  const isOurs = (url: string) => URL.canParse(url) && origins.has(new URL(url).origin)

  return {
    async send(what) {
      if (!isOurs(what.url)) return { kind: 'not-asked', error: { code: 'service/foreign-host' } }
      const askedAt = clock.now()
      try {
        const response = await request(what.url, {
          dispatcher: agent,
          method: what.method,
          headers: { accept: 'application/json', ...what.headers },
          body: what.body ?? null,
        })
        serviceClock.seen(headerOf(response.headers['date']), askedAt, clock.now())
        const text = await response.body.text()
        return {
          kind: 'answer',
          status: response.statusCode,
          body: bodyOf(text, headerOf(response.headers['content-type'])),
          retryAfterMs: retryAfter(headerOf(response.headers['retry-after']), clock.now()),
        }
      } catch (cause) {
        const code = codeOf(cause)
        return { kind: 'no-answer', code, sent: !provesNotSent(code) }
      }
    },
    async download(url, limit) {
      if (!isOurs(url)) return undefined
      try {
        const response = await request(url, { dispatcher: agent, method: 'GET' })
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
    close: () => agent.destroy(),
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

/** `Retry-After` in seconds or as a date, to ms; at most an hour, for nobody wants a till asleep over a typing error. */
function retryAfter(header: string | undefined, now: number): number | null {
  if (header === undefined) return null
  const ms = /^\d+$/.test(header.trim()) ? Number(header) * 1_000 : Date.parse(header) - now
  return Number.isNaN(ms) ? null : Math.min(Math.max(ms, 0), 3_600_000)
}

function codeOf(cause: unknown): string {
  if (typeof cause === 'object' && cause !== null) {
    if ('code' in cause && typeof cause.code === 'string') return cause.code
    if ('cause' in cause && cause.cause !== cause) return codeOf(cause.cause)
    // Several addresses of one host: all of them failed, each with a code of its own; the worst one counts.
    if ('errors' in cause && Array.isArray(cause.errors)) {
      const codes = cause.errors.map(codeOf)
      return codes.find((code) => !provesNotSent(code)) ?? codes[0] ?? 'UNKNOWN'
    }
  }
  return 'UNKNOWN'
}
