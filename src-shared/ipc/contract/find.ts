import { z } from 'zod'
import { AppError } from '../../errors'
import { CaseId, ShortUuid, TagId } from '../../ids'
import { Verdict } from '../../verdict'
import { call, gated, nothing } from './call'
import { OperationKind, OperationView } from './outbox'
import { CertificateWord, Knowledge } from './receiving'

/** What Find shows. Instants are ISO 8601, days `YYYY-MM-DD`, as the service gives them. */

export const EntityKind = z.enum(['tag', 'collection', 'package', 'product', 'batch', 'coa'])
export type EntityKind = z.infer<typeof EntityKind>

/** `id`: the UID of a package, the id or identifier of a collection, the id of anything else. */
export const EntityRef = z.object({ kind: EntityKind, id: z.string().trim().min(1).max(500) })
export type EntityRef = z.infer<typeof EntityRef>

/** A thing in brief, for a list to choose from. */
export const EntityLink = z.object({ ...EntityRef.shape, name: z.string().nullable(), detail: z.string().nullable() })
export type EntityLink = z.infer<typeof EntityLink>

/** One-line facts of a thing; the screen has their labels. */
export const FactName = z.enum([
  'id',
  'identifier',
  'address',
  'type',
  'sub-type',
  'company',
  'state',
  'brand',
  'sku',
  'upc',
  'barcode',
  'gtin',
  'product-type',
  'usage',
  'variety',
  'strain',
  'chemotype',
  'product-line',
  'label-name',
  'container',
  'package-size',
  'pieces',
  'servings',
  'serving-size',
  'gross-weight',
  'expected-thc',
  'expected-cbd',
  'total-thc',
  'total-cbd',
  'ratio',
  'shelf-life',
  'approval-number',
  'published-on',
  'available-on',
  'discontinued-on',
  'created-on',
  'added-on',
  'updated-on',
  'activated-on',
  'audited-on',
  'removed-on',
  'imported-on',
  'paired-on',
  'claimed-on',
  'counterfeit-on',
  'sold-on',
  'sold-in-order',
  'package-uid',
  'required-count',
  'tag-count',
  'public',
  'transfer',
  'regulatory-id',
  'produced-on',
  'harvested-on',
  'extraction',
  'solvents',
  'packaged-on',
  'use-by',
  'laboratory',
  'laboratory-address',
  'sample',
  'batch-sample',
  'received-on',
  'tested-on',
  'reported-on',
  'expires-on',
  'certificate-received-on',
  'entered-on',
])
export type FactName = z.infer<typeof FactName>

/**
 * A name may occur several times (packages, regulatory ids). `form`: the format of the value; `yes-no` holds `yes` or
 * `no`, `count` a whole number.
 */
export const Fact = z.object({
  name: FactName,
  value: z.string(),
  form: z.enum(['text', 'instant', 'day', 'id', 'count', 'yes-no']),
})
export type Fact = z.infer<typeof Fact>

/** A part of a thing that could not be read; the rest is shown. */
export const MissingPart = z.object({
  part: z.enum([
    'catalogue',
    'product',
    'batch',
    'coas',
    'collections',
    'removed-collections',
    'sale',
    'case',
    /** For the items of a collection: import, sale and package. */
    'members',
    /** Everything except what another screen has stored about it. */
    'rest',
  ]),
  reason: AppError,
})
export type MissingPart = z.infer<typeof MissingPart>

/** A collection that holds a thing, or once held it. */
export const HoldingCollection = z.object({
  link: EntityLink,
  type: z.string(),
  subType: z.string().nullable(),
  company: z.string().nullable(),
  addedOn: z.string().nullable(),
  removedOn: z.string().nullable(),
})
export type HoldingCollection = z.infer<typeof HoldingCollection>

/** An item of a collection. */
export const ItemInCollection = z.object({
  tagId: TagId,
  productName: z.string().nullable(),
  packageUid: z.string().nullable(),
  addedOn: z.string().nullable(),
  removedOn: z.string().nullable(),
  importedOn: z.string().nullable(),
  soldOn: z.string().nullable(),
})
export type ItemInCollection = z.infer<typeof ItemInCollection>

const CoaLink = z.object({
  link: EntityLink,
  verdict: z.enum(['passed', 'partly-tested', 'failed', 'none']),
  expiresOn: z.string().nullable(),
  isExpired: z.boolean(),
  /** Computed when the view is read; a view that version 0.1 stored has none. */
  word: CertificateWord.default('none'),
})

