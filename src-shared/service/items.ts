import { z } from 'zod'
import { ShortUuid, TagId } from '../ids'
import { DateTime, LongTagId, LongUuid, maybe } from './wire'

/** A collection that holds or held an item, as `/api/v1.2` shows it. Spec: TagID (item). */
export const ItemCollection = z.looseObject({
  uuid: ShortUuid,
  uuid_legacy: maybe(z.string()),
  identifier: z.string(),
  collection_type: z.string(),
  added_on: maybe(DateTime),
  name: maybe(z.string()),
  is_public: maybe(z.boolean()),
  removed_on: maybe(DateTime),
  activated_on: maybe(DateTime),
  sub_type: maybe(z.string()),
  tag_ids_count: maybe(z.number().int()),
  company_name: maybe(z.string()),
  collection_url: maybe(z.string()),
})

/** `GET /api/v1.2/items/<uuid>/`. */
export const Item = z.looseObject({
  uuid: TagId,
  created: maybe(DateTime),
  tagid_url: maybe(z.string()),
  brand_uuid: maybe(ShortUuid),
  product_uuid: maybe(ShortUuid),
  batch_uuid: maybe(ShortUuid),
  collections: z.array(ItemCollection),
  removed_collections: maybe(z.array(ItemCollection)),
})
export type Item = z.infer<typeof Item>

/** A collection that holds or held an item, as `/api/v1.5` shows it. */
export const ItemCollectionV15 = z.looseObject({
  uuid: LongUuid,
  identifier: z.string(),
  collection_type: z.string(),
  added_on: maybe(DateTime),
  name: maybe(z.string()),
  is_public: maybe(z.boolean()),
  removed_on: maybe(DateTime),
})

/** `GET /api/v1.5/items/<uuid>/`. */
export const ItemV15 = z.looseObject({
  uuid: LongTagId,
  created: maybe(DateTime),
  brand_uuid: maybe(LongUuid),
  product_uuid: maybe(LongUuid),
  batch_uuid: maybe(LongUuid),
  digital_coa_uuids: maybe(z.array(LongUuid)),
  collections: z.array(ItemCollectionV15),
  removed_collections: maybe(z.array(ItemCollectionV15)),
})
export type ItemV15 = z.infer<typeof ItemV15>

/** `GET /api/v1.5/tag-ids/<uuid>/removed-collections/`. */
export const ItemWithRemovedCollections = z.looseObject({
  uuid: LongTagId,
  created: maybe(DateTime),
  brand_uuid: maybe(LongUuid),
  product_uuid: maybe(LongUuid),
  batch_uuid: maybe(LongUuid),
  dispensary_uuid: maybe(LongUuid),
  claimed_by_user_uuid: maybe(LongUuid),
  claimed_on: maybe(DateTime),
  counterfeit_on: maybe(DateTime),
  paired_on: maybe(DateTime),
  is_claimed: maybe(z.boolean()),
  is_counterfeit: maybe(z.boolean()),
  is_paired: maybe(z.boolean()),
  removed_collections: z.array(z.looseObject({ ...ItemCollectionV15.shape, company_uuid: maybe(LongUuid) })),
})
export type ItemWithRemovedCollections = z.infer<typeof ItemWithRemovedCollections>
