import type { Database } from 'better-sqlite3'
import { TagId } from '../../../src-shared/ids'
import type { EntityLink, EntityView, ItemInCollection } from '../../../src-shared/ipc/contract/find'
import type { CoaFacts } from '../../../src-shared/service/facts'
import { certificateFaults, certificateWord } from '../certificate'
import { type Operation, operationOf } from '../../outbox/operation'
import type { Outbox } from '../../outbox/outbox'
import { collectionKey, regulatorKey, scannedKey, tagKey } from '../../outbox/payload'
import type { AnyBody } from './asking'
import { expiryOf } from './certificate'
import { facts, text, when } from './facts'

/** What only the station knows of a thing, at a moment: expired certificates, its own sales of items, a product's batches. */
interface StationFacts {
  /** By the service's clock, ms since 1970. */
  now: number
  ownSale: (tagId: TagId) => { orderId: string; at: string } | undefined
  /** The batches of a product that the station has seen. */
  batchesOf: (productId: string) => EntityLink[]
}

/** The view as of a moment; it may have been stored long before. */
export function asOf(view: EntityView, { now, ownSale, batchesOf }: StationFacts): EntityView {
  const certificateStateOf = ({ verdict, expiresOn }: CoaFacts) => {
    const coa = { verdict, expiresOn }
    return { isExpired: certificateFaults(coa, now).includes('expired'), word: certificateWord(coa, now, true) }
  }
  switch (view.kind) {
    case 'tag':
      return {
        ...view,
        coas: view.coas.map((coa) => ({ ...coa, ...certificateStateOf(coa) })),
        ...sold(view, ownSale(TagId.parse(view.ref.id))),
      }
    case 'collection': {
      // Our own reports are only read if the service doesn't show a sale.
      const ofMember = (one: ItemInCollection) =>
        one.soldOn === null ? { ...one, soldOn: ownSale(one.tagId)?.at ?? null } : one
      return {
        ...view,
        coas: view.coas.map((coa) => ({ ...coa, ...certificateStateOf(coa) })),
        items: view.items.map(ofMember),
        removedItems: view.removedItems.map(ofMember),
      }
    }
    case 'batch':
      return { ...view, coas: view.coas.map((coa) => ({ ...coa, ...certificateStateOf(coa) })) }
    case 'coa':
      return { ...view, ...certificateStateOf({ verdict: view.verdict, expiresOn: expiryOf(view) ?? null }) }
    case 'product':
      return { ...view, batches: batchesOf(view.ref.id) }
    case 'package':
      return view
  }
}

/** Our own order replaces the day that the service shows, because it says more. */
function sold(view: Extract<EntityView, { kind: 'tag' }>, ownSale: ReturnType<StationFacts['ownSale']>) {
  if (!ownSale) return {}
  const { orderId, at } = ownSale
  const others = view.facts.filter(({ name }) => name !== 'sold-on')
  return {
    sale: { orderId, at, by: 'this-station' as const },
    facts: [...others, ...facts(when('sold-on', at), text('sold-in-order', orderId))],
  }
}

/** The number of operations in a view. */
const mostShown = 50

export type OwnOperations = ReturnType<typeof createOwnOperations>

/** What this station reported of a thing, or will report, newest first. */
export function createOwnOperations(db: Database, read: Pick<Outbox['read'], 'byKey'>) {
  // By the index of received operations, newest first. A payload that is not JSON names no package.
  const ofPackage = db.prepare(`
    SELECT * FROM operation INDEXED BY operation_received
    WHERE kind IN ('import', 'blind-import', 'import-removal', 'add-items', 'remove-item', 'restore-item')
    AND CASE WHEN json_valid(payload) THEN payload ->> '$.packageUid' END = ?
    ORDER BY seq DESC LIMIT ${mostShown}`)
  const byKeys = (...keys: string[]) => newest(keys.flatMap((key) => read.byKey(key)))

  return (view: EntityView): Operation[] => {
    switch (view.kind) {
      case 'tag':
        return byKeys(tagKey(view.ref.id))
      case 'collection':
        return byKeys(
          ...[view.collectionId, view.identifier].map(scannedKey),
          collectionKey(view.collectionId),
          regulatorKey(view.identifier),
        )
      case 'package':
        // An operation that adds a case to it has the name that its regulator uses.
        return newest([...ofPackage.all(view.ref.id).map(operationOf), ...read.byKey(regulatorKey(view.ref.id))])
      case 'product':
      case 'batch':
      case 'coa':
        return []
    }
  }
}

/** Which other reports can change what is shown of a thing. */
export function watchedBy(view: AnyBody): EntityView['watched'] {
  switch (view.kind) {
    case 'tag':
      return { ids: view.holders.map(({ link }) => link.id), kinds: [], newSales: true }
    case 'collection':
      return {
        ids: [view.collectionId, view.identifier],
        // A report does not show which package its case is added to.
        kinds: view.type === 'regulator' ? ['add-case'] : [],
        newSales: true,
      }
    case 'package':
      return { ids: [view.ref.id, ...view.cases.map(({ link }) => link.id)], kinds: ['add-case'], newSales: false }
    case 'product':
    case 'batch':
    case 'coa':
      return { ids: [], kinds: [], newSales: false }
  }
}

/** Each once. */
const newest = (operations: readonly Operation[]): Operation[] =>
  [...new Map(operations.map((operation) => [operation.seq, operation])).values()]
    .sort((a, b) => b.seq - a.seq)
    .slice(0, mostShown)
