import { z } from 'zod'
import { AppError } from '../../errors'
import { CaseId, ShortUuid, TagId } from '../../ids'
import { call, nothing } from './call'
import { OperationView } from './outbox'
import { Knowledge } from './receiving'

/** What Find shows of the things of the service. Instants are ISO 8601, days `YYYY-MM-DD`, as the service gives them. */

export const ThingKind = z.enum(['tag', 'collection', 'package', 'product', 'batch', 'coa'])
export type ThingKind = z.infer<typeof ThingKind>

/** `id`: of a package its UID, of a collection its id or its identifier, of anything else its id. */
export const EntityRef = z.object({ kind: ThingKind, id: z.string().trim().min(1).max(500) })
export type EntityRef = z.infer<typeof EntityRef>

/** A thing in so many words that a person can choose it. */
export const ThingLink = z.object({ ...EntityRef.shape, name: z.string().nullable(), detail: z.string().nullable() })
export type ThingLink = z.infer<typeof ThingLink>

/** What can be said of a thing in one line each; the screen has the words. */
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

/** A name may come several times (packages, regulatory ids). `form` says how it is to be written: `yes-no` holds `yes` or `no`, `count` a whole number. */
export const Fact = z.object({
  name: FactName,
  value: z.string(),
  form: z.enum(['text', 'instant', 'day', 'id', 'count', 'yes-no']),
})
export type Fact = z.infer<typeof Fact>

/** A part of a thing that could not be read; the rest is shown anyway. */
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
    /** Of the items of a collection: import, sale and package. */
    'members',
    /** All but what another screen has seen of it. */
    'rest',
  ]),
  reason: AppError,
})
export type MissingPart = z.infer<typeof MissingPart>

/** A collection that holds a thing, or held it. */
export const Holder = z.object({
  link: ThingLink,
  type: z.string(),
  subType: z.string().nullable(),
  company: z.string().nullable(),
  addedOn: z.string().nullable(),
  removedOn: z.string().nullable(),
})
export type Holder = z.infer<typeof Holder>

/** An item of a collection. */
export const Member = z.object({
  tagId: TagId,
  productName: z.string().nullable(),
  packageUid: z.string().nullable(),
  addedOn: z.string().nullable(),
  removedOn: z.string().nullable(),
  importedOn: z.string().nullable(),
  soldOn: z.string().nullable(),
})
export type Member = z.infer<typeof Member>

const CoaLink = z.object({
  link: ThingLink,
  verdict: z.enum(['passed', 'partly-tested', 'failed', 'none']),
  expiresOn: z.string().nullable(),
  isExpired: z.boolean(),
})

const PackagedProductLine = z.object({
  packagedProductId: ShortUuid,
  product: ThingLink,
  batch: ThingLink.nullable(),
  regulatoryId: z.string().nullable(),
  packagedOn: z.string().nullable(),
  useBy: z.string().nullable(),
})

/** `unit` by its sign where it has one (`%`, `mg/g`), otherwise in the service's words. */
const Measured = z.object({ name: z.string(), value: z.string().nullable(), unit: z.string().nullable() })

/** A file or film of a product: opened outside the app, and only over https. `url` is null where it has no such address. */
const Document = z.object({ name: z.string(), url: z.string().nullable(), mimeType: z.string().nullable() })

const Dosage = z.object({
  name: z.string(),
  quantity: z.string().nullable(),
  servingSize: z.string().nullable(),
  thc: z.string().nullable(),
  cbd: z.string().nullable(),
})

const shown = {
  ref: EntityRef,
  /** What it is called; null where it has no name but its id. */
  name: z.string().nullable(),
  knowledge: Knowledge,
  /** Why nobody could be asked; null when it was. */
  unreachable: AppError.nullable(),
  missing: z.array(MissingPart),
  facts: z.array(Fact),
  /** What this station reported of it, or will, newest first; at most 50. */
  operations: z.array(OperationView).max(50),
}

const TagThing = z.object({
  kind: z.literal('tag'),
  ...shown,
  pictureUrl: z.string().nullable(),
  product: ThingLink.nullable(),
  batch: ThingLink.nullable(),
  coas: z.array(CoaLink),
  /** Newest first. */
  holders: z.array(Holder),
  pastHolders: z.array(Holder),
  /** The last sale that is known of it: our own order, or the day that the service shows. */
  sale: z
    .object({ orderId: z.string().nullable(), at: z.string().nullable(), by: z.enum(['this-station', 'service']) })
    .nullable(),
})