const PackagedProductLine = z.object({
  packagedProductId: ShortUuid,
  product: EntityLink,
  batch: EntityLink.nullable(),
  regulatoryId: z.string().nullable(),
  packagedOn: z.string().nullable(),
  useBy: z.string().nullable(),
})

/** `unit` as a symbol if it has one (`%`, `mg/g`), otherwise as the service names it. */
const Measured = z.object({ name: z.string(), value: z.string().nullable(), unit: z.string().nullable() })

/** A file or video of a product: opened outside the app, and only over https. `url` is null if it has no https address. */
const Document = z.object({ name: z.string(), url: z.string().nullable(), mimeType: z.string().nullable() })

const Dosage = z.object({
  name: z.string(),
  quantity: z.string().nullable(),
  servingSize: z.string().nullable(),
  thc: z.string().nullable(),
  cbd: z.string().nullable(),
})

/** Which reports can change what is shown, besides those that the view lists. */
const Watched = z.object({
  /** Reports that name one of these cases, collections or packages. */
  ids: z.array(z.string()),
  /** Reports of these kinds, which don't say all they are about. */
  kinds: z.array(OperationKind),
  /** New sales, returns and voids, which don't name their items. */
  newSales: z.boolean(),
})
const watchesNothing = { ids: [], kinds: [], newSales: false }

const shown = {
  ref: EntityRef,
  /** Null if it has no name, only an id. */
  name: z.string().nullable(),
  knowledge: Knowledge,
  /** Why the service could not be asked; null if it answered. */
  unreachable: AppError.nullable(),
  missing: z.array(MissingPart),
  facts: z.array(Fact),
  /** This station's reports about it, sent or not, newest first; at most 50. */
  operations: z.array(OperationView).max(50),
  watched: Watched.default(watchesNothing),
}

const TagEntity = z.object({
  kind: z.literal('tag'),
  ...shown,
  pictureUrl: z.string().nullable(),
  product: EntityLink.nullable(),
  batch: EntityLink.nullable(),
  coas: z.array(CoaLink),
  /** Newest first. */
  holders: z.array(HoldingCollection),
  pastHolders: z.array(HoldingCollection),
  /** Whether it can be sold, as the counter judges it. */
  standing: Verdict.nullable().default(null),
  /** The last known sale: this station's order, or the day that the service shows. */
  sale: z
    .object({ orderId: z.string().nullable(), at: z.string().nullable(), by: z.enum(['this-station', 'service']) })
    .nullable(),
})

export const CollectionEntity = z.object({
  kind: z.literal('collection'),
  ...shown,
  collectionId: ShortUuid,
  identifier: z.string(),
  type: z.string(),
  isRemoved: z.boolean(),
  /** Set for a case. */
  caseId: CaseId.nullable(),
  pictureUrl: z.string().nullable(),
  packagedProducts: z.array(PackagedProductLine),
  coas: z.array(CoaLink),
  /** Other cases of its items, and their regulator ids, in chronological order. */
  cases: z.array(HoldingCollection),
  regulatorIds: z.array(HoldingCollection),
  /** At most 500 of `itemCount`; the removed items as well. */
  items: z.array(ItemInCollection).max(500),
  itemCount: z.number().int().nonnegative(),
  removedItems: z.array(ItemInCollection).max(500),
  removedItemCount: z.number().int().nonnegative(),
})
export type CollectionEntity = z.infer<typeof CollectionEntity>

const PackageEntity = z.object({
  kind: z.literal('package'),
  ...shown,
  cases: z.array(
    z.object({
      link: EntityLink,
      isImported: z.boolean(),
      importedOn: z.string().nullable(),
      dispensary: z.string().nullable(),
      packageUid: z.string().nullable(),
    }),
  ),
})

const ProductEntity = z.object({
  kind: z.literal('product'),
  ...shown,
  /** HTML from outside: shown by `ui/ForeignHtml.svelte` only. */
  descriptionHtml: z.string().nullable(),
  pictureUrls: z.array(z.string()),
  dosages: z.array(Dosage),
  ingredients: z.array(z.string()),
  aboutIngredients: z.string().nullable(),
  allergens: z.array(z.string()),
  allergenStatement: z.string().nullable(),
  specialDiets: z.array(z.string()),
  specialDietStatement: z.string().nullable(),
  effects: z.object({
    positive: z.array(z.string()),
    negative: z.array(z.string()),
    medical: z.array(z.string()),
  }),
  usageRecommendation: z.string().nullable(),
  testingMethodology: z.string().nullable(),
  /** Files first, then videos. */
  documents: z.array(Document),
  /** The ones this station has seen, because the service has no list of them. Latest first. */
  batches: z.array(EntityLink).max(50).default([]),
})

