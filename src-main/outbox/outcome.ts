import type { AppError } from '../../src-shared/errors'
import type { OperationKind } from '../../src-shared/ipc/operation-view'
import { assertNever } from '../../src-shared/result'
import { errorOfReply } from '../service-client/read'
import { refusalOf } from '../service-client/refusal'
import type { Reply } from '../service-client/reply'
import type { About } from './kinds/answers'
import { answersOf } from './kinds/kinds'

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

export interface Attempt extends About {
  kind: OperationKind
  reply: Reply
  /** An earlier attempt of ours may have been taken, as far as reading can tell: then "already done" means that it was. */
  isUncertain: boolean
}

type Answer = Extract<Reply, { kind: 'answer' }>

/** Decides what a reply means. Pure, total; the only place where this is decided. Spec: Errors. */
export function outcomeOf(attempt: Attempt): Outcome {
  const { reply } = attempt
  switch (reply.kind) {
    case 'not-asked':
      return { kind: 'retry', reason: reply.error, afterMs: null }
    case 'no-answer': {
      const reason = errorOfReply(reply, '')
      return reply.sent ? { kind: 'unknown', reason, afterMs: null } : { kind: 'retry', reason, afterMs: null }
    }
    case 'answer':
      return outcomeOfAnswer(attempt, reply)
    default:
      return assertNever(reply)
  }
}

function outcomeOfAnswer(attempt: Attempt, answer: Answer): Outcome {
  const { retryAfterMs: afterMs } = answer
  const meaning = meaningOf(attempt.kind, answer)
  switch (meaning) {
    case 'done':
      return outcomeOfYes(attempt, answer)
    case 'not-now':
      return { kind: 'retry', reason: errorOfReply(answer, ''), afterMs }
    case 'refused':
      return outcomeOfRefusal(attempt, answersOf(attempt.kind).reason(refusalOf(answer.status, answer.body), attempt))
    // A page's status is somebody else's: only that nobody could read the answer is certain.
    case 'unclear':
      return answer.body.kind === 'page' || answer.body.kind === 'unusable'
        ? { kind: 'unknown', reason: { code: 'service/unreadable', path: null }, afterMs }
        : { kind: 'unknown', reason: errorOfReply(answer, ''), afterMs }
    default:
      return assertNever(meaning)
  }
}

/** What a status and the kind of its body say together, before anybody reads the body. */
function meaningOf(
  kind: OperationKind,
  { status, body, retryAfterMs }: Answer,
): 'done' | 'not-now' | 'refused' | 'unclear' {
  // Who asks, through whom, how early, how often: answered before anything is done, whoever answers.
  if ([401, 407, 425, 429].includes(status)) return 'not-now'
  // A page is never the service: whatever its status says, a proxy said it.
  if (body.kind === 'page' || body.kind === 'unusable') return 'unclear'
  // Gateways say a bare 503 also when they gave up on a service that goes on working: only "come back at" is a plain no.
  if (status === 503) return retryAfterMs === null ? 'unclear' : 'not-now'
  // 202 and the others of the 2xx are no plain yes: later, by a proxy, in part.
  if (status === 200 || status === 201) return speaks(kind, body) ? 'done' : 'unclear'
  if (status === 204 && answersOf(kind).isEmptyYes) return 'done'
  // 408 is said of a request that was cut, by whoever stands in front as well.
  if (status >= 400 && status < 500 && status !== 408) return 'refused'
  // Redirects, the other 5xx, and what is no status at all: something answered, but not the service's last word.
  return 'unclear'
}

/**
 * The bodies of successful reports are not shown, but for the import's: JSON or a line of text is the service speaking.
 * An answer with nothing in it proves nothing.
 */
const speaks = (kind: OperationKind, body: Answer['body']) =>
  body.kind === 'json' || (body.kind === 'text' && answersOf(kind).isTextYes)

/** A yes, unless its body is one of the documented refusals: then the service said no, whatever status it gave it. */
function outcomeOfYes(attempt: Attempt, { status, body }: Answer): Outcome {
  const refusal = refusalOf(status, body)
  return isPlainRefusal(refusal) ? outcomeOfRefusal(attempt, refusal) : { kind: 'accepted', note: null }
}

/** Refusals that name themselves. Of the others the shapes, a text and lists of texts, are those of a yes as well. */
const plainRefusals = new Set<AppError['code']>([
  'service/already-processed',
  'service/already-imported',
  'service/other-dispensary',
  'service/package-unknown',
])

function isPlainRefusal(reason: AppError): boolean {
  const blamed = [...('tagIds' in reason ? reason.tagIds : []), ...('invalid' in reason ? reason.invalid : [])]
  return plainRefusals.has(reason.code) || blamed.length > 0
}

function outcomeOfRefusal({ kind, isUncertain }: Attempt, reason: AppError): Outcome {
  return isUncertain && isOwnEcho(kind, reason)
    ? { kind: 'accepted', note: 'already-processed' }
    : { kind: 'rejected', reason }
}

/** Whether our own lost attempt would cause this refusal, had it been taken. */
const isOwnEcho = (kind: OperationKind, refusal: AppError) => refusal.code === answersOf(kind).echo

/** Whether a refusal may be the echo of an attempt of ours that arrived late: then reading once more can tell. */
export const isEcho = (kind: OperationKind, outcome: Outcome) =>
  outcome.kind === 'rejected' && isOwnEcho(kind, outcome.reason)
