import type { CaseId, TagId } from '../../src-shared/ids'
import { assertNever } from '../../src-shared/result'
import type { ServiceClient } from '../service-client/client'
import type { Operation } from './operation'
import type { Outcome } from './outcome'
import type { Payload } from './payload'

/** What reconciling asks: the service, and where an item was last seen. */
export interface ReconcileParts {
  client: Pick<ServiceClient, 'casesOfPackage' | 'collection'>
  caseOf: (tagId: TagId) => CaseId | undefined
}

/**
 * Finds out by reading what became of an attempt whose answer was lost. Gives an outcome when the reading decides it,
 * `resend` when the report must be sent (again): the service answers "already processed" to a second one, and
 * outcome.ts takes that for the yes it is. Spec: Package UID lookup entry; Collection, `sold_at_dispensary_on`.
 */
export async function reconcile(operation: Operation, parts: ReconcileParts): Promise<Outcome | 'resend'> {
  const { payload } = operation
  if (payload === null) return 'resend'
  switch (payload.kind) {
    case 'import':
    case 'import-removal':
      return reconcileImport(payload, parts)
    case 'complete':
      return reconcileSale(payload.tagIds, parts)
    // Nothing that can be read tells a void or a return from an item that was never sold.
    case 'void':
    case 'return':
      return 'resend'
    default:
      return assertNever(payload)
  }
}

type CasePayload = Extract<Payload, { kind: 'import' | 'import-removal' }>

async function reconcileImport(payload: CasePayload, { client }: ReconcileParts): Promise<Outcome | 'resend'> {
  const found = await client.casesOfPackage(payload.packageUid)
  // Not knowing is no reason to send: the same question will be asked again.
  if (!found.ok) return { kind: 'unknown', reason: found.error, afterMs: null }
  const entry = found.value.case_ids[payload.caseId]
  // The package UID is filled only for dispensaries of our own company.
  if (!entry || entry.package_uid !== payload.packageUid) return payload.kind === 'import' ? 'resend' : foundByReading
  // The look-up speaks of the case; with several packaged products only its items tell which of them is in.
  const inventory = await client.collection(payload.caseId)
  if (!inventory.ok) return { kind: 'unknown', reason: inventory.error, afterMs: null }
  const own = inventory.value.items.filter((item) => item.packaged_product_uuid === payload.packagedProductId)
  const isThere = own.length > 0 ? own.every((item) => item.pos_package_uid === payload.packageUid) : entry.is_imported
  return isThere === (payload.kind === 'import') ? foundByReading : 'resend'
}

async function reconcileSale(tagIds: TagId[], { client, caseOf }: ReconcileParts): Promise<Outcome | 'resend'> {
  const cases = new Set(tagIds.map(caseOf))
  const sold = new Set<TagId>()
  for (const caseId of cases) {
    // An item whose case we have never seen can't be read about: sending again decides.
    if (caseId === undefined) return 'resend'
    const collection = await client.collection(caseId)
    if (!collection.ok) {
      return collection.error.code === 'service/not-found'
        ? 'resend'
        : { kind: 'unknown', reason: collection.error, afterMs: null }
    }
    for (const item of collection.value.items) if (item.sold_at_dispensary_on != null) sold.add(item.tag_id)
  }
  return tagIds.every((tagId) => sold.has(tagId)) ? foundByReading : 'resend'
}

const foundByReading: Outcome = { kind: 'accepted', note: 'found-by-reading' }
