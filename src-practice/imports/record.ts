import { z } from 'zod'
import { type Store, command, query } from '../store/query'
import { newShortUuid } from '../store/short-id'

/** One packaged product of one case, taken into a dispensary's inventory. */
export interface NewImport {
  case_uuid: string
  packaged_product_uuid: string
  dispensary_uuid: string
  package_uid: string
  pos_product_id: string
  pos_inventory_id: string
  sku: string | null
  imported_on: string
}

const Uuid = z.object({ uuid: z.string() })

/**
 * Writes an import that the rules allow: its items, the POS package UID with its inventory collection, the catalog
 * product and the inventory package. Called inside a transaction. Spec: States and transitions.
 */
export function recordImport(store: Store, one: NewImport): void {
  const { dispensary_uuid, package_uid, imported_on } = one
  command(
    store,
    `INSERT INTO imports (case_uuid, packaged_product_uuid, dispensary_uuid, package_uid, pos_product_id,
       pos_inventory_id, imported_on) VALUES (?, ?, ?, ?, ?, ?, ?)`,
  )(
    one.case_uuid,
    one.packaged_product_uuid,
    dispensary_uuid,
    package_uid,
    one.pos_product_id,
    one.pos_inventory_id,
    imported_on,
  )
  command(
    store,
    `INSERT INTO import_items (tag_uuid, import_id)
     SELECT t.uuid, i.id FROM imports i
       JOIN memberships m ON m.collection_uuid = i.case_uuid AND m.removed_on IS NULL
       JOIN tag_ids t ON t.uuid = m.tag_uuid AND t.packaged_product_uuid = i.packaged_product_uuid
     WHERE i.case_uuid = ? AND i.packaged_product_uuid = ? ORDER BY m.rowid`,
  )(one.case_uuid, one.packaged_product_uuid)

  const inventory = inventoryCollection(store, one)
  command(
    store,
    `INSERT INTO memberships (collection_uuid, tag_uuid, added_on)
     SELECT ?, ii.tag_uuid, i.imported_on FROM import_items ii JOIN imports i ON i.id = ii.import_id
     WHERE i.case_uuid = ? AND i.packaged_product_uuid = ? ORDER BY ii.rowid
     ON CONFLICT DO UPDATE SET added_on = excluded.added_on, removed_on = NULL, removed_by_company_uuid = NULL`,
  )(inventory, one.case_uuid, one.packaged_product_uuid)
  command(
    store,
    `INSERT INTO pos_packages VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET updated_on = excluded.updated_on`,
  )(dispensary_uuid, package_uid, inventory, imported_on)
  command(
    store,
    `INSERT INTO catalog_products SELECT ?, ?, product_uuid, ?, ? FROM packaged_products WHERE uuid = ?
     ON CONFLICT DO UPDATE SET product_uuid = excluded.product_uuid, sku = coalesce(excluded.sku, sku),
       updated_on = excluded.updated_on`,
  )(dispensary_uuid, one.pos_product_id, one.sku, imported_on, one.packaged_product_uuid)
  command(
    store,
    `INSERT INTO inventory_packages VALUES (?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET package_uid = excluded.package_uid, updated_on = excluded.updated_on`,
  )(dispensary_uuid, one.pos_inventory_id, package_uid, imported_on)
}

/** The collection that stands for a POS package in a dispensary; made at its first import. */
function inventoryCollection(store: Store, one: NewImport): string {
  const { dispensary_uuid, package_uid, imported_on } = one
  // Removed and imported again, a package keeps its collection: its members remember when they left.
  const existing = query(
    store,
    `SELECT uuid FROM collections WHERE collection_type = 'inventory' AND dispensary_uuid = ? AND identifier = ?`,
    Uuid,
  ).get(dispensary_uuid, package_uid)
  if (existing) return existing.uuid
  const uuid = newShortUuid()
  command(
    store,
    `INSERT INTO collections (uuid, identifier, collection_type, company_uuid, dispensary_uuid, added_on, body)
     SELECT ?, ?, 'inventory', company_uuid, uuid, ?, json_object('name', ?) FROM dispensaries WHERE uuid = ?`,
  )(uuid, package_uid, imported_on, package_uid, dispensary_uuid)
  return uuid
}
