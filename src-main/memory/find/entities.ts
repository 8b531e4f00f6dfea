import { PackageUid, TagId, parseId } from '../../../src-shared/ids'
import type { Entity, EntityKind, EntityLink, EntityView } from '../../../src-shared/ipc/contract/find'
import { collectionKey, regulatorKey, scannedKey, tagKey } from '../../outbox/payload'
import type { ReadCase } from '../lookup'
import type { Cached } from '../memory-rows'
import type { Memory } from '../store'
import { hrefsIn, secureUrl } from './addresses'
import type { AnyBody, Asked, Asking } from './asking'
import { askBatch, askCoa } from './batch'
import { coaAsOf, coasAsOf } from './certificate'
import { askCollection, caseFromFacts, memberAsOf } from './collection'
import { askPackage, packageFromFacts } from './package'
import { askProduct } from './product'
import { askTag, tagFromFacts, withOwnSale } from './tag'

/** Each kind of thing, declared once: how Find reads its id, asks for it, and completes what it shows. */

/** What the questions about a thing start from. */
interface Sources {
  asking: Asking
  memory: Memory
  readCase: ReadCase
}

/** What only the station knows of a thing, at a moment: expired certificates, its own sales of items, a product's batches. */
export interface StationFacts {
  /** By the service's clock, ms since 1970. */
  now: number
  ownSale: (tagId: TagId) => { orderId: string; at: string } | undefined
  /** The batches of a product that the station has seen. */
  batchesOf: (productId: string) => EntityLink[]
}

type Watched = EntityView['watched']

/** The rules of one kind. What a kind leaves out, it doesn't have. */
interface EntityRules<Kind extends EntityKind> {
  /** The id as the service would name it; undefined for an id that no thing of this kind can have. */
  readId: (id: string) => string | undefined
  /** Asks for everything about it. `via`: the case that it was seen in. */
  ask: (from: Sources, id: string, via: string | null) => Promise<Asked>
  /** From the facts that scans left of it, if Find never showed it. */
  fromFacts?: (memory: Memory, id: string) => Cached<Extract<AnyBody, { kind: Kind }>> | undefined
  /** The view as of a moment; it may have been stored long before. */
  asOf?: (view: Entity<Kind>, station: StationFacts) => Entity<Kind>
  /** The keys of this station's reports about it. */
  reportKeys?: (view: Entity<Kind>) => string[]
  /** Which other reports can change what is shown of it. */
  watched?: (body: Extract<AnyBody, { kind: Kind }>) => Watched
  /** The addresses outside the app that it names. */
  addresses?: (view: Entity<Kind>) => (string | null)[]
}

const entities: { readonly [Kind in EntityKind]: EntityRules<Kind> } = {
  tag: {
    readId: parseId,
    ask: ({ asking }, id) => askTag(asking, TagId.parse(id)),
    fromFacts: (memory, id) => seenAs(memory.tag(TagId.parse(id)), tagFromFacts),
    asOf: (view, { now, ownSale }) =>
      withOwnSale({ ...view, coas: coasAsOf(view.coas, now) }, ownSale(TagId.parse(view.ref.id))),
    reportKeys: ({ ref }) => [tagKey(ref.id)],
    watched: ({ holders }) => ({ ids: holders.map(({ link }) => link.id), kinds: [], newSales: true }),
  },
  collection: {
    readId: (id) => parseId(id) ?? id,
    ask: ({ asking }, id) => askCollection(asking, id),
    fromFacts: (memory, id) => seenAs(memory.case(id), caseFromFacts),
    asOf: (view, { now, ownSale }) => ({
      ...view,
      coas: coasAsOf(view.coas, now),
      items: view.items.map((one) => memberAsOf(one, ownSale)),
      removedItems: view.removedItems.map((one) => memberAsOf(one, ownSale)),
    }),
    reportKeys: ({ collectionId, identifier }) => [
      ...[collectionId, identifier].map(scannedKey),
      collectionKey(collectionId),
      regulatorKey(identifier),
    ],
    watched: ({ collectionId, identifier, type }) => ({
      ids: [collectionId, identifier],
      // A report does not show which package its case is added to.
      kinds: type === 'regulator' ? ['add-case'] : [],
      newSales: true,
    }),
  },
  package: {
    readId: (id) => (PackageUid.safeParse(id).success ? id : undefined),
    ask: ({ asking, memory, readCase }, id) => askPackage(asking, PackageUid.parse(id), memory, readCase),
    fromFacts: (memory, id) =>
      seenAs(memory.package(PackageUid.parse(id)), (cases) => packageFromFacts(memory, id, cases)),
    // An operation that adds a case to it has the name that its regulator uses.
    reportKeys: ({ ref }) => [regulatorKey(ref.id)],
    watched: ({ ref, cases }) => ({
      ids: [ref.id, ...cases.map(({ link }) => link.id)],
      kinds: ['add-case'],
      newSales: false,
    }),
  },
  product: {
    readId: parseId,
    ask: ({ asking }, id) => askProduct(asking, id),
    asOf: (view, { batchesOf }) => ({ ...view, batches: batchesOf(view.ref.id) }),
    addresses: ({ documents, descriptionHtml }) => [
      ...documents.map(({ url }) => url),
      ...hrefsIn(descriptionHtml ?? ''),
    ],
  },
  batch: {
    readId: parseId,
    ask: ({ asking }, id, via) => askBatch(asking, id, via),
    asOf: (view, { now }) => ({ ...view, coas: coasAsOf(view.coas, now) }),
  },
  coa: {
    readId: parseId,
    ask: ({ asking }, id, via) => askCoa(asking, id, via),
    asOf: (view, { now }) => coaAsOf(view, now),
    addresses: ({ certificateUrl, sourceUrl }) => [certificateUrl, sourceUrl],
  },
}

export const rulesOf = <Kind extends EntityKind>(kind: Kind): EntityRules<Kind> => entities[kind]

function seenAs<Facts, Body>(seen: Cached<Facts> | undefined, body: (facts: Facts) => Body): Cached<Body> | undefined {
  return seen && { seenAt: seen.seenAt, value: body(seen.value) }
}

export const asOf = (view: EntityView, station: StationFacts): EntityView =>
  rulesOf(view.kind).asOf?.(view, station) ?? view

export const watchedBy = (body: AnyBody): Watched =>
  rulesOf(body.kind).watched?.(body) ?? { ids: [], kinds: [], newSales: false }

/** The addresses outside the app that a view may open: certificate, documents, links in the description. https only. */
export const addressesIn = (view: EntityView): string[] =>
  (rulesOf(view.kind).addresses?.(view) ?? []).map(secureUrl).filter((url) => url !== null)
