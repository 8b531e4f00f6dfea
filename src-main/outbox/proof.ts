import { parseId } from '../../src-shared/ids'
import type { AppError } from '../../src-shared/errors'
import { DetailRefusal } from '../../src-shared/service/refusals'
import { type Body, refusalOf } from '../service-client/reply'
import type { About, Answers } from './kinds/answers'

/**
 * What an answer to a report proves. Pure and total. A yes is what only the service could have said of this very report, a
 * no is one of its documented refusals; everything else proves nothing, and reading settles it. The table is in outbox.md.
 */
export type Proof = 'yes' | 'no' | 'nothing'

/** The fields of a JSON object; undefined of any other body. */
type Fields = Readonly<Record<string, unknown>>
const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const fieldsOf = (body: Body): Fields | undefined =>
  body.kind === 'json' && isObject(body.value) ? body.value : undefined

/** What the closest published service says of a report it took, where it answers with a sentence. */
const sentence = /^transaction accepted\.?$/i

/** Whether a 200 or 201 with this body is the service's yes. Spec: Endpoints > v1.2 endpoints, Collections (v1.5). */
export function provesYes(body: Body, { saysSuccess }: Answers, { shows }: About): boolean {
  const said = body.kind === 'text' ? body.value : body.kind === 'json' ? body.value : undefined
  if (typeof said === 'string') return saysSuccess && sentence.test(said.trim())
  const fields = fieldsOf(body)
  if (!fields || hasFailureMarker(fields) || isRefusal(body)) return false
  const words = [fields['message'], fields['detail']].filter((one) => one !== undefined && one !== null)
  // Whatever else it says in words is no yes, nor is what names another report.
  if (!words.every(isSentence)) return false
  const own = Object.entries(shows)
  const shown = own.filter(([name]) => fields[name] !== undefined && fields[name] !== null)
  if (!shown.every(([name, value]) => isSame(fields[name], value))) return false
  if (own.length > 0 && shown.length === own.length) return true
  return saysSuccess && (saysWord(fields['status'], 'success') || words.length > 0)
}

/** Whether it has the shape of a documented refusal, whatever its status. */
const isRefusal = (body: Body) => {
  const { code } = refusalOf(400, body)
  return code !== 'service/refused' && code !== 'service/invalid-fields'
}

/** Whether a 4xx with this body is the service's no to a report of this kind, and not a word of what stands before it. */
export function provesNo(status: number, body: Body, refusal: AppError, { refusals }: Answers): boolean {
  if (refusals.bare.includes(status) && body.kind === 'none') return true
  if (body.kind !== 'json') return false
  if (status === 403 || status === 405) return hasDetail(body) || refusal.code === 'service/invalid-fields'
  if (![400, 404, 409, 422].includes(status)) return false
  if (refusal.code === 'service/refused') return refusals.takesDetail && hasDetail(body)
  if (refusal.code !== 'service/invalid-fields') return refusals.codes.includes(refusal.code)
  return Object.keys(refusal.fields).every((path) => refusals.fields.includes(path.split('.')[0] ?? ''))
}

const hasDetail = (body: Body) => body.kind === 'json' && DetailRefusal.safeParse(body.value).success

/** Ids are written in two forms, package UIDs in two cases. */
const isSame = (shown: unknown, own: string) =>
  typeof shown === 'string' && (shown === own || formOf(shown) === formOf(own))
const formOf = (text: string) => parseId(text) ?? text.toUpperCase()

const isSentence = (value: unknown) => typeof value === 'string' && sentence.test(value.trim())
const saysWord = (value: unknown, word: string) => typeof value === 'string' && value.toLowerCase() === word

/** Fields that speak of a failure when they hold anything, and those that do when they are false. */
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

/** Whether a body speaks of a failure, whatever else it says: then it proves no yes. */
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
