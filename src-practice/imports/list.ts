import { z } from 'zod'
import { type Store, query } from '../store/query'

const Current = z
  .object({
    case_uuid: z.string(),
    packaged_product_uuid: z.string(),
    package_uid: z.string(),
    pos_product_id: z.string(),
    pos_inventory_id: z.string(),
    imported_on: z.string(),
    dispensary_uuid: z.string(),
    dispensary_name: z.string(),
    items_count: z.number(),
  })
  .transform(({ dispensary_uuid, dispensary_name, ...rest }) => ({
    ...rest,
    dispensary: { uuid: dispensary_uuid, name: dispensary_name },
  }))

/** An import in force. */
export type CurrentImport = z.infer<typeof Current>

/** The imports in force, of all dispensaries, in the order in which they came. */
export function listImports(store: Store): CurrentImport[] {
  return query(
    store,
    `SELECT i.case_uuid, i.packaged_product_uuid, i.package_uid, i.pos_product_id, i.pos_inventory_id, i.imported_on,
       i.dispensary_uuid, d.name AS dispensary_name,
       (SELECT count(*) FROM import_items ii WHERE ii.import_id = i.id) AS items_count
     FROM imports i JOIN dispensaries d ON d.uuid = i.dispensary_uuid ORDER BY i.id`,
    Current,
  ).all()
}
