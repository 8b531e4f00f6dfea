import { z } from 'zod'
import { CaseId, OrderId, PackageUid, ShortUuid, TagId } from '../../src-shared/ids'

/** What an operation reports. Stored as JSON, parsed on every read. */

const ofCase = {
  caseId: CaseId,
  packagedProductId: ShortUuid,
  packageUid: PackageUid,
  /** For the screen only. */
  productName: z.string().nullable(),
  itemCount: z.number().int().nonnegative(),
}

/** What a case holds; the name is for the screen only. */
const ofMembers = { caseId: CaseId, productName: z.string().nullable() }

/** A collection of any type. Type and name are as known when this was saved, for the screen only. */
const ofCollection = {
  collectionId: ShortUuid,
  collectionType: z.string().nullable(),
  collectionName: z.string().nullable(),
}
/** An item of a collection. In a case it is stored with the CaseID, as every version has done. */
const ofItem = { productName: z.string().nullable(), tagId: TagId }
const wholeCollection = {
  ...ofCollection,
  /** The name that the service's restore call takes; null if only the id was known. */
  identifier: z.string().nullable(),
  itemCount: z.number().int().nonnegative(),
}

const ofOrder = {
  orderId: OrderId,
  tagIds: z.array(TagId),
  budtenderId: z.string().optional(),
  /** Sealed. */
  customerId: z.string().optional(),
  /** A person allowed sending it without its customer if the key to unseal that is gone. */
  mayLackCustomer: z.literal(true).optional(),
  /** Reason for a return. Stored locally, never sent. */
  note: z.string().optional(),
  /** What a manager permitted, in words for a person, by item. Stored locally, never sent. */
  permits: z.array(z.object({ tagId: TagId, text: z.string() })).optional(),
  /** Items sold while the store hub did not answer: another station may have sold them too. Stored locally, never sent. */
  unclaimed: z.array(TagId).optional(),
  /** The person who scanned the first item; who completed it stands in the journal. Stored locally, never sent. */
  begunBy: z.string().optional(),
}

const Usual = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('import'),
    ...ofCase,
    posProductId: z.string(),
    posInventoryId: z.string(),
    sku: z.string().optional(),
  }),
  /** `scanned` names a case that couldn't be looked up; `caseId` is set if the label gave it. */
  z.object({
    kind: z.literal('blind-import'),
    scanned: z.string(),
    caseId: CaseId.nullable(),
    packageUid: PackageUid,
    posProductId: z.string(),
    posInventoryId: z.string(),
    sku: z.string().optional(),
  }),
  z.object({ kind: z.literal('import-removal'), ...ofCase }),
  z.object({
    kind: z.literal('add-items'),
    ...ofMembers,
    tagIds: z.array(TagId).min(1),
    /** What was in the case wasn't visible: some of these may have been in it, so removing all of them would undo too much. */
    isUnseen: z.literal(true).optional(),
  }),
  z.object({ kind: z.literal('remove-item'), caseId: CaseId, ...ofItem }),
  z.object({ kind: z.literal('restore-item'), caseId: CaseId, ...ofItem }),
  z.object({ kind: z.literal('remove-collection'), ...wholeCollection }),
  z.object({ kind: z.literal('restore-collection'), ...wholeCollection }),
  /** A case, or one packaged product of it, into a regulator collection. */
  z.object({
    kind: z.literal('add-case'),
    ...ofMembers,
    regulatorIdentifier: z.string().min(1),
    packagedProductId: ShortUuid.nullable(),
  }),
  z.object({ kind: z.literal('complete'), ...ofOrder }),
  /** The tags are those known of the order. They aren't sent, but can't be sold before the void is done. */
  z.object({ kind: z.literal('void'), ...ofOrder }),
  z.object({ kind: z.literal('return'), ...ofOrder }),
])

const OfOtherCollection = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('remove-item'), ...ofCollection, ...ofItem }),
  z.object({ kind: z.literal('restore-item'), ...ofCollection, ...ofItem }),
])

export const Payload = z.union([Usual, OfOtherCollection])
export type Payload = z.infer<typeof Payload>

/** The case that an item is known to be in: the one it was last seen in. */
export type CaseOf = (tagId: TagId) => CaseId | undefined

/** A lock: an operation waits for every earlier unfinished one that holds a conflicting key. */
export interface Key {
  key: string
  isExclusive: boolean
}

export const orderKey = (orderId: string) => `order:${orderId}`
export const caseKey = (caseId: string) => `case:${caseId}`
export const tagKey = (tagId: string) => `tag:${tagId}`
/** A collection of any type; a case has the same key that its imports and sales hold. */
export const collectionKey = caseKey
/** The contents of a case: what depends on all of them waits for changes of them, and no sale waits for either. */
export const membersKey = (caseId: string) => `members:${caseId}`
/** A regulator collection, to which a case is added by identifier. */
export const regulatorKey = (identifier: string) => `regulator:${identifier}`
/** A case that couldn't be looked up, by what was scanned. */
export const scannedKey = (scanned: string) => `scanned:${scanned}`

/** The items that an operation is about, each once. */
export const tagsOf = (payload: Payload): TagId[] =>
  'tagIds' in payload ? [...new Set(payload.tagIds)] : 'tagId' in payload ? [payload.tagId] : []

/** An operation that changes what a collection holds, item by item. */
export type MembersPayload = Extract<Payload, { kind: 'add-items' | 'remove-item' | 'restore-item' }>
/** One that removes or restores a collection as a whole. */
export type WholePayload = Extract<Payload, { kind: 'remove-collection' | 'restore-collection' }>
export type CollectionPayload = MembersPayload | WholePayload | Extract<Payload, { kind: 'add-case' }>

/** The collection that a change is about; for a case that is added to another collection, the case. */
export const collectionOf = (payload: CollectionPayload): string =>
  'caseId' in payload ? payload.caseId : payload.collectionId

/** An operation that can be sent; a blind import must be identified first. */
export type Sendable = Exclude<Payload, { kind: 'blind-import' }>