const BatchEntity = z.object({
  kind: z.literal('batch'),
  ...shown,
  coas: z.array(CoaLink),
  packagedProducts: z.array(PackagedProductLine),
})

const CoaEntity = z.object({
  kind: z.literal('coa'),
  ...shown,
  batch: EntityLink.nullable(),
  verdict: CoaLink.shape.verdict,
  isExpired: z.boolean(),
  word: CoaLink.shape.word,
  totals: z.array(Measured),
  /** `result` as the service gives it: `pass`, `not_tested`, or another word. */
  tests: z.array(z.object({ name: z.string(), result: z.string() })),
  /** All groups of measurements, empty ones included. `name` is the field name in the specification. */
  groups: z.array(z.object({ name: z.string(), rows: z.array(Measured) })),
  /** Null unless it is an https address. */
  certificateUrl: z.string().nullable(),
  sourceUrl: z.string().nullable(),
})

export const EntityView = z.discriminatedUnion('kind', [
  TagEntity,
  CollectionEntity,
  PackageEntity,
  ProductEntity,
  BatchEntity,
  CoaEntity,
])
export type EntityView = z.infer<typeof EntityView>
export type Entity<Kind extends EntityKind> = Extract<EntityView, { kind: Kind }>

/** What a text may mean: ids are looked up, words are searched for in names. */
export const Matches = z.object({
  things: z.array(EntityLink).max(50),
  /** An order number of this station: opens Orders. */
  orderId: z.string().nullable(),
  /** Why the service could not be asked; only stored data was searched then. */
  unreachable: AppError.nullable(),
})
export type Matches = z.infer<typeof Matches>

/** A removed collection of the caller's company. Spec: Removed collection list item. */
export const RemovedCollectionLine = z.object({
  collectionId: ShortUuid,
  identifier: z.string(),
  name: z.string().nullable(),
  type: z.string(),
  addedOn: z.string().nullable(),
  removedOn: z.string().nullable(),
  tagCount: z.number().int().nonnegative().nullable(),
})
export type RemovedCollectionLine = z.infer<typeof RemovedCollectionLine>

/** What a text means, and everything known about a thing. */
export const findCalls = {
  /** The possible meanings of a scanned or typed text. Asks the service if it can be reached. */
  'find.search': call(z.object({ text: z.string().trim().min(1).max(500) }), Matches),
  /** Everything known about a thing: read from the service now, or the stored copy with its age. */
  'find.entity': call(EntityRef, EntityView),
  /** Recently opened things, newest first; at most 20. */
  'find.recent': call(nothing, z.array(EntityLink).max(20)),
  /**
   * What this station has stored about an item, without asking the service. Null if the station has never seen the
   * item.
   */
  'find.known': call(z.object({ tagId: TagId }), EntityLink.nullable()),
  /** Removed collections of the caller's company, of one type or of all. Spec: Collections (v1.5). */
  'find.removed': call(z.object({ type: z.string().trim().min(1).max(50).nullable() }), z.array(RemovedCollectionLine)),
} as const

/** Removing, restoring and changing collections. */
export const collectionCalls = {
  /** Each saves a report and waits up to 2 s for its outcome; `receiving.undo` undoes it. */
  'collection.remove': call(z.object({ collectionId: ShortUuid, ...gated }), OperationView),
  'collection.restore': call(z.object({ collectionId: ShortUuid, ...gated }), OperationView),
  'collection.removeItem': call(z.object({ collectionId: ShortUuid, tagId: TagId, ...gated }), OperationView),
  'collection.restoreItem': call(z.object({ collectionId: ShortUuid, tagId: TagId, ...gated }), OperationView),
  'collection.addItems': call(
    z.object({ caseId: CaseId, tagIds: z.array(TagId).min(1).max(500), ...gated }),
    OperationView,
  ),
  /** `packagedProductId` is required if the case has several. */
  'collection.addCase': call(
    z.object({
      regulatorIdentifier: z.string().trim().min(1).max(255),
      caseId: CaseId,
      packagedProductId: ShortUuid.nullable(),
      ...gated,
    }),
    OperationView,
  ),
} as const
