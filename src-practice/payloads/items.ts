import { z } from 'zod'
import { parseId } from '../../src-shared/ids'
import type { Parts } from '../http/context'
import { query } from '../store/query'
import { createBatches } from './batches'

const Item = z.object({
  uuid: z.string(),
  created: z.string(),
  paired_on: z.string().nullable(),
  claimed_on: z.string().nullable(),
  claimed_by_user_uuid: z.string().nullable(),
  counterfeit_on: z.string().nullable(),
  packaged_product_uuid: z.string().nullable(),
  product_uuid: z.string().nullable(),
  batch_uuid: z.string().nullable(),
  brand_uuid: z.string().nullable(),
  dispensary_uuid: z.string().nullable(),
  dispensary_company_uuid: z.string().nullable(),
})
export type Item = z.infer<typeof Item>

/** One TagID with what is known of it. Spec: TagID (item). */
export function createItems(parts: Parts) {
  const item = query(
    parts.store,
    `SELECT t.*, b.brand_uuid, p.product_uuid, p.batch_uuid, i.dispensary_uuid, d.company_uuid AS dispensary_company_uuid
     FROM tag_ids t
       LEFT JOIN packaged_products p ON p.uuid = t.packaged_product_uuid LEFT JOIN batches b ON b.uuid = p.batch_uuid
       LEFT JOIN import_items ii ON ii.tag_uuid = t.uuid LEFT JOIN imports i ON i.id = ii.import_id
       LEFT JOIN dispensaries d ON d.uuid = i.dispensary_uuid
     WHERE t.uuid = ?`,
    Item,
  )
  const { packagedProducts, batches } = createBatches(parts)

  return {
    /** By either form of its id. */
    find(id: string): Item | undefined {
      const uuid = parseId(id)
      return uuid === undefined ? undefined : item.get(uuid)
    },
    /** The COAs of its packaged product, then those of its batch. */
    coas({ packaged_product_uuid, batch_uuid }: Item): string[] {
      const packaged = packaged_product_uuid === null ? [] : packagedProducts([packaged_product_uuid])
      const batch = batch_uuid === null ? [] : batches([batch_uuid])
      return [...new Set([...packaged, ...batch].flatMap((one) => one.digital_coa_uuids))]
    },
  }
}
