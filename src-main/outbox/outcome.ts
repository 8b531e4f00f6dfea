import type { AppError } from '../../src-shared/errors'
import { parseId } from '../../src-shared/ids'
import type { OperationKind } from '../../src-shared/ipc/contract/outbox'
import { assertNever } from '../../src-shared/result'
import { DetailRefusal } from '../../src-shared/service/refusals'
import { errorOfReply } from '../service/read'
import { type ReplyBody, type Reply, refusalOf } from '../service/reply'
import type { IfAlready } from './evidence'
import { answersOf } from './kinds/kinds'
import type { About, Answers } from './kinds/rules'
import type { Outcome } from './operation'

interface Attempt {
  kind: OperationKind
  about: About
  reply: Reply
  /** What "already done" would mean; on a first attempt, that another station did it. */
  ifAlready: IfAlready
}

type ServiceAnswer = Extract<Reply, { kind: 'answer' }>

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

function outcomeOfAnswer(attempt: Attempt, answer: ServiceAnswer): Outcome {
  const { status, body, retryAfterMs: afterMs } = answer
  // An expired token: the service checks the token before it looks at the report. Spec: Authentication > 5.
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

/** An answer that something else than the service could have given: the service may have acted. */
const unproven = (answer: ServiceAnswer): Outcome => ({
  kind: 'unknown',
  reason: reasonOf(answer),
  afterMs: answer.retryAfterMs,
})

function reasonOf(answer: ServiceAnswer): AppError {
  const { status, body } = answer
  // A page is a proxy's answer and its status says nothing, nor does that of an unreadable body.
  if (body.kind === 'page' || body.kind === 'unusable') return { code: 'service/unreadable', path: null }
  if (status === 429 || status >= 500) return errorOfReply(answer, '')
  return { code: 'service/unproven', status: Number.isInteger(status) ? status : 0, said: wordsOf(body) }
}

/** The first words of a body, for a person. */
function wordsOf(body: ReplyBody): string {
  const text = body.kind === 'text' ? body.value : body.kind === 'json' ? JSON.stringify(shortened(body.value, 2)) : ''
  return text.slice(0, mostWords).replaceAll(/\s+/g, ' ').trim()
}
const mostWords = 200

/** The beginning of a value, which may be megabytes long. */
function shortened(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return value.slice(0, mostWords)
  if (typeof value !== 'object' || value === null) return value
  if (depth === 0) return '…'
  if (Array.isArray(value)) return value.slice(0, 3).map((one) => shortened(one, depth - 1))
  const fields = Object.entries(value).slice(0, 5)
  return Object.fromEntries(fields.map(([name, one]) => [name.slice(0, 50), shortened(one, depth - 1)]))
}

function outcomeOfRefusal({ kind, ifAlready }: Attempt, { status }: ServiceAnswer, reason: AppError): Outcome {
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

/** Whether a refusal may be the echo of our own late attempt: then reading once more can tell. */
export const isEcho = (kind: OperationKind, outcome: Outcome) =>
  (outcome.kind === 'rejected' && isOwnEcho(kind, outcome.reason)) ||
  (outcome.kind === 'unknown' && outcome.reason.code === 'outbox/unsettled')

/** Limits the codes that a refusal names: keeps those of our own items and a few others. */
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

/*
 * What an answer proves. A yes is what only the service could have said about this very report, a no is one of its
 * documented refusals; everything else proves nothing, and reading settles it. The table is in outbox.md.
 */

/** The fields of a JSON object; undefined of any other body. */
type Fields = Readonly<Record<string, unknown>>
const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const fieldsOf = (body: ReplyBody): Fields | undefined =>
  body.kind === 'json' && isObject(body.value) ? body.value : undefined

/** The sentence with which the closest published service accepts a report. */
const sentence = /^transaction accepted\.?$/i

/** Whether a 200 or 201 with this body is the service's yes. Spec: Endpoints > v1.2 endpoints, Collections (v1.5). */
export function provesYes(body: ReplyBody, { saysSuccess }: Answers, { shows }: About): boolean {
  const said = body.kind === 'text' ? body.value : body.kind === 'json' ? body.value : undefined
  if (typeof said === 'string') return saysSuccess && sentence.test(said.trim())
  const fields = fieldsOf(body)
  if (!fields || hasFailureMarker(fields) || isRefusal(body)) return false
  const words = [fields['message'], fields['detail']].filter((one) => one !== undefined && one !== null)
  // Any other words are not a yes, nor is an answer that names another report.
  if (!words.every(isSentence)) return false
  const own = Object.entries(shows)
  const shown = own.filter(([name]) => fields[name] !== undefined && fields[name] !== null)
  if (!shown.every(([name, value]) => isSame(fields[name], value))) return false
  if (own.length > 0 && shown.length === own.length) return true
  return saysSuccess && (saysWord(fields['status'], 'success') || words.length > 0)
}

/** Whether it has the shape of a documented refusal, with any status. */
const isRefusal = (body: ReplyBody) => {
  const { code } = refusalOf(400, body)
  return code !== 'service/refused' && code !== 'service/invalid-fields'
}

/** Whether a 4xx with this body is the service's no to a report of this kind, and not the answer of a proxy. */
export function provesNo(status: number, body: ReplyBody, refusal: AppError, { refusals }: Answers): boolean {
  if (refusals.bare.includes(status) && body.kind === 'none') return true
  if (body.kind !== 'json') return false
  if (status === 403 || status === 405) return hasDetail(body) || refusal.code === 'service/invalid-fields'
  if (![400, 404, 409, 422].includes(status)) return false
  if (refusal.code === 'service/refused') return refusals.takesDetail && hasDetail(body)
  if (refusal.code !== 'service/invalid-fields') return refusals.codes.some((code) => code === refusal.code)
  return Object.keys(refusal.fields).every((path) => refusals.fields.includes(path.split('.')[0] ?? ''))
}

const hasDetail = (body: ReplyBody) => body.kind === 'json' && DetailRefusal.safeParse(body.value).success

/** Ids are written in two forms, package UIDs in two cases. */
const isSame = (shown: unknown, own: string) =>
  typeof shown === 'string' && (shown === own || formOf(shown) === formOf(own))
const formOf = (text: string) => parseId(text) ?? text.toUpperCase()

const isSentence = (value: unknown) => typeof value === 'string' && sentence.test(value.trim())
const saysWord = (value: unknown, word: string) => typeof value === 'string' && value.toLowerCase() === word

/** Fields that show a failure if they hold anything, and fields that show one if they are false. */
const ofFailure = [
  'error',
  'errors',
  'error_code',
  'exception',
  'failed',
  'failure',
  'fault',
  'non_field_errors',
  'non_imported_tagids',
]
const ofSuccess = ['success', 'ok', 'valid', 'valid_transaction']

/** Whether a body shows a failure: then it is not a yes, whatever else it says. */
function hasFailureMarker(fields: Fields): boolean {
  if (ofFailure.some((name) => !isEmpty(fields[name]))) return true
  if (ofSuccess.some((name) => fields[name] === false)) return true
  if (['code', 'statusCode', 'status_code'].some((name) => isFailureCode(fields[name]))) return true
  const { status } = fields
  return status !== undefined && status !== null && !saysWord(status, 'success')
}

const isFailureCode = (value: unknown) => typeof value === 'string' || (typeof value === 'number' && value >= 400)

const isEmpty = (value: unknown) =>
  value === undefined ||
  value === null ||
  value === false ||
  value === '' ||
  (Array.isArray(value) && value.length === 0)
