import { z } from 'zod'
import { AssetType, seenCollectionTypes } from '../../src-shared/service/allowed-values'
import { ServiceProduct } from '../../src-shared/service/token'
import { Id, Moment, Name, Text, list } from './fields'

/** The other part of the data file: accounts, items, and where the items are. */

export const CompanyData = z.strictObject({ uuid: Id, name: Name })

export const DispensaryData = z.strictObject({
  uuid: Id,
  name: Name,
  state: z.string().regex(/^[A-Z]{2}$/, { message: 'is not a two-letter state code' }),
  company_uuid: Id,
})

/** The product that an account is for; `both` is one account for both products. */
export const AccountProduct = z.enum([...ServiceProduct.options, 'both'])
export type AccountProduct = z.infer<typeof AccountProduct>

/** Spec: Authentication. A retail account without a dispensary may look things up, but not import or report. */
export const AccountData = z.strictObject({
  client_id: Name,
  client_secret: Name,
  product: AccountProduct,
  company_uuid: Id,
  brand_uuid: Id.nullable().default(null),
  dispensary_uuid: Id.nullable().default(null),
})

/** One physical item. Without a packaged product it is a printed code that is not paired yet. */
export const TagIdData = z.strictObject({
  uuid: Id,
  created: Moment,
  packaged_product_uuid: Id.nullable().default(null),
  paired_on: Moment.nullable().default(null),
  claimed_on: Moment.nullable().default(null),
  claimed_by_user_uuid: Id.nullable().default(null),
  counterfeit_on: Moment.nullable().default(null),
})

const CollectionType = z.enum(seenCollectionTypes)

/** Without a company, the collection's own company added it. */
const joined = { tag_id: Id, added_on: Moment, added_by_company_uuid: Id.nullable().default(null) }

/** A member: a TagID without more joined when the collection was added. */
const DataMember = z.union([Id, z.strictObject(joined)])

const RemovedMember = z.strictObject({
  ...joined,
  removed_on: Moment,
  removed_by_company_uuid: Id.nullable().default(null),
})

/**
 * Spec: Collection. `dispensary_uuid`: the dispensary that a regulator package was sent to; null means no particular
 * one.
 */
export const CollectionData = z.strictObject({
  uuid: Id,
  identifier: Name,
  name: Text,
  collection_type: CollectionType,
  sub_type: Text,
  company_uuid: Id,
  dispensary_uuid: Id.nullable().default(null),
  added_on: Moment,
  activated_on: Moment.nullable().default(null),
  last_audited_on: Moment.nullable().default(null),
  removed_on: Moment.nullable().default(null),
  is_public: z.boolean().default(true),
  url_version: Text,
  gtin_code: Text,
  template: Text,
  required_product_uuid: Id.nullable().default(null),
  required_items_per_caseid: z.number().int().positive().nullable().default(null),
  transfer_regulator_uid: Text,
  synced_collections: list(z.string()),
  members: list(DataMember),
  removed_members: list(RemovedMember),
})
export type CollectionData = z.infer<typeof CollectionData>

export const ImportData = z.strictObject({
  case_uuid: Id,
  packaged_product_uuid: Id,
  dispensary_uuid: Id,
  package_uid: Name,
  pos_product_id: Name,
  pos_inventory_id: Name,
  sku: z.string().nullable().default(null),
  imported_on: Moment,
})

/** Spec: Asset. `content` is the text, or the name of a file in the pictures folder. */
export const AssetData = z.strictObject({
  uuid: Id,
  company_uuid: Id,
  asset_type: AssetType,
  name: Name,
  content: z.string(),
  description: Text,
  usage: Text,
})
