import type { AppError } from '../../src-shared/errors'
import type { OperationKind } from '../../src-shared/ipc/operation-view'
import { assertNever } from '../../src-shared/result'
import { errorOfReply } from '../service-client/read'
import { refusalOf } from '../service-client/refusal'
import type { Reply } from '../service-client/reply'

/** What an attempt did to its operation. */
export type Outcome =
  /** The service has it. The note says how we know, when it is not a plain 200. */
  | { kind: 'accepted'; note: 'already-processed' | 'found-by-reading' | null }
  /** The service said no, for this reason. */
  | { kind: 'rejected'; reason: AppError }
  /** The service did certainly not act: try again. */
  | { kind: 'retry'; reason: AppError; afterMs: number | null }
  /** The service may have acted: find out before sending again. */
  | { kind: 'unknown'; reason: AppError; afterMs: number | null }

export interface Attempt {
  kind: OperationKind
  reply: Reply
  /** An earlier attempt of ours may have been taken: then "already done" means that it was. */
  isUncertain: boolean
}

/** Decides what a reply means. Pure, total; the only place where this is decided. Spec: Errors. */
export function outcomeOf(attempt: Attempt): Outcome {
  const { reply } = attempt
  switch (reply.kind) {
    case 'not-asked':
      return { kind: 'retry', reason: reply.error, afterMs: null }
    case 'no-answer': {
      const reason: AppError = { code: 'service/unreachable' }
      return reply.sent ? { kind: 'unknown', reason, afterMs: null } : { kind: 'retry', reason, afterMs: null }
    }
    case 'answer':
      return outcomeOfAnswer(attempt, reply)
    default:
      return assertNever(reply)
  }
}

function outcomeOfAnswer(attempt: Attempt, reply: Extract<Reply, { kind: 'answer' }>): Outcome {
  const { status, body, retryAfterMs: afterMs } = reply
  const reason = errorOfReply(reply, '')
  if (status >= 200 && status < 300) return outcomeOfSuccess(attempt.kind, reply, reason)
  // 401 and 407 are answered before anything is done; 429 and 503 say "not now".
  if ([401, 407, 429, 503].includes(status)) return { kind: 'retry', reason, afterMs }
  // A page is never the service: whatever its status says, a proxy said it.
  if (body.kind === 'page') return { kind: 'unknown', reason: { code: 'service/unreadable', path: null }, afterMs }
  // 408, redirects and the other 5xx: something answered, but not the service's last word.
  if (status < 400 || status === 408 || status >= 500) return { kind: 'unknown', reason, afterMs }
  const refusal = status === 403 && body.kind !== 'json' ? reason : refusalOf(status, body)
  return attempt.isUncertain && isOwnEcho(attempt.kind, refusal)
    ? { kind: 'accepted', note: 'already-processed' }
    : { kind: 'rejected', reason: refusal }
}

/**
 * The bodies of successful reports are not shown, but for the import's: JSON or a line of text is the service speaking.
 * A web page is not, and an answer with nothing in it proves nothing: both are looked into before they count.
 */
function outcomeOfSuccess(kind: OperationKind, reply: Extract<Reply, { kind: 'answer' }>, reason: AppError): Outcome {
  const speaks = reply.body.kind === 'json' || (reply.body.kind === 'text' && kind !== 'import')
  return speaks ? { kind: 'accepted', note: null } : { kind: 'unknown', reason, afterMs: reply.retryAfterMs }
}

/** Refusals that our own lost attempt would cause, had it been taken. */
function isOwnEcho(kind: OperationKind, refusal: AppError): boolean {
  switch (kind) {
    case 'complete':
    case 'void':
    case 'return':
      return refusal.code === 'service/already-processed'
    // Whose import it is, only reading can tell: see reconcile.ts.
    case 'import':
    case 'import-removal':
    case 'unreadable':
      return false
    default:
      return assertNever(kind)
  }
}

const firstPause = 1_000
const longestPause = 60_000

/** Pause in ms before the next attempt: exponential with full jitter; `random` gives [0, 1). Retry-After is obeyed. */
export function pauseAfter(faults: number, afterMs: number | null, random: () => number): number {
  const ceiling = Math.min(longestPause, firstPause * 2 ** Math.min(faults, 16))
  // Never less than a quarter of a second: a service in trouble is not helped by a till that asks without a pause.
  return Math.max(afterMs ?? 0, 250, Math.round(random() * ceiling))
}
