import type { AppError } from '../../src-shared/errors'
import { parseId } from '../../src-shared/ids'
import type { OperationKind, Shown } from '../../src-shared/ipc/operation-view'
import { assertNever } from '../../src-shared/result'
import { errorOfReply } from '../service-client/read'
import { type Body, type Reply, refusalOf } from '../service-client/reply'
import type { IfAlready } from './finding'
import type { About } from './kinds/answers'
import { answersOf } from './kinds/kinds'
import { provesNo, provesYes } from './proof'

/** What an attempt did to its operation. */
export type Outcome =
  /** The service has it. The note says how we know, when it is not a plain 200. */
  | { kind: 'accepted'; note: 'already-processed' | 'found-by-reading' | null }
  /** The service said no, for this reason. */
  | { kind: 'rejected'; reason: AppError }
  /** The service did certainly not act: try again. */
  | { kind: 'retry'; reason: AppError; afterMs: number | null }
  /** The service may have acted: find out before sending again. */
  | { kind: 'unknown'; reason: AppError; afterMs: number | null; shown?: Shown }

export interface Attempt {
  kind: OperationKind
  about: About
  reply: Reply
  /** What "already done" would mean: of a first attempt, that another station did it. */
  ifAlready: IfAlready
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
  const { status, body, retryAfterMs: afterMs } = answer
  // An expired token: the service looks at who asks before it looks at what is asked. Spec: Authentication > 5.
  if (status === 401) return { kind: 'retry', reason: errorOfReply(answer, ''), afterMs }
  const answers = answersOf(attempt.kind)
  if (status === 204 && answers.isEmptyYes) return { kind: 'accepted', note: null }
  if (status === 200 || status === 201) {
    return provesYes(body, answers, attempt.about) ? { kind: 'accepted', note: null } : unproven(answer)
  }
  if (status < 400 || status > 499) return unproven(answer)
  const refusal = refusalOf(status, body)
  if (!provesNo(status, body, refusal, answers)) return unproven(answer)
  return outcomeOfRefusal(attempt, answer, bounded(answers.reason(refusal, attempt.about), attempt.about))
}

/** Something answered, but not what only the service could have said: it may have acted. */
const unproven = (answer: Answer): Outcome => ({
  kind: 'unknown',
  reason: reasonOf(answer),
  afterMs: answer.retryAfterMs,
})

function reasonOf(answer: Answer): AppError {
  const { status, body } = answer
  // The status of a page is a proxy's, of bytes that can't be read nobody's: only that is certain.
  if (body.kind === 'page' || body.kind === 'unusable') return { code: 'service/unreadable', path: null }
  if (status === 429 || status >= 500) return errorOfReply(answer, '')
  return { code: 'service/unproven', status: Number.isInteger(status) ? status : 0, said: wordsOf(body) }
}

/** The first words of a body, for a person. */
function wordsOf(body: Body): string {
  const text = body.kind === 'text' ? body.value : body.kind === 'json' ? JSON.stringify(shortened(body.value, 2)) : ''
  return text.slice(0, mostWords).replaceAll(/\s+/g, ' ').trim()
}
const mostWords = 200

/** The beginning of a value: it is said in few words, and may be of megabytes. */
function shortened(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return value.slice(0, mostWords)
  if (typeof value !== 'object' || value === null) return value
  if (depth === 0) return '…'
  if (Array.isArray(value)) return value.slice(0, 3).map((one) => shortened(one, depth - 1))
  const fields = Object.entries(value).slice(0, 5)
  return Object.fromEntries(fields.map(([name, one]) => [name.slice(0, 50), shortened(one, depth - 1)]))
}

function outcomeOfRefusal({ kind, ifAlready }: Attempt, { status }: Answer, reason: AppError): Outcome {
  if (!isOwnEcho(kind, reason)) return { kind: 'rejected', reason }
  switch (ifAlready) {
    case 'accepted':
      return { kind: 'accepted', note: 'already-processed' }
    case 'rejected':
      return { kind: 'rejected', reason }
    case 'unsettled': {
      const said = 'detail' in reason ? reason.detail : ''
      return { kind: 'unknown', reason: { code: 'outbox/unsettled', status, said }, afterMs: null }
    }
    default:
      return assertNever(ifAlready)
  }
}

/** Whether our own lost attempt would cause this refusal, had it been taken. */
const isOwnEcho = (kind: OperationKind, refusal: AppError) => refusal.code === answersOf(kind).echo

/** Whether a refusal may be the echo of an attempt of ours that arrived late: then reading once more can tell. */
export const isEcho = (kind: OperationKind, outcome: Outcome) =>
  (outcome.kind === 'rejected' && isOwnEcho(kind, outcome.reason)) ||
  (outcome.kind === 'unknown' && outcome.reason.code === 'outbox/unsettled')

/** Of the codes that a refusal names, ours, which are no more than the order has, and a few of the others. */
function bounded(reason: AppError, { tagIds }: About): AppError {
  if (!tagIds) return reason
  const own = new Set(tagIds)
  const cut = (named: readonly string[]) => {
    const known = named.filter((text) => own.has(parseId(text) ?? text))
    const others = named.filter((text) => !own.has(parseId(text) ?? text))
    return [...new Set(known), ...others.slice(0, mostForeign)]
  }
  if (reason.code === 'service/not-imported' || reason.code === 'service/malformed-tags') {
    return { ...reason, tagIds: cut(reason.tagIds) }
  }
  if (reason.code !== 'service/unknown-tags') return reason
  return { ...reason, tagIds: cut(reason.tagIds), invalid: cut(reason.invalid) }
}
const mostForeign = 5
