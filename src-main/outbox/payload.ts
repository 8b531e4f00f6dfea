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

/** A collection of any type. All but its id is as far as it was known when this was saved, and for the screen. */
const ofCollection = {
  collectionId: ShortUuid,
  collectionType: z.string().nullable(),
  collectionName: z.string().nullable(),
}
/** An item of a collection. Of a case, that is named by its CaseID: so every version has stored it. */
const ofItem = { productName: z.string().nullable(), tagId: TagId }
const wholeCollection = {
  ...ofCollection,
  /** What the service's restore names it by; null when only its id was known. */
  identifier: z.string().nullable(),
  itemCount: z.number().int().nonnegative(),
}

const ofOrder = {
  orderId: OrderId,
  tagIds: z.array(TagId),
  budtenderId: z.string().optional(),
  /** Sealed. */
  customerId: z.string().optional(),
  /** A person said: it may go without its customer, should that be sealed with a key that is gone. */
  mayLackCustomer: z.literal(true).optional(),
  /** Why, for this store only: it is not sent. */
  note: z.string().optional(),
}

const Usual = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('import'),
    ...ofCase,
    posProductId: z.string(),
    posInventoryId: z.string(),
    sku: z.string().optional(),
  }),
  /** `scanned` names a case that nobody could be asked about; its CaseID where the label gave it. */
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
    /** Nobody could see what was inside before: some of these may have been, and to take all out again would undo too much. */
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
  /** The tags are those we know of the order: they are not sent, but nobody may sell them before the void is done. */
  z.object({ kind: z.literal('void'), ...ofOrder }),
  z.object({ kind: z.literal('return'), ...ofOrder }),
])

const OfOtherCollection = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('remove-item'), ...ofCollection, ...ofItem }),
  z.object({ kind: z.literal('restore-item'), ...ofCollection, ...ofItem }),
])

export const Payload = z.union([Usual, OfOtherCollection])
export type Payload = z.infer<typeof Payload>

/** A lock on a thing: an operation waits for every earlier unfinished one that holds a conflicting key. */
export interface Key {
  key: string
  isExclusive: boolean
}

export const orderKey = (orderId: string) => `order:${orderId}`
export const caseKey = (caseId: string) => `case:${caseId}`
export const tagKey = (tagId: string) => `tag:${tagId}`
/** Of a collection of any type: of a case the very key that its imports and sales hold. */
export const collectionKey = caseKey
/** Of what a case holds, apart from the case: who reads all of it waits for those who change it, and no sale for either. */
export const membersKey = (caseId: string) => `members:${caseId}`
/** Of a regulator collection, which a case is put into by its identifier. */
export const regulatorKey = (identifier: string) => `regulator:${identifier}`
/** Of a case that nobody could be asked about: what was read off its label. */
export const scannedKey = (scanned: string) => `scanned:${scanned}`

/** The items that an operation is about, each once. */
export const tagsOf = (payload: Payload): TagId[] =>
  'tagIds' in payload ? [...new Set(payload.tagIds)] : 'tagId' in payload ? [payload.tagId] : []

/** An operation that changes what a collection holds, item by item. */
export type MembersPayload = Extract<Payload, { kind: 'add-items' | 'remove-item' | 'restore-item' }>
/** One that removes or restores a collection as a whole. */
export type WholePayload = Extract<Payload, { kind: 'remove-collection' | 'restore-collection' }>
export type CollectionPayload = MembersPayload | WholePayload | Extract<Payload, { kind: 'add-case' }>

/** The collection that a change is of; of a case that is put into another, the case. */
export const collectionOf = (payload: CollectionPayload): string =>
  'caseId' in payload ? payload.caseId : payload.collectionId

/** An operation that can be sent: of a blind import, it must first be found out which import it is. */
export type Sendable = Exclude<Payload, { kind: 'blind-import' }>
