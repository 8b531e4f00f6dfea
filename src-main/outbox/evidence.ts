import { type AppError, isUnreachable } from '../../src-shared/errors'
import type { CaseId, TagId } from '../../src-shared/ids'
import type { Shown } from '../../src-shared/ipc/contract/outbox'
import { type Result, err, ok } from '../../src-shared/result'
import type { CollectionItem } from '../../src-shared/service/collections'
import { caseOfItem } from '../memory/lookup'
import type { ServiceError } from '../service/reply'
import type { V12Client } from '../service/v12'
import type { Operation, Outcome } from './operation'
import { type CaseOf, caseKey, orderKey, tagKey, tagsOf } from './payload'
import type { Rows } from './rows'

/** What reading can tell about a report whose answer was lost. How each kind reads it is in `kinds/`. */

/**
 * What "it is done already" means when the service says it of a report: `accepted` a lost attempt of ours did it,
 * `rejected` another station did, `unsettled` nothing shows which.
 */
export type IfAlready = 'accepted' | 'rejected' | 'unsettled'

/** What was found: an outcome; or what was shown instead, and that the report must be sent (again). */
export type Evidence = { kind: 'decided'; outcome: Outcome } | { kind: 'resend'; ifAlready: IfAlready; shown: Shown }

/** Reading shows that the lost attempt was taken. */
export const found: Evidence = { kind: 'decided', outcome: { kind: 'accepted', note: 'found-by-reading' } }
/** Reading shows that the lost attempt was not taken. */
export const notTaken = (shown: Shown): Evidence => ({ kind: 'resend', ifAlready: 'rejected', shown })
/** Reading can't tell, and "already" can only be about our own attempt. */
export const unclear = (shown: Shown): Evidence => ({ kind: 'resend', ifAlready: 'accepted', shown })
/** Reading can't tell, and "already" may be about another station's report. */
export const undecided = (shown: Shown): Evidence => ({ kind: 'resend', ifAlready: 'unsettled', shown })
/** Reading failed: the operation stays unknown and is read about again. */
export const stillUnknown = (reason: AppError): Evidence => ({
  kind: 'decided',
  outcome: { kind: 'unknown', reason, afterMs: null },
})

/** Where items can be read. */
export interface ItemSource {
  client: { collections: Pick<V12Client['collections'], 'get'>; items: Pick<V12Client['items'], 'get'> }
  caseOf: CaseOf
}

/** All that reconciling asks: the service, where an item was last seen, what this station reported, and whose it is. */
export interface ReconcileParts extends ItemSource {
  client: ItemSource['client'] & Pick<V12Client, 'packageUids'>
  own: OwnReports
  /** Our own dispensary in the service; null when unknown. */
  ownDispensaryId: string | null
}

/**
 * What the service shows of items and of all other items in their cases. An item is looked for in the case it was last
 * seen in, then in the one that the service names. What can't be found is left out. Fails if the reading may succeed
 * later. Spec: Collection, "v1.2 collection item fields".
 */
export async function readItems(
  tagIds: readonly TagId[],
  { client, caseOf }: ItemSource,
): Promise<Result<Map<TagId, CollectionItem>, ServiceError>> {
  const shown = new Map<TagId, CollectionItem>()
  const read = new Set<CaseId>()

  const readCase = async (caseId: CaseId | undefined): Promise<Result<null, ServiceError>> => {
    if (caseId === undefined || read.has(caseId)) return ok(null)
    read.add(caseId)
    const collection = await client.collections.get(caseId)
    if (!collection.ok) return isPassing(collection.error) ? collection : ok(null)
    // A removed item still shows what became of it.
    for (const item of [...(collection.value.removed_items ?? []), ...collection.value.items]) {
      shown.set(item.tag_id, item)
    }
    return ok(null)
  }

  for (const tagId of tagIds) {
    const known = shown.has(tagId) ? ok(null) : await readCase(caseOf(tagId))
    if (!known.ok) return known
    if (shown.has(tagId)) continue
    const item = await client.items.get(tagId)
    if (!item.ok && isPassing(item.error)) return err(item.error)
    const named = item.ok ? await readCase(caseOfItem(item.value)) : ok(null)
    if (!named.ok) return named
  }
  return ok(shown)
}

const passing = new Set<AppError['code']>(['service/busy', 'service/failing'])

/** Whether the same reading may succeed later: after a web page or no answer, but not after JSON of another shape. */
export const isPassing = (error: AppError) =>
  error.code === 'service/unreadable' ? error.path === null : passing.has(error.code) || isUnreachable(error)

/** The latest accepted operations that are searched for sales. */
const mostLookedThrough = 100

export type OwnReports = ReturnType<typeof createOwnReports>

/**
 * The reports of this station that the service certainly took as they were sent. A sale that counts as accepted because it
 * was "already processed" may have been recorded at another time: it is left out. Times are ms since 1970.
 */
export function createOwnReports(read: Pick<Rows, 'byKey' | 'recent'>) {
  return {
    /** The items of an operation's order that were sold before it and not returned since, each with its time of sale. */
    heldBefore({ seq, payload }: Operation): Map<TagId, number> {
      const held = new Map<TagId, number>()
      if (!payload || !('orderId' in payload)) return held
      for (const earlier of read.byKey(orderKey(payload.orderId))) {
        if (earlier.seq >= seq || earlier.state !== 'accepted') continue
        if (isSale(earlier)) for (const tagId of itemsOf(earlier)) held.set(tagId, Date.parse(earlier.performedAt))
        else if (earlier.kind === 'void') held.clear()
        else for (const tagId of itemsOf(earlier)) held.delete(tagId)
      }
      return held
    },

    /** Every time at which this station sold an item. */
    momentsOf: (tagId: TagId): number[] =>
      read
        .byKey(tagKey(tagId))
        .filter((operation) => operation.state === 'accepted' && isSale(operation))
        .map((operation) => Date.parse(operation.performedAt)),

    /** The latest sales of items that no later report of ours is about, newest first, at most `count`. */
    latestSales(count: number): { tagId: TagId; at: number }[] {
      const sales: { tagId: TagId; at: number }[] = []
      for (const operation of read.recent(mostLookedThrough)) {
        if (sales.length >= count) break
        const { seq, state, payload } = operation
        if (state !== 'accepted' || !isSale(operation) || !payload || !('orderId' in payload)) continue
        const isLast = read.byKey(orderKey(payload.orderId)).every((one) => one.seq <= seq)
        const [tagId] = payload.tagIds
        const isTouched = tagId === undefined || read.byKey(tagKey(tagId)).some((one) => one.seq > seq)
        if (isLast && !isTouched) sales.push({ tagId, at: Date.parse(operation.performedAt) })
      }
      return sales
    },

    /** Whether this station imported the same packaged product of the same case, under the same package, before. */
    hasEarlierImport({ seq, payload }: Operation): boolean {
      if (payload?.kind !== 'import') return false
      const { caseId, packagedProductId, packageUid } = payload
      return read.byKey(caseKey(caseId)).some(({ seq: at, state, note, payload: other }) => {
        if (at >= seq || state !== 'accepted' || note === 'confirmed' || other?.kind !== 'import') return false
        return other.packagedProductId === packagedProductId && other.packageUid === packageUid
      })
    },
  }
}

/** Only a sale that the service showed or answered with a plain yes is known to be recorded at our time. */
const isSale = ({ kind, note }: Operation) =>
  kind === 'complete' && note !== 'already-processed' && note !== 'confirmed'

const itemsOf = ({ payload }: Operation): TagId[] => (payload ? tagsOf(payload) : [])