export const CollectionThing = z.object({
  kind: z.literal('collection'),
  ...shown,
  collectionId: ShortUuid,
  identifier: z.string(),
  type: z.string(),
  isRemoved: z.boolean(),
  /** Set where it is a case. */
  caseId: CaseId.nullable(),
  pictureUrl: z.string().nullable(),
  packagedProducts: z.array(PackagedProductLine),
  coas: z.array(CoaLink),
  /** Other cases of its items, and their regulator ids: in the order of time. */
  cases: z.array(Holder),
  regulatorIds: z.array(Holder),
  /** At most 500 of `itemCount`; so are the removed ones. */
  items: z.array(Member).max(500),
  itemCount: z.number().int().nonnegative(),
  removedItems: z.array(Member).max(500),
  removedItemCount: z.number().int().nonnegative(),
})
export type CollectionThing = z.infer<typeof CollectionThing>

const PackageThing = z.object({
  kind: z.literal('package'),
  ...shown,
  cases: z.array(
    z.object({
      link: ThingLink,
      isImported: z.boolean(),
      importedOn: z.string().nullable(),
      dispensary: z.string().nullable(),
      packageUid: z.string().nullable(),
    }),
  ),
})

const ProductThing = z.object({
  kind: z.literal('product'),
  ...shown,
  /** HTML of somebody else: to be shown by `ui/ForeignHtml.svelte` alone. */
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
  /** Films behind the files. */
  documents: z.array(Document),
  /** Those that this station has seen: no list of the service has them. The last ones first. */
  batches: z.array(ThingLink).max(50).default([]),
})

const BatchThing = z.object({
  kind: z.literal('batch'),
  ...shown,
  coas: z.array(CoaLink),
  packagedProducts: z.array(PackagedProductLine),
})

const CoaThing = z.object({
  kind: z.literal('coa'),
  ...shown,
  batch: ThingLink.nullable(),
  verdict: CoaLink.shape.verdict,
  isExpired: z.boolean(),
  totals: z.array(Measured),
  /** `result` as the service gives it: `pass`, `not_tested`, or whatever else it says. */
  tests: z.array(z.object({ name: z.string(), result: z.string() })),
  /** Every group of measurements, the empty ones included. `name` is the field of the specification. */
  groups: z.array(z.object({ name: z.string(), rows: z.array(Measured) })),
  /** Only over https; null otherwise. */
  certificateUrl: z.string().nullable(),
  sourceUrl: z.string().nullable(),
})

export const ThingView = z.discriminatedUnion('kind', [
  TagThing,
  CollectionThing,
  PackageThing,
  ProductThing,
  BatchThing,
  CoaThing,
])
export type ThingView = z.infer<typeof ThingView>
export type Thing<Kind extends ThingKind> = Extract<ThingView, { kind: Kind }>

/** What a text may mean: ids are looked up, words are looked for in names. */
export const Matches = z.object({
  things: z.array(ThingLink).max(50),
  /** An order number of this station's own: it opens Orders. */
  orderId: z.string().nullable(),
  /** Why the service could not be asked; then only what is stored was searched. */
  unreachable: AppError.nullable(),
})
export type Matches = z.infer<typeof Matches>

/** A collection of the caller's company that was removed. Spec: Removed collection list item. */
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

/** What a text means, and all there is to know of it. */
export const findCalls = {
  /** What a scanned or typed text may mean. Asks the service where it can. */
  'find.search': call(z.object({ text: z.string().trim().min(1).max(500) }), Matches),
  /** All there is to know of a thing: asked for now, or what is stored of it, with its age. */
  'find.thing': call(EntityRef, ThingView),
  /** What was looked at lately, newest first; at most 20. */
  'find.recent': call(nothing, z.array(ThingLink).max(20)),
  /** What this station remembers of an item, for a line that must not wait: nobody is asked. Null: it never saw it. */
  'find.known': call(z.object({ tagId: TagId }), ThingLink.nullable()),
  /** Removed collections of the caller's company, of one type or of all. Spec: Collections (v1.5). */
  'find.removed': call(z.object({ type: z.string().trim().min(1).max(50).nullable() }), z.array(RemovedCollectionLine)),
} as const

/** Collections of the service: removed, restored and changed. */
export const collectionCalls = {
  /** Each saves a report and waits up to 2 s for its outcome; `receiving.undo` takes it back. */
  'collection.remove': call(z.object({ collectionId: ShortUuid }), OperationView),
  'collection.restore': call(z.object({ collectionId: ShortUuid }), OperationView),
  'collection.removeItem': call(z.object({ collectionId: ShortUuid, tagId: TagId }), OperationView),
  'collection.restoreItem': call(z.object({ collectionId: ShortUuid, tagId: TagId }), OperationView),
  'collection.addItems': call(z.object({ caseId: CaseId, tagIds: z.array(TagId).min(1).max(500) }), OperationView),
  /** `packagedProductId` is required where the case has several. */
  'collection.addCase': call(
    z.object({
      regulatorIdentifier: z.string().trim().min(1).max(255),
      caseId: CaseId,
      packagedProductId: ShortUuid.nullable(),
    }),
    OperationView,
  ),
} as const
