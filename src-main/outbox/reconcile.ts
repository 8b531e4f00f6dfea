import type { AppError } from '../../src-shared/errors'
import type { CaseId, TagId } from '../../src-shared/ids'
import { assertNever } from '../../src-shared/result'
import type { V12Client } from '../service-client/v12'
import type { Operation } from './operation'
import type { Outcome } from './outcome'
import type { Payload } from './payload'

/** What reconciling asks: the service, where an item was last seen, and who we are. */
export interface ReconcileParts {
  client: Pick<V12Client, 'packageUids'> & { collections: Pick<V12Client['collections'], 'get'> }
  caseOf: (tagId: TagId) => CaseId | undefined
  ownDispensaryId: string | null
}

/**
 * What was found: an outcome, or that the report must be sent (again). `wasTaken` is false when the reading shows that the
 * lost attempt was not taken, so that "already processed" now speaks of somebody else.
 */
export type Finding = { kind: 'decided'; outcome: Outcome } | { kind: 'resend'; wasTaken: false | 'unclear' }

/**
 * Finds out by reading what became of an attempt whose answer was lost.
 * Spec: Package UID lookup entry; Collection, `sold_at_dispensary_on`.
 */
export async function reconcile(operation: Operation, parts: ReconcileParts): Promise<Finding> {
  const { payload } = operation
  if (payload === null) return unclear
  switch (payload.kind) {
    case 'import':
    case 'import-removal':
      return reconcileImport(payload, parts)
    case 'complete':
      return reconcileSale(payload.tagIds, operation.performedAt, parts)
    // Nothing that can be read tells a void or a return from an item that was never sold.
    case 'void':
    case 'return':
      return unclear
    default:
      return assertNever(payload)
  }
}

type CasePayload = Extract<Payload, { kind: 'import' | 'import-removal' }>

async function reconcileImport(payload: CasePayload, parts: ReconcileParts): Promise<Finding> {
  const { client, ownDispensaryId } = parts
  const found = await client.packageUids.cases(payload.packageUid)
  // Not knowing is no reason to send: the same question will be asked again.
  if (!found.ok) return stillUnknown(found.error)
  const entry = found.value.case_ids[payload.caseId]
  const isOurs = ownDispensaryId === null || entry?.dispensary?.uuid === ownDispensaryId
  // The package UID is filled only for dispensaries of our own company.
  if (!entry || entry.package_uid !== payload.packageUid || !isOurs) return settledBy(payload.kind === 'import-removal')
  // The look-up speaks of the case; with several packaged products only its items tell which of them is in.
  const inventory = await client.collections.get(payload.caseId)
  if (!inventory.ok) return stillUnknown(inventory.error)
  const own = inventory.value.items.filter((item) => item.packaged_product_uuid === payload.packagedProductId)
  const isThere = own.length > 0 ? own.every((item) => item.pos_package_uid === payload.packageUid) : entry.is_imported
  return settledBy(isThere === (payload.kind === 'import'))
}

/** A sale is ours when all its items were sold at its own moment; sold at another, they were sold by somebody else. */
async function reconcileSale(tagIds: TagId[], performedAt: string, parts: ReconcileParts): Promise<Finding> {
  const { client, caseOf } = parts
  const moment = Date.parse(performedAt)
  const soldByUs = new Set<TagId>()
  for (const caseId of new Set(tagIds.map(caseOf))) {
    // An item whose case we have never seen can't be read about: sending again decides.
    if (caseId === undefined) return unclear
    const collection = await client.collections.get(caseId)
    if (!collection.ok) return collection.error.code === 'service/not-found' ? unclear : stillUnknown(collection.error)
    for (const item of collection.value.items) {
      if (item.sold_at_dispensary_on != null && Date.parse(item.sold_at_dispensary_on) === moment)
        soldByUs.add(item.tag_id)
    }
  }
  return settledBy(tagIds.every((tagId) => soldByUs.has(tagId)))
}

const unclear: Finding = { kind: 'resend', wasTaken: 'unclear' }

const settledBy = (isDone: boolean): Finding =>
  isDone
    ? { kind: 'decided', outcome: { kind: 'accepted', note: 'found-by-reading' } }
    : { kind: 'resend', wasTaken: false }

const stillUnknown = (reason: AppError): Finding => ({
  kind: 'decided',
  outcome: { kind: 'unknown', reason, afterMs: null },
})
