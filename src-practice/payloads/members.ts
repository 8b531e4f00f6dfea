import { z } from 'zod'
import type { Parts } from '../http/context'
import { query } from '../store/query'

const MemberRow = z.object({
  tag_id: z.string(),
  added_on: z.string(),
  added_by_company_name: z.string().nullable(),
  removed_on: z.string().nullable(),
  removed_by_company_uuid: z.string().nullable(),
  removed_by_company_name: z.string().nullable(),
  paired_on: z.string().nullable(),
  claimed_on: z.string().nullable(),
  packaged_product_uuid: z.string().nullable(),
  product_uuid: z.string().nullable(),
  batch_uuid: z.string().nullable(),
  brand_uuid: z.string().nullable(),
  package_uid: z.string().nullable(),
  imported_on: z.string().nullable(),
  importing_company_uuid: z.string().nullable(),
  sold_at: z.string().nullable(),
})
export type MemberRow = z.infer<typeof MemberRow>

/** All items that are or were in a collection, in order of arrival; one query reads everything about them. */
export function createMembers({ store }: Parts) {
  const members = query(
    store,
    `SELECT m.tag_uuid AS tag_id, m.added_on, a.name AS added_by_company_name, m.removed_on, m.removed_by_company_uuid,
       r.name AS removed_by_company_name, t.paired_on, t.claimed_on, t.packaged_product_uuid, p.product_uuid, p.batch_uuid,
       b.brand_uuid, i.package_uid, i.imported_on, d.company_uuid AS importing_company_uuid, o.sold_at
     FROM memberships m
       JOIN tag_ids t ON t.uuid = m.tag_uuid
       LEFT JOIN companies a ON a.uuid = m.added_by_company_uuid
       LEFT JOIN companies r ON r.uuid = m.removed_by_company_uuid
       LEFT JOIN packaged_products p ON p.uuid = t.packaged_product_uuid
       LEFT JOIN batches b ON b.uuid = p.batch_uuid
       LEFT JOIN import_items ii ON ii.tag_uuid = t.uuid
       LEFT JOIN imports i ON i.id = ii.import_id
       LEFT JOIN dispensaries d ON d.uuid = i.dispensary_uuid
       LEFT JOIN order_items o ON o.tag_uuid = t.uuid AND o.freed_at IS NULL
     WHERE m.collection_uuid = +? ORDER BY m.rowid`,
    MemberRow,
  )
  return (collectionUuid: string) => members.all(collectionUuid)
}

/** An item of a collection, as one company sees it. Spec: Collection > v1.2 collection item fields. */
export function memberPayload(
  member: MemberRow,
  collection: { company_name: string },
  companyUuid: string,
  tagUrl: string,
) {
  const { package_uid, imported_on, importing_company_uuid, sold_at, ...rest } = member
  return {
    ...rest,
    tag_id_legacy: null,
    // A package UID is internal to a company: other companies don't see it, as in the package UID lookup.
    pos_package_uid: importing_company_uuid === companyUuid ? package_uid : null,
    sell_in_age: null,
    sell_out_age: null,
    sold_at_dispensary_on: sold_at,
    imported_to_inventory_on: imported_on,
    last_audited_on: null,
    regulator_licenses: [],
    added_by: '',
    removed_by: '',
    added_by_company_name: member.added_by_company_name ?? collection.company_name,
    removed_by_company_name: member.removed_by_company_name ?? '',
    tagid_url: `${tagUrl}/${member.tag_id}`,
  }
}

/** The distinct values of one field of the items, in order; items without a value are skipped. */
export function distinct(
  members: readonly MemberRow[],
  field: 'packaged_product_uuid' | 'product_uuid' | 'batch_uuid' | 'brand_uuid',
) {
  return [...new Set(members.map((member) => member[field]).filter((value) => value !== null))]
}
