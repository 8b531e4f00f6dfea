import type { AppError } from '../../src-shared/errors'
import type { Unusable } from './answer-bytes'

/**
 * What became of one request: the raw material of every decision.
 * `sent` is false only when the request certainly never left this machine, so that the service can't have acted on it.
 */
export type Reply =
  | { kind: 'answer'; status: number; body: Body; retryAfterMs: number | null }
  | { kind: 'no-answer'; code: string; sent: boolean }
  /** Not asked at all: no token could be had, the service asked for a pause, or the host is not ours. */
  | { kind: 'not-asked'; error: AppError }

/**
 * `page` is HTML: a captive portal or a proxy in trouble, never the service. `none` is an empty body. `unusable` is too
 * large, too deep, cut off or packed in a way that can't be unpacked: it proves nothing.
 */
export type Body =
  | { kind: 'json'; value: unknown }
  | { kind: 'text'; value: string }
  | { kind: 'page' }
  | { kind: 'none' }
  | { kind: 'unusable'; why: Unusable }
