import type { AppError } from '../../src-shared/errors'
import type { TagId } from '../../src-shared/ids'
import type { Shown } from '../../src-shared/ipc/contract/outbox'
import type { Result } from '../../src-shared/result'
import { type CaseFacts, caseFacts } from '../../src-shared/service/facts'
import type { V12Client } from '../service/v12'
import { type Evidence, type ReconcileParts, isPassing, unclear } from './evidence'
import { answersOf, reconcileByKind } from './kinds/kinds'
import type { Operation, Outcome } from './operation'
import { isEcho } from './outcome'
import type { Payload } from './payload'

/** What is read before a report is sent: what became of its lost attempt, or which case a blind import is of. */

/**
 * After so many faults in a row, minutes of them, a reading that the service can't answer counts as one that shows
 * nothing: an operation that can't be read about is sent again, or it would wait forever.
 */
const patience = 12
/** Readings that were answered, but show nothing. Unreachable and busy say when it is worth asking again. */
const useless = new Set<AppError['code']>(['service/failing', 'service/unreadable'])

/** Finds out by reading what became of an attempt whose answer was lost. The tables are in outbox.md. */
export async function reconcile(operation: Operation, parts: ReconcileParts): Promise<Evidence> {
  const { payload } = operation
  const evidence = payload === null ? unclear('nothing') : await reconcileByKind(operation, payload, parts)
  const isUseless =
    evidence.kind === 'decided' && 'reason' in evidence.outcome && useless.has(evidence.outcome.reason.code)
  return isUseless && operation.faults >= patience ? unclear('nothing') : evidence
}

/**
 * Reads once more if a resent report is refused because it is done already: the lost attempt may have been taken only after
 * the first reading. For a change of collections any refusal may mean that, since a service may refuse to do again what it
 * did. Returns the outcome unchanged if reading doesn't decide.
 */
export async function lookAgain(operation: Operation, outcome: Outcome, parts: ReconcileParts): Promise<Outcome> {
  const { kind } = operation
  const mayBeEcho = isEcho(kind, outcome) || (outcome.kind === 'rejected' && answersOf(kind).readsAfter === 'any')
  if (!operation.isUncertain || !mayBeEcho) return outcome
  const again = await reconcile(operation, parts)
  return again.kind === 'decided' ? again.outcome : outcome
}

/** Faults in a row, half a minute of them, before a person is asked. */
const longestDoubt = 5

/**
 * Asks a person about an operation that neither reading nor the answers to further attempts settle, again and again. It is
 * still tried: a service that recovers settles it without a person.
 */
export function unsettled(operation: Operation, outcome: Outcome, shown: Shown): Outcome {
  if (outcome.kind !== 'unknown') return outcome
  const { reason } = outcome
  const isAnswered = reason.code === 'service/unproven' || reason.code === 'service/unreadable'
  // If readings are answered and this report never is, it isn't an outage of the whole service.
  const isDoubtful = operation.faults >= (isAnswered ? longestDoubt : patience)
  return { ...outcome, shown, reason: isDoubtful ? doubtOf(reason) : reason }
}

/** Why a person is asked: the last answer if it says anything, else the one before. */
export function doubtOf(reason: AppError, before: AppError | null = null): AppError {
  const code = 'outbox/unsettled'
  if (reason.code === code) return reason
  if (reason.code === 'service/unproven') return { code, status: reason.status, said: reason.said }
  if (reason.code === 'service/failing') return { code, status: reason.status, said: '' }
  // No answer at all: the one before it stays the last.
  return before?.code === code && reason.code !== 'service/unreadable' ? before : { code, status: null, said: '' }
}

export interface IdentifyClient {
  cases: Pick<V12Client['cases'], 'get'>
  items: Pick<V12Client['items'], 'get'>
}

export type Blind = Extract<Payload, { kind: 'blind-import' }>

/** What a blind import turned out to be, and the items of its case. */
export interface Identified {
  payload: Extract<Payload, { kind: 'import' }> | Blind
  tagIds: readonly TagId[]
}

/** What was found out: which import it is (`known`), why it can't be one (`outcome`), or at least which case (both). */
export type Identification = { facts?: CaseFacts } & (
  { known: Identified; outcome?: Outcome } | { known?: undefined; outcome: Outcome }
)

/**
 * Asks which case a blind import is of. A failed read doesn't refuse the import; it is refused only if the service says
 * that the case doesn't exist, or that it doesn't hold exactly one packaged product. Spec: v1.2 endpoints, CaseID detail.
 */
export async function identify(payload: Blind, client: IdentifyClient): Promise<Identification> {
  const id = payload.caseId ?? payload.scanned
  const detail = await client.cases.get(id)
  if (!detail.ok) return { outcome: await outcomeOfFailure(detail.error, id, client) }
  const facts = caseFacts(detail.value)
  const { caseId, packagedProducts } = facts
  const tagIds = facts.tags.map(({ tagId }) => tagId)
  const [product, another] = packagedProducts
  if (product === undefined || another !== undefined) {
    const code = product === undefined ? 'receiving/empty-case' : 'receiving/choose-product'
    // A person decides, and finds it by its case from now on.
    return { facts, known: { payload: { ...payload, caseId }, tagIds }, outcome: rejected({ code, caseId }) }
  }
  const { scanned: _, ...form } = payload
  const { packagedProductId, productName } = product
  const itemCount = product.tagIds.length
  return {
    facts,
    known: { payload: { ...form, kind: 'import', caseId, packagedProductId, productName, itemCount }, tagIds },
  }
}

const rejected = (reason: AppError): Outcome => ({ kind: 'rejected', reason })
const retry = (reason: AppError): Outcome => ({ kind: 'retry', reason, afterMs: null })

async function outcomeOfFailure(error: AppError, id: string, { items }: IdentifyClient): Promise<Outcome> {
  if (error.code !== 'service/not-found') return mayPass(error) ? retry(error) : rejected(error)
  // The id alone doesn't say what it names.
  const item: Result<unknown, AppError> = await items.get(id)
  if (item.ok) return rejected({ code: 'scan/wrong-place', found: 'tag', expected: 'case' })
  return mayPass(item.error) ? retry(item.error) : rejected({ code: 'service/not-found', id })
}

/** An unreadable answer says nothing about the case: a later version of the service, or of the app, may do better. */
const mayPass = (error: AppError) => isPassing(error) || error.code === 'service/unreadable'
