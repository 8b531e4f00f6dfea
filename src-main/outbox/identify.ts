import type { AppError } from '../../src-shared/errors'
import type { Result } from '../../src-shared/result'
import { type CaseFacts, caseFacts } from '../../src-shared/service/facts'
import type { V12Client } from '../service-client/v12'
import type { Identified } from './attempts'
import type { Outcome } from './outcome'
import type { Payload } from './payload'
import { isPassing } from './read-items'

export interface IdentifyClient {
  cases: Pick<V12Client['cases'], 'get'>
  items: Pick<V12Client['items'], 'get'>
}

type Blind = Extract<Payload, { kind: 'blind-import' }>

/** What was found out: which import it is (`known`), why it can't be one (`outcome`), or which case at least (both). */
export type Found = { facts?: CaseFacts } & (
  { known: Identified; outcome?: Outcome } | { known?: undefined; outcome: Outcome }
)

/**
 * Asks which case a blind import is of. Not knowing is no reason to refuse it: only the service's word that there is no
 * such case, or that it holds not exactly one packaged product, is. Spec: v1.2 endpoints, CaseID detail.
 */
export async function identify(payload: Blind, client: IdentifyClient): Promise<Found> {
  const id = payload.caseId ?? payload.scanned
  const detail = await client.cases.get(id)
  if (!detail.ok) return { outcome: await outcomeOfFailure(detail.error, id, client) }
  const facts = caseFacts(detail.value)
  const { caseId, packagedProducts } = facts
  const tagIds = facts.tags.map(({ tagId }) => tagId)
  const [product, another] = packagedProducts
  if (product === undefined || another !== undefined) {
    const code = product === undefined ? 'receiving/empty-case' : 'receiving/choose-product'
    // A person decides, and finds it by its case from here on.
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
  // A bare id says nothing of what it names.
  const item: Result<unknown, AppError> = await items.get(id)
  if (item.ok) return rejected({ code: 'scan/wrong-place', found: 'tag', expected: 'case' })
  return mayPass(item.error) ? retry(item.error) : rejected({ code: 'service/not-found', id })
}

/** Answers that we can't read are no word on the case: a later version of the service, or of us, may do better. */
const mayPass = (error: AppError) => isPassing(error) || error.code === 'service/unreadable'
