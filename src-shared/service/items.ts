import { z } from 'zod'
import { ShortUuid, TagId } from '../ids'
import { DateTime, maybe } from './wire'

const ItemCollection = z.looseObject({
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

/** `GET /api/v1.2/items/<uuid>/`. Spec: TagID (item). */
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
